/** Knows every process group we started and sees to it that none outlives us, even when we are killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { groupMembers, killMarked, MARK, markedProcesses, signalGroup, signalOne } from './groups.js';

/**
 * Reads "+ group" and "- group" lines; when the pipe from us closes, however we ended, it kills what is left.
 * The mark is an argument, never part of the text of the script.
 */
const WATCHER = `trap '' HUP INT TERM
groups=
while read -r word group; do
  case $word in
    +) groups="$groups $group" ;;
    -) left=; for g in $groups; do [ "$g" = "$group" ] || left="$left $g"; done; groups=$left ;;
  esac
done
for g in $groups; do kill -s KILL -- "-$g" 2>/dev/null; done
for round in 1 2 3; do
  found=
  for file in $(grep -Fls -- "$1" /proc/[0-9]*/environ 2>/dev/null); do
    pid=\${file#/proc/}; pid=\${pid%/environ}
    [ "$pid" = "$$" ] || { kill -s KILL "$pid" 2>/dev/null && found=1; }
  done
  [ -n "$found" ] || break
done`;

const groups = new Set<number>();
const owner = randomUUID();
/** How often groups left in the background are looked at, so that a number given to others is never killed. */
const PRUNE_MS = 2000;
let commands = 0;
/** False while nothing can be left over: no command ran since the last clearing that may leave processes behind. */
let unsure = false;
let watcher: ChildProcess | undefined;
let hooked = false;
let pruner: NodeJS.Timeout | undefined;

/** A new mark for one command; all marks of this process begin alike. A `contained` program leaves no process behind. */
export function nextMark(contained: boolean): string {
  commands += 1;
  unsure ||= !contained;
  return `${owner}.${commands}.`;
}

function startWatcher(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', WATCHER, 'chatcli-watcher', `${MARK}=${owner}.`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  });
  const forget = () => {
    if (watcher === child) watcher = undefined;
  };
  child.on('error', forget);
  child.on('exit', forget);
  child.stdin?.on('error', forget);
  child.unref();
  (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  return child;
}

function tell(word: '+' | '-', group: number): void {
  watcher?.stdin?.write(`${word} ${group}\n`);
}

/** Starts the watcher before the first child, so that no moment is unguarded. */
export function guardChildren(): void {
  if (!hooked) {
    hooked = true;
    process.once('exit', killAllChildrenNow);
  }
  if (watcher !== undefined || process.platform === 'win32') return;
  watcher = startWatcher();
  for (const group of groups) tell('+', group);
}

/** Records a group that was just started. */
export function noteGroup(group: number): void {
  groups.add(group);
  tell('+', group);
}

/** Forgets a group that has no members left: its number may be given to others. */
export function forgetGroup(group: number): void {
  if (groups.delete(group)) tell('-', group);
}

function forgetEnded(): void {
  for (const group of groups) if (groupMembers(group).length === 0) forgetGroup(group);
  if (groups.size > 0 || pruner === undefined) return;
  clearInterval(pruner);
  pruner = undefined;
}

/** Keeps an eye on a group that lives on in the background after its command has ended. */
export function watchGroup(group: number): void {
  if (!groups.has(group)) noteGroup(group);
  pruner ??= setInterval(forgetEnded, PRUNE_MS).unref();
}

/** Kills every child and grandchild at once, without waiting. Safe in an exit handler. */
export function killAllChildrenNow(): void {
  if (!unsure && groups.size === 0) return;
  for (const group of groups) if (groupMembers(group).length > 0) signalGroup(group, 'SIGKILL');
  killMarked(`${owner}.`);
  for (const group of groups) forgetGroup(group);
  unsure = false;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Ends everything commands left running: asked politely first, killed after `graceMs` (default 300).
 * For the end of a run: it spares no command of this process. Resolves when nothing is left. Never throws.
 */
export async function killAllChildren(options: { readonly graceMs?: number } = {}): Promise<void> {
  if (!unsure && groups.size === 0) return;
  forgetEnded();
  const stray = markedProcesses(`${owner}.`);
  if (groups.size === 0 && stray.length === 0) {
    unsure = false;
    return;
  }
  for (const group of groups) signalGroup(group, 'SIGTERM');
  for (const pid of stray) signalOne(pid, 'SIGTERM');
  for (let waited = 0; waited < (options.graceMs ?? 300); waited += 20) {
    await pause(20);
    forgetEnded();
    if (groups.size === 0 && markedProcesses(`${owner}.`).length === 0) return;
  }
  killAllChildrenNow();
}
