/** Starts a job under a small shell that outlives us: it sends the output to a log with a cap and notes the exit code. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ToolFault } from '../../types/tool.js';
import { LOG_CAP } from '../log-file.js';

/**
 * Its own signals are left to the command, so that it is there to note how the command ended. The command alone carries the
 * mark. It notes itself in `process` first, so that a kept job is found even if we end at this moment. Nothing of the command stands in this text: it comes as arguments.
 */
const SUPERVISOR = `dir=$1 log=$2 blocks=$3 mark=$4
shift 4
{
  echo $$
  if [ -r "/proc/$$/stat" ]; then
    read -r boot </proc/sys/kernel/random/boot_id && read -r stat <"/proc/$$/stat"
    printf '%s\\n' "$boot" "$stat"
  else
    echo "ps:$(command -p ps -o lstart= -p $$)"
  fi
} >"$dir/process" 2>/dev/null
[ -s "$dir/process" ] || exit 126
trap : TERM HUP INT QUIT
{
  trap : TERM HUP INT QUIT
  CHATCLI_RUN_ID=$mark "$@" 2>&1
  printf '%s\\n' "$?" >"$dir/exit"
} </dev/null 2>/dev/null | {
  trap '' TERM HUP INT QUIT XFSZ
  umask 077
  (ulimit -f "$blocks"; command -p cat) >>"$log" 2>/dev/null || {
    : >"$dir/full"
    command -p cat >/dev/null
  }
}`;

/** `ulimit -f` counts in these. */
const BLOCK = 512;

interface SuperviseOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Value of the mark every process of the job carries. */
  readonly mark: string;
  /** Folder of the job; `exit` and `full` appear in it. */
  readonly folder: string;
  readonly log: string;
  readonly logCap?: number;
  /** Open descriptors the program gets from 3 on, in this order; they stay ours to close. */
  readonly handles?: readonly number[];
}

/** Bytes a log of `logCap` really takes. */
export const wholeBlocks = (logCap: number = LOG_CAP): number => Math.max(1, Math.floor(logCap / BLOCK)) * BLOCK;

/** Starts it in a group of its own; gives the number of that group. Throws ToolFault when it cannot be started. */
export async function supervise(options: SuperviseOptions): Promise<number> {
  const { folder, log, mark, file, args } = options;
  const blocks = String(wholeBlocks(options.logCap) / BLOCK);
  const fault = (error: unknown) => startFault(error, options);
  let child: ChildProcess;
  try {
    child = spawn('/bin/sh', ['-c', SUPERVISOR, 'chatcli-job', folder, log, blocks, mark, file, ...args], {
      cwd: options.cwd,
      env: { ...options.env },
      stdio: ['ignore', 'ignore', 'ignore', ...(options.handles ?? [])],
      detached: true,
    });
  } catch (error) {
    throw fault(error);
  }
  const failed = new Promise<never>((_, reject) => child.once('error', (error) => reject(fault(error))));
  failed.catch(() => undefined);
  if (child.pid === undefined) return failed;
  child.unref();
  return child.pid;
}

function startFault(error: unknown, options: SuperviseOptions): ToolFault {
  if (!existsSync(options.cwd)) return new ToolFault('NotFound', `the folder ${options.cwd} does not exist`);
  const reason = error instanceof Error ? error.message : String(error);
  return new ToolFault('Failed', `the background job could not be started: ${reason}`);
}
