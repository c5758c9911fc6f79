/** Tool names of other agents' files -> subcommands of ours. */
import { because, type Reason } from '../../types/reason.js';

export interface MappedTools {
  readonly tools: readonly string[];
  /** Patterns of commands from `Bash(git log:*)`: only these may be run. Empty: no such limit. */
  readonly commands: readonly string[];
  /** Nothing in it writes or runs. */
  readonly readOnly: boolean;
  readonly warnings: readonly Reason[];
}

const READING = ['read', 'search', 'tree'] as const;
const RUNNING = ['exec', 'test', 'git-status', 'git-diff', 'git-log', 'git-changed', 'git-branch'] as const;

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
  todowrite: [],
  todo: [],
};

/** Agents do not call agents; named without a warning. */
const IGNORED = new Set(['agent', 'task']);
const CHANGING = new Set<string>(['write', 'patch', 'multipatch', ...RUNNING]);

/** No list, or one in which nothing is known: read, search, tree, read-only. */
export function mapTools(given: readonly string[] | undefined): MappedTools {
  const warnings: Reason[] = [];
  const tools = new Set<string>();
  const commands: string[] = [];
  let anyCommand = false;
  for (const item of given ?? []) {
    const [, word = '', spec] = /^@?(?:coder\s+)?([^(]+?)(?:\((.*)\))?$/s.exec(item) ?? [];
    const name = word
      .trim()
      .toLowerCase()
      .replace(/[-_\s]/g, '');
    const mapped = Object.hasOwn(MAP, name) ? MAP[name] : subcommand(word);
    if (!mapped) {
      if (!IGNORED.has(name)) warnings.push(because`the tool ${item} is not known and is left out`);
      continue;
    }
    for (const tool of mapped) tools.add(tool);
    if (mapped !== RUNNING) continue;
    const pattern = spec?.trim();
    if (pattern && pattern !== '*') commands.push(pattern);
    else anyCommand = true;
  }
  if (tools.size === 0) {
    if (given && given.length > 0) warnings.push(because`none of its tools is known, so it may only read, search and list`);
    return { tools: READING, commands: [], readOnly: true, warnings };
  }
  const list = [...tools];
  return { tools: list, commands: anyCommand ? [] : commands, readOnly: !list.some((tool) => CHANGING.has(tool)), warnings };
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
