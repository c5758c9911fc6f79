/** The workspace as one agent sees it: what it has read is its own, and what another agent changed meanwhile is merged or told. */
import { type Merged, mergeLines } from '../base/merge-lines.js';
import { ToolFault } from '../types/tool.js';
import type { FileState, Workspace, WriteOutcome } from '../types/workspace.js';
import { clip } from './faults.js';
import { sameBytes, sha256 } from './file-state.js';
import { createSeenStates, type SeenStates } from './seen-states.js';

/** Bytes of files agents read, of all of them together, kept so that their changes can be merged; the oldest go first. */
const MOST_KEPT = 32 * 1024 * 1024;
/** Files of which is known who changed them last; the oldest go first. */
const MOST_WRITERS = 20_000;
const MOST_SHOWN = 1500;

/** What all agents of a conversation share. */
export interface AgentViews {
  /** The workspace of one tool call of this agent. The main agent keeps what the workspace itself knows. */
  of(agent: string, workspace: Workspace): Workspace;
  /** The other agent that changed this file last, if it is still as it left it. */
  changedBy(agent: string, real: string, now: FileState): string | undefined;
  /** A file was changed by another way than the agent's workspace, a command say; undefined: it is gone. */
  changed(agent: string, real: string, sha256: string | undefined): void;
  /** The agent is done: what it saw is let go; who changed what is still known. Its id is used by nobody else. */
  forget(agent: string): void;
}

export function createAgentViews(main: string): AgentViews {
  /** Of agents at work, the main one not among them. */
  const agents = new Map<string, SeenStates>();
  const gone = new Set<string>();
  const kept = createKept();
  const writers = new Map<string, { readonly agent: string; readonly sha256: string }>();
  const changed: AgentViews['changed'] = (agent, real, hash) => {
    writers.delete(real);
    if (hash === undefined) return;
    writers.set(real, { agent, sha256: hash });
    const [oldest] = writers.keys();
    if (writers.size > MOST_WRITERS && oldest !== undefined) writers.delete(oldest);
  };
  const changedBy: AgentViews['changedBy'] = (agent, real, now) => {
    const last = writers.get(real);
    return last && last.agent !== agent && last.sha256 === now.sha256 ? last.agent : undefined;
  };
  return {
    changedBy,
    changed,
    forget(name) {
      gone.add(name);
      agents.delete(name);
      if (agents.size === 0) kept.clear();
    },
    of(name, workspace) {
      const seen = name === main ? undefined : (agents.get(name) ?? createSeenStates());
      if (seen && !gone.has(name)) agents.set(name, seen);
      const wrote = (real: string, bytes: Uint8Array | null): void => changed(name, real, bytes ? sha256(bytes) : undefined);
      const keep = (bytes: Buffer): void => {
        // As long as nobody works beside it, nobody's change has to be merged.
        if (agents.size > 0) kept.add(bytes);
      };
      return view(workspace, { seen, keep, kept: kept.get }, { wrote, changedBy: (real, now) => changedBy(name, real, now) });
    },
  };
}

interface Agent {
  readonly seen: SeenStates | undefined;
  keep(bytes: Buffer): void;
  /** Bytes by their hash. */
  kept(sha256: string): Buffer | undefined;
}

/** Bytes by their hash, bounded. */
function createKept() {
  const all = new Map<string, Buffer>();
  let size = 0;
  return {
    get: (key: string) => all.get(key),
    clear(): void {
      all.clear();
      size = 0;
    },
    add(bytes: Buffer): void {
      if (bytes.length > MOST_KEPT / 4) return;
      const key = sha256(bytes);
      if (all.delete(key)) size -= bytes.length;
      all.set(key, bytes);
      size += bytes.length;
      for (const [oldest, held] of all) {
        if (size <= MOST_KEPT) return;
        all.delete(oldest);
        size -= held.length;
      }
    },
  };
}

interface Others {
  wrote(real: string, bytes: Uint8Array | null): void;
  changedBy(real: string, now: FileState): string | undefined;
}

