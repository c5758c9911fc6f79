/** `why-dep`: who needs a dependency. */
import type { ScriptSkill } from '../types/skill.js';
import { textOf } from './shared/args.js';
import { overProjects, PROJECT_CALLS, PROJECT_FIELDS } from './shared/over-projects.js';

/** Data: `sections[]` with `needed` and `chain`, `chains`, `requiredBy` or `tree`, as the ecosystem tells it. */
export const whyDep: ScriptSkill = {
  name: 'why-dep',
  summary: 'Explains why a dependency is there: who needs it',
  schema: {
    type: 'object',
    properties: { module: { type: 'string', minLength: 1, description: 'Module, package or crate' }, ...PROJECT_FIELDS },
    required: ['module'],
    additionalProperties: false,
  },
  example: { module: 'golang.org/x/text' },
  calls: PROJECT_CALLS,
  readOnly: true,
  run: (args, context) => {
    const name = textOf(args, 'module') ?? '';
    return overProjects(args, context, {
      script: 'why-dep',
      steps: (ecosystem, ask) => ecosystem.why(ask, name),
      words: { clean: 'ANSWERED' },
      data: { module: name },
    });
  },
};
