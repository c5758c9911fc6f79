/** The append-only log of one session: one JSON line an event, written at once, repaired when it is opened again. */
import { closeSync, constants, fstatSync, fsync, fsyncSync } from 'node:fs';
import { join } from 'node:path';
import { randomHex } from '../base/clock.js';
import type { AgentEvent } from '../types/event.js';
import type { Message, Part } from '../types/message.js';
import type { SessionHeader, SessionLog } from '../types/session.js';
import { errnoOf, ioFault, reasonOf, SessionFault } from './fault.js';
import { openPlain, privateFolder, readLines, sweepDrafts, writeAll } from './files.js';
import { checkSessionId } from './ids.js';
import { takeLock } from './lock.js';
import { refuseNewer } from './parse.js';
import { repairEnd } from './repair.js';

export interface LogOptions {
  readonly dir: string;
  readonly id: string;
  /** Real path of the workspace. */
  readonly workspace: string;
  /** Name and version of the program. */
  readonly app: string;
  readonly now: () => number;
  /** `new`: must not exist; `existing`: must exist. Otherwise either. */
  readonly expect?: 'new' | 'existing';
  /** Called once, when a line could not be written. The run goes on without it. */
  readonly onFault?: (reason: string) => void;
  /** Takes secrets out of a line of JSON before it is written; must leave it valid JSON. */
  readonly redact?: (json: string) => string;
}

export interface OpenedLog extends SessionLog {
  readonly resumed: boolean;
  /** Bytes of a torn last line that were set aside in `<id>.damaged`. */
  readonly setAside: number;
}

const LOGGED: ReadonlySet<AgentEvent['type']> = new Set([
  'run-start',
  'turn-start',
  'message-end',
  'call-start',
  'approval-request',
  'approval-response',
  'call-end',
  'plan',
  'worker-start',
  'worker-end',
  'usage',
  'notice',
  'turn-end',
  'run-end',
] satisfies AgentEvent['type'][]);

/** Texts of a diff above this are left out of the log; the counts stay. */
const LONGEST_DIFF_TEXT = 64 * 1024;

export function logFile(dir: string, id: string): string {
  return join(dir, `${checkSessionId(id)}.jsonl`);
}

export function lockFile(dir: string, id: string): string {
  return join(dir, `${checkSessionId(id)}.lock`);
}

/**
 * Creates or reopens the log of a session; folder 0700, file 0600. Throws SessionFault: `bad-id`, `locked` (a living
 * process writes it), `newer`, `not-a-log`, `exists`, `not-found`, `io`. `append` never throws.
 */
export async function openLog(options: LogOptions): Promise<OpenedLog> {
  const file = logFile(options.dir, options.id);
  try {
    privateFolder(options.dir);
    sweepDrafts(options.dir, options.now());
  } catch (error) {
    throw ioFault('make', options.dir, error);
  }
  const lock = takeSessionLock(options.dir, options.id);
  try {
    return { ...(await openLocked(options, file, lock.release)), id: options.id, file };
  } catch (error) {
    lock.release();
    if (error instanceof SessionFault) throw error;
    if (errnoOf(error) === 'EEXIST') throw new SessionFault('exists', `session ${options.id} exists already`, { file });
    if (errnoOf(error) === 'ENOENT') throw new SessionFault('not-found', `no session ${options.id}`, { id: options.id });
    if (errnoOf(error) === 'ELOOP') throw new SessionFault('not-a-log', `${file} is a symbolic link`, { file });
    throw ioFault('open', file, error);
  }
}

function takeSessionLock(dir: string, id: string): { release(): void } {
  let lock: ReturnType<typeof takeLock>;
  try {
    lock = takeLock(lockFile(dir, id), randomHex(8));
  } catch (error) {
    throw ioFault('lock', lockFile(dir, id), error);
  }
  if (lock.held) return lock;
  throw new SessionFault('locked', `session ${id} is open in another process (pid ${lock.holder.pid})`, {
    id,
    pid: lock.holder.pid,
  });
}

