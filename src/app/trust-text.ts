/** What a folder brings and which rules count, as lines for people. */
import type { Brought } from '../policy/brings.js';
import { type FolderTrust, NO_TRUST } from '../policy/trust.js';
import type { IdleRule, Rule, RuleSet } from '../types/policy.js';
import { visibleText } from '../ui/safe-text.js';
import type { Translate } from './flags.js';

/** A name or pattern of a folder on one line; what could mislead is shown as its code. */
export function shownLine(text: string): string {
  return visibleText(text).replaceAll('\n', '<U+000A>').replaceAll('\t', '<U+0009>');
}

/** One line an entry: kind and path. With `trust`, what counts and what does not is marked. */
export function broughtLines(brought: readonly Brought[], t: Translate, trust?: FolderTrust): readonly string[] {
  return brought.map((one) => {
    const mark = trust === undefined && one.fault === undefined ? '' : stateOf(one, t, trust ?? NO_TRUST);
    return `  ${t(`trust.kind.${one.kind}`)}: ${shownLine(one.path)}${mark === '' ? '' : `  ${mark}`}`;
  });
}

/** What is not pinned counts or not with the folder: nothing is said of it. */
function stateOf({ path, sha256, pinned, fault }: Brought, t: Translate, trust: FolderTrust): string {
  if (fault !== undefined) return t(FAULTS[fault]);
  if (sha256 === undefined) return pinned ? t('trust.unpinned') : '';
  if (!Object.hasOwn(trust.pins, path)) return t('trust.idle');
  return trust.pins[path] === sha256 ? t('trust.counts') : t('trust.changed');
}

const FAULTS = { link: 'trust.linked', large: 'trust.tooLarge', unreadable: 'trust.unpinned' } as const;

/** Agents and skills that are not in force, whatever the reason. */
export function idlePrompts(brought: readonly Brought[], trust: FolderTrust): readonly Brought[] {
  return brought.filter(
    ({ kind, path, sha256 }) =>
      (kind === 'agent' || kind === 'skill') &&
      (sha256 === undefined || !Object.hasOwn(trust.pins, path) || trust.pins[path] !== sha256),
  );
}

/** Files that would count if they were trusted as they are now, split by whether they were trusted once. */
export function idleFiles(
  brought: readonly Brought[],
  trust: FolderTrust,
): { readonly fresh: string[]; readonly changed: string[] } {
  const idle = brought.filter(({ path, sha256 }) => sha256 !== undefined && trust.pins[path] !== sha256);
  const wasPinned = ({ path }: Brought) => Object.hasOwn(trust.pins, path);
  const names = (some: readonly Brought[]) => some.map(({ path }) => shownLine(path));
  return { fresh: names(idle.filter((one) => !wasPinned(one))), changed: names(idle.filter(wasPinned)) };
}

/** `allow  PATTERN  (where it comes from)`. */
export function ruleLine({ action, pattern, written, origin }: Rule): string {
  return `${action.padEnd(5)}  ${shownLine(written ?? pattern)}  (${shownLine(origin)})`;
}

/** Broken files, the rules in force in the order they were read, then those that are not in force and why; empty: there are none. */
export function ruleLines({ rules, broken, idle = [] }: RuleSet, t: Translate): string[] {
  return [
    ...broken.map(({ file, reason }) => t('policy.broken', { file: shownLine(file), reason })),
    ...rules.map(ruleLine),
    ...idle.map((one) => idleLine(one, t)),
  ];
}

/** A rule that is not in force, and why. */
export function idleLine({ rule, why }: IdleRule, t: Translate): string {
  return `${ruleLine(rule)}  [${t(WHY[why])}]`;
}

const WHY = {
  untrusted: 'policy.why.untrusted',
  changed: 'policy.why.changed',
  replaced: 'policy.why.replaced',
} as const;
