/** A workspace on which an edit can be tried: it is read as it is, and what would be written is only kept. */
import { ToolFault } from '../../../types/tool.js';
import type { Workspace } from '../../../types/workspace.js';

/** One file that would be written. Null: it would be removed. */
export interface DryFile {
  readonly path: string;
  readonly before: Buffer | undefined;
  readonly after: Buffer | null;
}

/** `files` grows while the tool runs. Nothing this session knows of files is used or changed. */
export function dryWorkspace(workspace: Workspace): { readonly workspace: Workspace; readonly files: readonly DryFile[] } {
  const files: DryFile[] = [];
  const keep = async (path: string, bytes: Uint8Array | null) => {
    const located = workspace.locate(path);
    if (located.zone !== 'inside') throw new ToolFault('OutsideWorkspace', located.shown);
    const before = await workspace.readFile(path).then(
      (read) => read.bytes,
      (error: unknown) => {
        if (error instanceof ToolFault && error.code === 'NotFound') return undefined;
        throw error;
      },
    );
    files.push({ path: located.shown, before, after: bytes && Buffer.from(bytes) });
    return { located, created: before === undefined, notes: [] };
  };
  const refuse = async (): Promise<never> => {
    throw new ToolFault('Failed', 'only tried');
  };
  return {
    files,
    workspace: {
      ...workspace,
      writeFile: keep,
      changeFiles: (targets) => Promise.all(targets.map(({ path, bytes }) => keep(path, bytes))),
      rollback: refuse,
      cleanBackups: refuse,
      noteRead: () => undefined,
      lastSeen: () => undefined,
      lastKnown: () => undefined,
    },
  };
}
