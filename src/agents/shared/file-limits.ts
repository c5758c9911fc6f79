/** What a file says that narrows an agent beyond its tools, in the words of other programs; what is not kept is named. */
import { listField, textField } from '../../base/frontmatter.js';
import { shortProse } from '../../base/one-line.js';
import { because, type Reason } from '../../types/reason.js';
import type { ToolLimits } from './tool-map.js';

export interface FileLimits extends ToolLimits {
  /** Turns of one run. */
  readonly turns?: number;
  readonly warnings: readonly Reason[];
}

const MOST_TURNS = 200;
/** Read elsewhere, or without a meaning for what an agent may do. */
const KNOWN = new Set(
  'name description tools allowedtools disallowedtools permissionmode maxturns skills model effort isolation color colour version author license tags category icon metadata'.split(
    ' ',
  ),
);

/** `fields` as foldedFields gives them, `names` as written. Nothing in it gives an agent more than it has without. */
export function fileLimits(fields: ReadonlyMap<string, unknown>, names: readonly string[]): FileLimits {
  const warnings: Reason[] = [];
  const mode = textField(fields.get('permissionmode'));
  if (mode !== undefined && !['plan', 'default', 'inherit', 'manual'].includes(folded(mode)))
    warnings.push(because`permissionMode ${short(mode)} changes nothing: only plan does, otherwise the rights of the run hold`);
  const turns = turnsOf(fields.get('maxturns'));
  if (turns === null) warnings.push(because`maxTurns is no whole number from 1 to ${MOST_TURNS}, so it does not count`);
  const taken = fields.get('disallowedtools');
  const isUnclear = [taken].flat().some((item) => typeof item === 'object' && item !== null);
  if (isUnclear) warnings.push(because`disallowedTools is no list of names, so the agent may only read`);
  const unread = names.filter((name) => !KNOWN.has(folded(name))).map(short);
  if (unread.length > 0) warnings.push(because`these fields mean nothing here: ${unread.slice(0, 20).join(', ')}`);
  return {
    onlyReading: isUnclear || (mode !== undefined && folded(mode) === 'plan'),
    without: isUnclear ? [] : (listField(taken) ?? []),
    ...(typeof turns === 'number' ? { turns } : {}),
    warnings,
  };
}

/** The fields of front matter by their names without case, dashes and underscores; of two that are one the first counts. */
export function foldedFields(fields: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(fields)
      .reverse()
      .map(([name, value]) => [folded(name), value]),
  );
}

/** Null: something that is no such number. */
function turnsOf(value: unknown): number | null | undefined {
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' && /^\s*\d{1,4}\s*$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= MOST_TURNS ? number : null;
}

/** `permission-mode`, `permission_mode` and `permissionMode` are one. */
function folded(text: string): string {
  return text.toLowerCase().replace(/[-_\s]/g, '');
}

function short(text: string): string {
  return shortProse(text, 60);
}
