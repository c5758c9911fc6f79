/** Tool names of other agents' files -> subcommands of ours. */
import { shortProse } from '../../base/one-line.js';
import { splitGlobList } from '../../base/path-glob.js';
import { because, type Reason } from '../../types/reason.js';

export interface MappedTools {
  readonly tools: readonly string[];
  /** Patterns of commands from `Bash(git log:*)`: only these may be run. Empty: no such limit. */
  readonly commands: readonly string[];
  /** Tool -> globs from `Write(docs/**)`: it may touch only these. A tool that is not in it has no such limit. */
  readonly paths: Readonly<Record<string, readonly string[]>>;
  /** What was taken away, whether or not it was given. */
  readonly withheld: readonly string[];
  /** Nothing in it writes or runs. */
  readonly readOnly: boolean;
  readonly warnings: readonly Reason[];
}

const READING = ['read', 'search', 'tree'] as const;
const RUNNING = ['exec', 'test', 'git-status', 'git-diff', 'git-log', 'git-changed', 'git-branch'] as const;
const PLAN = ['@todo'] as const;

const MAP: Readonly<Record<string, readonly string[]>> = {
  read: ['read'],
  grep: ['search'],
  search: ['search'],
  glob: ['tree'],
  ls: ['tree'],
  tree: ['tree'],
  bash: RUNNING,
  shell: RUNNING,
  exec: RUNNING,
  run: RUNNING,
  terminal: RUNNING,
  write: ['write'],
  edit: ['patch'],
  patch: ['patch'],
  multiedit: ['patch', 'multipatch'],
  notebookedit: ['patch'],
  outline: ['outline'],
  map: ['map'],
  lsp: ['lsp'],
  todowrite: PLAN,
  todo: PLAN,
};

const EDITS = new Set(['edit', 'patch', 'multiedit', 'multipatch']);
const EDITING = ['patch', 'multipatch'] as const;
/** Agents do not call agents; named without a warning. */
const IGNORED = new Set(['agent', 'task']);
const CHANGING = new Set(['write', 'patch', 'multipatch', 'exec', 'test', 'rollback', 'clean', 'checkpoint']);
/** Those whose calls name the paths they touch, so that a limit can be kept. */
const PATH_TOOLS = new Set(['read', 'search', 'tree', 'outline', 'map', 'write', 'patch', 'multipatch']);

/** What a file says beside its list of tools. */
export interface ToolLimits {
  /** Names as in the list. */
  readonly without?: readonly string[];
  /** Nothing that writes or runs. */
  readonly onlyReading?: boolean;
}

/**
 * No list, or one in which nothing is known: read, search, tree, read-only. A limit that cannot be kept leaves its tool out.
 * What is taken away wins over what is given.
 */
export function mapTools(
  given: readonly string[] | undefined,
  { without = [], onlyReading = false }: ToolLimits = {},
): MappedTools {
  const mapped = givenTools(given);
  const taken = withheldBy(without);
  const tools = mapped.tools.filter((tool) => !taken.tools.has(tool) && !(onlyReading && CHANGING.has(tool)));
  return {
    tools,
    commands: tools.includes('exec') ? mapped.commands : [],
    paths: Object.fromEntries(Object.entries(mapped.paths).filter(([tool]) => tools.includes(tool))),
    withheld: [...taken.tools],
    readOnly: onlyReading || !tools.some((tool) => CHANGING.has(tool)),
    warnings: [...mapped.warnings, ...taken.warnings],
  };
}

/** An edit stays an edit by whichever tool; a part of a tool (`Bash(rm:*)`) cannot be taken away, so all of it is. */
function withheldBy(names: readonly string[]): { readonly tools: ReadonlySet<string>; readonly warnings: readonly Reason[] } {
  const tools = new Set<string>();
  const warnings: Reason[] = [];
  for (const item of names) {
    const { name, word, spec } = partsOf(item);
    if (name === 'notebookedit') continue;
    const own = EDITS.has(name) ? EDITING : Object.hasOwn(MAP, name) ? MAP[name] : subcommand(word);
    for (const tool of own ?? []) tools.add(tool);
    if (own && spec !== undefined && !/^\s*\*+\s*$/.test(spec))
      warnings.push(because`a part of a tool cannot be taken away, so for ${shown(item)} all of it is`);
    if (!own && !isNeverHad(name)) warnings.push(because`the tool ${shown(item)} that is to be taken away is not known`);
  }
  return { tools, warnings };
}