function view(workspace: Workspace, agent: Agent, others: Others): Workspace {
  const { seen } = agent;
  const done = (outcome: WriteOutcome, bytes: Uint8Array | null, expect?: FileState | 'absent'): WriteOutcome => {
    const { real } = outcome.located;
    others.wrote(real, bytes);
    if (!bytes) seen?.removed(real);
    else {
      agent.keep(Buffer.from(bytes));
      const state = { mtimeMs: 0, size: bytes.length, sha256: sha256(bytes) };
      seen?.wrote(real, state, expect === 'absent' ? undefined : expect);
    }
    return outcome;
  };
  return {
    ...workspace,
    async readFile(path, options) {
      const read = await workspace.readFile(path, options);
      agent.keep(read.bytes);
      return read;
    },
    async writeFile(path, bytes, options = {}) {
      try {
        return done(await workspace.writeFile(path, bytes, options), bytes, options.expect);
      } catch (error) {
        const merged = await mergedWith(error, path, bytes, options.expect, workspace, agent, others);
        if (!merged) throw error;
        const outcome = await workspace.writeFile(path, merged.bytes, { ...options, expect: merged.expect });
        return { ...done(outcome, merged.bytes, merged.expect), notes: [...outcome.notes, merged.note] };
      }
    },
    async changeFiles(targets) {
      const outcomes = await workspace.changeFiles(targets);
      return outcomes.map((outcome, index) => done(outcome, targets[index]?.bytes ?? null, targets[index]?.expect));
    },
    ...(seen
      ? {
          noteRead: (real: string, state: FileState, shown?: Parameters<Workspace['noteRead']>[2]) =>
            seen.read(real, state, shown),
          lastSeen: (real: string) => seen.last(real),
          lastKnown: (real: string) => seen.known(real),
        }
      : {}),
  };
}

/** Both changes together, when the file is as another agent left it and the changes are apart. Throws `Conflict` when they meet. */
async function mergedWith(
  error: unknown,
  path: string,
  bytes: Uint8Array,
  expect: FileState | 'absent' | undefined,
  workspace: Workspace,
  agent: Agent,
  others: Others,
): Promise<{ readonly bytes: Buffer; readonly expect: FileState; readonly note: string } | undefined> {
  if (!(error instanceof ToolFault) || error.code !== 'Stale' || expect === undefined || expect === 'absent') return undefined;
  const base = agent.kept(expect.sha256);
  const now = await workspace.readFile(path);
  const other = others.changedBy(now.located.real, now.state);
  if (other === undefined || sameBytes(expect, now.state)) return undefined;
  const name = clip(now.located.shown);
  const mine = Buffer.from(bytes);
  const merged =
    base && [base, mine, now.bytes].every(isText) ? await mergeLines(raw(base), raw(mine), raw(now.bytes)) : undefined;
  if (!merged?.ok) throw new ToolFault('Conflict', conflictText(name, other, merged));
  const note = `the agent ${other} had changed the file meanwhile; both changes are in it now`;
  return { bytes: Buffer.from(merged.text, 'latin1'), expect: now.state, note };
}

function conflictText(name: string, other: string, merged: Merged | undefined): string {
  const opening = `${name} was changed by the agent ${other} of this run since you read it`;
  const end = 'Nothing was written. Read it again and make your change on the new text.';
  if (!merged || merged.ok) return `${opening}. ${end}`;
  const place = merged.to >= merged.from ? `lines ${merged.from} to ${merged.to}` : `the place before line ${merged.from}`;
  return `${opening}, at ${place} of what you read. ${end}\nYours:\n${shown(merged.mine)}\nTheirs:\n${shown(merged.theirs)}`;
}

function shown(bytes: string): string {
  const text = Buffer.from(bytes, 'latin1').toString('utf8');
  if (text === '') return '(removed)';
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text.replace(/\n$/, '');
}

function isText(bytes: Buffer): boolean {
  return !bytes.includes(0);
}

/** One character a byte, so that every byte survives. */
function raw(bytes: Buffer): string {
  return bytes.toString('latin1');
}
