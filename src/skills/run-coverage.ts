/** `run-coverage`: runs the tests and tells what they cover. */
import type { ScriptSkill } from '../types/skill.js';
import { jacocoRows } from './ecosystems/java.js';
import { textOf } from './shared/args.js';
import { overProjects, PROJECT_CALLS, PROJECT_FIELDS } from './shared/over-projects.js';

/** PASSED or FAILED is that of the tests. Data: `sections[]` with `total` (percent) and `functions`, `files` or `classes`, least first. */
export const runCoverage: ScriptSkill = {
  name: 'run-coverage',
  summary: 'Runs the tests with coverage; per function or file, least covered first',
  schema: {
    type: 'object',
    properties: {
      pkg: { type: 'string', minLength: 1, description: 'Package or test path; default: all' },
      ...PROJECT_FIELDS,
    },
    additionalProperties: false,
  },
  example: { dir: '.', pkg: './...' },
  calls: PROJECT_CALLS,
  readOnly: false,
  run: (args, context) =>
    overProjects(args, context, {
      script: 'run-coverage',
      steps: (ecosystem, ask) => ecosystem.coverage(ask, textOf(args, 'pkg')),
      issuesFail: true,
      words: { clean: 'PASSED', issues: 'FAILED' },
      async after(section, ask) {
        if (section.title !== 'jacoco' || section.state !== 'clean') return section;
        const rows = await jacocoRows(ask);
        return rows === undefined ? section : { ...section, ...rows, extra: { ...section.extra, ...rows.extra } };
      },
    }),
};
