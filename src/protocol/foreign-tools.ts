/** Calls spelled for the tools of other agents -> ours, where both mean exactly the same. What differs is left alone and answered as a fault. */
import { setKey } from '../base/json-types.js';
import type { Json, JsonObject } from '../types/json.js';
import type { Tool } from '../types/tool.js';
import { isObject } from './args-text.js';
import { CallFault } from './call-fault.js';
import { foldName, plainName } from './find-tool.js';

interface ForeignCall {
  /** Canonical names, best first; the first one there is counts. */
  readonly tools: readonly string[];
  readonly given: JsonObject;
  readonly notes: readonly string[];
}

type Adapter = (bag: Bag, name: string) => ForeignCall | undefined;

/** The call in our words; undefined when the name or the fields are none of another agent's. Throws CallFault. */
export function foreignCall(name: string, object: JsonObject): ForeignCall | undefined {
  const folded = foldedName(name);
  return Object.hasOwn(ADAPTERS, folded) ? ADAPTERS[folded]?.(new Bag(object), name.trim()) : undefined;
}

/** Whether a tool of this name is known from other agents. */
export function isForeignName(name: string): boolean {
  return Object.hasOwn(ADAPTERS, foldedName(name));
}

function foldedName(name: string): string {
  return foldName(plainName(name)).replace(/^@?(coder[:./]?)?/, '');
}

/** The tool a foreign call means, of those there are. */
export function foreignTool(tools: readonly Tool[], call: ForeignCall): Tool | undefined {
  return call.tools.map((name) => tools.find((tool) => tool.name === name)).find((tool) => tool !== undefined);
}

/** Fields by their folded names; what is not taken goes on unchanged. */
class Bag {
  private readonly left: Map<string, Json>;
  constructor(object: JsonObject) {
    this.left = new Map(Object.entries(object));
  }
  has(...names: readonly string[]): boolean {
    return this.keyOf(names) !== undefined;
  }
  /** The value of the first of these fields, which is taken out. `null` counts as missing. */
  take(...names: readonly string[]): Json | undefined {
    const key = this.keyOf(names);
    if (key === undefined) return undefined;
    const value = this.left.get(key);
    this.left.delete(key);
    return value ?? undefined;
  }
  hasList(...names: readonly string[]): boolean {
    return Array.isArray(this.left.get(this.keyOf(names) ?? ''));
  }
  put(key: string, value: Json): void {
    this.left.set(key, value);
  }
  /** Takes out fields that change nothing about what a call does. */
  drop(...names: readonly string[]): void {
    for (const key of [...this.left.keys()]) if (names.includes(foldName(key))) this.left.delete(key);
  }
  /** What is left, with these fields set. */
  with(fields: { readonly [name: string]: Json | undefined }): JsonObject {
    const object: JsonObject = {};
    for (const [key, value] of this.left) setKey(object, key, value);
    for (const [key, value] of Object.entries(fields)) if (value !== undefined) setKey(object, key, value);
    return object;
  }
  private keyOf(names: readonly string[]): string | undefined {
    return [...this.left.keys()].find((key) => names.includes(foldName(key)));
  }
}

const OLD = ['oldstring', 'oldstr', 'oldtext', 'oldcontent'];
const NEW = ['newstring', 'newstr', 'newtext', 'newcontent'];
const FILE = ['filepath', 'path', 'file', 'filename', 'targetfile', 'absolutepath'];
/** What models say about a call beside it. */
const REMARKS = ['description', 'explanation', 'instruction', 'toolcalldescription', 'thought'];

/** One edit with old and new text. There the old text must stand exactly once, unless all places are meant. */
function editFields(bag: Bag): JsonObject {
  const all = bag.take('replaceall', 'allowmultiple');
  const count = bag.take('expectedreplacements', 'expectedoccurrences');
  const isAll = all === true || all === 'true';
  if (all !== undefined && ![true, false, 'true', 'false'].includes(all as boolean | string))
    throw new CallFault('expected true or false', { pointer: '/all' });
  return bag.with({
    file: bag.take(...FILE),
    search: bag.take(...OLD),
    replace: bag.take(...NEW),
    ...(isAll ? { all: true } : bag.has('all', 'expect') ? {} : { expect: count ?? 1 }),
  });
}

const edit: Adapter = (bag) => {
  if (!bag.has(...OLD)) return undefined;
  bag.drop(...REMARKS);
  return { tools: ['@coder patch'], given: editFields(bag), notes: [] };
};

