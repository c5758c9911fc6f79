/** A change list on the files of the workspace, worked out in memory: the targets of one transaction, or every reason against it. */
import { setImmediate } from 'node:timers/promises';
import { type ErrorCode, ToolFault } from '../../../types/tool.js';
import type { FileTarget, Workspace } from '../../../types/workspace.js';
import { sameBytes } from '../../../workspace/file-state.js';
import type { EditedLines } from '../edit-apply.js';
import { applyPatch, type PatchedFile } from './apply-patch.js';
import { conflict, createDiffState, type DiffState, isLink, type Slot, targetsOf } from './diff-state.js';
import type { FilePatch, ParsedDiff } from './types.js';

/** What happened to one file, for the result. */
export interface Step {
  readonly kind: FilePatch['kind'];
  readonly slot: Slot;
  /** Where a rename or a copy comes from. */
  readonly source?: Slot;
  readonly lines: readonly EditedLines[];
  /** The executable bit, when the diff sets it. */
  readonly executable?: boolean;
}

export interface Plan {
  readonly steps: readonly Step[];
  readonly targets: readonly FileTarget[];
  readonly notes: readonly string[];
}

export interface PlanOptions {
  readonly workspace: Workspace;
  readonly parsed: ParsedDiff;
  /** Another program changed a file between the last try's reading and writing. */
  readonly again: boolean;
}

interface Work extends PlanOptions {
  readonly state: DiffState;
  readonly notes: string[];
}

/** Throws one ToolFault with all that stands against the diff; nothing was changed then. */
export async function planDiff(patches: readonly FilePatch[], options: PlanOptions): Promise<Plan> {
  const work: Work = { ...options, state: createDiffState(options.workspace), notes: [] };
  const steps: Step[] = [];
  const faults: ToolFault[] = [];
  for (const patch of patches) {
    // A signal, or another call, gets its turn.
    await setImmediate();
    try {
      steps.push(await planOne(patch, work));
    } catch (error) {
      if (!(error instanceof ToolFault)) throw error;
      faults.push(error);
    }
  }
  const [first] = faults;
  if (first)
    throw new ToolFault(
      first.code,
      `${faults
        .slice(0, 5)
        .map((fault) => fault.message)
        .join('\n')}\nNothing was changed.`,
    );
  const targets = targetsOf(work.state.slots());
  if (targets.length === 0) throw new ToolFault('InvalidArgs', 'everything is as the diff wants it; nothing would change');
  return { steps, targets, notes: work.notes };
}

function planOne(patch: FilePatch, work: Work): Promise<Step> {
  if (patch.kind === 'create') return create(patch, work);
  if (patch.kind === 'delete') return remove(patch, work);
  if (patch.kind === 'rename' || patch.kind === 'copy') return move(patch, work);
  return change(patch, work);
}

async function change(patch: FilePatch, work: Work): Promise<Step> {
  const names = patch.from ?? { list: [] };
  if (!work.state.exists(names) && makesFile(patch)) {
    const step = await create({ ...patch, kind: 'create', to: { list: names.list.slice(0, 1) } }, work);
    return step;
  }
  const slot = await source(patch, work);
  if (slot.gone)
    throw conflict(`${slot.located.shown} is removed or renamed by another part of the diff and cannot be changed as well`);
  const old = slot.incoming?.bytes ?? slot.work ?? Buffer.alloc(0);
  const lines = patch.hunks.length === 0 ? undefined : applied(old, patch, slot, work);
  if (lines && slot.incoming) slot.incoming = { ...slot.incoming, bytes: lines.bytes };
  else if (lines) slot.work = lines.bytes;
  if (patch.executable !== undefined && slot.mode !== undefined) slot.mode = withExecutable(slot.mode, patch.executable);
  return {
    kind: 'change',
    slot,
    lines: lines?.lines ?? [],
    ...(patch.executable === undefined ? {} : { executable: patch.executable }),
  };
}

/** Only added lines, for a file that is not there and was empty by the header. */
function makesFile({ hunks, blob }: FilePatch): boolean {
  const [hunk, other] = hunks;
  if (!hunk || other || blob !== undefined) return false;
  return hunk.oldStart === 0 && hunk.noOldLines === true && hunk.lines.every((line) => line.kind === '+');
}

async function source(patch: FilePatch, work: Work): Promise<Slot> {
  const slot = await work.state.existing(patch.from ?? { list: [] });
  if (slot.before || slot.incoming) return slot;
  const { given, shown } = slot.located;
  const done =
    patch.kind === 'delete'
      ? ': it seems to be removed already'
      : patch.to && work.state.exists(patch.to)
        ? ': it seems to be renamed already'
        : '';
  throw new ToolFault('NotFound', `${shown || given} does not exist (line ${patch.at} of the diff)${done}.`);
}

