/** `check-deps`: are the dependencies complete and consistent? Changes no file. */
import type { ScriptSkill } from '../types/skill.js';
import { overProjects, PROJECT_CALLS, PROJECT_FIELDS } from './shared/over-projects.js';

/** Data: `sections[]`; for Go the one of `go list -m all` holds `modules`. */
export const checkDeps: ScriptSkill = {
  name: 'check-deps',
  summary: 'Checks dependencies for completeness and consistency; changes nothing',
  schema: { type: 'object', properties: PROJECT_FIELDS, additionalProperties: false },
  example: { dir: '.' },
  calls: PROJECT_CALLS,
  readOnly: true,
  run: (args, context) =>
    overProjects(args, context, {
      script: 'check-deps',
      steps: (ecosystem, ask) => ecosystem.checkDeps(ask),
      words: { clean: 'OK' },
    }),
};
