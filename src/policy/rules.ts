/** Which rule speaks of a call that runs no shell command: deny rules first, then the longest allow or ask rule. */
import { compileGlob } from '../base/path-glob.js';
import type { Judged, PolicyContext, Rule } from '../types/policy.js';
import type { Located } from '../types/workspace.js';
import { matchesPrefix } from './match.js';
import {
  asFlagPatterns,
  asPathPattern,
  flagSubjects,
  fullSubject,
  heads,
  pathSpellings,
  pathsOf,
  patternSpellings,
} from './subject.js';

/** The deny rule that hits a call, or undefined. */
export function denyRuleFor(judged: Judged, context: PolicyContext): Rule | undefined {
  return context.rules.rules.find((rule) => rule.action === 'deny' && denies(rule, judged, context));
}

function denies(rule: Rule, judged: Judged, context: PolicyContext): boolean {
  const { call } = judged;
  for (const head of heads(call, 'with-twin')) {
    if (matchesPrefix(rule.pattern, fullSubject(head, call), 'word')) return true;
    if (flagSubjects(head, call).some((flag) => matchesPrefix(rule.pattern, flag.text, 'word'))) return true;
    if (isForHead(rule.pattern, head)) return true;
    if (hasAllFlags(rule.pattern, head, judged, (pattern) => pathsOf(judged).some((path) => deniesPath(pattern, path, context))))
      return true;
    const split = asPathPattern(rule.pattern);
    if (split && matchesPrefix(split.head, head, 'word') && pathsOf(judged).some((path) => deniesPath(split.path, path, context)))
      return true;
  }
  return false;
}

/** A pattern of several flags, in whatever order: each speaks of the call. */
function hasAllFlags(pattern: string, head: string, { call }: Judged, isPath: (pattern: string) => boolean): boolean {
  const wanted = asFlagPatterns(pattern, head);
  if (wanted.length === 0) return false;
  const given = flagSubjects(head, call);
  return wanted.every((flag) => {
    const path = asPathPattern(flag);
    return path ? isPath(path.path) : given.some(({ text, name }) => name !== 'url' && matchesPrefix(flag, text, 'word'));
  });
}

/** `@coder write`, `@coder *`, `*`: a rule for every call of that name. */
export function isForHead(pattern: string, head: string): boolean {
  return matchesPrefix(pattern, head, 'word') || (pattern.endsWith(' *') && matchesPrefix(pattern.slice(0, -2), head, 'word'));
}

/** For denying, a path is meant by any of its spellings, and `*` also crosses folders. */
export function deniesPath(pattern: string, path: Located, context: PolicyContext): boolean {
  const texts = pathSpellings(path, context, 'all');
  return (
    patternSpellings(pattern, context).some((spelling) =>
      texts.some((text) => matchesPrefix(spelling, text, 'word') || globMatches(spelling, text)),
    ) || sameRealPlace(pattern, path, context)
  );
}

/** The pattern may name the place through a link. */
function sameRealPlace(pattern: string, path: Located, context: PolicyContext): boolean {
  if (pattern.includes('*') || pattern.includes('\0')) return false;
  try {
    const { real } = context.locate(pattern);
    return path.real === real || path.real.startsWith(real.endsWith('/') ? real : `${real}/`);
  } catch {
    return false;
  }
}

function allowsPath(pattern: string, path: Located, context: PolicyContext): boolean {
  if (pattern === '*' || pattern === '**') return true;
  const texts = pathSpellings(path, context, 'sure');
  return patternSpellings(pattern, context).some((spelling) =>
    texts.some((text) => (spelling.includes('*') ? globMatches(spelling, text) : matchesPrefix(spelling, text, 'word'))),
  );
}

function globMatches(pattern: string, text: string): boolean {
  return pattern.includes('*') && compileGlob(pattern).test(text);
}

/** The allow or ask rule that decides a call: the longest for each of its paths, the strictest of these. */
export function spokenRule(judged: Judged, context: PolicyContext): Rule | undefined {
  const rules = context.rules.rules.filter((rule) => rule.action !== 'deny' && !isBareExecAsk(rule));
  const paths = pathsOf(judged);
  const best = (paths.length === 0 ? [undefined] : paths).map((path) =>
    longest(rules.filter((rule) => speaksOf(rule, judged, path, context))),
  );
  if (best.some((rule) => rule === undefined)) return best.find((rule) => rule?.action === 'ask');
  return best.find((rule) => rule?.action === 'ask') ?? best[0];
}

/** The rule the original wrote by itself: it says no more than what happens anyway. */
export function isBareExecAsk(rule: Rule): boolean {
  return rule.action === 'ask' && rule.pattern.trim() === '@coder exec';
}

/** The longest pattern; of two equally long ones the one that allows. */
export function longest(rules: readonly Rule[]): Rule | undefined {
  let found: Rule | undefined;
  for (const rule of rules) {
    const longer = rule.pattern.length - (found?.pattern.length ?? -1);
    if (longer > 0 || (longer === 0 && rule.action === 'allow')) found = rule;
  }
  return found;
}

function speaksOf(rule: Rule, judged: Judged, path: Located | undefined, context: PolicyContext): boolean {
  const { call } = judged;
  const head = call.tool;
  if (isForHead(rule.pattern, head)) return true;
  const fits = rule.action === 'ask' ? deniesPath : allowsPath;
  if (hasAllFlags(rule.pattern, head, judged, (pattern) => path !== undefined && fits(pattern, path, context))) return true;
  const split = asPathPattern(rule.pattern);
  if (split) {
    if (!matchesPrefix(split.head, head, 'word')) return false;
    return (
      path !== undefined &&
      (rule.action === 'ask' ? deniesPath(split.path, path, context) : allowsPath(split.path, path, context))
    );
  }
  if (rule.action === 'ask') {
    return (
      matchesPrefix(rule.pattern, fullSubject(head, call), 'word') ||
      flagSubjects(head, call).some((flag) => matchesPrefix(rule.pattern, flag.text, 'word'))
    );
  }
  if (
    flagSubjects(head, call).some((flag) =>
      flag.name === 'url' ? allowsUrl(rule.pattern, head, flag.value) : matchesPrefix(rule.pattern, flag.text, 'word'),
    )
  )
    return true;
  return !('url' in call.args) && matchesPrefix(rule.pattern, fullSubject(head, call), 'word');
}

/** An address is compared as the network reads it, and a host must end where the pattern's ends. */
function allowsUrl(pattern: string, head: string, url: string): boolean {
  let href: string;
  try {
    const parsed = new URL(url);
    if (parsed.username !== '' || parsed.password !== '') return false;
    href = parsed.href;
  } catch {
    return false;
  }
  const start = `${head} --url `;
  if (!pattern.startsWith(start)) return false;
  const wanted = pattern.slice(start.length);
  const host = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(wanted)?.[0] ?? '';
  const whole = host.length === wanted.length;
  if (host.includes('*')) return hostMatches(host, href) && (whole || matchesPrefix(wanted, href, 'word'));
  const next = href.charAt(wanted.length);
  return matchesPrefix(wanted, href, 'word') && (!whole || next === '' || next === '/' || next === '?' || next === '#');
}

/** `https://*.example.com`: the star stands inside the host only. */
function hostMatches(pattern: string, href: string): boolean {
  const host = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(href)?.[0] ?? '';
  return compileGlob(pattern.replaceAll('/', ':')).test(host.replaceAll('/', ':'));
}
