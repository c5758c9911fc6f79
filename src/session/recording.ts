/** Recordings: a run as one file, the provider's stream included. Writing one is simple; reading one trusts nothing. */
import { closeSync, constants, fsyncSync, rmSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { EventSink } from '../types/event.js';
import { type ChangedCall, PERMISSION_MODES, type PermissionMode } from '../types/policy.js';
import type { ProviderEvent } from '../types/provider.js';
import type { ToolCall, ToolResult } from '../types/tool.js';
import { errnoOf, ioFault, reasonOf, SessionFault } from './fault.js';
import { openPlain, readLines, writeAll } from './files.js';
import { isObject, isText, isTime, type Loose, oneOf, parseObject } from './guards.js';
import { asCall, asChanged, asResult } from './parse.js';
import { asProviderEvent } from './parse-provider.js';

export interface RecordingHeader {
  readonly type: 'recording';
  readonly version: 1;
  readonly app: string;
  readonly created: number;
  readonly mode: string;
  readonly task: string;
  readonly provider: string;
  readonly model: string;
  readonly toolMode: 'native' | 'text';
  readonly permissionMode: PermissionMode;
  /** Real path of the workspace, and the home folder, on the machine it was made. */
  readonly workspace: string;
  readonly home: string;
}

export interface RecordedCall {
  readonly agent: string;
  readonly call: ToolCall;
  readonly result: ToolResult;
  readonly denied: boolean;
  /** What a person made of it at the question; `call` is what came of that. */
  readonly changed?: ChangedCall;
}

export interface Recording {
  readonly header: RecordingHeader;
  /** Streams of the main agent, one per provider call; each ends with `end`. */
  readonly turns: readonly (readonly ProviderEvent[])[];
  /** The same for every agent, `main` included. */
  readonly agents: ReadonlyMap<string, readonly (readonly ProviderEvent[])[]>;
  /** Finished calls of all agents, in the order they ended. */
  readonly calls: readonly RecordedCall[];
  /** Status and result of the whole run, when it came to its end. */
  readonly outcome?: { readonly status: string; readonly result: string };
  /** The recording stops in the middle: its last line or last stream was cut off. */
  readonly cut: boolean;
}

export interface Recorder {
  readonly sink: EventSink;
  /** All on disk; the reason of the first fault, if any. */
  close(): string | undefined;
}

const LONGEST_LINE = 32 * 1024 * 1024;
const LARGEST_FILE = 256 * 1024 * 1024;
const MOST_LINES = 1_000_000;
/** Deltas stand in the provider's stream already. */
const LEFT_OUT: ReadonlySet<string> = new Set(['text-delta', 'reasoning-delta', 'call-progress']);

/**
 * Starts a recording (mode 0600). An older recording is replaced; any other file is left alone: SessionFault `exists`.
 * `redact` takes secrets out of a line of JSON and must leave it valid. The sink never throws.
 */
export async function createRecorder(
  file: string,
  header: Omit<RecordingHeader, 'type' | 'version'>,
  options: { readonly redact?: (json: string) => string } = {},
): Promise<Recorder> {
  await makeRoom(file);
  let fd: number;
  try {
    fd = openPlain(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL);
  } catch (error) {
    if (error instanceof SessionFault) throw error;
    throw ioFault('record to', file, error);
  }
  let fault: string | undefined;
  let open = true;
  const put = (value: object): void => {
    if (!open || fault !== undefined) return;
    try {
      const line = JSON.stringify(value);
      writeAll(fd, Buffer.from(`${options.redact ? options.redact(line) : line}\n`));
    } catch (error) {
      fault = reasonOf(error);
    }
  };
  put({ type: 'recording', version: 1, ...header });
  return {
    sink: (event) => {
      if (!LEFT_OUT.has(event.type)) put(event);
    },
    close() {
      if (!open) return fault;
      open = false;
      try {
        fsyncSync(fd);
        closeSync(fd);
      } catch (error) {
        fault ??= reasonOf(error);
      }
      return fault;
    },
  };
}

async function makeRoom(file: string): Promise<void> {
  try {
    for await (const line of readLines(file, { maxLine: 1024 * 1024, maxBytes: 1024 * 1024 })) {
      if (line.text !== undefined && parseObject(line.text)?.type === 'recording') break;
      throw new SessionFault('exists', `${file} exists and is not a recording; it was left alone`, { file });
    }
    rmSync(file);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return;
    if (error instanceof SessionFault) throw error;
    throw ioFault('record to', file, error);
  }
}

/** Reads and checks a whole recording. Throws SessionFault `bad-recording` with the line, or `io`. */
export async function readRecording(file: string): Promise<Recording> {
  const reader = createReader(file);
  try {
    const real = await realpath(file);
    if ((await stat(real)).size > LARGEST_FILE) throw bad(file, 0, `larger than ${LARGEST_FILE} bytes`);
    for await (const line of readLines(real, { maxLine: LONGEST_LINE, maxBytes: LARGEST_FILE })) {
      if (line.number > MOST_LINES) throw bad(file, line.number, `more than ${MOST_LINES} lines`);
      const value = line.text === undefined ? undefined : parseObject(line.text);
      if (!value && !line.ended && line.number > 1) return reader.finish(true);
      if (line.text?.trim() === '') continue;
      if (!value) throw bad(file, line.number, line.text === undefined ? 'too long or not UTF-8' : 'not a JSON object');
      reader.take(value, line.number);
    }
  } catch (error) {
    if (error instanceof SessionFault) throw error;
    throw ioFault('read', file, error);
  }
  return reader.finish(false);
}

function createReader(file: string): { take(value: Loose, line: number): void; finish(torn: boolean): Recording } {
  let header: RecordingHeader | undefined;
  let outcome: Recording['outcome'];
  const agents = new Map<string, ProviderEvent[][]>();
  const calls: RecordedCall[] = [];
  /** What people made of calls that have not ended yet, by agent and id. */
  const changes = new Map<string, ChangedCall>();
  /** Agents whose last stream has not ended, with its turn. */
  const running = new Map<string, number>();

  const takeStream = (agent: string, value: Loose, line: number): void => {
    const event = asProviderEvent(value.event);
    const { turn } = value;
    if (!event || typeof turn !== 'number' || !Number.isSafeInteger(turn)) throw bad(file, line, 'not a provider event');
    const turns = agents.get(agent) ?? [];
    agents.set(agent, turns);
    const last = running.get(agent) === turn ? turns.at(-1) : undefined;
    if (last) last.push(event);
    else {
      endLast(turns);
      turns.push([event]);
    }
    if (event.type === 'end') running.delete(agent);
    else running.set(agent, turn);
  };
  const take = (value: Loose, line: number): void => {
    if (!header) {
      header = asRecordingHeader(value);
      if (!header) throw bad(file, line, headerFault(value));
      return;
    }
    const { type, agent, time } = value;
    if (!isText(type) || !isText(agent) || !isTime(time)) throw bad(file, line, 'not an event: type, agent and time are needed');
    if (type === 'provider-event') takeStream(agent, value, line);
    else if (type === 'approval-response' && value.changed !== undefined) {
      const changed = asChanged(value.changed);
      if (!changed || !isText(value.callId)) throw bad(file, line, 'not an answer to a question');
      changes.set(`${agent} ${value.callId}`, changed);
    } else if (type === 'call-end') {
      const call = asCall(value.call);
      const result = asResult(value.result);
      if (!call || !result || typeof value.denied !== 'boolean') throw bad(file, line, 'not a finished call');
      const changed = changes.get(`${agent} ${call.id}`);
      changes.delete(`${agent} ${call.id}`);
      calls.push({ agent, call, result, denied: value.denied, ...(changed ? { changed } : {}) });
    } else if (type === 'run-end' && agent === 'main') {
      const { status, result } = isObject(value.outcome) ? value.outcome : {};
      if (!isText(status) || !isText(result)) throw bad(file, line, 'not an outcome');
      outcome = { status, result };
    }
  };
  return {
    take,
    finish(torn) {
      if (!header) throw bad(file, 1, 'the file is empty');
      for (const turns of agents.values()) endLast(turns);
      return {
        header,
        turns: agents.get('main') ?? [],
        agents,
        calls,
        ...(outcome ? { outcome } : {}),
        cut: torn || running.size > 0,
      };
    },
  };
}

/** A stream that was cut off ends as an aborted one. */
function endLast(turns: ProviderEvent[][]): void {
  const last = turns.at(-1);
  if (last && last.at(-1)?.type !== 'end') last.push({ type: 'end', reason: 'aborted' });
}

function asRecordingHeader(value: Loose): RecordingHeader | undefined {
  const { type, version, app, created, mode, task, provider, model, toolMode, permissionMode, workspace, home } = value;
  if (type !== 'recording' || version !== 1 || !isTime(created)) return undefined;
  if (
    !isText(app) ||
    !isText(mode) ||
    !isText(task) ||
    !isText(provider) ||
    !isText(model) ||
    !isText(workspace) ||
    !isText(home)
  )
    return undefined;
  if (!oneOf(toolMode, ['native', 'text'] as const) || !oneOf(permissionMode, PERMISSION_MODES)) return undefined;
  return { type, version, app, created, mode, task, provider, model, toolMode, permissionMode, workspace, home };
}

function headerFault(value: Loose): string {
  if (value.type !== 'recording') return 'not a recording: the first line must be its header';
  if (typeof value.version === 'number' && value.version > 1)
    return `written by a newer version of this program (format ${value.version})`;
  return 'the header is not complete';
}

function bad(file: string, line: number, reason: string): SessionFault {
  return new SessionFault('bad-recording', `${file}, line ${line}: ${reason}`, { file, line, reason });
}
