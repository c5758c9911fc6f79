/** Where the paths a command names lie, and what follows from that for reading and for naming at all. */

import { isAbsolute } from 'node:path';
import { compileGlob } from '../../base/path-glob.js';
import type { Reason } from '../../types/policy.js';
import type { Located } from '../../types/workspace.js';
import { because, ONLY_READS } from '../reasons.js';
import type { Cwd, NamedPath, Severity, ShellEnv, ShellWord } from './types.js';
import { isStricter, literal } from './types.js';

/** What paths add to a verdict. */
export interface PathFinding {
  readonly verdict: Severity;
  readonly reason: Reason;
  readonly outside: boolean;
  readonly paths: readonly NamedPath[];
}

const NOTHING: PathFinding = { verdict: 'allow', reason: ONLY_READS, outside: false, paths: [] };
/** Devices anyone may read and write without effect. */
const HARMLESS_DEVICES = new Set([
  '/dev/null',
  '/dev/zero',
  '/dev/full',
  '/dev/random',
  '/dev/urandom',
  '/dev/stdin',
  '/dev/stdout',
  '/dev/stderr',
]);
/** Reading them never ends, or waits for a person. */
const ENDLESS_DEVICES = new Set(['/dev/zero', '/dev/full', '/dev/random', '/dev/urandom', '/dev/tty']);
/** Facts about the machine, readable by all. */
const MACHINE_FACTS = new Set([
  '/proc/cpuinfo',
  '/proc/meminfo',
  '/proc/version',
  '/proc/loadavg',
  '/proc/uptime',
  '/proc/stat',
  '/proc/filesystems',
]);
/** Programs, libraries, headers, documentation: readable by all, no secrets. */
const PUBLIC_FOLDERS = [
  '/usr/bin',
  '/usr/share',
  '/usr/include',
  '/usr/lib',
  '/usr/lib32',
  '/usr/lib64',
  '/usr/libexec',
  '/usr/src',
  '/usr/local',
  '/bin',
  '/lib',
  '/lib64',
  '/opt/homebrew',
  '/nix/store',
];
/** Names a hidden-file pattern such as `.e*` may reach. */
export const SECRET_NAMES: readonly string[] = [
  '.env',
  '.env.local',
  '.env.production',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.pgpass',
  '.ssh',
  '.aws',
  '.gnupg',
  '.kube',
  '.chatcli',
  '.git',
];

export function isHarmlessDevice(path: string): boolean {
  return HARMLESS_DEVICES.has(path) || /^\/dev\/fd\/\d+$/.test(path);
}

/** The places a path may mean, given the folders the command may run in; undefined when that cannot be known. */
export function place(path: string, cwd: Cwd, env: ShellEnv): readonly Located[] | undefined {
  if (path === '' || path.includes('\0') || path.includes('$') || path.length > 4096) return undefined;
  try {
    if (isAbsolute(path)) return [env.locate(path)];
    if (!cwd) return undefined;
    // A quoted `~` is a plain name here, and must not be expanded a second time.
    const name = path.startsWith('~') ? `./${path}` : path;
    return cwd.map((base) => env.locate(base === env.root ? name : `${base}/${name}`));
  } catch {
    return undefined;
  }
}

/** Judges reading what a word names. */
export function judgeRead(word: ShellWord, cwd: Cwd, env: ShellEnv): PathFinding {
  if (word.listed) return NOTHING;
  if (word.unknown) {
    const guess = strictest([...word.guesses, ...folderOf(word)].map((path) => readOne(path, cwd, env)));
    const open: PathFinding = {
      ...NOTHING,
      verdict: 'ask',
      reason: /^(\.\.\.|\{\})$/.test(word.source)
        ? because`it reads whatever files it is given, which are only known when it runs`
        : because`it reads ${word.source}, which is only known when it runs`,
    };
    return isStricter(guess.verdict, 'ask') ? guess : open;
  }
  return strictest([
    ...word.values.map((path) => readOne(path, cwd, env)),
    ...word.patterns.map((pattern) => readPattern(pattern, cwd, env)),
  ]);
}

