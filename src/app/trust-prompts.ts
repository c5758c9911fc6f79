/** What one must see of agents and skills before trusting them: what they may do, how they begin, their scripts. */
import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { readRegular } from '../base/read-regular.js';
import { MOST_BYTES, sealOf } from '../policy/brought-prompts.js';
import type { Translate } from './flags.js';
import { shownLine } from './trust-text.js';

const FIRST_LINES = 3;
const LONGEST = 160;
const MOST_FIELDS = 40;
const LONGEST_FIELD = 1000;
const MOST_SCRIPTS = 40;
/** Lines in front that say what it may do; they are never left out. */
const RIGHTS = /tools|skills|model|mode|isolation|hooks/i;

/** The lines in front (all of few; of many those that say what it may do, and the first), then the first ones of its text. */
export function promptLines(text: string, t: Translate): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end = /^---[ \t]*$/.test(lines[0] ?? '')
    ? lines.findIndex((line, at) => at > 0 && /^(---|\.\.\.)[ \t]*$/.test(line))
    : -1;
  const fields = lines.slice(1, Math.max(end, 1)).filter((line) => line.trim() !== '');
  const shown = fields.length <= MOST_FIELDS ? fields : rightsOf(fields);
  const left = fields.length - shown.length;
  const body = lines.slice(end + 1).filter((line) => line.trim() !== '');
  const quoted = (line: string, longest: number) => `| ${cutTo(shownLine(line.trimEnd()), longest)}`;
  return [
    ...shown.map((line) => quoted(line, RIGHTS.test(line) ? LONGEST_FIELD : LONGEST)),
    ...(left > 0 ? [t('card.moreLines', { count: left })] : []),
    ...(shown.length > 0 && body.length > 0 ? ['|'] : []),
    ...body.slice(0, FIRST_LINES).map((line) => quoted(line, LONGEST)),
  ];
}

/** Such a line stands with what belongs to it: indented lines, items of a list. */
function rightsOf(fields: readonly string[]): string[] {
  let inside = false;
  const named = fields.filter((line) => {
    inside = RIGHTS.test(line) || (inside && /^\s|^-/.test(line));
    return inside;
  });
  return [...new Set([...fields.slice(0, FIRST_LINES), ...named])].slice(0, 4 * MOST_FIELDS);
}

/** Size of all its files, the first lines of its text, its scripts with their sizes. */
export function packageDetails(
  folder: string,
  sha256: string | undefined,
  t: Translate,
): { readonly size?: number; readonly lines: readonly string[] } {
  const seal = sealOf(folder);
  if ('fault' in seal || seal.sha256 !== sha256) return { lines: [] };
  const main = [...seal.files.keys()].find((name) => /^skill\.md$/i.test(name)) ?? 'SKILL.md';
  const scripts = [...seal.files.keys()].filter((name) => name.startsWith('scripts/'));
  const sized = scripts
    .slice(0, MOST_SCRIPTS)
    .map((name) => `${shownLine(name)} (${t('approval.change.bytes', { count: bytesOf(join(folder, name))?.length ?? 0 })})`);
  const more = scripts.length > MOST_SCRIPTS ? [`… (${scripts.length})`] : [];
  const text = bytesOf(join(folder, main));
  return {
    size: seal.bytes,
    lines: [
      ...(text && isUtf8(text) ? promptLines(text.toString('utf8'), t) : []),
      ...(scripts.length > 0 ? [t('trust.scripts', { names: [...sized, ...more].join(', ') })] : []),
    ],
  };
}

/** At most so many characters. */
export function cutTo(line: string, longest: number): string {
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

function bytesOf(path: string): Buffer | undefined {
  try {
    return readRegular(path, MOST_BYTES);
  } catch {
    return undefined;
  }
}
