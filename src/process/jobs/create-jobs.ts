/** The background jobs of one run: starts them, finds them, shows what they print, ends them. */
import { rm } from 'node:fs/promises';
import type { JobInfo, JobLook, JobPart, Jobs } from '../../types/job.js';
import type { SandboxReport } from '../../types/sandbox.js';
import { ToolFault } from '../../types/tool.js';
import { logBytes, noteSeen, readSeen } from './job-folder.js';
import { endJob, flushed, hasEnded, infoOf, isActive, type Job } from './job-state.js';
import { keptJobs, pruneKept } from './kept-jobs.js';
import { launch, newPlace } from './launch.js';
import { readOutput, startOfTail } from './read-output.js';

/** Jobs that may run at once. */
export const MOST_JOBS = 20;
/** A command that ends within this time is told as ended. */
const WATCH_MS = 250;
const LOOK_MS = 50;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface JobsOptions {
  /** Folder of this session for logs. */
  readonly scratch: string;
  /** Our own state; kept jobs are noted in its folder `jobs`. */
  readonly state: string;
  /** Root of the workspace; kept jobs of others are not shown. */
  readonly root: string;
  /** The program ends after this call: only jobs that are kept can be started. */
  readonly keptOnly?: boolean;
  /** Bytes a log may hold; 256 MiB by default. */
  readonly logCap?: number;
  /** Milliseconds a new job is watched; 250 by default. */
  readonly watchMs?: number;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const stopped = (): ToolFault => new ToolFault('Aborted', 'the run was stopped');

/** The jobs of one run. They end with this process unless they are kept. */
export function createJobs(options: JobsOptions): Jobs {
  const own: Job[] = [];
  let count = 0;
  /** Starts that are not on the list yet. */
  let starting = 0;

  /** What the sandboxes of kept jobs started here have to say. */
  const reports = new Map<string, Pick<Job, 'report' | 'ended'>>();

  const kept = (): Job[] =>
    keptJobs(options.state, options.root).map((job) => {
      const report = reports.get(job.folder);
      return { ...job, ...report };
    });
  const all = (): Job[] => [...own, ...kept()];

  function find(id: string): Job {
    const jobs = all();
    const job = jobs.find((one) => one.record.id === id);
    if (job !== undefined) return job;
    const known = jobs.map((one) => one.record.id).join(', ');
    throw new ToolFault(
      'NotFound',
      `there is no job ${JSON.stringify(id)}; ${known === '' ? 'no jobs were started' : `jobs: ${known}`}`,
    );
  }

  return {
    async start(start) {
      if (start.signal.aborted) throw stopped();
      if (options.keptOnly && !start.keep)
        throw new ToolFault(
          'InvalidArgs',
          'invalid arguments: at /background: this call is a run of its own, and a background job ends with its run; give keep: true as well, or run the command without background',
        );
      await pruneKept(options.state, Date.now());
      const active = all().filter((job) => isActive(infoOf(job))).length + starting;
      if (active >= MOST_JOBS)
        throw new ToolFault('Failed', `${active} background jobs run already, which is the limit; end one with @proc kill`);
      starting += 1;
      let job: Job;
      try {
        if (!start.keep) count += 1;
        job = await launch(start, newPlace(options, start.keep, `j${count}`), options);
        if (start.keep) {
          const { report, ended } = job;
          reports.set(job.folder, { ...(report && { report }), ...(ended && { ended }) });
        } else own.push(job);
      } finally {
        starting -= 1;
      }
      if (start.timeoutMs !== undefined) endLater(job, start.timeoutMs);
      await watch(job, options.watchMs ?? WATCH_MS, start.signal);
      return infoAndEnd(job);
    },
    async list() {
      await pruneKept(options.state, Date.now());
      return all().map(infoAndEnd);
    },
    async look(id, part, { waitMs, signal }) {
      return look(find(id), part, waitMs, signal);
    },
    async kill(id, { signal }) {
      const job = find(id);
      await endJob(job, 'kill', signal);
      return infoAndEnd(job);
    },
    async forget(id) {
      const job = find(id);
      if (isActive(infoOf(job))) return;
      const index = own.indexOf(job);
      if (index >= 0) own.splice(index, 1);
      await rm(job.folder, { recursive: true, force: true });
    },
  };
}

/** Jobs whose sandbox is looked after no more. */
const settled = new WeakSet<NonNullable<Job['ended']>>();

/** How it stands; when nothing of it runs any more, what its sandbox left is put right, once. */
function infoAndEnd(job: Job): JobInfo {
  const info = infoOf(job);
  if (job.ended === undefined || isActive(info) || settled.has(job.ended)) return info;
  settled.add(job.ended);
  job.ended();
  return info;
}

function endLater(job: Job, ms: number): void {
  const end = () => void (hasEnded(job) ? undefined : endJob(job, 'timeout').catch(() => undefined));
  setTimeout(end, Math.min(ms, LONGEST_TIMER_MS)).unref();
}

/** The first moment of a job: what fails at once is not left running unseen. */
async function watch(job: Job, ms: number, signal: AbortSignal): Promise<void> {
  const start = performance.now();
  while (!hasEnded(job) && performance.now() - start < ms && !signal.aborted) await pause(10);
  if (signal.aborted) {
    await endJob(job, 'kill', signal);
    throw stopped();
  }
  if (hasEnded(job)) await flushed(job);
}

async function look(job: Job, part: JobPart, waitMs: number, signal: AbortSignal): Promise<JobLook> {
  const { folder } = job;
  const start = performance.now();
  while (!hasEnded(job) && performance.now() - start < waitMs && !signal.aborted) await pause(LOOK_MS);
  if (signal.aborted) throw stopped();
  if (hasEnded(job)) await flushed(job);
  const info: JobInfo = infoOf(job);
  const to = logBytes(folder);
  const from =
    part.kind === 'all' ? 0 : part.kind === 'new' ? Math.min(readSeen(folder), to) : startOfTail(folder, part.lines, to);
  const { end, ...read } = readOutput(folder, from, to, isActive(info));
  noteSeen(folder, end);
  const sandbox = reportOf(job, info, read);
  return { info, before: from, ...read, ...(sandbox && { sandbox }) };
}

/** While it runs, nothing is a failure yet. */
function reportOf(job: Job, info: JobInfo, read: Pick<JobLook, 'output' | 'outputEnd'>): SandboxReport | undefined {
  const report = job.report?.({
    output: [read.output, read.outputEnd].filter(Boolean).join('\n'),
    exitCode: info.exitCode ?? null,
    command: info.command,
    cwd: info.dir,
    runsOn: isActive(info),
  });
  return report === undefined || info.state === 'ended' ? report : { planted: report.planted };
}
