/** Keeps what a call is about to change, so that the user can take it back: files through the workspace, commands by a scan. */
import { randomHex } from '../../base/clock.js';
import type { Tool } from '../../types/tool.js';
import type { TreeStore } from '../../workspace/checkpoint/types.js';
import { recordingWorkspace } from '../../workspace/undo/recording.js';
import { recordCommand } from '../../workspace/undo/scan.js';
import type { UndoStore } from '../../workspace/undo/store.js';

export interface UndoWrap {
  readonly store: UndoStore;
  /** States of the folders before and after commands; none: what commands change is not covered, and undo says so. */
  trees(): readonly TreeStore[];
  /** Is this command line known to change nothing? */
  readsOnly(command: string): boolean | Promise<boolean>;
  /** Told each file that a command was found to have changed; no hash: it is gone. */
  changed?(agent: string, real: string, sha256: string | undefined): void;
}

/** Builtin tools that change files by other ways than the workspace; whatever comes from outside counts as one too. */
const RUNNERS: ReadonlySet<string> = new Set(['@coder exec', '@coder test', '@coder checkpoint']);

/** The same tool; its changes are recorded under its agent and this one call; those of a command are in its result. */
export function withUndo(tool: Tool, wrap: UndoWrap): Tool {
  const runs = RUNNERS.has(tool.name) || tool.origin !== 'builtin';
  return {
    ...tool,
    async run(args, context) {
      const author = { agent: context.agent, tool: tool.name, call: randomHex(8) };
      const recorded = { ...context, workspace: recordingWorkspace(context.workspace, wrap.store, author) };
      const facts = runs ? tool.facts(args) : undefined;
      if (!facts || facts.readOnly || (facts.command !== undefined && (await wrap.readsOnly(facts.command))))
        return tool.run(args, recorded);
      const what = `${tool.name} ${facts.label.object}`;
      const { store } = wrap;
      // A command that goes on in the background changes files after the second look.
      if (args['background'] === true) store.uncovered(what);
      const files = new Set<string>();
      const found = (real: string, sha256: string | undefined): void => {
        files.add(real);
        wrap.changed?.(context.agent, real, sha256);
      };
      const { workspace, signal } = context;
      const result = await recordCommand({ store, workspace, trees: wrap.trees(), author, what, signal, found }, () =>
        tool.run(args, recorded),
      );
      return files.size === 0 ? result : { ...result, changed: [...new Set([...(result.changed ?? []), ...files])] };
    },
  };
}