/** Judges texts that may name a file in some reading of a command: only where they lead matters, not that they are not known. */
export function judgePerhaps(texts: readonly string[], cwd: Cwd, env: ShellEnv): PathFinding {
  const found = strictest(
    texts
      .filter((text) => text !== '' && text.length <= 400 && !/[$\0]|:\/\//.test(text))
      .flatMap((text) => [text, ...(text.startsWith('~/') ? [env.home + text.slice(1)] : [])])
      .map((text) => judgeRead(literal(text), cwd ?? [env.root], env)),
  );
  return { ...found, paths: found.paths.map((path) => ({ ...path, doubtful: true })) };
}

function readOne(path: string, cwd: Cwd, env: ShellEnv): PathFinding {
  if (ENDLESS_DEVICES.has(path)) return endless(path);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return { ...NOTHING, verdict: 'ask', reason: because`it reads ${path}, an address` };
  if (path === '-' || path === '' || isHarmlessDevice(path) || MACHINE_FACTS.has(path)) return NOTHING;
  const places = place(path, cwd, env);
  if (!places)
    return { ...NOTHING, verdict: 'ask', reason: because`it reads ${path} from a folder that is only known when it runs` };
  return strictest(places.map((located) => (ENDLESS_DEVICES.has(located.real) ? endless(located.real) : readPlace(located))));
}

function endless(path: string): PathFinding {
  return { ...NOTHING, verdict: 'ask', reason: because`it reads ${path}, which never ends` };
}

function readPlace(located: Located): PathFinding {
  const paths = [{ located, write: false }];
  switch (located.zone) {
    case 'inside':
    case 'scratch':
    case 'git':
      return { ...NOTHING, paths };
    case 'outside':
      if (isPublic(located.real)) return { ...NOTHING, paths };
      return { verdict: 'ask', reason: because`it reads ${located.shown}, which is outside the workspace`, outside: true, paths };
    default:
      return { verdict: 'immune', reason: because`it reads ${located.shown}, ${kindOf(located)}`, outside: true, paths };
  }
}

function isPublic(real: string): boolean {
  return PUBLIC_FOLDERS.some((folder) => real === folder || real.startsWith(`${folder}/`));
}

function kindOf(located: Located): Reason {
  if (located.zone === 'personal') return because`which holds personal credentials`;
  return located.zone === 'own'
    ? because`which belongs to this program's own policy and state`
    : because`which is on the list of system files`;
}

function readPattern(pattern: string, cwd: Cwd, env: ShellEnv): PathFinding {
  const { folder, rest } = splitPattern(pattern);
  const base = readOne(folder === '' ? '.' : folder, cwd, env);
  if (isStricter(base.verdict, 'allow')) return base;
  if (rest.split('/').includes('..'))
    return { ...base, verdict: 'ask', reason: because`it reads ${pattern}, which may lead anywhere` };
  const secret = secretIn(rest);
  const reaching = { ...base, paths: withPattern(base.paths, rest) };
  if (secret) return { ...reaching, verdict: 'immune', reason: because`it reads ${pattern}, which may match ${secret}` };
  return reaching;
}

/** The folder, standing for what a pattern in it matches. */
function withPattern(paths: readonly NamedPath[], rest: string): NamedPath[] {
  return paths.map((path) => ({ ...path, reach: { pattern: `${path.located.real === '/' ? '' : path.located.real}/${rest}` } }));
}

/** The part of a pattern before its first wildcard component, and the rest. */
export function splitPattern(pattern: string): { folder: string; rest: string } {
  const parts = pattern.split('/');
  const at = parts.findIndex((part) => /(^|[^\\])[*?[]/.test(part));
  const plain = (text: string) => text.replace(/\\(.)/g, '$1');
  const folder = plain(parts.slice(0, Math.max(0, at)).join('/'));
  return { folder: pattern.startsWith('/') && folder === '' ? '/' : folder, rest: parts.slice(Math.max(0, at)).join('/') };
}

/** A secret that a pattern may reach. A leading dot is only matched by a leading dot. */
function secretIn(pattern: string): string | undefined {
  for (const part of pattern.split('/')) {
    if (!part.startsWith('.') && !part.startsWith('[') && !part.startsWith('\\.')) continue;
    const glob = compileGlob(part, { ignoreCase: true });
    const found = SECRET_NAMES.find((name) => name !== '.git' && glob.test(name));
    if (found) return found;
  }
  return undefined;
}

/**
 * Judges that a command which does more than read names these words at all. `all`: every word is a path for certain;
 * otherwise those that look like one, and all of them once the folder was changed.
 */
export function judgeMention(
  words: readonly ShellWord[],
  cwd: Cwd,
  env: ShellEnv,
  which: 'likely' | 'all' = 'likely',
): PathFinding {
  const moved = cwd?.some((folder) => folder !== env.root) === true;
  const look: Look = { cwd, env, all: moved || which === 'all' };
  return strictest(
    words.flatMap((word) => [
      ...[...word.values, ...word.guesses].flatMap((value) => candidates(value, look).map((path) => mentionPath(path, look))),
      ...word.patterns.map((pattern) => mentionPattern(pattern, word, look)),
      ...folderOf(word).map((folder) => mentionPath(folder, look)),
    ]),
  );
}

interface Look {
  readonly cwd: Cwd;
  readonly env: ShellEnv;
  readonly all: boolean;
}

/** The folder a word that is only known when it runs begins with. */
function folderOf(word: ShellWord): string[] {
  const slash = word.prefix.lastIndexOf('/');
  return word.unknown && slash >= 0 ? [word.prefix.slice(0, slash) || '/'] : [];
}

function mentionPattern(pattern: string, word: ShellWord, look: Look): PathFinding {
  const { folder, rest } = splitPattern(pattern);
  const secret = secretIn(rest);
  const found = mentionPath(folder || '.', look);
  const paths = withPattern(found.paths, rest);
  const place = folder === '' && !look.all ? { ...NOTHING, paths } : { ...found, paths };
  return secret
    ? strictest([{ ...NOTHING, verdict: 'immune', reason: because`it names ${word.source}, which may match ${secret}` }, place])
    : place;
}

/** The stretches of an argument that may be a path: all of it, after `=`, after `@`, after `:`. */
function candidates(value: string, look: Look): string[] {
  if (value.length > 4096 || value.includes('\n')) return [];
  const texts = new Set<string>([value]);
  const equals = value.indexOf('=');
  if (equals > 0) texts.add(value.slice(equals + 1));
  if (!value.includes('://')) {
    for (const mark of ['@', ':']) for (const piece of value.split(mark).slice(0, 4)) texts.add(piece);
  }
  if (equals > 0)
    for (const piece of value
      .slice(equals + 1)
      .split(/[@:,]/)
      .slice(0, 4))
      texts.add(piece);
  if (/^-[A-Za-z]./.test(value)) texts.add(value.slice(2));
  return [...texts].filter(
    (text) => looksLikePath(text) || (look.all && text === value && !text.startsWith('-') && !/\s/.test(text)),
  );
}

function looksLikePath(text: string): boolean {
  if (text === '' || text.startsWith('-') || text.includes('://')) return false;
  if (/\s/.test(text)) return /^(\/|\.\.?\/|~\/)\S/.test(text) && !/\s\S+\s/.test(text);
  return (
    text.includes('/') ||
    text.startsWith('.') ||
    text.startsWith('~') ||
    /^(id_(rsa|dsa|ecdsa|ed25519)|credentials|coder_policy\.json)$/.test(text)
  );
}

function mentionPath(path: string, { cwd, env }: Look): PathFinding {
  if (isHarmlessDevice(path) || MACHINE_FACTS.has(path)) return NOTHING;
  // Programs may open a `~` that the shell left alone.
  const places = place(path.startsWith('~/') ? env.home + path.slice(1) : path, cwd, env);
  if (!places) return { ...NOTHING, outside: path.startsWith('..') };
  return strictest(
    places.map((located): PathFinding => {
      const paths = [{ located, write: false }];
      switch (located.zone) {
        case 'inside':
        case 'scratch':
          return { ...NOTHING, paths };
        case 'outside':
          return { ...NOTHING, outside: !isPublic(located.real), paths };
        case 'git':
          return {
            verdict: 'immune',
            reason: because`it names ${located.shown}, inside a repository's own folder`,
            outside: false,
            paths,
          };
        default:
          return { verdict: 'immune', reason: because`it names ${located.shown}, ${kindOf(located)}`, outside: true, paths };
      }
    }),
  );
}

/** The strictest of several findings; what they name is kept together. */
export function strictest(findings: readonly PathFinding[]): PathFinding {
  if (findings.length === 1 && findings[0]) return findings[0];
  let worst = NOTHING;
  for (const finding of findings) if (isStricter(finding.verdict, worst.verdict)) worst = finding;
  return { ...worst, outside: findings.some((finding) => finding.outside), paths: findings.flatMap((finding) => finding.paths) };
}
