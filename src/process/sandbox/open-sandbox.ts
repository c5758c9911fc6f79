/** The sandbox of one session: finds out once what works, then puts every program into it. */
import { closeSync, constants, existsSync, openSync, readlinkSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Confinement } from '../../types/sandbox.js';
import { ToolFault } from '../../types/tool.js';
import { whichSystem } from '../which.js';
import { bubblewrapArguments, FIRST_HANDLE } from './bubblewrap.js';
import { closingFirst, inheritedHandles } from './inherited.js';
import { type SandboxState, sandboxState } from './mode.js';
import { type PlanTrace, settleNewcomers } from './newcomers.js';
import { createPlanner, type SandboxPlaces } from './plan.js';
import { probeSandbox } from './probe.js';
import { createScanner, type WorkspaceScan } from './scan-workspace.js';
import { seatbeltArguments } from './seatbelt.js';
import { look, stablePath } from './stable-path.js';
import { makeCaches } from './tool-caches.js';
import type { ConfinedProgram, Program, SandboxBackend, SandboxMode, SandboxPlan } from './types.js';

export interface SandboxOptions extends SandboxPlaces {
  readonly mode: SandboxMode;
  /** Environment for finding programs; provider keys removed. */
  readonly env: Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
}

export interface ConfineOptions extends Confinement {
  readonly network?: boolean;
  readonly writable?: readonly string[];
}

export interface Sandbox {
  /** Puts right what commands of these plans left for tools outside to obey. English sentences. Never throws. */
  settle(traces: readonly PlanTrace[]): string[];
  /** What is in force; tried once. Never throws. */
  state(): Promise<SandboxState>;
  /**
   * The program inside the sandbox, or undefined when it runs without. Throws ToolFault `Blocked` when it must not run without
   * one (`strict`), or when the places are not what they were: once in force, nothing a command does takes the sandbox away.
   */
  confine(program: Program, options: ConfineOptions): Promise<ConfinedProgram | undefined>;
}

/** Most open handles for one command. */
const MOST_HANDLES = 240;
/** Open only to name a place (Linux); Node has no word for it. */
const O_PATH = 0o10000000;

/** Prepares the sandbox of a session; nothing is looked at before it is used. */
export function openSandbox(options: SandboxOptions): Sandbox {
  const scan = createScanner();
  const plan = createPlanner(scan);
  const told = new Set<string>();
  let found: Promise<SandboxState> | undefined;
  const state = () => (found ??= findState(options));
  return {
    state,
    settle(traces) {
      // One look serves them all; what one puts aside the next one does not find.
      const views = new Map<string, WorkspaceScan>();
      const view = (root: string): WorkspaceScan => {
        const seen = views.get(root) ?? scan.now(root);
        views.set(root, seen);
        return seen;
      };
      return traces.flatMap((trace) => settleNewcomers(trace, view, told));
    },
    async confine(program, use) {
      const now = await state();
      if (now.level === 'none') return undefined;
      if (now.backend === undefined)
        throw new ToolFault('Blocked', `the sandbox is required (strict) and does not work: ${now.reason}. Nothing was run.`);
      checkProgram(program);
      const planned = await plan({
        ...options,
        ...use,
        level: now.level,
        backend: now.backend,
        readable: [...options.readable, ...(use.readable ?? [])],
        writable: [...options.writable, ...(use.writable ?? [])],
      });
      if (planned.plan === undefined)
        throw new ToolFault('Blocked', `the sandbox cannot be made: ${planned.reason}. Nothing was run.`);
      return wrap(program, planned.plan, now.backend, options);
    },
  };
}

/** What the system would say without a sandbox: inside it, a missing program would look like an exit code. */
function checkProgram({ file, cwd }: Program): void {
  if (!existsSync(cwd)) throw new ToolFault('NotFound', `the folder ${cwd} does not exist`);
  if (isAbsolute(file) && !existsSync(file)) throw new ToolFault('ENOENT', `the program ${file} does not exist`);
}

async function findState(options: SandboxOptions): Promise<SandboxState> {
  const now = await examineSandbox(options);
  if (now.backend !== undefined) makeCaches(stablePath(options.home, () => false) ?? options.home, options.env);
  return now;
}

