/** Work of isolated agents that a killed run left behind: told once, by the next run in the same folder. */
import type { App } from '../create-app.js';
import { leftWork } from './owned.js';
import { worktreesIn } from './place.js';
import { tell } from './tell.js';

/** Tells people; gives the same for the model, empty when there is none. Never throws. */
export function tellLeftWork(app: App): string {
  const rows: string[] = [];
  for (const { worker, session, folder } of leftWork(worktreesIn(app.config.state), app.workspace.root)) {
    tell(app.ports, 'main', { code: 'agent-left', agent: worker, session, folder });
    rows.push(
      `An earlier run ended while the isolated agent ${worker} was at work: what it did is not in the workspace but in ${folder}.`,
    );
  }
  return rows.join('\n');
}
