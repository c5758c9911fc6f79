/** Deny rules that name files: one for any tool that writes holds for every way of writing there, one for reading likewise. */
import { compileGlob } from '../base/path-glob.js';
import type { Judged, PolicyContext, Rule } from '../types/policy.js';
import { READERS } from './forbids-reading.js';
import { deniesPath } from './rules.js';
import type { NamedPath, Part } from './shell/types.js';
import { asPathPattern, patternSpellings } from './subject.js';

const WRITERS = /^@coder( \*| (write|patch|multipatch|rollback|clean))?$/;
/** Tools that read, or delete from, all of the folder they are given. */
const WHOLE = /^@(coder )?(search|map|clean)$/;

interface FileRule {
  readonly path: string;
  readonly reads: boolean;
  readonly writes: boolean;
}

/** What a deny rule says of files; undefined when it names none, or no tool for files. */
function fileRule(rule: Rule): FileRule | undefined {
  const split = rule.action === 'deny' ? asPathPattern(rule.pattern) : undefined;
  if (!split) return undefined;
  const found = { path: split.path, reads: READERS.test(split.head), writes: WRITERS.test(split.head) };
  return found.reads || found.writes ? found : undefined;
}

/** How a rule hits: the place itself, or something somewhere below it. */
type Hit = 'here' | 'below';

function hitOf(rule: FileRule, path: NamedPath, context: PolicyContext): Hit | undefined {
  if (!(path.write ? rule.writes : rule.reads)) return undefined;
  if (deniesPath(rule.path, path.located, context)) return 'here';
  const folder = rule.path.replace(/(\/\*{1,2})+\/?$/, '');
  const { reach } = path;
  if (typeof reach === 'object')
    return absolutes(rule.path, context).some((deny) => mayMatch(deny, reach.pattern, reach.deep === true)) ? 'here' : undefined;
  if (path.doubtful) return undefined;
  if (folder !== rule.path && !folder.includes('*') && locatedAt(folder, context) === path.located.real) return 'here';
  if (reach !== 'all' || isPersonal(rule.path, context)) return undefined;
  return absolutes(rule.path, context).some((deny) => isBelow(deny, path.located.real)) ? 'below' : undefined;
}

/** Searching leaves personal files out by itself. */
function isPersonal(pattern: string, context: PolicyContext): boolean {
  try {
    const { zone } = context.locate(pattern.replace(/^(\*\*?\/)+/, '').replaceAll('*', 'x'));
    return zone === 'personal' || zone === 'own';
  } catch {
    return false;
  }
}

function locatedAt(path: string, context: PolicyContext): string | undefined {
  try {
    return context.locate(path).real;
  } catch {
    return undefined;
  }
}

function absolutes(pattern: string, context: PolicyContext): string[] {
  return patternSpellings(pattern, context).flatMap((text) =>
    text.startsWith('/') ? [text] : context.roots.map((root) => `${root}/${text}`),
  );
}

const fixed = (pattern: string) => pattern.replace(/[*?[].*$/s, '');

/** Can the pattern of a rule match something in this folder? */
function isBelow(deny: string, folder: string): boolean {
  const start = fixed(deny);
  return start.startsWith(folder === '/' ? '/' : `${folder}/`) || (start !== deny && `${folder}/`.startsWith(start));
}

/** Can a file name pattern of the shell, whose stars stay within a folder, reach what a rule names? Leans to yes. */
function mayMatch(deny: string, glob: string, deep: boolean): boolean {
  const wanted = deny.split('/');
  const given = glob.split('/');
  const depth = wanted.filter((part, index) => part !== '**' || index === wanted.length - 1).length;
  if (given.length < depth) {
    const above = wanted.slice(0, given.length).join('/');
    return deep && (above.includes('*') || compileGlob(glob).test(above));
  }
  if (!deny.includes('*')) return compileGlob(given.slice(0, wanted.length).join('/')).test(deny);
  const [a, b] = [fixed(deny), fixed(glob)];
  if (!a.startsWith(b) && !b.startsWith(a)) return false;
  const [x, y] = [deny.replace(/^.*\*/s, ''), glob.replace(/^.*[*?\]]/s, '')];
  return x.endsWith(y) || y.endsWith(x);
}

/** The paths of a call that is no shell command, with how far each reaches. */
function pathsOfCall(judged: Judged): NamedPath[] {
  const whole = WHOLE.test(judged.call.tool) ? { reach: 'all' as const } : {};
  return [
    ...judged.reads.map((located) => ({ located, write: false, ...whole })),
    ...judged.writes.map((located) => ({ located, write: true, ...whole })),
  ];
}

/** The deny rule for files that a call hits; a `below` hit of a call is a question. */
export function fileRuleForCall(judged: Judged, context: PolicyContext, hit: Hit): Rule | undefined {
  if (judged.facts.command !== undefined) return undefined;
  return context.rules.rules.find((rule) => {
    const found = fileRule(rule);
    return found && pathsOfCall(judged).some((path) => hitOf(found, path, context) === hit);
  });
}

/** Does a deny rule for files forbid a part? What would delete or move a folder that holds the place counts. */
export function deniesFilesOf(rule: Rule, part: Part, context: PolicyContext): boolean {
  const found = fileRule(rule);
  if (!found) return false;
  return part.paths.some((path) => {
    const hit = hitOf(found, path, context);
    return hit === 'here' || (hit === 'below' && path.write);
  });
}

/** The deny rule that names files in a folder which a part reads as a whole. */
export function fileRuleBelow(part: Part, context: PolicyContext): Rule | undefined {
  return context.rules.rules.find((rule) => {
    const found = fileRule(rule);
    return found && part.paths.some((path) => !path.write && hitOf(found, path, context) === 'below');
  });
}
