/** `@agents`: which agents there are, who works at this moment, and an end for one of them. */
import { oneLine, shortProse } from '../base/one-line.js';
import type { Dispatcher, WorkerView } from '../types/dispatch.js';
import type { JsonObject } from '../types/json.js';
import type { Tool } from '../types/tool.js';
import type { WorkerAgent } from '../types/worker.js';
import { fault } from './run-call.js';

/** The tool over a dispatcher and the agents of this moment. */
export function agentsTool(dispatcher: Dispatcher, agents: () => readonly WorkerAgent[], now: () => number = Date.now): Tool {
  return {
    name: '@agents',
    aliases: ['list_agents', 'agents_runs', 'workers'],
    summary: 'Lists agents and workers at work; cancel stops one worker',
    schema: {
      type: 'object',
      properties: {
        cmd: { type: 'string', enum: ['list', 'cancel'], description: 'default: list' },
        worker: { type: 'string', description: 'id of the worker to stop, as list shows it' },
      },
      additionalProperties: false,
    },
    fieldAliases: { action: 'cmd', command: 'cmd', id: 'worker', name: 'worker' },
    positional: ['cmd', 'worker'],
    mainField: 'cmd',
    example: { cmd: 'list' },
    inFull: false,
    limit: 30_000,
    cut: 'ends',
    origin: 'builtin',
    facts: (args) => ({
      readOnly: true,
      reads: [],
      writes: [],
      order: 'overlap',
      label: { verb: 'agent', object: [textOf(args, 'cmd') || 'list', textOf(args, 'worker')].join(' ').trim() },
    }),
    async run(args) {
      if (textOf(args, 'cmd') !== 'cancel') return { output: listText(dispatcher, agents(), now()), isError: false };
      const worker = textOf(args, 'worker');
      if (worker === '') return fault('InvalidArgs', 'at /worker: cancel needs the id of a worker, as list shows it');
      if (dispatcher.cancel(worker)) return { output: `The worker ${worker} is being stopped.\n`, isError: false };
      const ids = dispatcher.workers().map((one) => one.worker);
      return fault('NotFound', `no worker ${worker} waits or works. At work: ${ids.join(', ') || 'none'}`);
    },
  };
}

function listText(dispatcher: Dispatcher, agents: readonly WorkerAgent[], now: number): string {
  const workers = dispatcher.workers();
  const rows = workers.map((worker) => workerLine(worker, now));
  return [
    workers.length > 0 ? 'At work:' : 'At work: nobody',
    ...rows,
    'Agents:',
    ...agents.map(
      ({ name, readOnly, origin }) => `- ${name}${readOnly ? ' (read-only)' : ''}${origin ? ` from ${oneLine(origin)}` : ''}`,
    ),
    '',
  ].join('\n');
}

/** One worker on one line. */
export function workerLine({ worker, state, task, started }: WorkerView, now: number): string {
  const seconds = Math.max(0, Math.round((now - started) / 1000));
  return `- ${worker}: ${state}, ${seconds} s: ${shortProse(task, 120)}`;
}

function textOf(args: JsonObject, field: string): string {
  const value = args[field];
  return typeof value === 'string' ? value.trim() : '';
}