const multiEdit: Adapter = (bag) => {
  const edits = bag.take('edits', 'changes', 'replacements');
  if (!Array.isArray(edits) || !edits.some((item) => isObject(item) && new Bag(item).has(...OLD))) return undefined;
  bag.drop(...REMARKS);
  return {
    tools: ['@coder multipatch'],
    given: bag.with({
      edits: edits.map((item) => (isObject(item) && new Bag(item).has(...OLD) ? editFields(new Bag(item)) : item)),
    }),
    notes: [],
  };
};

/** `offset` and `limit` of a reader are lines; some count the first as 0, so the result says how it was taken. */
const read: Adapter = (bag) => {
  if (!bag.has('offset', 'limit', 'paths', 'viewrange')) return undefined;
  return { tools: ['@read', '@coder read'], ...lineRange(bag) };
};

function lineRange(bag: Bag): { readonly given: JsonObject; readonly notes: readonly string[] } {
  const paths = bag.take('paths');
  const range = bag.take('viewrange');
  if (Array.isArray(range)) {
    const [start, end] = range;
    return { given: bag.with({ start, end: end === -1 ? undefined : end }), notes: [] };
  }
  const offset = whole(bag.take('offset'), 'offset');
  const limit = whole(bag.take('limit'), 'limit');
  const start = offset === undefined ? undefined : Math.max(1, offset);
  const lines = start === undefined ? { head: limit } : { start, end: limit === undefined ? undefined : start + limit - 1 };
  return {
    given: bag.with({ ...(paths === undefined ? {} : { file: paths }), ...lines }),
    notes: start === undefined ? [] : ['offset was taken as the first line, counted from 1'],
  };
}

const shell: Adapter = (bag, name) => {
  const words = commandWords(bag);
  const patch = words?.length === 2 && words[0] === 'apply_patch' ? words[1] : undefined;
  if (patch !== undefined) return { tools: ['@coder patch'], given: { diff: patch }, notes: [] };
  bag.drop(...REMARKS, 'requiresapproval', 'securityrisk');
  const background = bag.take('runinbackground', 'isbackground');
  const millis = bag.has('timeoutms') ? bag.take('timeoutms') : name === 'Bash' ? bag.take('timeout') : undefined;
  const seconds = millis === undefined ? undefined : (whole(millis, 'timeout') ?? 0) / 1000;
  return {
    tools: ['@coder exec'],
    given: bag.with({
      ...(words === undefined ? {} : { cmd: shellText(words) }),
      ...(background === true || background === 'true' ? { background: true } : {}),
      ...(seconds === undefined ? {} : { timeout: seconds }),
    }),
    notes: seconds === undefined ? [] : [`the timeout was taken as milliseconds: ${seconds} s`],
  };
};

/** A command given as a list of words, taken out; undefined when it is a text. */
function commandWords(bag: Bag): string[] | undefined {
  const probe = bag.has('command') ? 'command' : 'cmd';
  const value = bag.take(probe);
  if (Array.isArray(value) && value.length > 0 && value.every((word): word is string => typeof word === 'string')) return value;
  if (value !== undefined) bag.put('cmd', value);
  return undefined;
}

