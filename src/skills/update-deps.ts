/** `update-deps`: which dependencies have newer versions. Updates nothing. */
import type { ScriptSkill } from '../types/skill.js';
import { overProjects, PROJECT_CALLS, PROJECT_FIELDS } from './shared/over-projects.js';

/** A dry run, always. Data: `sections[].updates[]` (name, current, latest). */
export const updateDeps: ScriptSkill = {
  name: 'update-deps',
  summary: 'Lists dependencies with newer versions (dry run, updates nothing)',
  schema: { type: 'object', properties: PROJECT_FIELDS, additionalProperties: false },
  example: { dir: '.' },
  calls: PROJECT_CALLS,
  readOnly: true,
  run: (args, context) =>
    overProjects(args, context, {
      script: 'update-deps',
      steps: (ecosystem, ask) => ecosystem.outdated(ask),
      needsAll: true,
      words: { clean: 'UP TO DATE', issues: 'UPDATES AVAILABLE' },
    }),
};
