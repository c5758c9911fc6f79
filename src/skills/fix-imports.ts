/** `fix-imports`: sorts and cleans up imports with the tool of the project; says which files changed. */
import type { ScriptSkill } from '../types/skill.js';
import { FORMAT_SCHEMA, formatProjects } from './shared/format-projects.js';
import { PROJECT_CALLS } from './shared/over-projects.js';

/** Data: `changed[]`, `sections[]`. With `check` it only tells. */
export const fixImports: ScriptSkill = {
  name: 'fix-imports',
  summary: 'Sorts and cleans up imports with the tool of the project',
  schema: FORMAT_SCHEMA,
  example: { dir: '.' },
  calls: PROJECT_CALLS,
  readOnly: false,
  run: (args, context) => formatProjects('fix-imports', args, context, (ecosystem, ask, files) => ecosystem.imports(ask, files)),
};