/** `["bash","-lc","a | b"]` is the line itself; other words are quoted so that the shell reads them back as they are. */
function shellText(words: readonly string[]): string {
  if (words.length === 3 && /^(\/bin\/)?(ba)?sh$/.test(words[0] ?? '') && /^-l?c$/.test(words[1] ?? '')) return words[2] ?? '';
  return words.map((word) => (/^[\w@%+=:,./^-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}

const glob: Adapter = (bag) => {
  const pattern = bag.take('pattern', 'globpattern');
  if (typeof pattern !== 'string') return undefined;
  bag.drop(...REMARKS);
  return { tools: ['@coder tree', '@tree'], given: bag.with({ glob: pattern, depth: 20 }), notes: [] };
};

const grep: Adapter = (bag) => {
  if (!bag.has('i', 'n', 'c', 'a', 'b', 'outputmode', 'headlimit', 'includepattern', 'caseinsensitive', 'multiline', ...REMARKS))
    return undefined;
  bag.drop(...REMARKS, 'n', 'linenumbers');
  const mode = bag.take('outputmode');
  const blind = bag.take('i', 'caseinsensitive', 'ignorecase');
  const around = [bag.take('c', 'context'), bag.take('a'), bag.take('b')].flatMap((value) => whole(value, 'context') ?? []);
  const include = bag.take('includepattern');
  if (bag.take('multiline') === true) throw new CallFault('matches over several lines are not found', { pointer: '/multiline' });
  return {
    tools: ['@search', '@coder search'],
    given: bag.with({
      ...(blind === undefined ? {} : { case_sensitive: blind !== true && blind !== 'true' }),
      ...(around.length > 0 ? { context: Math.max(...around) } : {}),
      ...(include === undefined ? {} : { include }),
      max_results: bag.take('headlimit'),
    }),
    notes: mode === undefined || mode === 'content' ? [] : ['the matching lines are shown, whatever output_mode says'],
  };
};

const list: Adapter = (bag) => {
  if (!bag.has('recursive', 'respectgitignore', ...REMARKS)) return undefined;
  bag.drop(...REMARKS, 'respectgitignore');
  const recursive = bag.take('recursive');
  return {
    tools: ['@tree', '@coder tree'],
    given: bag.with(recursive === false || recursive === 'false' ? { depth: 1 } : {}),
    notes: [],
  };
};

const plan: Adapter = (bag) => {
  const todos = bag.take('plan', 'todos', 'todolist');
  if (!Array.isArray(todos)) return undefined;
  bag.drop(...REMARKS);
  if (bag.take('merge') === true) throw new CallFault('a plan is replaced, not merged', { pointer: '/merge' });
  const tasks = todos.map((item) => {
    if (!isObject(item)) return item;
    const task = new Bag(item);
    task.drop('activeform', 'id', 'priority');
    const description = task.take('step', 'content', 'title', 'task', 'description');
    return task.with({ description });
  });
  return { tools: ['@todo'], given: bag.with({ todos: tasks }), notes: [] };
};

/** The editor tool with a `command` for each thing it does. */
const editor: Adapter = (bag) => {
  const command = bag.take('command');
  if (command === 'view') return { tools: ['@read', '@coder read'], ...lineRange(bag) };
  if (command === 'create')
    return { tools: ['@coder write'], given: bag.with({ content: bag.take('filetext', 'content') }), notes: [] };
  if (command === 'str_replace') return { tools: ['@coder patch'], given: editFields(bag), notes: [] };
  if (command === 'undo_edit') return { tools: ['@coder rollback'], given: bag.with({}), notes: [] };
  const does = command === undefined ? 'names no command' : `does not know the command ${JSON.stringify(command)}`;
  throw new CallFault(`${does}; use view, create or str_replace, or call read, write and patch themselves`, {
    pointer: '/command',
  });
};

const diff: Adapter = (bag) => {
  const text = bag.take('input', 'patch', 'patchtext', 'diff');
  if (typeof text !== 'string') return undefined;
  bag.drop(...REMARKS);
  return { tools: ['@coder patch'], given: bag.with({ diff: text }), notes: [] };
};

const ADAPTERS: Readonly<Record<string, Adapter>> = {
  ...all(edit, 'replace', 'strreplace', 'searchreplace', 'stringreplace', 'replacestringinfile', 'patchfile'),
  ...all(multiEdit, 'multiedit', 'multipatch', 'multireplacestringinfile'),
  ...all((bag, name) => (bag.has('edits') ? multiEdit(bag, name) : edit(bag, name)), 'edit', 'editfile'),
  ...all(read, 'read', 'readfile', 'readmanyfiles', 'view', 'viewfile', 'openfile'),
  ...all(
    shell,
    ...['bash', 'shell', 'runcommand', 'executecommand', 'execcommand', 'runterminalcmd', 'runterminalcommand', 'runinterminal'],
    ...['runshellcommand', 'container.exec', 'localshell'],
  ),
  ...all((bag, name) => (bag.hasList('cmd', 'command') ? shell(bag, name) : undefined), 'exec'),
  ...all(glob, 'glob', 'findfiles', 'globfiles'),
  ...all(grep, 'grep', 'grepsearch', 'searchfiles', 'searchfilecontent', 'ripgrep'),
  ...all(list, 'ls', 'listdir', 'listdirectory', 'listfiles'),
  ...all(plan, 'todowrite', 'updateplan', 'writetodos'),
  ...all(editor, 'strreplaceeditor', 'strreplacebasededittool', 'texteditor'),
  ...all(diff, 'applypatch', 'applydiff', 'replaceinfile'),
};

function all(adapter: Adapter, ...names: readonly string[]): Record<string, Adapter> {
  return Object.fromEntries(names.map((name) => [name, adapter]));
}

function whole(value: Json | undefined, field: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
  throw new CallFault(`expected a whole number, got ${JSON.stringify(value).slice(0, 60)}`, { pointer: `/${field}` });
}
