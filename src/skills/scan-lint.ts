/** `scan-lint`: runs the project's linters without changing anything. */
import type { ScriptSkill } from '../types/skill.js';
import { overProjects, PROJECT_CALLS, PROJECT_FIELDS } from './shared/over-projects.js';

/** Every linter is CLEAN, ISSUES FOUND, FAILED, DENIED or NOT AVAILABLE with the reason. Data: `sections[].findings[]`. */
export const scanLint: ScriptSkill = {
  name: 'scan-lint',
  summary: "Runs the project's linters without fixes; lists issues by place",
  schema: { type: 'object', properties: PROJECT_FIELDS, additionalProperties: false },
  example: { dir: '.' },
  calls: PROJECT_CALLS,
  readOnly: true,
  run: (args, context) => overProjects(args, context, { script: 'scan-lint', steps: (ecosystem, ask) => ecosystem.lint(ask) }),
};
