/** `build-check`: does it compile? `go build` and `go vet`, the type check and build of a JavaScript project, and so on. */
import type { ScriptSkill } from '../types/skill.js';
import { overProjects, PROJECT_CALLS, PROJECT_FIELDS } from './shared/over-projects.js';

/** Stops at the first red step of a project. Data: `sections[]` with `title`, `state`, `findings` (file, line, column, message). */
export const buildCheck: ScriptSkill = {
  name: 'build-check',
  summary: 'Compiles and type-checks the project; lists the errors by place',
  schema: { type: 'object', properties: PROJECT_FIELDS, additionalProperties: false },
  example: { dir: '.' },
  calls: PROJECT_CALLS,
  readOnly: false,
  run: (args, context) =>
    overProjects(args, context, {
      script: 'build-check',
      steps: (ecosystem, ask) => ecosystem.build(ask),
      stop: true,
      issuesFail: true,
      words: { clean: 'OK', issues: 'FAILED' },
    }),
};
