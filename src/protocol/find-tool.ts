/** Names as models and people write them -> tools. */
import { nearestNames } from '../base/nearest.js';
import type { Tool } from '../types/tool.js';

/** Names of the original and of other agents, used when no tool claims them: other name -> name without `@`. */
const COMMON_NAMES: Readonly<Record<string, string>> = {
  readfile: 'read',
  readmanyfiles: 'read',
  view: 'read',
  viewfile: 'read',
  cat: 'read',
  openfile: 'read',
  writefile: 'write',
  writetofile: 'write',
  createfile: 'write',
  newfile: 'write',
  patchfile: 'patch',
  edit: 'patch',
  editfile: 'patch',
  strreplace: 'patch',
  applypatch: 'patch',
  applydiff: 'patch',
  replace: 'patch',
  replaceinfile: 'patch',
  searchreplace: 'patch',
  multiedit: 'multipatch',
  searchfiles: 'search',
  grep: 'search',
  grepsearch: 'search',
  ripgrep: 'search',
  find: 'search',
  searchfilecontent: 'search',
  run: 'exec',
  runcommand: 'exec',
  shell: 'exec',
  bash: 'exec',
  execute: 'exec',
  executecommand: 'exec',
  execcommand: 'exec',
  runterminalcmd: 'exec',
  runterminalcommand: 'exec',
  runinterminal: 'exec',
  'container.exec': 'exec',
  localshell: 'exec',
  runshellcommand: 'exec',
  terminal: 'exec',
  ls: 'tree',
  list: 'tree',
  listdir: 'tree',
  listdirectory: 'tree',
  listfiles: 'tree',
  glob: 'tree',
  globfiles: 'tree',
  findfiles: 'tree',
  runtest: 'test',
  runtests: 'test',
  rollbackfile: 'rollback',
  cleanbackups: 'clean',
  todowrite: 'todo',
  writetodos: 'todo',
  updateplan: 'todo',
  todos: 'todo',
};

/** Tools of the documentation that come in later versions. A tool of such a name that is there is found before this is asked. */
const LATER = /^@?(websearch|webfetch|scheduler|diagnostics|memory|ask|recall|delegate|delegatesubagent)$/;
/** Tools that some have and others do not: a worker by its list, a single call, a run without agents. */
const SOME_HAVE =
  /^@?(coder)?(lsp|rename|outline|map|proc|skill|agents|read|write|patch|multipatch|search|tree|exec|test|rollback|clean|checkpoint|git(status|diff|log|changed|branch))$/;
const AGENT_NAMES = /^@?(agent|agentcall|dispatchagent|spawnagent|task)$/;

/** Whether there is such a tool, but not for everyone. */
export function isElsewhereOnly(name: string): boolean {
  return SOME_HAVE.test(foldName(plainName(name)));
}

/** Whether it is how agents are called. */
export function isAgentName(name: string): boolean {
  return AGENT_NAMES.test(foldName(plainName(name)));
}

/** Whether a name is known, but comes in a later version. */
export function isLater(name: string): boolean {
  return LATER.test(foldName(plainName(name)));
}

/** Equal for spellings that differ only in case, dashes, underscores and spaces. */
export function foldName(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}

export type Named =
  | { readonly kind: 'tool'; readonly tool: Tool }
  | { readonly kind: 'coder' }
  | { readonly kind: 'call' }
  | { readonly kind: 'none' };

/** A name without what services and models put around it: `functions.read:0`, `read<|channel|>commentary`. */
export function plainName(given: string): string {
  return given
    .trim()
    .replace(/<[|｜][\s\S]*$/, '')
    .replace(/^(functions|default_api|multi_tool_use|tools)[.:/]/i, '')
    .replace(/:\d+$/, '')
    .trim();
}

/** What a call's name means: a tool, the @coder envelope, the `call_tool` envelope, or nothing known. */
export function resolveName(tools: readonly Tool[], given: string): Named {
  const name = plainName(given);
  if (/^@?coder$/i.test(name)) return { kind: 'coder' };
  const sub = /^@?coder[\s:./_-]+(.+)$/i.exec(name)?.[1];
  const tool = findTool(tools, name) ?? (sub === undefined ? undefined : findSubcommand(tools, sub));
  if (tool) return { kind: 'tool', tool };
  return foldName(name) === 'calltool' ? { kind: 'call' } : { kind: 'none' };
}

/** The tool of a name: canonical, native, with or without `@`, as a subcommand, or an alias. */
export function findTool(tools: readonly Tool[], given: string): Tool | undefined {
  const name = foldName(given.trim().replace(/^@coder\s+/i, '@coder '));
  const bare = name.replace(/^@/, '');
  if (!bare) return undefined;
  const by = (match: (tool: Tool) => boolean) => tools.find(match);
  return (
    by((tool) => tool.name === given) ??
    by((tool) => foldName(tool.name) === name) ??
    by((tool) => tool.native !== undefined && foldName(tool.native) === bare) ??
    by((tool) => foldName(tool.name) === `@${bare}`) ??
    by((tool) => foldName(tool.name) === `@coder${bare}`) ??
    by((tool) => tool.native !== undefined && hasAlias(tool, bare)) ??
    by((tool) => hasAlias(tool, bare)) ??
    commonTool(tools, bare)
  );
}

/** The tool of a subcommand of @coder; what stands outside @coder is reached too. */
export function findSubcommand(tools: readonly Tool[], given: string): Tool | undefined {
  const name = foldName(given);
  const family = tools.filter((tool) => tool.name.startsWith('@coder '));
  const own = family.find((tool) => foldName(tool.name) === `@coder${name}`) ?? family.find((tool) => hasAlias(tool, name));
  const common = COMMON_NAMES[name];
  return (
    own ??
    (common === undefined || !Object.hasOwn(COMMON_NAMES, name)
      ? undefined
      : family.find((tool) => tool.name === `@coder ${common}`)) ??
    findTool(tools, given)
  );
}

function hasAlias(tool: Tool, folded: string): boolean {
  return tool.aliases.some((alias) => foldName(alias).replace(/^@/, '') === folded);
}

function commonTool(tools: readonly Tool[], bare: string): Tool | undefined {
  if (!Object.hasOwn(COMMON_NAMES, bare)) return undefined;
  const name = COMMON_NAMES[bare];
  return tools.find((tool) => tool.name === `@${name}`) ?? tools.find((tool) => tool.name === `@coder ${name}`);
}

/** Names for a "did you mean", as they are called. */
export function namesLike(tools: readonly Tool[], given: string): string[] {
  const wanted = given.trim().replace(/^@?coder[\s:./_-]+/i, '');
  const near = nearestNames(wanted, [...new Set(tools.map(shortName))]);
  return near.flatMap((short) => tools.filter((tool) => shortName(tool) === short).map((tool) => tool.name)).slice(0, 3);
}

/** `@coder git-log` -> `git-log`, `@todo` -> `todo`. */
export function shortName(tool: Pick<Tool, 'name'>): string {
  return tool.name.replace(/^@coder\s+/, '').replace(/^@/, '');
}

/** Whether a word is a tool's own name: `read`, `@read`, `@coder read`, or one of its aliases. */
export function isNameOf(tool: Pick<Tool, 'name' | 'aliases'>, given: string): boolean {
  const name = foldName(given.trim().replace(/^@?coder[\s:./]+/i, '')).replace(/^@/, '');
  return name !== '' && (name === foldName(shortName(tool)) || tool.aliases.some((alias) => foldName(alias) === name));
}
