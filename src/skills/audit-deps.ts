/** `audit-deps`: known vulnerabilities of the dependencies. */
import type { ScriptSkill } from '../types/skill.js';
import { overProjects, PROJECT_CALLS, PROJECT_FIELDS } from './shared/over-projects.js';

/** CLEAN only when a source was really asked; otherwise NOT AVAILABLE. Data: `sections[].findings[]` (rule, severity, message). */
export const auditDeps: ScriptSkill = {
  name: 'audit-deps',
  summary: 'Looks for known vulnerabilities in the dependencies',
  schema: { type: 'object', properties: PROJECT_FIELDS, additionalProperties: false },
  example: { dir: '.' },
  calls: PROJECT_CALLS,
  readOnly: true,
  run: (args, context) =>
    overProjects(args, context, { script: 'audit-deps', steps: (ecosystem, ask) => ecosystem.audit(ask), needsAll: true }),
};
