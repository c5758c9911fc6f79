/** The end of an isolated worker: what of its work comes back, and where the rest is. */
import { join } from 'node:path';
import { emitterFor } from '../../loop/emit.js';
import { ownCalls } from '../../loop/own-calls.js';
import type { LoopPorts } from '../../loop/ports.js';
import type { RunOutcome } from '../../types/agent.js';
import { because, english, type Reason, ReasonError } from '../../types/reason.js';
import { keepAsBranch } from './branch.js';
import { type Bringable, type BringPlan, bringNow, bringTool, bytesOf, planBringing } from './bring-back.js';
import { changeText } from './change-text.js';
import type { Found, TreeChange } from './compare.js';
import { notWell, type Rest, restNames, restText, tell } from './tell.js';
import type { Work } from './work.js';

export interface Ended {
  readonly outcome: RunOutcome;
  readonly note: string;
}

/** What was found out about the work. */
interface Sorted {
  readonly changes: readonly { readonly change: TreeChange; readonly shown: string }[];
  readonly rest: Rest;
  readonly hasRest: boolean;
}

/** Never throws. After a stop nothing is looked at: the folder stays and is named. */
export async function finishWork(work: Work, outcome: RunOutcome, shared: LoopPorts): Promise<Ended> {
  const { worker, app, seen } = work;
  const plain = { ...outcome, files: [] };
  try {
    app.elsewhere.leave(worker);
    if (work.signal.aborted || outcome.status === 'interrupted' || outcome.status === 'timeout') {
      const why = notWell(outcome.status === 'timeout' ? 'timeout' : 'interrupted');
      if (seen.acted) return { outcome: plain, note: leaveWhole(work, shared, why) };
      work.leave('empty');
      return { outcome: plain, note: 'It worked in a worktree of its own and changed nothing.' };
    }
    return await settle(work, plain, await sort(work), shared);
  } catch (error) {
    const why = error instanceof ReasonError ? error.why : because`${error instanceof Error ? error.message : String(error)}`;
    return { outcome: notBrought(plain, 'failed'), note: leaveWhole(work, shared, why) };
  }
}

async function settle(work: Work, outcome: RunOutcome, sorted: Sorted, shared: LoopPorts): Promise<Ended> {
  const { tree, app } = work;
  if (sorted.changes.length === 0)
    return { outcome, note: await end(work, shared, sorted, 'It worked in a worktree of its own and changed nothing.') };
  const changes = bytesOf(tree, sorted.changes);
  if ('text' in changes) return { outcome: notBrought(outcome, 'failed'), note: leaveWhole(work, shared, changes, sorted) };
  // A file that was cut short looks like any other.
  if (work.seen.full) {
    const well = outcome.status === 'done' || outcome.status === 'denied';
    const note = leaveWhole(work, shared, because`the disk was full, so files may be cut short`, sorted);
    return { outcome: well ? notBrought(outcome, 'failed') : outcome, note };
  }
  if (outcome.status !== 'done' && outcome.status !== 'denied')
    return { outcome, note: await keep(work, shared, notWell(outcome.status), sorted, changes) };
  const said = await work.turn.run(() => bring(work, changes, shared));
  if ('why' in said) {
    const { status, denied, why } = said;
    if (work.signal.aborted)
      return { outcome: notBrought(outcome, status), note: leaveWhole(work, shared, notWell('interrupted')) };
    const kept = await keep(work, shared, why, sorted, changes);
    return { outcome: { ...notBrought(outcome, status), denied: [...outcome.denied, ...denied] }, note: kept };
  }
  const files = said.changed.map((path) => app.workspace.locate(path).shown).sort();
  const merged = said.merged.length > 0 ? ` Joined with changes made meanwhile: ${said.merged.join(', ')}.` : '';
  const note =
    said.changed.length === 0
      ? 'Its change is in the workspace already.'
      : `It worked in a worktree of its own; its change was brought back as one.${merged}`;
  return { outcome: { ...outcome, files }, note: await end(work, shared, sorted, note) };
}

/** What changed, apart by what may come back. */
async function sort(work: Work): Promise<Sorted> {
  const { tree, app } = work;
  const found: Found = await tree.changes((file) => app.workspace.isBackup(file));
  const changes: { change: TreeChange; shown: string }[] = [];
  const withheld: { change: TreeChange; why: Rest['withheld'][number]['why'] }[] = [];
  for (const change of found.changes) {
    const shown = below(tree.sub, change.path);
    if (change.odd) withheld.push({ change, why: change.odd });
    else if (shown === undefined) withheld.push({ change, why: 'outside' });
    else if (app.workspace.locate(join(app.workspace.root, shown)).zone !== 'inside') withheld.push({ change, why: 'private' });
    else changes.push({ change, shown });
  }
  const rest = { found, withheld, commits: await tree.commits() };
  return { changes, rest, hasRest: restText(rest).length > 0 };
}

