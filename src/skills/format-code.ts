/** `format-code`: formats the code with the formatter of the project; says which files changed. */
import type { ScriptSkill } from '../types/skill.js';
import { formatProjects } from './shared/format-projects.js';
import { PROJECT_CALLS, PROJECT_FIELDS } from './shared/over-projects.js';

/** Data: `changed[]`, `sections[]`. With `check` it only tells. */
export const formatCode: ScriptSkill = {
  name: 'format-code',
  summary: 'Formats the code with the formatter of the project',
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
  run: (args, context) => formatProjects('format-code', args, context, (ecosystem, ask, files) => ecosystem.format(ask, files)),
};
