/** Recognises in a command's output what the sandbox refused, and says it in one sentence that claims no more than is known. */

import { resolve } from 'node:path';
import { accessAt } from './arrange.js';
import { isBelow } from './stable-path.js';
import type { PlaceRule, SandboxPlan } from './types.js';

export interface SandboxRefusal {
  /** What it was about; `agent` and the others decide which question can be asked next. */
  readonly kind: 'read-only' | 'git' | 'own' | 'hidden' | 'busy' | 'network' | 'keys' | 'services' | 'rights' | 'setup';
  /** One English sentence for the result. */
  readonly text: string;
}

export interface RefusalContext {
  readonly command?: string;
  /** Where the command ran, for names that are relative. */
  readonly cwd?: string;
}

const READ_ONLY =
  /read-only file ?system|\bEROFS\b|somente para leitura|s[oó]lo lectura|en lecture seule|nur lesbar|sola lettura/i;
const DENIED =
  /permission denied|\bEACCES\b|permiss[ãa]o negada|permiso denegado|permission non accord|keine berechtigung|permesso negato/i;
/** Of a hidden file, which is a device here: git refuses to take it into a commit or a stash, others leave it out. */
const ADDED = /can only add regular files|unsupported file type|unable to process path/i;
const NO_FILE = /(?:non|not a|not)[- ]regular file|character (?:special|device)|special file/i;
const MISSING = /no such file or directory|\bENOENT\b/i;
const BUSY = /device or resource busy|\bEBUSY\b|dispositivo ou recurso|recurso ocupado/i;
const NETWORK =
  /network is unreachable|\bENETUNREACH\b|\bEAI_AGAIN\b|\bENOTFOUND\b|\bECONNREFUSED\b|temporary failure in name resolution|could not resolve|name or service not known|no such host|connection refused|failed to connect|cannot assign requested address/i;
