/** Brings one job to life: its folder, its supervisor, its record. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { markOf } from '../../base/process-mark.js';
import type { JobStart } from '../../types/job.js';
import type { ConfinedStart } from '../../types/sandbox.js';
import { guardChildren, nextMark, watchGroup } from '../children.js';
import { commandEnv } from '../command-env.js';
import { MARK } from '../groups.js';
import { type ShellProgram, shellProgram } from '../shell-program.js';
import { identify } from './identity.js';
import { type JobRecord, logOf, writeRecord } from './job-folder.js';
import type { Job } from './job-state.js';
import { newKeptFolder } from './kept-jobs.js';
import { supervise } from './supervise.js';

interface LaunchPlace {
  readonly id: string;
  readonly folder: string;
}

/** Where a new job lives. `id` names one that is not kept. Throws errno errors. */
export function newPlace(options: { readonly scratch: string; readonly state: string }, keep: boolean, id: string): LaunchPlace {
  if (keep) return newKeptFolder(options.state);
  const folder = join(options.scratch, `job-${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`);
  mkdirSync(folder, { mode: 0o700, recursive: true });
  return { id, folder };
}

/** Starts the command of a job. Throws ToolFault or an errno error; then nothing runs and nothing is left. */
export async function launch(
  start: JobStart,
  { id, folder }: LaunchPlace,
  options: { readonly root: string; readonly logCap?: number },
): Promise<Job> {
  try {
    const { command, keep, cwd } = start;
    const program = await shellProgram(command, start.env, { folder });
    if (!keep) guardChildren();
    const mark = keep ? `keep.${randomUUID()}.` : nextMark(false);
    // The mark of an outer run is not handed on: its end would take a kept job along.
    const { [MARK]: _outer, ...env } = commandEnv(start.env, cwd);
    const { logCap } = options;
    const about = { id, command, root: options.root, dir: cwd, keep, startedAt: Date.now(), mark };
    const record: JobRecord = { ...about, ...(logCap === undefined ? {} : { logCap }), process: markOf(0) };
    const confined = await confine(program, start, env);
    let pid: number;
    try {
      // Written down before anything runs: a kept job nobody could find again must not run.
      if (keep) writeRecord(folder, record);
      const { file, args } = confined ?? program;
      const handles = confined?.handles ?? [];
      pid = await supervise({ file, args, cwd, env, mark, folder, log: logOf(folder), logCap, handles });
    } catch (error) {
      confined?.ended();
      throw error;
    } finally {
      confined?.release();
    }
    if (!keep) watchGroup(pid);
    const job: Job = { folder, record: { ...record, process: identify(pid) } };
    return confined === undefined ? job : { ...job, report: (end) => confined.report(end), ended: () => confined.ended() };
  } catch (error) {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}

/** Never tied: a job may outlive us, and what ends the others reaches them all the same. */
async function confine(
  program: ShellProgram,
  start: JobStart,
  env: Readonly<Record<string, string>>,
): Promise<ConfinedStart | undefined> {
  const { file, args, script } = program;
  const { cwd, agent, sandbox } = start;
  const use = { env, ...(agent && { agent }), ...(script !== undefined && { readable: [dirname(script)] }) };
  return sandbox?.confine({ file, args, cwd, ownSession: true }, use);
}
