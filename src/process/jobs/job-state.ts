/** How a job stands, told from its folder and its processes, and how it is ended. */
import type { JobInfo } from '../../types/job.js';
import type { ConfinedStart } from '../../types/sandbox.js';
import { killMarked, markedProcesses, signalGroup, signalOne } from '../groups.js';
import { withoutHelpers } from '../sandbox/helpers.js';
import { stillRuns } from './identity.js';
import { isLogFull, type JobRecord, logBytes, logOf, noteEndedBy, readEnd, readEndedBy } from './job-folder.js';
import { wholeBlocks } from './supervise.js';

export interface Job {
  readonly folder: string;
  readonly record: JobRecord;
  /** What its sandbox did; only of jobs this process started. */
  readonly report?: ConfinedStart['report'];
  /** Its sandbox need not be looked after any more. */
  readonly ended?: ConfinedStart['ended'];
}

/** Exit code after a death by KILL, which leaves nobody to note it. */
const KILLED = 137;
const GRACE_MS = 2000;
const PATIENCE_MS = 1000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The command has ended: it is noted, or nobody is there to note it. */
export function hasEnded({ folder, record }: Job): boolean {
  return readEnd(folder) !== undefined || !stillRuns(record.process);
}

/** Waits for the supervisor to pass the last output on; a process left behind may hold it up. */
export async function flushed(job: Job, mostMs = 300): Promise<void> {
  for (let waited = 0; waited < mostMs && stillRuns(job.record.process); waited += 10) await pause(10);
}

function endOf(job: Job): Pick<JobInfo, 'state' | 'exitCode' | 'endedAt' | 'endedBy'> {
  const { folder, record } = job;
  const runs = stillRuns(record.process);
  // Read after the look at the process: a note written in between is not missed.
  const end = readEnd(folder);
  const by = readEndedBy(folder);
  const endedBy = by === undefined ? {} : { endedBy: by.by };
  if (end !== undefined) return { state: 'ended', exitCode: end.exitCode, endedAt: end.at, ...endedBy };
  if (runs) return { state: 'running' };
  return by === undefined ? { state: 'lost' } : { state: 'ended', exitCode: KILLED, endedAt: by.at, ...endedBy };
}

/** Marks of jobs that ended a while ago and left nothing behind: nothing can carry them any more. */
const quiet = new Set<string>();
const SETTLED_MS = 2000;

function leftoverOf(job: Job, end: ReturnType<typeof endOf>): number[] {
  const { mark } = job.record;
  if (end.state === 'running' || quiet.has(mark)) return [];
  const found = markedProcesses(mark).sort((a, b) => a - b);
  if (found.length === 0 && Date.now() - (end.endedAt ?? job.record.startedAt) > SETTLED_MS) quiet.add(mark);
  return withoutHelpers(found);
}

/** How a job stands at this moment. */
export function infoOf(job: Job): JobInfo {
  const { folder, record } = job;
  const end = endOf(job);
  return {
    id: record.id,
    command: record.command,
    dir: record.dir,
    keep: record.keep,
    startedAt: record.startedAt,
    pid: record.process.pid,
    ...end,
    leftover: leftoverOf(job, end),
    logFile: logOf(folder),
    logBytes: logBytes(folder),
    ...(isLogFull(folder) ? { logEndedAt: Math.min(logBytes(folder), wholeBlocks(record.logCap)) } : {}),
  };
}

/** True while the command or something it left behind runs. */
export function isActive(info: JobInfo): boolean {
  return info.state === 'running' || info.leftover.length > 0;
}

/** The group only while its first process lives (its number cannot be another's then); everything else by its mark. */
function send({ record }: Job, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (stillRuns(record.process)) signalGroup(record.process.pid, signal);
  for (const pid of markedProcesses(record.mark)) signalOne(pid, signal);
}

const isGone = (job: Job): boolean => hasEnded(job) && markedProcesses(job.record.mark).length === 0;

async function waitGone(job: Job, ms: number, signal?: AbortSignal): Promise<void> {
  const start = performance.now();
  while (!isGone(job) && performance.now() - start < ms && signal?.aborted !== true) await pause(20);
}

/** Asks the job to end and kills what does not within two seconds, at once when `signal` aborts. */
export async function endJob(job: Job, by: 'kill' | 'timeout', signal?: AbortSignal): Promise<void> {
  const ran = !hasEnded(job);
  send(job, 'SIGTERM');
  if (ran) noteEndedBy(job.folder, by);
  await waitGone(job, GRACE_MS, signal);
  if (!isGone(job)) {
    send(job, 'SIGKILL');
    killMarked(job.record.mark);
    await waitGone(job, PATIENCE_MS);
  }
  await flushed(job);
}