async function openLocked(options: LogOptions, file: string, release: () => void): Promise<Omit<OpenedLog, 'id' | 'file'>> {
  const flags = { new: constants.O_CREAT | constants.O_EXCL, existing: 0, either: constants.O_CREAT }[options.expect ?? 'either'];
  const fd = openPlain(file, constants.O_RDWR | constants.O_APPEND | flags);
  try {
    const size = fstatSync(fd).size;
    const header: SessionHeader = {
      type: 'session',
      version: 1,
      id: options.id,
      workspace: options.workspace,
      created: options.now(),
      app: options.app,
    };
    if (size > 0) await checkFormat(file, options.id);
    const setAside = size > 0 ? repairEnd(fd, file.replace(/\.jsonl$/, '.damaged')) : 0;
    if (fstatSync(fd).size === 0) writeAll(fd, Buffer.from(`${JSON.stringify(header)}\n`));
    return { resumed: size > 0, setAside, ...writerOn(fd, options, release) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

async function checkFormat(file: string, id: string): Promise<void> {
  for await (const line of readLines(file, { maxLine: 64 * 1024, maxBytes: 64 * 1024 })) {
    refuseNewer(line.text, id);
    return;
  }
}

const GONE = '[an image or document was shown here; it is not kept in the session. Read the file again to see it]';

/** Messages of results without what was attached to them: files may be read again, and a log must stay small. */
function withoutAttachments(message: Message): Message {
  if (message.origin !== 'tool-results' || !message.parts.some((part) => part.type === 'image')) return message;
  const parts: Part[] = [];
  for (const part of message.parts) {
    const last = parts.at(-1);
    if (part.type !== 'image') parts.push(part);
    else if (last?.type === 'result' || last?.type === 'text')
      parts[parts.length - 1] = {
        ...last,
        text: last.text.endsWith(GONE) ? last.text : `${last.text.replace(/\n*$/, '\n')}${GONE}`,
      };
  }
  return { ...message, parts };
}

/** What of an event is kept: no deltas, no provider stream, no bulky copies of what the messages hold. */
export function lineOf(event: AgentEvent): string | undefined {
  if (!LOGGED.has(event.type)) return undefined;
  if (event.type === 'message-end') return JSON.stringify({ ...event, message: withoutAttachments(event.message) });
  if (event.type !== 'call-end') return JSON.stringify(event);
  const { attachment: _held, ...result } = event.result;
  if (result.display?.kind !== 'diff') return JSON.stringify({ ...event, result });
  const changes = result.display.changes.map(({ before, after, ...rest }) =>
    (before?.length ?? 0) + (after?.length ?? 0) > LONGEST_DIFF_TEXT ? rest : { ...rest, before, after },
  );
  return JSON.stringify({ ...event, result: { ...result, display: { kind: 'diff', changes } } });
}

function writerOn(fd: number, options: LogOptions, release: () => void): Pick<SessionLog, 'append' | 'close'> {
  let open = true;
  let faulty = false;
  /** The last write may have left half a line. */
  let torn = false;
  let syncing: Promise<void> = Promise.resolve();
  const report = (error: unknown): void => {
    if (faulty) return;
    faulty = true;
    try {
      options.onFault?.(reasonOf(error));
    } catch {
      // A listener's fault must not reach the loop.
    }
  };
  return {
    append(event) {
      if (!open) return;
      try {
        const line = lineOf(event);
        if (line === undefined) return;
        const text = options.redact ? options.redact(line) : line;
        const before = torn;
        torn = true;
        writeAll(fd, Buffer.from(`${before ? '\n' : ''}${text}\n`));
        torn = false;
        if (event.type === 'turn-end') syncing = new Promise((resolve) => fsync(fd, () => resolve()));
      } catch (error) {
        report(error);
      }
    },
    async close() {
      if (!open) return;
      open = false;
      await syncing;
      try {
        fsyncSync(fd);
      } catch (error) {
        report(error);
      }
      try {
        closeSync(fd);
      } catch (error) {
        report(error);
      }
      release();
    },
  };
}
