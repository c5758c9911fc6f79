/** `agent`: an agent call is a tool call. Its result is the worker's report, the answer first. */
import { cutMiddle } from '../base/fair-share.js';
import { oneLine } from '../base/one-line.js';
import type { DeniedCall } from '../types/agent.js';
import type { Dispatch, Dispatcher, WorkerReport } from '../types/dispatch.js';
import type { JsonObject } from '../types/json.js';
import type { ErrorCode, Tool, ToolResult } from '../types/tool.js';
import { fault } from './run-call.js';

/** As much as a script of an agent gives at most (see skills: 27,000), with its head. */
const MOST_ANSWER = 28_000;
const MOST_FILES = 50;
const MOST_DENIED = 20;

/** The shapes of a call. A script needs no task. */
const FORMS =
  'Two shapes work: {"agent":"file","task":"what to do"} and, for a script of the agent alone, {"agent":"shell","skill":"run-tests","args":{"dir":"."}}';

/** The tool over a dispatcher; a wrong name is answered by its report. */
export function agentTool(dispatcher: Dispatcher): Tool {
  return {
    name: 'agent',
    native: 'agent',
    aliases: ['agent_call', 'dispatch_agent', 'task', 'delegate', 'spawn_agent'],
    summary: 'Gives a task to a specialist; several in one reply run in parallel',
    schema: {
      type: 'object',
      properties: {
        agent: { type: 'string' },
        task: { type: 'string', description: 'goal, paths, limits: it sees nothing of this conversation' },
        skill: { type: 'string', description: 'only this script, no model' },
        args: { type: 'object', description: 'of the script' },
        isolate: { type: 'boolean', description: 'writes in its own git worktree' },
      },
      required: ['agent'],
      additionalProperties: false,
    },
    fieldAliases: {
      name: 'agent',
      subagent_type: 'agent',
      agent_type: 'agent',
      type: 'agent',
      prompt: 'task',
      description: 'task',
      script: 'skill',
    },
    positional: ['agent', 'task'],
    example: { agent: 'file', task: 'Read src/cart.ts and say where prices are rounded' },
    inFull: true,
    delegates: true,
    limit: 36_000,
    cut: 'ends',
    origin: 'builtin',
    facts(args) {
      const object = `${nameOf(args)}: ${taskOf(args)}`;
      return { readOnly: true, reads: [], writes: [], order: 'overlap', label: { verb: 'agent', object } };
    },
    async run(args, context) {
      const skill = textOf(args, 'skill').toLowerCase();
      if (!nameOf(args)) return fault('InvalidArgs', `agent at /agent: it is empty. ${FORMS}`);
      if (!skill && !textOf(args, 'task')) return fault('InvalidArgs', `agent at /task: task is missing or empty. ${FORMS}`);
      const given = args['args'];
      const job: Dispatch = {
        callId: context.callId ?? '',
        agent: nameOf(args),
        task: taskOf(args),
        ...(skill ? { skill } : {}),
        ...(given !== null && typeof given === 'object' && !Array.isArray(given) ? { args: given } : {}),
        ...(args['isolate'] === true ? { isolate: true } : {}),
      };
      const report = await dispatcher.dispatch(job, { signal: context.signal });
      return reportResult(report, (path) => context.workspace.locate(path).real);
    },
  };
}

/** The report as the model reads it. */
export function reportResult(report: WorkerReport, real: (path: string) => string): ToolResult {
  const { outcome } = report;
  const output = reportText(report);
  const changed = outcome.files.map(real);
  const base = { output, changed, worker: outcome };
  if (outcome.status === 'done' || outcome.status === 'denied') return { ...base, isError: false };
  return { ...base, isError: true, code: codeOf(outcome.status) };
}

/** States as the orchestrator reads them. */
const STATES = {
  done: 'done',
  failed: 'failed',
  denied: 'ended, but calls were denied',
  turn_limit: 'turn limit reached, unfinished',
  stagnation: 'stopped: it went in circles',
  timeout: 'timeout, unfinished',
  provider: 'failed: the model service',
  budget: 'stopped: the budget is spent',
  interrupted: 'cancelled',
} as const satisfies Record<WorkerReport['outcome']['status'], string>;

export function reportText({ worker, outcome, log, omitted, ms, note }: WorkerReport): string {
  const { status, reason, result, turns, files, denied } = outcome;
  const why = status !== 'done' && reason ? `: ${reason}` : '';
  const rows = [
    `[${worker}] ${STATES[status]}${why} (${seconds(ms)}, ${counted(turns, 'turn')}, ${counted(log.length + omitted, 'call')})`,
    bounded(result.trim()) || '(no answer)',
    ...(note ? [note] : []),
    `Files changed: ${files.length > 0 ? capped(files, MOST_FILES).join(', ') : 'none'}`,
    ...capped(
      denied.map((call) => `Denied: ${call.tool}${summaryOf(call)}: ${call.reason}`),
      MOST_DENIED,
    ),
    ...(log.length > 0
      ? [`Calls${omitted > 0 ? ` (the first ${omitted} left out)` : ''}:`, ...log.map((line) => `- ${line}`)]
      : []),
  ];
  return rows.join('\n');
}

/** Labels of some calls begin with the tool. */
function summaryOf({ tool, summary }: DeniedCall): string {
  const text = oneLine(summary).slice(0, 300);
  const object = text.startsWith(`${tool} `) ? text.slice(tool.length + 1) : text;
  return object === '' || object === tool ? '' : ` ${object}`;
}

function capped(rows: readonly string[], most: number): readonly string[] {
  return rows.length <= most ? rows : [...rows.slice(0, most), `and ${rows.length - most} more`];
}

function codeOf(status: WorkerReport['outcome']['status']): ErrorCode {
  if (status === 'timeout') return 'Timeout';
  return status === 'interrupted' ? 'Aborted' : 'Failed';
}

function bounded(text: string): string {
  return cutMiddle(text, MOST_ANSWER);
}

function seconds(ms: number): string {
  return ms < 100 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function nameOf(args: JsonObject): string {
  return textOf(args, 'agent').toLowerCase();
}

/** A script that was given no task is its own. */
function taskOf(args: JsonObject): string {
  const task = textOf(args, 'task');
  const skill = textOf(args, 'skill').toLowerCase();
  return task === '' && skill !== '' ? `skill ${skill}` : task;
}

function textOf(args: JsonObject, field: string): string {
  const value = args[field];
  return typeof value === 'string' ? value.trim() : '';
}
