/** The undo store of a session: where it lies, what it tells people, and what surrounds the tools for it. */
import { join } from 'node:path';
import type { UndoWrap } from '../tools/wrap/undo.js';
import type { AgentEvent } from '../types/event.js';
import type { PolicyContext } from '../types/policy.js';
import type { Checkpoints } from '../workspace/checkpoint/checkpoints.js';
import type { TreeStore } from '../workspace/checkpoint/types.js';
import type { TakenLine } from '../workspace/undo/lines.js';
import { openUndoStore, type UndoStore } from '../workspace/undo/store.js';
import type { Config } from './config.js';
import { providerKeys, textRedactor } from './redact.js';
import { sessionsDir } from './sessions.js';

/** What a store's folder is called behind the session's id. */
export const UNDO_SUFFIX = '.undo';

/** The folder of a session's store, beside its log. */
export function undoFolder(config: Pick<Config, 'state'>, id: string): string {
  return join(sessionsDir(config), `${id}${UNDO_SUFFIX}`);
}

/** Opens the store of a session; nothing is read or written yet. What cannot be recorded or was forgotten becomes a notice. */
export function openSessionUndo(options: {
  readonly config: Config;
  readonly id: string;
  emit(event: AgentEvent): void;
}): UndoStore {
  const notice = (code: string, text: string, values: { readonly [name: string]: string | number }): void =>
    options.emit({ type: 'notice', level: 'warn', code, text, values: { ...values }, agent: 'main', time: Date.now() });
  const redact = textRedactor(providerKeys(options.config));
  const store = openUndoStore({
    folder: undoFolder(options.config, options.id),
    onFault: (reason) =>
      notice('undo-not-recorded', `Changes cannot be recorded (${reason}): /undo will not cover them.`, { reason }),
    onDropped: (count) =>
      notice('undo-dropped', `${count} old turns can no longer be taken back: the store was full.`, { count }),
  });
  return {
    ...store,
    beginTurn: ({ number, text }) => store.beginTurn({ number, text: redact(text) }),
    uncovered: (what) => store.uncovered(redact(what)),
  };
}

/** What `withUndo` needs; the states of folders are those of the session's checkpoints. */
export function undoWrap(store: UndoStore, policy: () => PolicyContext, checkpoints: Checkpoints): UndoWrap {
  let trees: readonly TreeStore[] | undefined;
  return {
    store,
    trees() {
      trees ??= checkpoints.options.roots.map((root) => checkpoints.states(root));
      return trees;
    },
    readsOnly: (command) => readsOnly(command, policy()),
  };
}

/** Does the policy know every part of a command line to change nothing? */
export async function readsOnly(command: string, context: PolicyContext): Promise<boolean> {
  const { judgeLine } = await import('../policy/shell/judge.js');
  const { home, root, roots } = context;
  const parts = judgeLine(command, {
    home,
    root,
    roots,
    cwd: undefined,
    shell: context.shell,
    locate: (path) => context.locate(path),
    ...(context.traits ? { traits: (dir?: string) => context.traits?.(dir) ?? {} } : {}),
    holdsPersonal: (dir) => context.holdsPersonal?.(dir) ?? false,
    personalLink: (dir) => context.personalLink?.(dir),
  });
  return parts.length > 0 && parts.every((part) => part.readOnly);
}

/** What the model is told before the user's next words, so that it does not build on changes that are gone. Empty for nothing. */
export function undoNews(taken: readonly TakenLine[], shown: (path: string) => string): string {
  const lines = taken
    .filter((line) => line.files.length > 0)
    .map(({ kind, files }) => {
      const what = kind === 'undo' ? 'took back changes of yours in' : 'brought back changes of yours in';
      return `The user ${what}: ${files.map((file) => shown(file.path)).join(', ')}. Read these files again before you edit them.`;
    });
  return lines.length === 0 ? '' : `<undo>\n${lines.join('\n')}\n</undo>`;
}
