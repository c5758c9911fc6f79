/** A workspace whose changes are recorded, with what is needed to take them back. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Undoing } from '../../../src/types/undo.js';
import type { Workspace } from '../../../src/types/workspace.js';
import type { OpenWorkspace } from '../../../src/workspace/open-workspace.js';
import { recordingWorkspace } from '../../../src/workspace/undo/recording.js';
import { openUndoStore, type UndoStore, type UndoStoreOptions } from '../../../src/workspace/undo/store.js';
import { createUndoing } from '../../../src/workspace/undo/undoing.js';
import { makePlace, type Place } from '../temp.js';

export interface UndoBench extends Place {
  readonly folder: string;
  readonly workspace: OpenWorkspace;
  readonly store: UndoStore;
  readonly undoing: Undoing;
  /** The workspace as a tool call of this agent sees it. */
  as(agent: string, tool?: string): Workspace;
  /** Begins a turn and writes files in it as `main`; null removes. */
  turn(text: string, files?: Readonly<Record<string, string | null>>): Promise<void>;
  edit(path: string, text: string | null, agent?: string): Promise<void>;
  /** Text of a file, or undefined when there is none. */
  text(path: string): string | undefined;
  mode(path: string): string;
  /** Another process with the same session. */
  reopen(options?: Partial<UndoStoreOptions>): Promise<UndoBench>;
}

export async function makeUndoBench(options: Partial<UndoStoreOptions> = {}, place: Place = makePlace()): Promise<UndoBench> {
  const folder = options.folder ?? join(place.state, 'sessions', 's.undo');
  const workspace = await place.open();
  const store = openUndoStore({ folder, ...options });
  let turns = 0;
  const as = (agent: string, tool = '@coder write') => recordingWorkspace(workspace, store, { agent, tool, call: 'c' });
  const edit = async (path: string, text: string | null, agent = 'main') => {
    if (text !== null) await as(agent).writeFile(path, Buffer.from(text));
    else {
      const { state } = await workspace.readFile(path);
      await as(agent).changeFiles([{ path, bytes: null, expect: state }]);
    }
  };
  return {
    ...place,
    folder,
    workspace,
    store,
    undoing: createUndoing({ store, workspace }),
    as,
    edit,
    async turn(text, files = {}) {
      store.beginTurn({ number: ++turns, text });
      for (const [path, content] of Object.entries(files)) await edit(path, content);
    },
    text: (path) => (existsSync(join(place.ws, path)) ? readFileSync(join(place.ws, path), 'utf8') : undefined),
    mode: (path) => (statSync(join(place.ws, path)).mode & 0o7777).toString(8),
    reopen: (more = {}) => makeUndoBench({ ...options, ...more }, place),
  };
}
