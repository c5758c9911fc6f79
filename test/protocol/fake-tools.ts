/** Tools with the schemas of the real ones and nothing behind them: enough to parse calls for. */
import type { JsonObject, ObjectSchema, PropertySchema } from '../../src/types/json.js';
import type { Tool } from '../../src/types/tool.js';

const text: PropertySchema = { type: 'string' };
const count: PropertySchema = { type: 'integer', minimum: 1 };
const flag: PropertySchema = { type: 'boolean' };
const encoding: PropertySchema = { enum: ['text', 'base64'], type: 'string' };

interface Given {
  readonly name: string;
  readonly native?: string;
  readonly aliases?: readonly string[];
  readonly properties: ObjectSchema['properties'];
  readonly required?: readonly string[];
  readonly fieldAliases?: Readonly<Record<string, string>>;
  readonly positional?: readonly string[];
  readonly mainField?: string;
  readonly example: JsonObject;
  readonly origin?: Tool['origin'];
  readonly open?: boolean;
}

function fake(given: Given): Tool {
  return {
    name: given.name,
    ...(given.native ? { native: given.native } : {}),
    aliases: given.aliases ?? [],
    summary: `Does ${given.name}`,
    schema: {
      type: 'object',
      properties: given.properties,
      required: given.required ?? [],
      ...(given.open ? {} : { additionalProperties: false }),
    },
    fieldAliases: given.fieldAliases ?? {},
    positional: given.positional ?? [],
    ...(given.mainField ? { mainField: given.mainField } : {}),
    example: given.example,
    inFull: given.native !== undefined,
    limit: 30_000,
    cut: 'ends',
    origin: given.origin ?? 'builtin',
    facts: () => ({ readOnly: true, reads: [], writes: [], order: 'overlap', label: { verb: 'call', object: '' } }),
    run: async () => ({ output: '', isError: false }),
  };
}

const readFields = { file: text, start: count, end: count, head: count, tail: count, 'max-bytes': count, encoding };
const edit: PropertySchema = {
  type: 'object',
  properties: { file: text, search: { type: 'string', minLength: 1 }, replace: text, encoding, expect: count, all: flag },
  required: ['file', 'search', 'replace'],
  additionalProperties: false,
};
const fileNames = { path: 'file', filepath: 'file', file_path: 'file' };

export const FAKES: readonly Tool[] = [
  fake({
    name: '@read',
    native: 'read',
    properties: { file: text, from_line: count, to_line: count, head: count, encoding },
    required: ['file'],
    fieldAliases: { ...fileNames, start: 'from_line', end: 'to_line' },
    positional: ['file'],
    mainField: 'file',
    example: { file: 'main.go' },
  }),
  fake({
    name: '@search',
    native: 'search',
    properties: {
      term: { type: 'string', minLength: 1 },
      dir: text,
      include: text,
      max_results: count,
      regex: flag,
      case_sensitive: flag,
    },
    required: ['term'],
    fieldAliases: { pattern: 'term', query: 'term', regex: 'term' },
    positional: ['term', 'dir'],
    mainField: 'term',
    example: { term: 'Login' },
  }),
  fake({
    name: '@tree',
    native: 'tree',
    properties: {
      dir: text,
      depth: { type: 'integer', minimum: 1, maximum: 20 },
      exclude: { type: ['string', 'array'], items: text },
    },
    fieldAliases: { path: 'dir', maxDepth: 'depth', skip: 'exclude' },
    positional: ['dir'],
    mainField: 'dir',
    example: { dir: '.' },
  }),
  fake({
    name: '@todo',
    native: 'todo',
    properties: {
      cmd: { enum: ['write', 'list', 'mark'], type: 'string' },
      todos: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: { description: text, status: { enum: ['pending', 'in_progress', 'completed', 'failed'] } },
          required: ['description'],
          additionalProperties: false,
        },
      },
      id: count,
      status: { enum: ['pending', 'in_progress', 'completed', 'failed'] },
      error: text,
    },
    positional: ['cmd', 'id'],
    example: { cmd: 'list' },
  }),
  fake({
    name: '@coder read',
    aliases: ['read_file'],
    properties: readFields,
    required: ['file'],
    fieldAliases: fileNames,
    positional: ['file'],
    mainField: 'file',
    example: { file: 'main.go', start: 10, end: 50 },
  }),
  fake({
    name: '@coder write',
    native: 'write',
    aliases: ['write_file'],
    properties: { file: text, content: text, encoding, append: flag },
    required: ['file', 'content'],
    fieldAliases: fileNames,
    positional: ['file', 'content'],
    mainField: 'file',
    example: { file: 'hello.txt', content: 'Hello\n' },
  }),
  fake({
    name: '@coder patch',
    native: 'patch',
    aliases: ['edit'],
    properties: {
      file: text,
      search: text,
      replace: text,
      diff: text,
      encoding,
      'diff-encoding': encoding,
      expect: count,
      all: flag,
    },
    fieldAliases: fileNames,
    positional: ['file'],
    mainField: 'file',
    example: { file: 'a.txt', search: 'old', replace: 'new' },
  }),
  fake({
    name: '@coder multipatch',
    native: 'multipatch',
    properties: { edits: { type: 'array', minItems: 1, items: edit } },
    required: ['edits'],
    fieldAliases: fileNames,
    example: { edits: [{ file: 'a.txt', search: 'x', replace: 'y' }] },
  }),
  fake({
    name: '@coder search',
    properties: { term: text, dir: text, glob: text, 'max-results': count, context: { type: 'integer', minimum: 0 } },
    required: ['term'],
    positional: ['term', 'dir'],
    mainField: 'term',
    example: { term: 'TODO' },
  }),
  fake({
    name: '@coder tree',
    aliases: ['ls'],
    properties: { dir: text, glob: text, 'max-entries': count },
    positional: ['dir'],
    mainField: 'dir',
    example: { dir: '.' },
  }),
  fake({
    name: '@coder exec',
    native: 'exec',
    aliases: ['run'],
    properties: { cmd: text, timeout: count, background: flag, dir: text },
    required: ['cmd'],
    fieldAliases: { command: 'cmd' },
    positional: ['cmd'],
    mainField: 'cmd',
    example: { cmd: 'go build ./...' },
  }),
  fake({
    name: '@coder test',
    native: 'test',
    properties: { dir: text, pattern: text, timeout: count },
    positional: ['dir'],
    mainField: 'dir',
    example: { dir: '.' },
  }),
  fake({
    name: '@coder rollback',
    properties: { file: text },
    required: ['file'],
    fieldAliases: fileNames,
    positional: ['file'],
    mainField: 'file',
    example: { file: 'a.txt' },
  }),
  fake({ name: '@coder git-status', properties: {}, example: {} }),
  fake({
    name: '@coder git-diff',
    properties: { file: text, staged: flag },
    positional: ['file'],
    mainField: 'file',
    example: { staged: true },
  }),
  fake({
    name: 'mcp_notes_add',
    properties: { title: text, maxItems: count },
    origin: 'mcp',
    open: true,
    example: { title: 'x' },
  }),
];

/** The list with an agent tool, as in runs where workers may be called. */
export const WITH_AGENT: readonly Tool[] = [
  ...FAKES,
  fake({
    name: 'agent',
    native: 'agent',
    properties: { agent: text, task: text },
    required: ['agent', 'task'],
    example: { agent: 'file', task: 'Read main.go' },
  }),
];

export function counter(): () => string {
  let n = 0;
  return () => `c${++n}`;
}
