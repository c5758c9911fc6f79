/** Work on saved sessions as a whole: search, copies cut at a turn, and a look for damage. Originals are never changed. */
import { closeSync, constants, fsyncSync, openSync, rmSync } from 'node:fs';
import type { Message } from '../types/message.js';
import type { SessionHeader, SessionState } from '../types/session.js';
import { errnoOf, ioFault, SessionFault } from './fault.js';
import { privateFolder, readLines, writeAll } from './files.js';
import { isObject, parseObject } from './guards.js';
import { logFile } from './log.js';
import { asHeader, asMessage, refuseNewer } from './parse.js';
import { readSession } from './store.js';

const LONGEST_LINE = 64 * 1024 * 1024;
const AROUND = 60;

export interface Hit {
  readonly role: 'user' | 'assistant' | 'tool';
  /** The words around it, on one line. */
  readonly text: string;
}

/** The messages of a session that hold the words, upper or lower case; at most `limit`. Throws as `readSession`. */
export async function searchSession(dir: string, id: string, words: string, limit: number): Promise<readonly Hit[]> {
  const { messages } = await readSession(dir, id);
  const wanted = words.toLowerCase();
  const hits: Hit[] = [];
  for (const message of messages) {
    for (const text of textsOf(message)) {
      const at = text.toLowerCase().indexOf(wanted);
      if (at === -1) continue;
      const piece = text.slice(Math.max(0, at - AROUND), at + wanted.length + AROUND);
      hits.push({ role: message.role, text: piece.replace(/\s+/g, ' ').trim() });
      if (hits.length >= limit) return hits;
      break;
    }
  }
  return hits;
}

function textsOf({ parts }: Message): string[] {
  return parts.flatMap((part) => (part.type === 'call' ? [part.input] : part.type === 'image' ? [] : [part.text]));
}

/** Messages of the person: the turns of a session. */
export function turnsOf({ messages }: Pick<SessionState, 'messages'>): readonly Message[] {
  return messages.filter(({ origin }) => origin === 'person');
}

export interface CopyOptions {
  readonly dir: string;
  readonly id: string;
  /** Id of the copy; must not exist. */
  readonly copy: string;
  /** The copy ends before this message of the person, counted from 1; absent: it holds all. */
  readonly before?: number;
  readonly now: () => number;
}

/**
 * A new session with what the old one holds. Lines that cannot be read are left out. Throws SessionFault: as `readSession`, and
 * `exists` for the copy. What can be undone stays with the original.
 */
export async function copySession({ dir, id, copy, before, now }: CopyOptions): Promise<{ readonly turns: number }> {
  const file = logFile(dir, copy);
  const state = await readSession(dir, id);
  privateFolder(dir);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  let fd: number;
  try {
    fd = openSync(file, flags, 0o600);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw new SessionFault('exists', `session ${copy} exists already`, { file });
    throw ioFault('open', file, error);
  }
  try {
    const header: SessionHeader = { ...state.header, id: copy, created: now() };
    writeAll(fd, Buffer.from(`${JSON.stringify(header)}\n`));
    const turns = await copyLines(logFile(dir, id), fd, before ?? Number.POSITIVE_INFINITY);
    fsyncSync(fd);
    closeSync(fd);
    return { turns };
  } catch (error) {
    closeSync(fd);
    rmSync(file, { force: true });
    throw error instanceof SessionFault ? error : ioFault('copy', file, error);
  }
}

/** What opens a run is held back until its message has come: one that is left out leaves nothing of its run. */
async function copyLines(from: string, fd: number, before: number): Promise<number> {
  let turns = 0;
  let held: string[] = [];
  let isOpen = false;
  for await (const { text } of readLines(from, { maxLine: LONGEST_LINE })) {
    const value = text === undefined ? undefined : parseObject(text);
    if (text === undefined || !value || value.type === 'session') continue;
    if (value.type === 'run-start' && value.agent === 'main') isOpen = false;
    if (isPerson(value)) {
      if (turns + 1 >= before) return turns;
      turns++;
      isOpen = true;
    }
    held.push(text);
    if (!isOpen) continue;
    writeAll(fd, Buffer.from(`${held.join('\n')}\n`));
    held = [];
  }
  return turns;
}

function isPerson(value: { readonly [key: string]: unknown }): boolean {
  return value.type === 'message-end' && value.agent === 'main' && isObject(value.message) && value.message.origin === 'person';
}

export interface Verified {
  readonly lines: number;
  /** Numbers of lines that are no event, from 1; at most 100. */
  readonly damaged: readonly number[];
  readonly messages: number;
  /** The last line has no end: the program stopped while it wrote. */
  readonly torn: boolean;
  readonly header: boolean;
}

/** Reads every line of a session and says which cannot be used. Throws SessionFault `bad-id`, `not-found`, `newer`, `not-a-log`, `io`. */
export async function verifySession(dir: string, id: string): Promise<Verified> {
  const state = await readSession(dir, id);
  const damaged: number[] = [];
  let [lines, torn, header] = [0, false, false];
  for await (const line of readLines(logFile(dir, id), { maxLine: LONGEST_LINE })) {
    lines = line.number;
    torn = !line.ended;
    if (line.number === 1) refuseNewer(line.text, id);
    const value = line.text === undefined ? undefined : parseObject(line.text);
    header ||= value !== undefined && asHeader(value) !== undefined;
    if (!isSound(value) && damaged.length < 100) damaged.push(line.number);
  }
  return { lines, damaged, messages: state.messages.length, torn, header };
}

function isSound(value: { readonly [key: string]: unknown } | undefined): boolean {
  if (value === undefined || typeof value.type !== 'string') return false;
  if (value.type === 'session') return asHeader(value) !== undefined;
  if (typeof value.agent !== 'string' || typeof value.time !== 'number') return false;
  return value.type !== 'message-end' || asMessage(value.message) !== undefined;
}