type Given = Omit<MappedTools, 'withheld' | 'readOnly'>;

function givenTools(given: readonly string[] | undefined): Given {
  const warnings: Reason[] = [];
  const tools = new Set<string>();
  const commands: string[] = [];
  const paths = new Map<string, readonly string[]>();
  let anyCommand = false;
  for (const item of given ?? []) {
    const read = readItem(item);
    if (read.kind === 'ignored') continue;
    if (read.kind === 'fault') {
      warnings.push(read.why);
      continue;
    }
    for (const tool of read.tools) {
      const isOpen = tools.has(tool) && !paths.has(tool);
      if (read.globs === undefined || isOpen) paths.delete(tool);
      else paths.set(tool, [...(paths.get(tool) ?? []), ...read.globs]);
      tools.add(tool);
    }
    if (read.command !== undefined) commands.push(read.command);
    else if (read.tools.includes('exec')) anyCommand = true;
  }
  if (tools.size === 0) {
    if (given && given.length > 0) warnings.push(because`none of its tools is known, so it may only read, search and list`);
    return { tools: READING, commands: [], paths: {}, warnings };
  }
  const list = [...tools];
  return {
    tools: list,
    commands: anyCommand ? [] : commands,
    paths: Object.fromEntries(paths),
    warnings,
  };
}

type Item =
  | { readonly kind: 'ignored' }
  | { readonly kind: 'fault'; readonly why: Reason }
  | { readonly kind: 'tools'; readonly tools: readonly string[]; readonly command?: string; readonly globs?: readonly string[] };

/** `Read`, `Bash(git log:*)`, `Write(docs/**)`, `git-log`. */
function readItem(item: string): Item {
  const { name, word, spec } = partsOf(item);
  const tools = Object.hasOwn(MAP, name) ? MAP[name] : subcommand(word);
  if (!tools) {
    if (IGNORED.has(name)) return { kind: 'ignored' };
    return { kind: 'fault', why: because`the tool ${shown(item)} is not known and is left out` };
  }
  if (spec === undefined) return { kind: 'tools', tools };
  const inside = spec.trim();
  if (tools === RUNNING) return commandItem(item, inside);
  if (/^\*+$/.test(inside)) return { kind: 'tools', tools };
  if (!tools.every((tool) => PATH_TOOLS.has(tool)))
    return { kind: 'fault', why: because`the limit of ${shown(item)} cannot be kept, so the tool is left out` };
  const globs = splitGlobList(inside);
  if (globs.length === 0) return { kind: 'fault', why: because`${shown(item)} names nothing, so the tool is left out` };
  return { kind: 'tools', tools, globs };
}

function partsOf(item: string): { readonly name: string; readonly word: string; readonly spec: string | undefined } {
  const [, word = '', spec] = /^@?(?:coder\s+)?([^(]+?)(?:\((.*)\))?$/s.exec(item) ?? [];
  return {
    name: word
      .trim()
      .toLowerCase()
      .replace(/[-_\s]/g, ''),
    word,
    spec,
  };
}

/** Tools of other programs that no agent here has: nothing is lost when they are taken away. */
function isNeverHad(name: string): boolean {
  return IGNORED.has(name) || /^(mcp|web|skill|slashcommand|askuserquestion|exitplanmode|killshell|bashoutput)/.test(name);
}

/** With commands named, these alone can be run: no test runner and no further tool comes with them. */
function commandItem(item: string, inside: string): Item {
  if (/^\*+$/.test(inside)) return { kind: 'tools', tools: RUNNING };
  if (/^[\s:*]*$/.test(inside)) return { kind: 'fault', why: because`${shown(item)} names nothing, so the tool is left out` };
  return { kind: 'tools', tools: ['exec'], command: inside };
}

function shown(item: string): string {
  return shortProse(item, 100);
}

/** Subcommands of ours, as they are. */
function subcommand(word: string): readonly string[] | undefined {
  const name = word.trim().toLowerCase();
  return /^(read|write|patch|multipatch|tree|search|outline|map|exec|test|rollback|clean|checkpoint|git-(status|diff|log|changed|branch))$/.test(
    name,
  )
    ? [name]
    : undefined;
}
