/** The bounds of snapshots, and what the environment may change of them. */

/** An automatic snapshot begins at most this often for a folder; milliseconds, as all times here. */
export const THROTTLE = 15_000;
const LONGEST_BACK_OFF = 30 * 60_000;
/** So many failures in a row, and a session takes no more automatic snapshots. */
export const MOST_FAILURES = 3;
const AUTOMATIC_DEADLINE = 10_000;
const EXPLICIT_DEADLINE = 60_000;
const LONGEST_DEADLINE_SECONDS = 600;

/** Larger files are left out of snapshots; bytes. */
export const LARGEST_FILE = 64 * 1024 * 1024;
/** What the snapshots of one folder may take on the disk, and those of all folders; bytes. */
export const FOLDER_QUOTA = 1024 * 1024 * 1024;
export const TOTAL_QUOTA = 5 * FOLDER_QUOTA;
/** The newest snapshots are all kept; of older ones one a day, so many days. */
export const KEPT_NEWEST = 60;
export const KEPT_DAYS = 30;
/** States recorded for undo live so long after the last session that used them. */
export const KEPT_STATES_AGE = 7 * 24 * 3600_000;
/** Snapshots of a folder that is gone from the disk are removed when nobody used them for so long. */
export const GONE_AGE = 30 * 24 * 3600_000;

export interface Settings {
  /** Snapshots before edits and commands are taken. */
  readonly automatic: boolean;
  /** Deadlines of an automatic and of an explicit action. */
  readonly automaticMs: number;
  readonly explicitMs: number;
}

/** Reads `CHATCLI_CODER_CHECKPOINTS` and `CHATCLI_CODER_CHECKPOINT_TIMEOUT`; what is no whole number of seconds is ignored. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const off = /^(0|false|off|no)$/i.test((env['CHATCLI_CODER_CHECKPOINTS'] ?? '').trim());
  const text = (env['CHATCLI_CODER_CHECKPOINT_TIMEOUT'] ?? '').trim();
  const seconds = /^\d{1,9}$/.test(text) ? Math.min(Number(text), LONGEST_DEADLINE_SECONDS) : 0;
  return {
    automatic: !off,
    automaticMs: seconds > 0 ? seconds * 1000 : AUTOMATIC_DEADLINE,
    explicitMs: seconds > 0 ? seconds * 1000 : EXPLICIT_DEADLINE,
  };
}

/** How long after the start of an attempt the next automatic one may begin. */
export function pauseAfter(failures: number): number {
  return failures <= 0 ? THROTTLE : Math.min(THROTTLE * 2 ** Math.min(failures, 20), LONGEST_BACK_OFF);
}