function below(sub: string, path: string): string | undefined {
  if (sub === '.') return path;
  return path.startsWith(`${sub}/`) ? path.slice(sub.length + 1) : undefined;
}

interface Brought {
  readonly changed: readonly string[];
  readonly merged: readonly string[];
}

interface Refused {
  readonly why: Reason;
  readonly status: 'denied' | 'failed';
  readonly denied: RunOutcome['denied'];
}

/** Plans, asks and writes; nothing of another worker comes in between. */
async function bring(work: Work, changes: readonly Bringable[], shared: LoopPorts): Promise<Brought | Refused> {
  const { tree, worker, task, app, signal, name } = work;
  if (signal.aborted) return { why: notWell('interrupted'), status: 'failed', denied: [] };
  let last: BringPlan | undefined;
  const plan = async (): Promise<BringPlan | Reason> => {
    const made = await planBringing(tree, changes, app.workspace);
    if (!('text' in made)) last = made;
    return made;
  };
  const first = await plan();
  if ('text' in first) return { why: because`Conflict: ${first}`, status: 'failed', denied: [] };
  if (first.targets.length === 0) return { changed: [], merged: [] };
  const files = changes.map(({ shown }) => shown);
  const tool = app.wrapped(bringTool(worker, files, (_args, { workspace }) => bringNow(plan, workspace)));
  const input = { agentId: worker, task, plan: { get: () => [], set: () => undefined }, signal, parent: `bring-${name}-` };
  const ports = { ...shared, tools: [tool] };
  const calls = ownCalls(input, ports, emitterFor(ports, worker));
  const result = await calls.call(tool.name, { diff: await changeText(tree, changes) });
  if (!result.isError) return { changed: calls.changed, merged: last?.merged ?? [] };
  const { denied } = calls;
  if (denied.length === 0)
    return { why: because`it could not be brought back (${oneLine(result.output)})`, status: 'failed', denied };
  const said = denied[0]?.why ?? oneLine(denied[0]?.reason ?? result.output);
  return { why: because`it was not agreed to bring it back (${said})`, status: 'denied', denied };
}

function oneLine(text: string): string {
  return text.replace(/[.\s]+$/, '').replace(/\s*\n\s*/g, ' ');
}

function notBrought(outcome: RunOutcome, status: 'denied' | 'failed'): RunOutcome {
  const why = because`its change was not brought back`;
  return { ...outcome, status, reason: english(why), why };
}

/** As a branch, where the worker's own change can be told apart; otherwise in its folder. */
async function keep(work: Work, shared: LoopPorts, why: Reason, sorted: Sorted, changes: readonly Bringable[]): Promise<string> {
  const { tree, worker, task, app, name } = work;
  const branch = `chatcli/${name}`;
  const commits = sorted.rest.commits ?? [];
  const subject = `${worker}: ${task.split('\n')[0]?.slice(0, 60) ?? ''}`;
  const message = commits.length === 0 ? subject : `${subject}\n\n${commits.map((row) => `- ${row}`).join('\n')}`;
  const git = { cwd: app.workspace.root, env: app.config.childEnv, signal: AbortSignal.timeout(BRANCH_MS) };
  try {
    if (!(await keepAsBranch(tree, changes, { branch, message, folder: work.desk, git })))
      return leaveWhole(work, shared, why, sorted);
  } catch {
    return leaveWhole(work, shared, why, sorted);
  }
  tell(shared, worker, { code: 'agent-branch', why, branch });
  return end(
    work,
    shared,
    sorted,
    `Nothing was changed in the workspace: ${english(why)}. Its change is on the branch ${branch}.`,
  );
}

/** Milliseconds for making a branch. */
const BRANCH_MS = 30_000;

/** The change is safe; the folder goes unless there is more in it. */
async function end(work: Work, shared: LoopPorts, { rest, hasRest }: Sorted, note: string): Promise<string> {
  if (!hasRest) {
    await work.drop();
    return note;
  }
  work.leave('left');
  const folder = work.tree.top;
  tell(shared, work.worker, { code: 'agent-rest', folder, rest: restNames(rest) });
  return `${note} ${restText(rest).join(' ')} That is left at ${folder}.`;
}

/** Nothing is touched: the folder stays as the worker left it. */
function leaveWhole(work: Work, shared: LoopPorts, why: Reason, sorted?: Sorted): string {
  const folder = work.tree.top;
  work.leave('left');
  tell(shared, work.worker, { code: 'agent-worktree', why, folder });
  const rest = sorted?.hasRest ? ` ${restText(sorted.rest).join(' ')}` : '';
  return `Nothing was changed in the workspace: ${english(why)}. Its work is left at ${folder} (git -C ${folder} diff shows it).${rest}`;
}
