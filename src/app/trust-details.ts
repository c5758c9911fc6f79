/** What stands in the files a folder brings, so that one can look before trusting: rules, settings, names of variables, first lines. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Brought } from '../policy/brings.js';
import { parseRules } from '../policy/rules-file.js';
import type { FolderTrust } from '../policy/trust.js';
import { dotenvVariables, looseSettings } from './config-files.js';
import { OWN_FILE_ONLY } from './config-schema.js';
import type { Translate } from './flags.js';
import { cutTo, packageDetails, promptLines } from './trust-prompts.js';
import { broughtLines, shownLine } from './trust-text.js';

export interface BroughtDetails {
  /** Bytes; undefined for what is no ordinary file. */
  readonly size?: number;
  readonly lines: readonly string[];
  /** Why the file cannot be used; trust in it would mean nothing. */
  readonly fault?: string;
}

const MOST_LINES = 12;
const FIRST_LINES = 3;
const LONGEST = 160;

/** Every entry with its size and what stands in it. Never throws. */
export function detailedLines(root: string, brought: readonly Brought[], t: Translate, trust?: FolderTrust): readonly string[] {
  return brought.flatMap((one) => {
    const { size, lines, fault } = detailsOf(root, one, t);
    const [head = ''] = broughtLines([one], t, trust);
    const shown = fault === undefined ? lines : [t('trust.broken', { reason: shownLine(fault).slice(0, 300) })];
    // These are cut where they are made.
    const isPrompt = one.kind === 'agent' || one.kind === 'skill';
    const most = isPrompt ? shown.length : MOST_LINES;
    const more = shown.length > most ? [t('card.moreLines', { count: shown.length - most })] : [];
    const cut = shown.slice(0, most).map((line) => (isPrompt ? line : cutTo(line, LONGEST)));
    return [
      size === undefined ? head : `${head}  (${t('approval.change.bytes', { count: size })})`,
      ...[...cut, ...more].map((line) => `      ${line}`),
    ];
  });
}

/** The entries trust may be given to, and the paths of those that cannot be used. */
export function usable(root: string, brought: readonly Brought[], t: Translate) {
  const broken = new Set(brought.filter((one) => detailsOf(root, one, t).fault !== undefined).map(({ path }) => path));
  return { good: brought.filter(({ path }) => !broken.has(path)), broken: [...broken] };
}

/** What one entry holds; only bytes with the hash it was listed by are shown. */
export function detailsOf(root: string, one: Brought, t: Translate): BroughtDetails {
  const path = join(root, one.path);
  // What lies behind a link is not the folder's: it may be a key of the user's, and a log may keep what is shown.
  if (isBehindLink(root, one.path)) return { lines: [`| ${t('trust.link')}`] };
  if (one.kind === 'skill' && isFolder(path)) return packageDetails(path, one.sha256, t);
  const bytes = bytesOf(path);
  if (bytes === undefined) return { lines: [] };
  const size = bytes.length;
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (one.sha256 !== undefined && one.sha256 !== hash) return { size, lines: [] };
  if (!isUtf8(bytes)) return { size, lines: [], ...(isText(one) && { fault: 'it is not UTF-8 text' }) };
  return { size, ...textDetails(one, bytes.toString('utf8'), path, t) };
}

const isText = ({ kind }: Brought): boolean => kind === 'policy' || kind === 'config';

function textDetails({ kind }: Brought, text: string, path: string, t: Translate): Omit<BroughtDetails, 'size'> {
  if (kind === 'policy') return ruleDetails(text, path, t);
  if (kind === 'config') return settingDetails(text, t);
  if (kind === 'env') {
    const names = Object.keys(dotenvVariables(text)).map(shownLine).join(', ');
    return { lines: [t('trust.variables', { names })] };
  }
  if (kind === 'agent' || kind === 'skill') return { lines: promptLines(text, t) };
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return { lines: lines.slice(0, FIRST_LINES).map((line) => `| ${shownLine(line.trimEnd())}`) };
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** What allows stands first: it is what trust is about. */
function ruleDetails(text: string, path: string, t: Translate): Omit<BroughtDetails, 'size'> {
  const parsed = parseRules(text, path);
  if ('reason' in parsed) return { lines: [], fault: parsed.reason };
  const order = ['allow', 'ask', 'deny'];
  const rules = [...parsed.rules].sort((a, b) => order.indexOf(a.action) - order.indexOf(b.action));
  return {
    lines: [
      ...(parsed.merge ? [] : [t('trust.replaces')]),
      ...rules.map(({ action, pattern }) => `${action.padEnd(5)}  ${shownLine(pattern)}`),
    ],
  };
}

function settingDetails(text: string, t: Translate): Omit<BroughtDetails, 'size'> {
  const { value, unknown, fault } = looseSettings(text);
  if (fault !== undefined) return { lines: [], fault };
  const entries = Object.entries(value ?? {}).map(([key, given]) =>
    OWN_FILE_ONLY.includes(key) ? t('trust.ownOnly', { key }) : `${key}: ${shownLine(JSON.stringify(given))}`,
  );
  return { lines: [...entries, ...unknown.map((key) => t('trust.unknownKey', { key: shownLine(key) }))] };
}

/** Is the file, or a folder on the way to it, a link? What cannot be looked up is none. */
function isBehindLink(root: string, path: string): boolean {
  try {
    return realpathSync(join(root, path)) !== join(realpathSync(root), path);
  } catch {
    return false;
  }
}

/** Undefined for anything but an ordinary file; never waits on a pipe. */
function bytesOf(path: string): Buffer | undefined {
  let fd: number | undefined;
  try {
    if (lstatSync(path).isDirectory()) return undefined;
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(fd);
    return stat.isFile() && stat.size <= 64 * 1024 * 1024 ? readFileSync(fd) : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
