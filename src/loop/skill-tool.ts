/** `skill`: lets an agent run one of its script skills as a call. */
import type { JsonObject } from '../types/json.js';
import type { ScriptSkill } from '../types/skill.js';
import type { Tool } from '../types/tool.js';
import { emitterFor } from './emit.js';
import type { LoopPorts } from './ports.js';
import { fault } from './run-call.js';
import { runScript, scriptResult } from './run-script.js';
import { checkedScriptArgs } from './script-args.js';

const MOST_NAMES = 150;

/** The tool over these scripts. `ports()` holds all tools: a script's calls extend its agent's for this script alone. */
export function skillTool(scripts: readonly ScriptSkill[], ports: () => LoopPorts): Tool {
  return {
    name: 'skill',
    native: 'skill',
    aliases: ['run_skill', 'script'],
    summary: summaryOf(scripts),
    schema: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        args: { type: 'object', description: 'its fields; wrong ones are answered' },
      },
      required: ['name'],
      additionalProperties: false,
    },
    fieldAliases: { skill: 'name', script: 'name', arguments: 'args', input: 'args' },
    positional: ['name'],
    mainField: 'name',
    example: { name: scripts[0]?.name ?? 'run-tests', args: {} },
    inFull: true,
    limit: 30_000,
    cut: 'ends',
    origin: 'builtin',
    facts(args) {
      const script = scripts.find(({ name }) => name === nameOf(args));
      // What it does passes the gate call by call; here it only takes its place among the others.
      return {
        readOnly: true,
        ...(script?.readOnly === false ? { changes: true } : {}),
        reads: [],
        writes: [],
        order: script?.readOnly === false ? 'alone' : 'tree',
        label: { verb: 'call', object: `skill ${nameOf(args)}` },
      };
    },
    async run(args, context) {
      const script = scripts.find(({ name }) => name === nameOf(args));
      if (!script)
        return fault(
          'NotFound',
          `there is no script ${nameOf(args)} here. Scripts: ${scripts.map(({ name }) => name).join(', ')}`,
        );
      const given = checkedScriptArgs(script, args['args']);
      if (!given.ok) return fault('InvalidArgs', given.message);
      const all = ports();
      const { agent, plan, signal, callId } = context;
      const base = { agentId: agent, task: context.task ?? `skill ${script.name}`, plan, signal };
      const input = callId === undefined ? base : { ...base, parent: callId };
      const run = await runScript(script, given.args, input, all, {
        emit: emitterFor(all, context.agent),
        progress: context.progress,
      });
      return scriptResult(run);
    },
  };
}

/** Few scripts are named; many stand in the list of agents, and a wrong name is answered with all. */
function summaryOf(scripts: readonly ScriptSkill[]): string {
  const names = scripts.map(({ name }) => name).join(', ');
  return names.length > MOST_NAMES ? 'Runs a script of the agents, no model' : `Runs a script, no model: ${names}`;
}

function nameOf(args: JsonObject): string {
  const { name } = args;
  return typeof name === 'string' ? name.trim().toLowerCase() : '';
}
