/** A script of a skill package as a skill an agent can call: its program chosen, its arguments as words. */
import type { ScriptSkill } from '../types/skill.js';
import type { SkillScript } from './packages.js';
import { EXEC_TOOL, runWords } from './shared/run.js';

/** Words in front of the script, or why there are none. */
export type Runner = { readonly words: readonly string[] } | { readonly missing: string };

/** The first program of the script's list that is there; a script without a list runs by itself. */
export function runnerOf(script: SkillScript, isThere: (program: string) => boolean): Runner {
  if (script.runners.length === 0) return { words: [] };
  const words = script.runners.find(([program]) => program !== undefined && isThere(program));
  const names = script.runners.map(([program]) => program).join(', ');
  return words ? { words } : { missing: `none of the programs that run it is installed: ${names}` };
}

/** The script as a skill named `package/scripts/file`. Its command passes the gate like any other. */
export function packageScript(script: SkillScript, runner: Runner): ScriptSkill {
  return {
    name: script.name.toLowerCase(),
    summary: `Script of the skill ${script.name.split('/')[0] ?? ''}`,
    schema: {
      type: 'object',
      properties: {
        args: { type: 'array', items: { type: 'string' }, description: 'words behind the script, each as it is' },
        dir: { type: 'string', description: 'folder to start in; default: the workspace' },
        timeout: { type: 'number', description: 'seconds' },
      },
      additionalProperties: false,
    },
    example: { args: ['src'] },
    calls: [EXEC_TOOL],
    readOnly: false,
    async run({ args, dir, timeout }, context) {
      if ('missing' in runner) {
        const text = `NOT AVAILABLE: ${script.name}: ${runner.missing}`;
        return { status: 'not-available', text, data: { reason: runner.missing } };
      }
      if (script.intact?.() === false) {
        const text = `NOT RUN: ${script.name}: its package changed since the folder was trusted. The user can look and decide: chatcli trust`;
        return { status: 'denied', text, data: { reason: 'the package changed since it was trusted' } };
      }
      const given = Array.isArray(args) ? args.map(String) : [];
      const ran = await runWords(context, [...runner.words, script.path, ...given], {
        dir: typeof dir === 'string' ? dir : '.',
        seconds: typeof timeout === 'number' ? timeout : undefined,
      });
      const data = { command: ran.command, exitCode: ran.exitCode, output: ran.output };
      if (ran.how === 'refused') {
        const denied = ran.code === 'Denied' || ran.code === 'Blocked' || ran.code === 'Sensitive';
        return { status: denied ? 'denied' : 'failed', text: ran.output, data };
      }
      const end = ran.how === 'ended' ? `exit code ${ran.exitCode}` : ran.how;
      return { status: ran.exitCode === 0 ? 'ok' : 'failed', text: `${script.name}: ${end}\n${ran.output}`, data };
    },
  };
}
