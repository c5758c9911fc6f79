/** What stands at a recorded path now, and whether it may be changed there. */
import { lstatSync, type Stats } from 'node:fs';
import type { KeptReason } from '../../types/undo.js';
import type { FileState, FileTarget, Located, Workspace, WriteOutcome } from '../../types/workspace.js';

/** What taking back needs of the workspace. */
export interface UndoWorkspace {
  readonly roots: readonly string[];
  locate(path: string): Located;
  readFile: Workspace['readFile'];
  changeFiles(targets: readonly FileTarget[]): Promise<readonly WriteOutcome[]>;
  grant(real: string): void;
  isBackup(real: string): Promise<boolean>;
}

export type Found =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'file';
      readonly bytes: Buffer;
      readonly state: FileState;
      readonly mode: number;
      readonly identity: string;
    }
  /** Nothing can be done with it; `why` is what the report says. */
  | { readonly kind: 'odd'; readonly why: KeptReason; readonly detail: string };

/**
 * Never throws. `largest`: bytes beyond which a file is not read, since it could not be kept. `open`: the user asks for the file to
 * be changed, so a personal file is opened for this session; without it one that nobody approved is not read.
 */
export async function lookAtPath(
  workspace: UndoWorkspace,
  path: string,
  { largest, open }: { readonly largest: number; readonly open: boolean },
): Promise<Found> {
  const refused = refusal(workspace, path, open);
  if (refused !== undefined) return { kind: 'odd', why: 'refused', detail: refused };
  const stat = statOf(path);
  if (stat === undefined) return { kind: 'absent' };
  if (!stat?.isFile()) return { kind: 'odd', why: 'refused', detail: 'it is no ordinary file now' };
  if (stat.size > largest) return { kind: 'odd', why: 'missing', detail: `its ${stat.size} bytes are too many to be kept` };
  try {
    const { bytes, state, mode, identity } = await workspace.readFile(path, { maxBytes: largest });
    return { kind: 'file', bytes, state, mode, identity };
  } catch (error) {
    return { kind: 'odd', why: 'refused', detail: error instanceof Error ? error.message : String(error) };
  }
}

/** Recorded paths are real ones: a path that leads elsewhere now is not touched. */
function refusal(workspace: UndoWorkspace, path: string, open: boolean): string | undefined {
  let located: Located;
  try {
    located = workspace.locate(path);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  if (located.real !== path) return 'a link leads elsewhere now';
  if (located.zone === 'personal' || located.zone === 'own') {
    if (open) workspace.grant(path);
  } else if (located.zone !== 'inside') return 'it does not lie in the workspace now';
  return undefined;
}

/** Null: it cannot be looked at; undefined: nothing is there. */
function statOf(path: string): Stats | undefined | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    return (error as { code?: unknown }).code === 'ENOTDIR' ? undefined : null;
  }
}