/** What would be in force, tried without making anything. Never throws. */
export async function examineSandbox(
  options: Pick<SandboxOptions, 'mode' | 'roots' | 'temp' | 'writable' | 'platform' | 'env' | 'uid'>,
): Promise<SandboxState> {
  if (options.mode === 'off') return sandboxState('off', { reason: '' });
  const untrusted = [...options.roots, options.temp, '/tmp', '/var/tmp', ...options.writable];
  const probe = await probeSandbox({ platform: options.platform, env: options.env, uid: options.uid, untrusted });
  return sandboxState(options.mode, probe, probe.backend && unfit(options, probe.backend));
}

/** In a user namespace root is nobody to the files of others: it could not work there at all. */
function unfit({ roots, uid }: Pick<SandboxOptions, 'roots' | 'uid'>, backend: SandboxBackend): string | undefined {
  if (backend.kind !== 'bubblewrap' || !backend.userNamespace || uid !== 0) return undefined;
  const root = roots.find((folder) => foreign(folder));
  return root === undefined
    ? undefined
    : `root works in ${root}, which belongs to another user, and could not write there in the sandbox of this system`;
}

function foreign(folder: string): boolean {
  const stat = look(folder);
  return stat !== undefined && stat.uid !== 0;
}

function wrap(program: Program, plan: SandboxPlan, backend: SandboxBackend, options: SandboxOptions): ConfinedProgram {
  const nothing = () => undefined;
  if (backend.kind === 'seatbelt')
    return { file: backend.file, args: seatbeltArguments(plan, backend, program), handles: [], plan, release: nothing };
  const opened = backend.handles ? openPinned(plan) : [];
  const args = bubblewrapArguments({
    plan,
    backend,
    program,
    uid: options.uid,
    foreignOwner: options.uid === 0 && options.roots.some(foreign),
    handles: opened.map(({ path }) => path),
  });
  let open = true;
  const release = () => {
    if (open) for (const { handle } of opened) closeSync(handle);
    open = false;
  };
  const start = { file: backend.file, args };
  const left = inheritedHandles().filter((handle) => handle >= FIRST_HANDLE + opened.length);
  const bash = left.length === 0 ? undefined : whichSystem('bash', options.env);
  const unclosed = left.length > 0 && bash === undefined;
  return {
    ...(bash === undefined ? start : closingFirst(start, left, bash)),
    handles: opened.map(({ handle }) => handle),
    plan: { ...plan, notes: [...plan.notes, ...notesOf(plan, { backend, opened: opened.length, unclosed })] },
    release,
  };
}

const NOT_CLOSED = 'files left open by what started this program are open to commands as well: there is no bash to close them';

/** What the program itself could not be given. */
function notesOf(
  plan: SandboxPlan,
  { backend, opened, unclosed }: { readonly backend: SandboxBackend; readonly opened: number; readonly unclosed: boolean },
): string[] {
  const wanted = plan.rules.filter((rule) => (rule.kind === 'write' || rule.kind === 'read') && rule.pinned === true).length;
  const isShort = backend.kind === 'bubblewrap' && backend.handles && opened < wanted;
  return [...(unclosed ? [NOT_CLOSED] : []), ...(isShort ? [NOT_PINNED] : [])];
}

const NOT_PINNED = `more than ${MOST_HANDLES} places had to be held where they are: the .git of repositories deep in the workspace can be moved away; what stands in their place is looked at afterwards`;

/** Opens the pinned places of a plan, each certainly the one that is meant. */
function openPinned(plan: SandboxPlan): { readonly path: string; readonly handle: number }[] {
  const opened: { path: string; handle: number }[] = [];
  try {
    for (const rule of plan.rules) {
      if ((rule.kind !== 'write' && rule.kind !== 'read') || rule.pinned !== true || opened.length >= MOST_HANDLES) continue;
      const handle = openSync(rule.path, O_PATH | constants.O_NOFOLLOW);
      opened.push({ path: rule.path, handle });
      if (readlinkSync(`/proc/self/fd/${handle}`) !== rule.path) throw new Error(`${rule.path} was moved`);
    }
    return opened;
  } catch (error) {
    for (const { handle } of opened) closeSync(handle);
    const reason = error instanceof Error ? error.message : String(error);
    throw new ToolFault('Blocked', `the workspace changed while the sandbox was made (${reason}). Nothing was run; try again.`);
  }
}
