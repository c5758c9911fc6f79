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

/** Agents do not call agents; named without a warning. */
const IGNORED = new Set(['agent', 'task']);
const CHANGING = new Set(['write', 'patch', 'multipatch', 'exec', 'test', 'rollback', 'clean', 'checkpoint']);
/** Those whose calls name the paths they touch, so that a limit can be kept. */
const PATH_TOOLS = new Set(['read', 'search', 'tree', 'outline', 'map', 'write', 'patch', 'multipatch']);

/** No list, or one in which nothing is known: read, search, tree, read-only. A limit that cannot be kept leaves its tool out. */
export function mapTools(given: readonly string[] | undefined): MappedTools {
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
    return { tools: READING, commands: [], paths: {}, readOnly: true, warnings };
  }
  const list = [...tools];
  return {
    tools: list,
    commands: anyCommand ? [] : commands,
    paths: Object.fromEntries(paths),
    readOnly: !list.some((tool) => CHANGING.has(tool)),
    warnings,
  };
}

type Item =
  | { readonly kind: 'ignored' }
  | { readonly kind: 'fault'; readonly why: Reason }
  | { readonly kind: 'tools'; readonly tools: readonly string[]; readonly command?: string; readonly globs?: readonly string[] };

/** `Read`, `Bash(git log:*)`, `Write(docs/**)`, `git-log`. */
function readItem(item: string): Item {
  const [, word = '', spec] = /^@?(?:coder\s+)?([^(]+?)(?:\((.*)\))?$/s.exec(item) ?? [];
  const name = word
    .trim()
    .toLowerCase()
    .replace(/[-_\s]/g, '');
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
