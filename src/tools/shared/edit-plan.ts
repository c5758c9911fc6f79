/** Edits of several files worked out in memory: read once, changed step by step, handed to the workspace as one transaction. */
import type { FileState, FileTarget, Located, Workspace } from '../../types/workspace.js';
import { sameBytes } from '../../workspace/file-state.js';

/** One file as the plan has it. */
export interface PlannedFile {
  readonly located: Located;
  /** As on disk; undefined for a file that does not exist. */
  readonly before: Buffer;
  /** It is not as this session last saw it. */
  readonly changedSince: boolean;
  /** What the plan makes of it. */
  bytes: Buffer;
}

export interface EditPlan {
  /** The file under a path, read at the first time. Two names of one file give one entry. Throws ToolFault. */
  open(path: string): Promise<PlannedFile>;
  /** All files that were opened, in that order. */
  files(): readonly PlannedFile[];
  /** What the workspace has to do: the files that are to be other than they are. */
  targets(): FileTarget[];
}

interface Entry {
  readonly file: PlannedFile;
  readonly expect: FileState;
}

/** `firstSeen` (real path -> state) outlives the plan: a second try then knows what changed since the first. */
export function createEditPlan(workspace: Workspace, firstSeen: Map<string, FileState> = new Map()): EditPlan {
  const byPath = new Map<string, Entry>();
  const byIdentity = new Map<string, Entry>();
  const add = (path: string, entry: Entry) => {
    byPath.set(path, entry);
    return entry.file;
  };
  const open = async (path: string): Promise<PlannedFile> => {
    const known = byPath.get(workspace.locate(path).real);
    if (known) return known.file;
    const { located, bytes, state, identity } = await workspace.readFile(path);
    const same = byIdentity.get(identity);
    if (same) return add(located.real, same);
    const seen = workspace.lastSeen(located.real);
    const first = firstSeen.get(located.real) ?? state;
    firstSeen.set(located.real, first);
    const changedSince = !sameBytes(first, state) || (seen !== undefined && !sameBytes(seen, state));
    const entry = { file: { located, before: bytes, changedSince, bytes }, expect: state };
    byIdentity.set(identity, entry);
    return add(located.real, entry);
  };
  const entries = () => [...new Set(byPath.values())];
  return {
    open,
    files: () => entries().map(({ file }) => file),
    targets: () => entries().flatMap(targetOf),
  };
}

function targetOf({ file: { located, before, bytes }, expect }: Entry): FileTarget[] {
  return before.equals(bytes) ? [] : [{ path: located.real, bytes, expect }];
}
