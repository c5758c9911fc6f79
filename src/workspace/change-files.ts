/** Changes several files as one transaction: all of them, or none, whatever happens meanwhile. */
import { ToolFault } from '../types/tool.js';
import { clip, diskFault, errnoOf } from './faults.js';
import { stateOf } from './file-state.js';
import { applyAll } from './transaction/apply.js';
import { finishChange } from './transaction/finish.js';
import type { Intent } from './transaction/intent.js';
import { type Change, type InPlace, MustRewrite, missingFolders, type Planned, planFile, stage } from './transaction/prepare.js';
import { openSite, type Site } from './transaction/site.js';
import { undoChange } from './transaction/undo.js';
import type { WriteResult, WriteStores } from './write-file.js';
import type { IntentEntry } from './write-journal.js';

export type { Change } from './transaction/prepare.js';

/** What became of one target; without `state` the file is gone, or was as asked before. */
export interface Changed {
  readonly created: boolean;
  readonly state?: WriteResult['state'];
  readonly notes: readonly string[];
}

/**
 * The caller holds the locks of all paths and has checked their zones. Throws ToolFault; then nothing was changed, or the
 * message says what could not be taken back and the journal keeps it.
 */
export async function changeAll(changes: readonly Change[], stores: WriteStores): Promise<Changed[]> {
  const inPlace = new Map<string, 'folder' | 'store'>();
  for (;;) {
    try {
      return await attempt(changes, inPlace, stores);
    } catch (error) {
      if (!(error instanceof MustRewrite)) throw error;
      const tried = inPlace.get(error.path);
      if (tried === error.savedIn || tried === 'store')
        throw new ToolFault('EBUSY', `${clip(error.path)} can neither be replaced nor written in place. Nothing was changed.`);
      inPlace.set(error.path, error.savedIn);
    }
  }
}

async function attempt(changes: readonly Change[], inPlace: InPlace, stores: WriteStores): Promise<Changed[]> {
  const site = openSite(stores.records);
  try {
    const all = await planAll(changes, inPlace, site);
    const planned = all.filter((one) => one !== undefined);
    if (planned.length === 0) return changes.map(() => ({ created: false, notes: [] }));
    const files = planned.map(({ intent }) => intent);
    const intent: Intent = { time: laterThan(planned, stores), folders: missingFolders(planned, site), files };
    const entry = noted(intent, stores);
    await carryOut(intent, planned, entry, site);
    const { notes, complete } = await finishChange(intent, site);
    if (complete) entry.forget();
    return all.map((one) => resultOf(one, one ? (notes[planned.indexOf(one)] ?? []) : []));
  } finally {
    site.close();
  }
}

/** Now, and later than every change before it, also when the clock went back. */
function laterThan(planned: readonly Planned[], { records, now }: WriteStores): number {
  return planned.reduce((time, { intent }) => Math.max(time, (records.get(intent.path)?.time ?? 0) + 1), now());
}

async function planAll(changes: readonly Change[], inPlace: InPlace, site: Site): Promise<(Planned | undefined)[]> {
  const others = new Set(changes.map(({ located }) => located.real));
  if (others.size < changes.length) throw new ToolFault('InvalidArgs', 'one file is named twice in one transaction');
  const context = { site, inPlace, others, identities: new Map<string, string>() };
  const planned: (Planned | undefined)[] = [];
  for (const change of changes) {
    try {
      planned.push(await planFile(change, context));
    } catch (error) {
      throw nothingChanged(diskFault(error, 'write', change.located.shown));
    }
  }
  return planned;
}

/** Without a journal nothing is promised, so nothing is begun. */
function noted(intent: Intent, { journal }: WriteStores): IntentEntry {
  try {
    return journal.intend(intent);
  } catch (error) {
    const code = errnoOf(error) ?? 'EIO';
    throw new ToolFault(
      code as `E${Uppercase<string>}`,
      `the journal that makes a change of several files safe cannot be written (${diskFault(error, 'write', 'it').message}). Nothing was changed.`,
    );
  }
}

async function carryOut(intent: Intent, planned: readonly Planned[], entry: IntentEntry, site: Site): Promise<void> {
  try {
    await stage(planned, intent.folders, site);
    await entry.flush();
    await applyAll(planned, site);
    await entry.commit();
  } catch (error) {
    const notes = await takeBack(intent, entry, site, error);
    if (error instanceof MustRewrite) throw error;
    throw nothingChanged(diskFault(error, 'write', 'the journal of changes'), notes);
  }
}

async function takeBack(intent: Intent, entry: IntentEntry, site: Site, cause: unknown): Promise<string[]> {
  try {
    const notes = await undoChange(intent, site);
    entry.forget();
    return notes;
  } catch (error) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ToolFault(
      'EIO',
      `${why}. Taking back what was changed failed too (${errnoOf(error) ?? String(error)}); the journal keeps what is needed, and the next start takes it back.`,
    );
  }
}

function nothingChanged(fault: ToolFault, notes: readonly string[] = []): ToolFault {
  const said = /Nothing was (changed|written)|nothing was changed/.test(fault.message) ? '' : '. Nothing was changed.';
  const kept = notes.map((note) => ` ${note}.`).join('');
  return new ToolFault(fault.code, `${fault.message}${said}${kept}`.replace(/\.\. /, '. '));
}

function resultOf(planned: Planned | undefined, late: readonly string[]): Changed {
  if (!planned) return { created: false, notes: [] };
  const { intent, stat, notes } = planned;
  const state = stat && intent.act !== 'remove' ? { state: stateOf(stat, intent.after) } : {};
  return { created: intent.act === 'create', ...state, notes: late.length > 0 ? late : notes };
}
