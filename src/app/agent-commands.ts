/** What an agent's own list forbids: commands beside `Bash(git log:*)`, paths beside `Write(docs/**)`. */
import { isAbsolute, relative } from 'node:path';
import { compileGlob, expandBraces } from '../base/path-glob.js';
import { shellLine } from '../base/shell-words.js';
import { splitWords } from '../base/words-split.js';
import { judgeParts } from '../policy/decide.js';
import type { Part } from '../policy/shell/types.js';
import { spokenForPart } from '../policy/shell-rules.js';
import type { Judged, PolicyContext, Rule } from '../types/policy.js';
import { because, type Reason } from '../types/reason.js';
import type { WorkerAgent } from '../types/worker.js';
import type { Located } from '../types/workspace.js';

const EXEC = '@coder exec';

/** Why the agent's own list forbids the call; undefined when it does not. What it allows still has to pass the rules. */
export function refusedByList(agent: WorkerAgent, judged: Judged, context: PolicyContext): Reason | undefined {
  try {
    return refusedWithheld(agent, judged) ?? refusedCommand(agent, judged, context) ?? refusedPath(agent, judged, context);
  } catch (error) {
    return because`the call could not be compared with what the agent ${agent.name} may do: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** What was taken away stays away: also when a script would do the same by another tool. */
function refusedWithheld({ name, tools, withheld }: WorkerAgent, { call, facts, writes }: Judged): Reason | undefined {
  if (withheld === undefined) return undefined;
  const tool = call.tool.replace(/^@(?:coder )?/, '');
  const isOwn = !withheld.includes(tool) && tools?.includes(tool) === true;
  const taken = withheld.includes(tool)
    ? tool
    : !isOwn && facts.command !== undefined && withheld.includes('exec')
      ? 'exec'
      : !isOwn && writes.length > 0
        ? withheld.find((one) => WRITING.includes(one))
        : undefined;
  return taken === undefined ? undefined : because`${taken} was taken from the agent ${name} by its file`;
}

/** Every part of a line must be one of the listed commands; only `cd` may stand beside them. */
function refusedCommand(agent: WorkerAgent, judged: Judged, context: PolicyContext): Reason | undefined {
  const { commands, name } = agent;
  const { call, facts } = judged;
  if (commands === undefined) return undefined;
  if (facts.command === undefined) {
    if (call.tool !== '@coder test' || agent.tools?.includes('test')) return undefined;
    return because`the agent ${name} may only run: ${commands.join(', ')}. What ${call.tool} would run is not among them`;
  }
  const parts = judgeParts({ ...judged, call: { ...call, tool: EXEC } }, facts.command, context);
  const open = (part: Part) => !isListed(part, commands, context) && !isPlainCd(part) && !(part.away && !part.opaque);
  const found = parts.find(open);
  if (found) return because`the agent ${name} may only run: ${commands.join(', ')}. ${found.text} is not among them`;
  const writes = parts.find((part) => writesByOption(part, commands, judged, context));
  if (writes)
    return because`the agent ${name} may only run: ${commands.join(', ')}. ${writes.text} does more than read by an option that is not in the list`;
  if (parts.some((part) => isListed(part, commands, context))) return undefined;
  return because`the agent ${name} may only run: ${commands.join(', ')}`;
}

function isListed(part: Part, commands: readonly string[], context: PolicyContext): boolean {
  const rules = commands.map(
    (command): Rule => ({ pattern: `${EXEC} --cmd ${patternOf(command)}`, action: 'allow', origin: '' }),
  );
  return spokenForPart(part, EXEC, { ...context, rules: { rules, broken: [] } }).covered;
}

function isPlainCd(part: Part): boolean {
  return part.verdict === 'allow' && part.readOnly && !part.outside && /^cd(\s|$)/.test(part.written);
}

/** `git log --output=x`: without the options that nobody listed it would only read. What cannot be told apart counts as such. */
function writesByOption(part: Part, commands: readonly string[], judged: Judged, context: PolicyContext): boolean {
  if (part.readOnly || part.away) return false;
  const listed = new Set(commands.flatMap((command) => patternOf(command).split(/\s+/)));
  const words = splitWords(part.written);
  if (!words.ok || words.words.length === 0) return true;
  const kept = words.words.map(({ text }) => text).filter((text) => !text.startsWith('-') || listed.has(text));
  if (kept.length === 0 || kept.length === words.words.length) return false;
  return judgeParts(judged, shellLine(kept), context).every(({ readOnly }) => readOnly);
}

/** `npm run test:*` and `npm run test *` mean everything that begins with these words. */
function patternOf(command: string): string {
  return command.replace(/(?::|\s+)\*$/, '').trim();
}

const WRITING = ['write', 'patch', 'multipatch'];

/** Where a call touches files, each of them must lie where the agent may touch some. */
function refusedPath(agent: WorkerAgent, { call, reads, writes }: Judged, context: PolicyContext): Reason | undefined {
  const tool = call.tool.replace(/^@(?:coder )?/, '');
  const globs = globsFor(agent, tool);
  if (globs === undefined) return undefined;
  const touched = globs.own ? [...reads, ...writes] : writes;
  const isWithin = pathTest(globs.list, context);
  const found = touched.find((path) => !isWithin(path));
  if (!found && (touched.length > 0 || !globs.own)) return undefined;
  return because`the agent ${agent.name} may use ${tool} only on: ${globs.list.join(', ')}. ${shownOf(found)} is not among them`;
}

/** The workspace itself has no name that could be read as one. */
function shownOf(path: Located | undefined): string {
  return path === undefined || path.shown === '.' ? '"."' : path.shown;
}

/** The tool's own, or for what others would write (a rename), those of all its writing tools when each has some. */
function globsFor(agent: WorkerAgent, tool: string): { readonly own: boolean; readonly list: readonly string[] } | undefined {
  const { paths = {} } = agent;
  const own = Object.hasOwn(paths, tool) ? paths[tool] : undefined;
  if (own) return { own: true, list: own };
  const writing = WRITING.filter((name) => agent.tools?.includes(name));
  if (WRITING.includes(tool) || writing.length === 0 || !writing.every((name) => Object.hasOwn(paths, name))) return undefined;
  return { own: false, list: [...new Set(writing.flatMap((name) => paths[name] ?? []))] };
}

/** Patterns as in ignore files: a word alone counts at any depth, `/` stands for the workspace; below a folder that is named all is meant. */
function pathTest(globs: readonly string[], { home, root, roots }: PolicyContext): (path: Located) => boolean {
  const tests = globs.flatMap(expandBraces).flatMap((given) => {
    const pattern = spelled(given, home, [root, ...roots]);
    const plain = pattern.replace(/\/(\*\*)?$/, '');
    const below = /[*?[]/.test(plain.split('/').at(-1) ?? '') ? [] : [`${plain}/**`];
    return [pattern, plain, ...below].map((text) => ({ absolute: isAbsolute(text), glob: compileGlob(text) }));
  });
  return ({ real }) => {
    const inside = [root, ...roots]
      .map((top) => relative(top, real))
      .find((path) => !/^\.\.(\/|$)/.test(path) && !isAbsolute(path));
    return tests.some(({ absolute, glob }) =>
      absolute ? glob.test(real) : inside !== undefined && inside !== '' && glob.test(inside),
    );
  };
}

function spelled(given: string, home: string, roots: readonly string[]): string {
  const pattern = given.replace(/^(\.\/)+/, '');
  if (pattern === '~' || pattern.startsWith('~/')) return home + pattern.slice(1);
  if (pattern.startsWith('//')) return pattern.slice(1);
  if (roots.some((top) => pattern === top || pattern.startsWith(`${top}/`))) return pattern;
  if (pattern.startsWith('/')) return pattern.slice(1);
  return pattern.replace(/\/$/, '').includes('/') ? pattern : `**/${pattern}`;
}
