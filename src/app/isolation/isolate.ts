/** A worker in a git worktree of its own, and how its change comes back: as one judged transaction, or as a branch. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { emitterFor } from '../../loop/emit.js';
import type { Isolate } from '../../loop/isolation.js';
import { ownCalls } from '../../loop/own-calls.js';
import type { LoopPorts } from '../../loop/ports.js';
import type { RunOutcome } from '../../types/agent.js';
import type { Json, JsonObject } from '../../types/json.js';
import { because, english, type Reason } from '../../types/reason.js';
import { noticeText } from '../../ui/notice-text.js';
import { createText } from '../../ui/text/index.js';
import type { App } from '../create-app.js';
import { fileReason } from '../file-reason.js';
import { bringTool, planBringing } from './bring-back.js';
import { disown, own, removeOrphans } from './owned.js';
import { openWorktree, type TreeChange, type Worktree, type WorktreeOptions } from './worktree.js';

/** `session` names the folders and branches. */
export function isolateIn(app: () => App, session: string): Isolate {
  let number = 0;
  let swept: Promise<void> | undefined;
  return async (worker, task, signal) => {
    const { config, workspace } = app();
    number++;
    const name = `${session.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 40)}-${worker.replace(/[^a-z0-9-]/g, '-')}-${Date.now().toString(36)}${number}`;
    const folder = join(config.state, 'worktrees');
    swept ??= removeOrphans(folder, config.childEnv);
    await swept;
    const tree = await openOwned({ workspace: workspace.root, folder, name, env: config.childEnv, signal });
    try {
      const ports = await app().elsewhere.portsIn(worker, tree.root, app().ports);
      return { ports, finish: (outcome, shared) => finish({ tree, worker, task, app: app(), signal }, outcome, shared) };
    } catch (error) {
      await tree.remove();
      throw error;
    }
  };
}

interface OwnedTree extends Worktree {
  /** It stays, and is the user's from now on. */
  leave(): void;
}

/** A worktree that names us as its owner for as long as we need it. */
async function openOwned(options: WorktreeOptions): Promise<OwnedTree> {
  const { folder, name, workspace } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  own(folder, name, workspace);
  try {
    const tree = await openWorktree(options);
    const leave = (): void => disown(folder, name);
    return { ...tree, leave, remove: () => tree.remove().finally(leave) };
  } catch (error) {
    disown(folder, name);
    throw error;
  }
}

interface Work {
  readonly tree: OwnedTree;
  readonly worker: string;
  readonly task: string;
  readonly app: App;
  readonly signal: AbortSignal;
}

interface Ended {
  readonly outcome: RunOutcome;
  readonly note: string;
}

async function finish(work: Work, outcome: RunOutcome, shared: LoopPorts): Promise<Ended> {
  const { tree, worker, app } = work;
  try {
    app.elsewhere.leave(worker);
    const changes = await withoutBackups(tree, await tree.changes(), app);
    const ended = await settle(work, { ...outcome, files: [] }, changes, shared);
    await tree.remove();
    return ended;
  } catch (error) {
    tree.leave();
    const why = error instanceof Error ? error.message : String(error);
    tell(shared, worker, 'agent-worktree', { why: fileReason(error), folder: tree.root });
    const note = `Its change could not be brought back (${why}); its worktree was left at ${tree.root}.`;
    return { outcome: { ...outcome, files: [] }, note };
  }
}

async function settle(work: Work, outcome: RunOutcome, changes: readonly TreeChange[], shared: LoopPorts): Promise<Ended> {
  const { tree, worker, task, app, signal } = work;
  if (changes.length === 0) return { outcome, note: 'It worked in a worktree of its own and changed nothing.' };
  const keep = async (why: Reason): Promise<string> => {
    const branch = await tree.keep(`${worker}: ${task.split('\n')[0]?.slice(0, 60) ?? ''}`);
    tell(shared, worker, 'agent-branch', { why, branch });
    return `Nothing was changed in the workspace: ${english(why)}. Its change is on the branch ${branch}.`;
  };
  if (outcome.status !== 'done' && outcome.status !== 'denied') return { outcome, note: await keep(notWell(outcome.status)) };
  const plan = await planBringing(tree, changes, app.workspace);
  if ('text' in plan) return { outcome, note: await keep(plan) };
  if (plan.targets.length === 0) return { outcome, note: 'Its change is in the workspace already.' };
  const tool = app.wrapped(bringTool(worker, plan.targets));
  const input = {
    agentId: worker,
    task,
    plan: { get: () => [], set: () => undefined },
    signal,
    parent: 'bring',
  };
  const ports = { ...shared, tools: [tool] };
  const calls = ownCalls(input, ports, emitterFor(ports, worker));
  const result = await calls.call(tool.name, { diff: await tree.diff() });
  const denied = [...outcome.denied, ...calls.denied];
  if (result.isError) {
    const status = calls.denied.length > 0 ? 'denied' : 'failed';
    const said = calls.denied[0]?.why ?? (calls.denied[0]?.reason ?? result.output).replace(/[.\s]+$/, '');
    const kept = await keep(
      status === 'denied'
        ? because`it was not agreed to bring it back (${said})`
        : because`it could not be brought back (${said})`,
    );
    const why = because`its change was not brought back`;
    return { outcome: { ...outcome, status, reason: english(why), why, denied }, note: kept };
  }
  const merged = plan.merged.length > 0 ? ` Joined with changes made meanwhile: ${plan.merged.join(', ')}.` : '';
  const files = calls.changed.map((path) => app.workspace.locate(path).shown).sort();
  return {
    outcome: { ...outcome, files },
    note: `It worked in a worktree of its own; its change was brought back as one.${merged}`,
  };
}

function notWell(status: RunOutcome['status']): Reason {
  if (status === 'interrupted') return because`the agent was stopped`;
  if (status === 'timeout') return because`the agent reached its time limit`;
  if (status === 'turn_limit') return because`the agent reached its limit of turns`;
  return because`the agent did not end well (${status})`;
}

/** People should know where a change is that is not in their workspace. */
function tell(ports: LoopPorts, agent: string, code: Code, { why, ...named }: Told): void {
  const values: JsonObject = { agent, ...named, why: { ...why, values: why.values as Json } };
  emitterFor(
    ports,
    agent,
  )({ type: 'notice', level: 'warn', code, text: noticeText({ code, text: '', values }, createText('en')), values });
}

type Told = { readonly why: Reason } & ({ readonly branch: string } | { readonly folder: string });

type Code = 'agent-branch' | 'agent-worktree';

/** Backups our own tools made beside files are no part of the change. */
async function withoutBackups(tree: Worktree, changes: readonly TreeChange[], app: App): Promise<readonly TreeChange[]> {
  const kept: TreeChange[] = [];
  for (const change of changes) {
    const own =
      change.status === 'added' && change.path?.endsWith('.bak') && (await app.workspace.isBackup(join(tree.root, change.path)));
    // Gone from the worktree, it is in no diff and on no branch.
    if (own && change.path) rmSync(join(tree.root, change.path), { force: true });
    else kept.push(change);
  }
  return kept;
}
