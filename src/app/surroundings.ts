/** What the security question says of the place a call would run in. */
import { join } from 'node:path';
import type { Question } from '../types/policy.js';
import type { Surroundings } from '../ui/approve-text.js';
import type { App } from './create-app.js';

/** The folder of the call, what would hold a command, and where rules are kept. The sandbox is tried when a command asks first. */
export async function surroundings({ call, facts }: Question, app: App): Promise<Surroundings> {
  const { config, workspace, sandbox } = app;
  const given = facts.command === undefined ? undefined : call.args['dir'];
  const folder = typeof given === 'string' && given !== '' ? workspace.locate(given).real : workspace.root;
  const keptIn = short(join(config.state, 'coder_policy.json'), config.home);
  const place = { folder: short(folder, config.home), keptIn };
  if (facts.label.verb !== 'run' && facts.label.verb !== 'test') return place;
  if (config.sandbox.mode === 'off') return { ...place, sandbox: 'off' };
  const { level } = await sandbox.state();
  // Where `strict` is blocked no command runs at all.
  return level === 'blocked' ? place : { ...place, sandbox: level };
}

function short(path: string, home: string): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
