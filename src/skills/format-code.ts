/** `format-code`: formats the code with the formatter of the project; says which files changed. */
import type { ScriptSkill } from '../types/skill.js';
import { FORMAT_SCHEMA, formatProjects } from './shared/format-projects.js';
import { PROJECT_CALLS } from './shared/over-projects.js';

/** Data: `changed[]`, `sections[]`. With `check` it only tells. */
export const formatCode: ScriptSkill = {
  name: 'format-code',
  summary: 'Formats the code with the formatter of the project',
  schema: FORMAT_SCHEMA,
  example: { dir: '.' },
  calls: PROJECT_CALLS,
  readOnly: false,
  run: (args, context) => formatProjects('format-code', args, context, (ecosystem, ask, files) => ecosystem.format(ask, files)),
};
