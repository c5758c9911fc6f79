/** Snapshots for `/checkpoint`: listed, compared with the folder as it is, restored through the tool itself. */
import { decodeShown, detect } from '../../base/text-encoding.js';
import { prepareCall, runPrepared } from '../../loop/run-call.js';
import type { Changed } from '../../types/command.js';
import type { CheckpointChange, CheckpointsPort } from '../../types/command-ports.js';
import { ToolFault } from '../../types/tool.js';
import type { Text } from '../../ui/text/index.js';
import { type Listed, openCheckpoints } from '../../workspace/checkpoint/checkpoints.js';
import { matching, shortHashes } from '../../workspace/checkpoint/snapshots.js';
import type { TreeChange, TreeStore } from '../../workspace/checkpoint/types.js';
import type { App } from '../create-app.js';
import { parseDirect } from '../direct-call.js';
import { undoNews } from '../undo.js';

/** Files of one comparison, and bytes of one of its files, that are shown. */
const MOST_FILES = 200;
const LARGEST = 512 * 1024;

/** `hear`: what the model is told with the next message. */
export function checkpointsPort(app: App, text: Text, hear: (said: string) => void): CheckpointsPort {
  const { workspace, host } = app;
  const place = { roots: workspace.roots, home: host.home, state: host.state, env: host.childEnv };
  const signal = new AbortController().signal;
  const open = () => openCheckpoints(place);
  const since = async (id: string): Promise<{ readonly states: TreeStore; readonly changes: readonly TreeChange[] }> => {
    const checkpoints = open();
    const found = one(await checkpoints.list(signal), id, text);
    const states = checkpoints.states(found.root);
    const now = await states.tree(signal);
    if (now === undefined) throw new Error(text.t('checkpoint.notCompared'));
    return { states, changes: await states.changesBetween(found.hash, now, signal) };
  };
  return {
    async list() {
      const all = await open().list(signal);
      const short = shortHashes(all.map(({ hash }) => hash));
      return all.map(({ hash, time, subject }) => ({ id: short.get(hash) ?? hash, time, label: labelOf(subject) }));
    },
    changes: async (id) => (await since(id)).changes.map(({ path, before, after }) => ({ path, how: howOf(before, after) })),
    async diff(id) {
      const { states, changes } = await since(id);
      return diffOf(states, changes, text);
    },
    restore: (id, { exact }) => restore(app, id, exact, { text, hear }),
  };
}

function one(all: readonly Listed[], id: string, { t }: Text): Listed {
  const [found, ...more] = matching(all, id);
  if (!found) throw new Error(t('checkpoint.unknown', { id }));
  if (more.length > 0) throw new Error(t('checkpoint.several', { id, count: more.length + 1 }));
  return found;
}

/** What was about to happen, without the date that stands beside it. */
const labelOf = (subject: string): string => subject.replace(/\s*\([^()]*\)$/, '').replace(/^checkpoint before /, '');

function howOf(before: string, after: string): CheckpointChange['how'] {
  return before === 'absent' ? 'added' : after === 'absent' ? 'removed' : 'changed';
}

async function diffOf(states: TreeStore, changes: readonly TreeChange[], { t }: Text): Promise<string> {
  const shown = changes.slice(0, MOST_FILES);
  const ids = [...new Set(shown.flatMap(({ before, after }) => [before, after]).filter((id) => id !== 'absent'))];
  const bytes = new Map<string, Buffer>();
  await states.contents(ids, (blob, index) => void bytes.set(ids[index] ?? '', Buffer.from(blob)));
  const { createTwoFilesPatch } = await import('diff');
  const parts = shown.map(({ path, before, after }) => {
    const [old, now] = [textOf(bytes.get(before)), textOf(bytes.get(after))];
    const name = path.replace(/[\r\n]/g, '\\n');
    if (old === undefined || now === undefined) return t('checkpoint.notText', { path: name });
    const names = [before === 'absent' ? '/dev/null' : `a/${name}`, after === 'absent' ? '/dev/null' : `b/${name}`] as const;
    const patch = createTwoFilesPatch(names[0], names[1], old, now, undefined, undefined, { context: 3, timeout: 2000 });
    return (patch ?? t('checkpoint.notText', { path: name })).replace(/^=+\n/, '').trimEnd();
  });
  const more = changes.length - shown.length;
  return [...parts, ...(more > 0 ? [t('list.more', { count: more })] : [])].join('\n');
}

/** No file is an empty text; undefined for what is not shown. */
function textOf(bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined) return '';
  return bytes.length > LARGEST || detect(bytes).binary ? undefined : decodeShown(bytes).text;
}

/** As the tool does it, so that `/undo` covers it; the person has said yes already, and only a rule may refuse. */
async function restore(app: App, id: string, exact: boolean, { text, hear }: Restoring): Promise<Changed> {
  const { t } = text;
  const parsed = parseDirect(app.ports.tools, '@coder checkpoint', [JSON.stringify({ restore: id, exact })]);
  const silent = () => undefined;
  const input = { agentId: 'main', task: '/checkpoint', plan: NO_PLAN, signal: new AbortController().signal };
  const { gate } = app.ports;
  const agreed = {
    ...gate,
    pass: async (judged: Parameters<typeof gate.pass>[0]) => (await gate.denial?.(judged, 'main')) ?? YES,
  };
  const ports = { ...app.ports, gate: agreed };
  // A turn of its own, so that /undo takes back this and nothing else.
  const news = undoNews(app.undo.beginTurn({ number: 0, text: `/checkpoint restore ${id}` }), shownIn(app));
  if (news !== '') hear(news);
  const step = await prepareCall(parsed, input, ports, silent);
  const result = step.ready ? await runPrepared(step.prepared, input, ports, silent) : step.result;
  if (result.isError) throw new ToolFault(result.code ?? 'Failed', result.output.trim());
  const names = (result.changed ?? []).map((path) => `  ${shownIn(app)(path)}`);
  hear(`The user brought the folder back to checkpoint ${id}. Files that changed by it:\n${names.join('\n')}`);
  return { done: true, lines: [t('checkpoint.restored', { id }), ...names.slice(0, 40), t('checkpoint.undoHint')] };
}

interface Restoring {
  readonly text: Text;
  hear(said: string): void;
}

const shownIn = (app: App) => (path: string) => app.workspace.locate(path).shown;

const YES = { run: true } as const;
const NO_PLAN = { get: () => [], set: () => undefined };