const COMPLAINTS = [READ_ONLY, DENIED, MISSING, BUSY, ADDED, NO_FILE];
const KEYS =
  /permission denied \(publickey|connection to your authentication agent|host key verification failed|gpg failed to sign|gpg: signing failed|no secret key/i;
const SERVICES =
  /cannot connect to the docker daemon|connect to the docker daemon socket|docker\.sock|connect to (the )?(system|session) ?bus|failed to connect to bus|error connecting to \/\S*tmux|cannot connect to podman/i;
const RIGHTS = /no new privileges|sudo: effective uid is not 0|must be setuid root|must be suid/i;

const LONGEST_LOOK = 128 * 1024;
const MOST_LINES = 2000;
/** Of a long line only its two ends are read: complaints stand there. */
const LINE_END = 2000;

/**
 * The sentence for a command that ran under `plan`, or undefined when nothing points to the sandbox. With exit code 0 it
 * speaks only of places it knows: output may quote such words.
 */
export function sandboxRefusal(
  output: string,
  exitCode: number | null,
  plan: SandboxPlan,
  context: RefusalContext = {},
): SandboxRefusal | undefined {
  const text = output.length > LONGEST_LOOK ? `${output.slice(0, LONGEST_LOOK / 2)}\n${output.slice(-LONGEST_LOOK / 2)}` : output;
  const failed = exitCode !== 0;
  if (exitCode === 1 && /^bwrap: [^\n]+\n?$/.test(text)) return setupRefusal(text);
  const lines = text.split('\n').slice(-MOST_LINES).map(shorten);
  return (
    placeRefusal(lines, plan, context.cwd, failed) ??
    (failed ? generalRefusal(text, plan) : undefined) ??
    mentioned(plan, context)
  );
}

function shorten(line: string): string {
  return line.length <= 2 * LINE_END ? line : `${line.slice(0, LINE_END)} ${line.slice(-LINE_END)}`;
}

function setupRefusal(text: string): SandboxRefusal {
  return { kind: 'setup', text: `Sandbox: it could not be set up, so nothing was run (${text.trim().replace(/^bwrap: /, '')}).` };
}

function placeRefusal(
  lines: readonly string[],
  plan: SandboxPlan,
  cwd: string | undefined,
  failed: boolean,
): SandboxRefusal | undefined {
  let unnamed = false;
  for (const line of lines) {
    const readOnly = READ_ONLY.test(line);
    const busy = BUSY.test(line);
    const added = ADDED.test(line);
    if (!readOnly && !busy && !added && !DENIED.test(line) && !MISSING.test(line) && !NO_FILE.test(line)) continue;
    const places = placesIn(line, plan.home, cwd);
    for (const place of places) {
      const hidden = plan.rules.find((rule) => isHiding(rule) && isBelow(place, rule.path));
      if (hidden !== undefined && isBelow(place, hidden.path) && accessAt(plan, place) !== 'read')
        return busy ? kept(hidden.path, plan, cwd) : added ? notAdded(hidden.path, plan, cwd) : hiddenAs(hidden.path, plan, cwd);
      if (readOnly && accessAt(plan, place) === 'read') return readOnlyAs(place, plan, cwd);
      const pin = plan.rules.find(
        (rule) => (rule.kind === 'read' || rule.kind === 'write') && rule.pinned === true && rule.path === place,
      );
      if (busy && pin !== undefined) return pin.kind === 'read' ? readOnlyAs(place, plan, cwd) : kept(place, plan, cwd);
    }
    unnamed ||= readOnly && !places.some((place) => accessAt(plan, place) === 'write');
  }
  if (!failed || !unnamed) return undefined;
  return { kind: 'read-only', text: `Sandbox: this may be its doing; outside ${WRITABLE} everything is read-only.` };
}

const WRITABLE = 'the workspace, temporary folders and tool caches';

/** Places of our lists; not `/run`, which only looks emptier. */
function isHiding(rule: PlaceRule): boolean {
  return (
    rule.kind === 'hide-file' ||
    rule.kind === 'hide-folder' ||
    (rule.kind === 'private' && !/^(\/var)?\/run(\/|$)|^\/tmp\//.test(rule.path))
  );
}

/** An apostrophe in a word opens nothing. */
const QUOTES = [/(?<!\p{L})'([^']+)'/gu, /`([^`']+)[`']/g, /‘([^’]+)’/g, /“([^”]+)”/g, /"([^"]+)"/g];

/** Absolute paths a line of output may speak of, the likeliest first: in quotes, before the complaint, anywhere else. */
function placesIn(line: string, home: string, cwd: string | undefined): string[] {
  const found: string[] = [];
  // Each kind by itself: a message with a name in quotes may stand in quotes of another kind.
  for (const quotes of QUOTES) for (const match of line.matchAll(quotes)) found.push(match[1] as string);
  const complaint = COMPLAINTS.map((pattern) => line.search(pattern)).filter((at) => at > 0);
  const before = complaint.length === 0 ? '' : line.slice(0, Math.min(...complaint)).replace(/[:\s([]+$/, '');
  const made =
    /(?:cannot create|can't create|cannot open|could not write config file|unlink|open|mkdir|remove|rename|lstat|stat) (.+)$/i.exec(
      before,
    )?.[1];
  if (made !== undefined) found.push(made);
  const named = /^(?:error|fatal): (.+)$/i.exec(before)?.[1] ?? /unable to process path (.+)$/i.exec(line)?.[1];
  if (named !== undefined) found.push(named);
  const last = /[^\s:]+$/.exec(before)?.[0];
  if (last !== undefined && last !== before) found.push(last);
  for (const match of line.matchAll(/[\s:=(,]([~/][^\s'"`‘’“”:;,()]+)/g)) found.push(match[1] as string);
  return found
    .map((name) => (name.startsWith('~/') ? name.replace('~', home) : name))
    .filter((name) => name !== '' && !name.includes('\0') && (name.startsWith('/') || cwd !== undefined))
    .map((name) => resolve(cwd ?? '/', name.replace(/^\/proc\/(self|\d+)\/root(?=\/)/, '')));
}

/** For people: from the folder the command ran in, or from home. */
function shown(path: string, plan: SandboxPlan, cwd?: string): string {
  if (cwd !== undefined && cwd !== '/' && path !== cwd && isBelow(path, cwd)) return path.slice(cwd.length + 1);
  return plan.home !== '/' && isBelow(path, plan.home) ? `~${path.slice(plan.home.length)}` : path;
}

