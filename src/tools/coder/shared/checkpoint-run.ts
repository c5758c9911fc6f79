/** The work of `@coder checkpoint`, loaded by the first call. */
import { type ToolContext, ToolFault, type ToolResult } from '../../../types/tool.js';
import { type Checkpoints, type Created, type Listed, openCheckpoints } from '../../../workspace/checkpoint/checkpoints.js';
import { leftNotes } from '../../../workspace/checkpoint/left-notes.js';
import { shortHashes } from '../../../workspace/checkpoint/snapshots.js';
import { counted } from '../../shared/counted.js';
import { printable } from '../../shared/printable.js';

const MOST_LISTED = 30;
/** Names of each kind that a result of restore shows. */
const MOST_NAMED = 50;

/** What a call asks for. */
export type CheckpointRequest =
  | { readonly do: 'list' }
  | { readonly do: 'create'; readonly label: string }
  | { readonly do: 'restore'; readonly hash: string; readonly exact: boolean };

/** Does it. Throws ToolFault. */
export function runCheckpoint(request: CheckpointRequest, context: ToolContext): Promise<ToolResult> {
  const { workspace, host } = context;
  const checkpoints = openCheckpoints({ roots: workspace.roots, home: host.home, state: host.state, env: host.childEnv });
  if (request.do === 'list') return list(checkpoints, context);
  if (request.do === 'create') return create(checkpoints, request.label, context);
  return restore(checkpoints, request, context);
}

const dateOf = (time: number): string =>
  new Date(time)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');

function text(output: string): ToolResult {
  return { output: `${output}\n`, isError: false, display: { kind: 'text', text: output } };
}

async function list(checkpoints: Checkpoints, { signal }: ToolContext): Promise<ToolResult> {
  const all = await checkpoints.list(signal);
  if (all.length === 0) return text('No checkpoints yet. create: true records one.');
  const short = shortHashes(all.map((entry) => entry.hash));
  const several = checkpoints.options.roots.length > 1;
  const line = (entry: Listed): string =>
    `${short.get(entry.hash)}  ${dateOf(entry.time)}  ${entry.subject}${several ? `  [${printable(entry.root)}]` : ''}`;
  const more = all.length > MOST_LISTED ? [`(${all.length - MOST_LISTED} older ones are not shown; restore knows them too)`] : [];
  return text([...all.slice(0, MOST_LISTED).map(line), ...more].join('\n'));
}

async function create(checkpoints: Checkpoints, label: string, { signal }: ToolContext): Promise<ToolResult> {
  const lines: string[] = [];
  let done = 0;
  let fault: ToolFault | undefined;
  for (const root of checkpoints.options.roots) {
    const where = root === checkpoints.options.roots[0] ? '' : ` of ${printable(root)}`;
    try {
      lines.push(createdLine(await checkpoints.create(root, label, signal), where));
      done++;
    } catch (error) {
      if (!(error instanceof ToolFault)) throw error;
      fault ??= error;
      lines.push(`No checkpoint${where || ' of the workspace'}: ${error.message}.`);
    }
  }
  if (fault && (done === 0 || checkpoints.options.roots.length === 1)) throw fault;
  const result = text(lines.join('\n'));
  return fault ? { ...result, isError: true, code: fault.code } : result;
}

function createdLine({ snapshot, fresh, left }: Created, where: string): string {
  const notes = leftNotes(left).map((note) => `\nNote: ${note}.`);
  if (!snapshot) return `Nothing to record${where}: there are no files.${notes.join('')}`;
  const short = snapshot.hash.slice(0, 10);
  const head = fresh
    ? `Created checkpoint ${short}${where}: ${snapshot.subject}`
    : `Nothing has changed${where} since checkpoint ${short}: ${snapshot.subject}`;
  return head + notes.join('');
}

async function restore(
  checkpoints: Checkpoints,
  { hash, exact }: Extract<CheckpointRequest, { do: 'restore' }>,
  { workspace, signal }: ToolContext,
): Promise<ToolResult> {
  const done = await checkpoints.restore(hash, { exact, signal });
  for (const { real, state } of done.restored)
    if (state && workspace.lastSeen(real) !== undefined) workspace.noteRead(real, state);
  const short = done.snapshot.hash.slice(0, 10);
  const lines: string[] = [];
  const { restored, removed, stayed, refused, before, stopped } = done;
  const counts = `${counted(restored.length, 'file')} brought back, ${removed.length} removed`;
  if (stopped)
    lines.push(`error [${stopped.code}]: ${stopped.message} before it was complete: ${counts}. Restore again to go on.`);
  else if (!before) lines.push(`Nothing to restore: every file of checkpoint ${short} is as it was then.`);
  else lines.push(`Restored checkpoint ${short} (${done.snapshot.subject}): ${counts}.`);
  if (before) lines.push(`The state before is checkpoint ${before.hash.slice(0, 10)}; restore that one to undo this.`);
  if (refused.length > 0)
    lines.push(
      ...named(
        'Not restored:',
        refused.map(({ path, why }) => `${printable(path)}: ${why}`),
      ),
    );
  lines.push(
    ...named(
      'Brought back:',
      restored.map((entry) => printable(entry.path)),
    ),
  );
  lines.push(
    ...named(
      'Removed (kept in the checkpoint of the state before):',
      removed.map((entry) => printable(entry.path)),
    ),
  );
  if (stayed.length > 0)
    lines.push(...named('Added later and still there (exact: true removes such files):', stayed.map(printable)));
  lines.push(...leftNotes(done.left).map((note) => `Note: ${note}.`));
  const output = lines.join('\n');
  const failed = stopped !== undefined || refused.length > 0;
  return {
    output: `${output}\n`,
    isError: failed,
    ...(failed ? { code: stopped?.code ?? 'Failed' } : {}),
    display: { kind: 'text', text: output },
    changed: [...restored, ...removed].map((entry) => entry.real),
  };
}

function named(head: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > MOST_NAMED ? [`  ... and ${names.length - MOST_NAMED} more`] : [];
  return [head, ...names.slice(0, MOST_NAMED).map((name) => `  ${name}`), ...more];
}
