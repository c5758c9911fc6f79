/** What changed between the first recorded state of a file and now: unified diffs, and summaries where text would not help. */
import { decodeShown, decodeUtf16, detect } from '../../base/text-encoding.js';
import type { FileDiff } from '../../types/undo.js';
import type { Step, UndoState } from './fold.js';
import type { Before } from './lines.js';
import { lookAtPath } from './look.js';
import type { UndoPlace } from './take-back.js';
import { type Present, same } from './walk.js';

/** Bytes of either side beyond which only sizes are told. */
const LARGEST = 2 * 1024 * 1024;
/** Milliseconds one comparison may take. */
const LONGEST_MS = 2000;

/** One side of a comparison: bytes, null for no file, `missing` for bytes that are not there to compare. */
interface Side {
  readonly version: Present;
  readonly bytes: Buffer | null | 'missing';
}

/**
 * Compares, for each file of `steps`, the state before its first step with the state after its last one: what is on disk, or,
 * where later steps follow, what they found. Files that are the same are left out.
 */
export async function diffChanges(
  place: UndoPlace,
  state: UndoState,
  steps: readonly Step[],
  shown: (path: string) => string,
): Promise<FileDiff[]> {
  const files = new Map<string, Step[]>();
  for (const step of steps) files.set(step.file.path, [...(files.get(step.file.path) ?? []), step]);
  const diffs: FileDiff[] = [];
  for (const [path, mine] of files) {
    const [first, last] = [mine[0], mine.at(-1)];
    if (!first || !last) continue;
    const all = state.steps.filter((step) => step.file.path === path);
    const later = all[all.indexOf(last) + 1];
    const before = stored(place, first.file.before);
    const now = later ? stored(place, later.file.before) : await onDisk(place, path);
    const name = shown(path);
    if (now === undefined) {
      diffs.push({ path: name, kind: 'missing', diff: '', sizes: [before.version?.size ?? null, null], alsoOthers: true });
      continue;
    }
    const diff = await compare(name, before, now);
    if (diff) diffs.push({ ...diff, alsoOthers: othersChanged(mine, now.version) });
  }
  return diffs.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Is the file neither as the recorded steps left it nor as they found it? */
function othersChanged(steps: readonly Step[], now: Present): boolean {
  let at: Present = steps[0]?.file.before ?? null;
  for (const { file, applied } of steps) {
    if (!applied) continue;
    if (!same(at, file.before)) return true;
    at = file.after === null ? null : { ...file.after, mode: file.after.mode ?? 0 };
  }
  return !same(at, now);
}

function stored({ store }: UndoPlace, version: Before | null): Side {
  if (version === null) return { version: null, bytes: null };
  if (version.size > LARGEST) return { version, bytes: 'missing' };
  return { version, bytes: store.bytes(version) ?? 'missing' };
}

async function onDisk({ store, workspace }: UndoPlace, path: string): Promise<Side | undefined> {
  const found = await lookAtPath(workspace, path, { largest: store.largest, open: false });
  if (found.kind === 'odd') return undefined;
  if (found.kind === 'absent') return { version: null, bytes: null };
  return { version: { ...found.state, size: found.bytes.length, mode: found.mode }, bytes: found.bytes };
}

async function compare(path: string, before: Side, now: Side): Promise<Omit<FileDiff, 'alsoOthers'> | undefined> {
  const sizes = [before.version?.size ?? null, now.version?.size ?? null] as const;
  if (same(before.version, now.version)) {
    const modes = before.version && now.version ? ([before.version.mode, now.version.mode] as const) : undefined;
    return modes && modes[0] !== modes[1] ? { path, kind: 'mode', diff: '', sizes, modes } : undefined;
  }
  if (Math.max(...sizes.map((size) => size ?? 0)) > LARGEST) return { path, kind: 'large', diff: '', sizes };
  if (before.bytes === 'missing' || now.bytes === 'missing') return { path, kind: 'missing', diff: '', sizes };
  const texts = [textOf(before.bytes), textOf(now.bytes)] as const;
  if (texts[0] === undefined || texts[1] === undefined || texts[0] === texts[1]) return { path, kind: 'binary', diff: '', sizes };
  const name = path.replace(/[\r\n]/g, '\\n');
  const names = [before.bytes ? `a/${name}` : '/dev/null', now.bytes ? `b/${name}` : '/dev/null'] as const;
  const diff = await unified(names, [texts[0], texts[1]]);
  return diff === undefined ? { path, kind: 'large', diff: '', sizes } : { path, kind: 'text', diff, sizes };
}

/** No file is an empty text; undefined for bytes that are none. */
function textOf(bytes: Buffer | null): string | undefined {
  if (bytes === null) return '';
  const { encoding, binary } = detect(bytes);
  if (binary) return undefined;
  return encoding === 'utf-16le' || encoding === 'utf-16be' ? decodeUtf16(bytes, encoding) : decodeShown(bytes).text;
}

/** Undefined when it takes too long. */
async function unified(names: readonly [string, string], texts: readonly [string, string]): Promise<string | undefined> {
  const { createTwoFilesPatch } = await import('diff');
  const patch = createTwoFilesPatch(names[0], names[1], texts[0], texts[1], undefined, undefined, {
    context: 3,
    timeout: LONGEST_MS,
  });
  return patch?.replace(/^=+\n/, '');
}
