/** A workspace in a temporary folder, with home and state beside it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type OpenWorkspace, openWorkspace, type WorkspaceOptions } from '../../src/workspace/open-workspace.js';

export interface Place {
  readonly base: string;
  readonly ws: string;
  readonly home: string;
  readonly state: string;
  readonly scratch: string;
  put(path: string, content: string | Uint8Array, mode?: number): string;
  link(path: string, target: string): string;
  open(options?: Partial<WorkspaceOptions>): Promise<OpenWorkspace>;
  remove(): void;
}

/** Paths of `put` and `link` are relative to the workspace; `../x` lies beside it. */
export function makePlace(): Place {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'chatcli-ws-')));
  const ws = join(base, 'ws');
  const home = join(base, 'home');
  const state = join(home, '.chatcli');
  const scratch = join(state, 'cache', 'scratch', 's');
  for (const dir of [ws, home, scratch]) mkdirSync(dir, { recursive: true });
  const at = (path: string) => {
    const full = join(ws, path);
    mkdirSync(dirname(full), { recursive: true });
    return full;
  };
  return {
    base,
    ws,
    home,
    state,
    scratch,
    put(path, content, mode) {
      const full = at(path);
      writeFileSync(full, content, mode === undefined ? {} : { mode });
      return full;
    },
    link(path, target) {
      const full = at(path);
      symlinkSync(target, full);
      return full;
    },
    open: (options = {}) => openWorkspace({ root: ws, home, state, scratch, ...options }),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** The fault a promise or function ends with; throws when it does not fail. */
export async function faultFrom(work: Promise<unknown> | (() => unknown)): Promise<{ code: string; message: string }> {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return { code, message };
  }
  throw new Error('it did not fail');
}
