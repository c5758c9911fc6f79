/** `fix-imports`: sorts and cleans up imports with the tool of the project; says which files changed. */
import type { ScriptSkill } from '../types/skill.js';
import { formatProjects } from './shared/format-projects.js';
import { PROJECT_CALLS, PROJECT_FIELDS } from './shared/over-projects.js';

/** Data: `changed[]`, `sections[]`. With `check` it only tells. */
export const fixImports: ScriptSkill = {
  name: 'fix-imports',
  summary: 'Sorts and cleans up imports with the tool of the project',
  schema: {
    type: 'object',
    properties: {
      file: { type: ['string', 'array'], items: { type: 'string' }, description: 'Only this file or these' },
      check: { type: 'boolean', default: false, description: 'Only tell what would change' },
      ...PROJECT_FIELDS,
    },
    additionalProperties: false,
  },
  example: { dir: '.' },
  calls: PROJECT_CALLS,
  readOnly: false,
  run: (args, context) => formatProjects('fix-imports', args, context, (ecosystem, ask, files) => ecosystem.imports(ask, files)),
};