function readOnlyAs(place: string, plan: SandboxPlan, cwd?: string): SandboxRefusal {
  if (/(^|\/)(\.chatcli|coder_policy\.json)(\/|$)/.test(place))
    return {
      kind: 'own',
      text: `Sandbox: ${shown(place, plan, cwd)} belongs to the settings of this agent, which commands cannot change.`,
    };
  if (
    /\/(hooks(\/|$)|config$|config\.worktree$|config\.lock$|commondir$)/.test(place) &&
    plan.rules.some((rule) => 'pinned' in rule && rule.pinned === true && isBelow(place, rule.path))
  )
    return {
      kind: 'git',
      text: `Sandbox: ${shown(place, plan, cwd)} is read-only here: hooks and settings of a repository can make git run programs.`,
    };
  return { kind: 'read-only', text: `Sandbox: ${shown(place, plan, cwd)} is read-only here; commands can write to ${WRITABLE}.` };
}

function hiddenAs(place: string, plan: SandboxPlan, cwd?: string): SandboxRefusal {
  return {
    kind: 'hidden',
    text: `Sandbox: ${shown(place, plan, cwd)} is hidden here; commands find it empty or cannot open it.`,
  };
}

function notAdded(place: string, plan: SandboxPlan, cwd?: string): SandboxRefusal {
  const name = shown(place, plan, cwd);
  return {
    kind: 'hidden',
    text: `Sandbox: ${name} is hidden here, so git can neither add nor stash it; with ${name} in .gitignore, or with the paths to take named, the command works.`,
  };
}

function kept(place: string, plan: SandboxPlan, cwd?: string): SandboxRefusal {
  return { kind: 'busy', text: `Sandbox: ${shown(place, plan, cwd)} cannot be moved, replaced or removed here.` };
}

function generalRefusal(text: string, plan: SandboxPlan): SandboxRefusal | undefined {
  if (KEYS.test(text))
    return {
      kind: 'keys',
      text: 'Sandbox: keys (~/.ssh, ~/.gnupg) are hidden and no agent is passed on; this may be why it failed.',
    };
  if (SERVICES.test(text))
    return {
      kind: 'services',
      text: 'Sandbox: Docker, D-Bus, terminals and other local services are out of reach; this may be why it failed.',
    };
  if (RIGHTS.test(text))
    return { kind: 'rights', text: 'Sandbox: programs cannot gain rights here (sudo, su, other setuid programs).' };
  if (!plan.network && NETWORK.test(text))
    return {
      kind: 'network',
      text: 'Sandbox: the network is cut off, also to servers on this machine; this may be why it failed.',
    };
  return undefined;
}

/** A command that names a hidden place may have found it empty without complaint. */
function mentioned(plan: SandboxPlan, { command, cwd }: RefusalContext): SandboxRefusal | undefined {
  if (command === undefined) return undefined;
  for (const rule of plan.rules) {
    if (!isHiding(rule)) continue;
    const tail = isBelow(rule.path, plan.home) && plan.home !== '/' ? rule.path.slice(plan.home.length + 1) : undefined;
    const names = [rule.path, ...(tail === undefined ? [] : [`~/${tail}`, `$HOME/${tail}`, `\${HOME}/${tail}`])];
    const file = rule.path.slice(rule.path.lastIndexOf('/') + 1);
    if (rule.kind === 'hide-file' && file.startsWith('.env')) names.push(file);
    if (names.some((name) => namesIt(command, name))) return hiddenAs(rule.path, plan, cwd);
  }
  return undefined;
}

function namesIt(command: string, name: string): boolean {
  for (let at = command.indexOf(name); at >= 0; at = command.indexOf(name, at + 1)) {
    const before = command[at - 1] ?? ' ';
    const after = command[at + name.length] ?? ' ';
    if ((name.startsWith('$') || /[\s'"=(/<>|;&:@]/.test(before)) && /[\s'"/)<>|;&]/.test(after)) return true;
  }
  return false;
}
