/** A worker in a repository of its own, and how its change comes back: as one judged transaction, as a branch, or in its folder. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createMutex } from '../../base/mutex.js';
import type { Isolate } from '../../loop/isolation.js';
import type { LoopPorts } from '../../loop/ports.js';
import type { RunOutcome } from '../../types/agent.js';
import type { AgentEvent } from '../../types/event.js';
import type { App } from '../create-app.js';
import { finishWork } from './finish.js';
import { disown, leave, own, sweepLeft } from './owned.js';
import { worktreesIn } from './place.js';
import type { Seen, Work } from './work.js';
import { openWorktree, type Worktree } from './worktree.js';

const FULL = /No space left on device|Disk quota exceeded|\b(?:ENOSPC|EDQUOT)\b/;

/** `session` names the folders and branches. */
export function isolateIn(app: () => App, session: string): Isolate {
  let number = 0;
  const turn = createMutex();
  return async (worker, task, signal) => {
    const { config, workspace } = app();
    number++;
    const name = `${session.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 40)}-${worker.replace(/[^A-Za-z0-9-]+/g, '-').slice(0, 40)}-${Date.now().toString(36)}${number}`;
    const folder = worktreesIn(config.state);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    await sweepLeft(folder);
    own(folder, name, { workspace: workspace.root, session, worker });
    let tree: Worktree | undefined;
    try {
      const { home, childEnv: env } = config;
      tree = await openWorktree({ workspace: workspace.root, folder, name, home, env, signal });
      const place = await app().elsewhere.portsIn(worker, { root: tree.root, kept: tree.facts.repository.top }, app().ports);
      const seen: Seen = { acted: false, full: false };
      const opened = tree;
      const work: Work = {
        tree,
        worker,
        task,
        app: app(),
        signal,
        seen,
        name,
        desk: join(folder, name, 'desk'),
        turn,
        async drop() {
          await opened.remove();
          disown(folder, name);
        },
        leave: (state) => leave(folder, name, state, state === 'left'),
      };
      return {
        ports: { ...place, emit: watched(place.emit, worker, seen) },
        finish: (outcome: RunOutcome, shared: LoopPorts) => finishWork(work, outcome, shared),
      };
    } catch (error) {
      if (signal.aborted) leave(folder, name, 'empty', false);
      else {
        await tree?.remove();
        disown(folder, name);
      }
      throw error;
    }
  };
}

function watched(emit: LoopPorts['emit'], worker: string, seen: Seen): LoopPorts['emit'] {
  return (event: AgentEvent): void => {
    if (event.agent === worker && event.type === 'call-start') seen.acted = true;
    if (event.agent === worker && event.type === 'call-end' && FULL.test(event.result.output)) seen.full = true;
    emit(event);
  };
}
