/** `@proc`: lists background jobs, shows what they print, ends them. */
import { fitOutput } from '../../process/fit-output.js';
import type { JobLook, JobPart, Jobs } from '../../types/job.js';
import type { JsonObject } from '../../types/json.js';
import { type Tool, type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import { countArg, flagArg, guarded, invalid, textArg } from '../shared/args.js';
import { jobLine, jobState, shownAge } from '../shared/job-text.js';
import { sandboxText } from '../shared/sandbox-text.js';

const LIMIT = 30_000;
const MOST_WAIT = 60;
const MOST_LINES = 10_000;
const COMMANDS = ['list', 'output', 'kill'] as const;
type Command = (typeof COMMANDS)[number];

/** Without a command an id is not enough: looking and killing take the same fields. */
function commandOf(args: JsonObject): Command {
  const cmd = COMMANDS.find((name) => name === args['cmd']);
  if (cmd !== undefined) return cmd;
  if (args['id'] === undefined) return 'list';
  if (['tail', 'all', 'wait'].some((name) => args[name] !== undefined)) return 'output';
  throw invalid('cmd', 'is missing: "output" shows what the job printed, "kill" ends it');
}

function idOf(args: JsonObject, cmd: Command): string {
  const id = textArg(args, 'id')?.trim();
  if (id === undefined || id === '') throw invalid('id', `is missing: ${cmd} wants the id of a job, @proc list shows them`);
  return id;
}

function checkFields(args: JsonObject, cmd: Command): void {
  const extra = ['tail', 'all', 'wait'].find((name) => args[name] !== undefined);
  if (cmd !== 'output' && extra !== undefined) throw invalid(extra, `belongs to output, not to ${cmd}`);
  if (cmd === 'list' && args['id'] !== undefined) throw invalid('id', 'is not for list, which shows every job');
}

function partOf(args: JsonObject): JobPart {
  const lines = countArg(args, 'tail', 1, MOST_LINES);
  const all = flagArg(args, 'all') === true;
  if (lines !== undefined && all) throw invalid('tail', 'and all exclude each other');
  return lines === undefined ? { kind: all ? 'all' : 'new' } : { kind: 'tail', lines };
}

function outputText(look: JobLook, part: JobPart, now: number, sandbox: string): string {
  const { info } = look;
  const age = `started ${shownAge(now - info.startedAt)} ago`;
  const nothing = part.kind === 'new' && look.before > 0 ? '(no new output)' : '(no output)';
  const full =
    info.logEndedAt === undefined ? '' : `\nthe log reached its limit: what came after ${info.logEndedAt} bytes is lost`;
  const end = `${info.id}: ${jobState(info)}, ${age}${full}\n${sandbox}`.trimEnd();
  const empty = look.output === '' && look.outputEnd === '';
  const { logFile, logEndedAt } = info;
  const body = empty ? nothing : fitOutput({ ...look, logFile, logEndedAt }, LIMIT - end.length - 100);
  const before = part.kind === 'tail' && look.before > 0 ? `... [${look.before} bytes before; the log is ${logFile}] ...\n` : '';
  return `${before}${body}${body.endsWith('\n') ? '' : '\n'}${end}`;
}

async function listText(jobs: Jobs): Promise<string> {
  const now = Date.now();
  const found = await jobs.list();
  return found.length === 0 ? 'no background jobs' : found.map((info) => jobLine(info, now)).join('\n');
}

async function outputOf(jobs: Jobs, args: JsonObject, context: ToolContext): Promise<ToolResult> {
  const part = partOf(args);
  const wait = typeof args['wait'] === 'number' ? args['wait'] : 0;
  const look = await jobs.look(idOf(args, 'output'), part, { waitMs: wait * 1000, signal: context.signal });
  return said(outputText(look, part, Date.now(), sandboxText(look.sandbox, context.host.sandbox)));
}

async function killText(jobs: Jobs, args: JsonObject, context: ToolContext): Promise<ToolResult> {
  const id = idOf(args, 'kill');
  const before = (await jobs.list()).find((info) => info.id === id);
  if (before !== undefined && before.state !== 'running' && before.leftover.length === 0)
    return said(`${id} runs no more: ${jobState(before)}`);
  const info = await jobs.kill(id, { signal: context.signal });
  const rest = info.state === 'running' || info.leftover.length > 0;
  const text = `${id}: ${rest ? 'could not be ended: ' : ''}${jobState(info)}`;
  return rest ? { output: `error [Failed]: ${text}`, isError: true, code: 'Failed' } : said(text);
}

function said(output: string): ToolResult {
  return { output, isError: false, display: { kind: 'text', text: output } };
}

/** Looking only reads; `kill` is a change. A job that failed is no failure of the call that shows it. */
export const procAtom: Tool = {
  name: '@proc',
  aliases: ['process', 'jobs', 'BashOutput', 'TaskOutput', 'KillShell', 'KillBash', 'TaskStop'],
  summary: 'Lists background jobs of exec, shows their output, kills one',
  schema: {
    type: 'object',
    properties: {
      cmd: { type: 'string', enum: COMMANDS, description: 'list is the default' },
      id: { type: 'string', minLength: 1, description: 'Job, as exec gave it: j1' },
      tail: { type: 'integer', minimum: 1, maximum: MOST_LINES, description: 'Last lines instead of what is new' },
      all: { type: 'boolean', description: 'Everything instead of what is new' },
      wait: { type: 'number', minimum: 0, maximum: MOST_WAIT, description: 'Seconds to wait for its end first' },
    },
    additionalProperties: false,
  },
  fieldAliases: {
    action: 'cmd',
    job: 'id',
    job_id: 'id',
    bash_id: 'id',
    shell_id: 'id',
    task_id: 'id',
    process_id: 'id',
    lines: 'tail',
  },
  positional: ['cmd', 'id'],
  example: { cmd: 'output', id: 'j1', wait: 10 },
  inFull: false,
  limit: LIMIT,
  cut: 'ends',
  origin: 'builtin',
  facts(args) {
    const kill = args['cmd'] === 'kill';
    const object = ['@proc', args['cmd'], args['id']].filter((word) => word !== undefined).join(' ');
    return { readOnly: !kill, reads: [], writes: [], order: kill ? 'alone' : 'overlap', label: { verb: 'call', object } };
  },
  run: (args, context) =>
    guarded(async () => {
      const cmd = commandOf(args);
      checkFields(args, cmd);
      const { jobs } = context.host;
      if (jobs === undefined) throw new ToolFault('Failed', 'background jobs are not available here');
      if (cmd === 'output') return outputOf(jobs, args, context);
      if (cmd === 'kill') return killText(jobs, args, context);
      return said(await listText(jobs));
    }),
};