/** The hunks on `old`, with the rules for files that changed since they were read. */
function applied(old: Buffer, patch: FilePatch, slot: Slot, { parsed, workspace, again, notes }: Work): PatchedFile {
  const name = slot.located.shown;
  const stale = isStale(slot, workspace, again);
  const result = applyPatch(old, patch, { name, raw: parsed.raw, endingsKnown: parsed.endingsKnown });
  if (!result.ok) {
    const stops = stale && result.code !== 'InvalidArgs';
    throw new ToolFault(
      stops ? 'Stale' : result.code,
      stops ? `${result.message}\n${name} changed on disk since it was read; read it again.` : result.message,
    );
  }
  if (stale && !result.exact)
    throw new ToolFault(
      'Stale',
      `${name} changed on disk since it was read, and the diff does not fit exactly one place of it any more; read it again first.`,
    );
  notes.push(...result.notes.map((note) => `${name}: ${note}`));
  if (stale) notes.push(`${name} had changed on disk since it was read; the diff still fitted exactly`);
  return result;
}

function isStale(slot: Slot, workspace: Workspace, again: boolean): boolean {
  const seen = workspace.lastSeen(slot.located.real);
  return slot.before !== undefined && (again || (seen !== undefined && !sameBytes(seen, slot.before.state)));
}

async function create(patch: FilePatch, work: Work): Promise<Step> {
  const slot = await work.state.target(patch.to ?? { list: [] });
  const { shown } = slot.located;
  const bytes = contentOf(patch, work.parsed);
  const fills = patch.block && slot.before?.bytes.length === 0;
  if (slot.incoming) throw conflict(`${shown} is made twice by the diff`);
  if (fills && !slot.gone) {
    slot.work = bytes;
    return { kind: 'change', slot, lines: [] };
  }
  if (slot.before && !slot.gone) {
    const same = slot.before.bytes.equals(bytes) ? ' with exactly this content: the change seems to be made' : '';
    const hint = patch.block ? '; an empty SEARCH makes a new file' : '; to change it send a diff against what it holds';
    throw conflict(`${shown} exists already${same || hint} (line ${patch.at} of the diff).`);
  }
  const mode = patch.executable ? { mode: 0o777 & ~process.umask() } : {};
  slot.incoming = { bytes, ...mode };
  return { kind: 'create', slot, lines: [], ...(patch.executable ? { executable: true } : {}) };
}

function contentOf(patch: FilePatch, parsed: ParsedDiff): Buffer {
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const text = lines.map((line) => line.text + (line.noEol ? '' : line.cr ? '\r\n' : '\n')).join('');
  return Buffer.from(text, parsed.raw ? 'latin1' : 'utf8');
}

async function remove(patch: FilePatch, work: Work): Promise<Step> {
  const slot = await source(patch, work);
  const { shown } = slot.located;
  refuseLink(slot, work, 'remove');
  if (slot.gone || slot.incoming) throw conflict(`${shown} is named twice by the diff`);
  const old = slot.work ?? Buffer.alloc(0);
  let left = old;
  if (patch.unseen) {
    if (isStale(slot, work.workspace, work.again))
      throw new ToolFault('Stale', `${shown} changed on disk since it was read; read it again before it is removed.`);
    left = Buffer.alloc(0);
  } else if (patch.hunks.length > 0) left = applied(old, patch, slot, work).bytes;
  if (left.length > 0 && !/^\ufeff?$/.test(left.toString('utf8')))
    throw conflict(`${shown} has more content than the diff removes (line ${patch.at} of the diff), so it is not removed.`);
  slot.gone = true;
  return { kind: 'delete', slot, lines: [] };
}

async function move(patch: FilePatch, work: Work): Promise<Step> {
  const from = await source(patch, work);
  const copy = patch.kind === 'copy';
  if (!copy) refuseLink(from, work, 'rename');
  if (from.gone && !copy) throw conflict(`${from.located.shown} is removed or renamed twice by the diff`);
  const old = (copy ? from.before?.bytes : from.work) ?? Buffer.alloc(0);
  const result = patch.hunks.length === 0 ? undefined : applied(old, patch, from, work);
  const bare = from.path === patch.from?.list[1] && patch.to?.list[1] !== undefined;
  const slot = await work.state.target({ list: (patch.to?.list ?? []).slice(bare ? 1 : 0) });
  if (slot.incoming) throw conflict(`${slot.located.shown} is made twice by the diff`);
  if (slot === from) throw conflict(`${from.located.shown} and its new name are the same file`);
  const mode =
    patch.executable === undefined || from.mode === undefined ? from.mode : withExecutable(from.mode, patch.executable);
  slot.incoming = { bytes: result?.bytes ?? old, ...(mode === undefined ? {} : { mode }) };
  if (!copy) from.gone = true;
  return {
    kind: patch.kind,
    slot,
    source: from,
    lines: result?.lines ?? [],
    ...(patch.executable === undefined ? {} : { executable: patch.executable }),
  };
}

function refuseLink(slot: Slot, { workspace }: Work, doing: string): void {
  if (isLink(workspace, slot.path))
    throw conflict(
      `${slot.located.given} is a symbolic link to ${slot.located.shown}; a diff cannot ${doing} it.`,
      'InvalidArgs' satisfies ErrorCode,
    );
}

/** Who may read may run; nobody may run. */
function withExecutable(mode: number, executable: boolean): number {
  return executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}
