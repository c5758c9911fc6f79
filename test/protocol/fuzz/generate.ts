/** Random calls for any tools, from their schemas: fitting, nearly fitting, and hostile. What would run in a shell is harmless. */
import type { Json, JsonObject, ObjectSchema, PropertySchema } from '../../../src/types/json.js';
import type { Tool } from '../../../src/types/tool.js';
import type { Random } from './random.js';

/** A call as typed behind `chatcli tool`. */
export interface FuzzCall {
  readonly name: string;
  readonly words: readonly string[];
}

const PATHS = [
  ...[
    'a.txt',
    'main.go',
    'crlf.txt',
    'utf16.txt',
    'bytes.bin',
    'latin.txt',
    'no-end.txt',
    'empty.txt',
    'big.txt',
    'long.txt',
    'src/b c.txt',
    'src/日本.txt',
  ],
  ...[
    'new.txt',
    'new/dir/file.txt',
    'src',
    '.',
    './src/',
    'none.txt',
    'a.txt/b',
    'ignored/x.txt',
    'hard.txt',
    'link-in.txt',
    'test',
    'user.bak',
    'a.txt.bak',
  ],
  ...[
    '../outside/secret.txt',
    '../outside',
    '/etc/passwd',
    '/etc/shadow',
    '/proc/self/environ',
    '/dev/zero',
    '/dev/null',
    '/',
    '~',
    '~/notes.txt',
    '~/.ssh/id_rsa',
    '~/.chatcli/config.json',
  ],
  ...[
    'link-out.txt',
    'link-dir/secret.txt',
    'link-dir/new.txt',
    'dangling.txt',
    'loop',
    'loop/x',
    '.git/config',
    '.git/hooks/pre-commit',
    '.env',
    'src/../../outside/x.txt',
    '$HOME/x',
    '${HOME}/x',
    '$UNSET/x',
  ],
  ...[
    'a\0b',
    '',
    ' ',
    '-rf',
    '--pre=x',
    'src/--pre=x',
    'x'.repeat(300),
    'd/'.repeat(100),
    'a\nb.txt',
    'tab\t.txt',
    '\ud800',
    'CON',
    'a.txt ',
    'ÄÖ',
    '*',
    '?',
    '[',
    '**/*',
    '{a,b}',
    '!x',
    '\\',
    'src\\b',
  ],
];
const TEXTS = [
  ...[
    'old',
    'new',
    'one',
    'two old',
    '',
    '\n',
    'old\n',
    'a\r\nb\r\n',
    '\t',
    ' ',
    'println("old")',
    '.*',
    '(',
    '[a-',
    '(a+)+$',
    '\\',
    '--pre=cat',
    '-e',
    '-',
    '--',
    '\0',
    '\ud83d',
    '\ufeff',
    '日本',
    'é',
    '\u2028',
  ],
  ...[
    'b2xk',
    'bmV3',
    'b2xk=',
    'b2*k',
    'SGVsbG8gV29ybGQ=',
    '====',
    '"',
    "'",
    '`',
    '$(x)',
    '${x}',
    '%s',
    '&lt;',
    '</tool_call>',
    '```',
    '{"a":1}',
    '[]',
    'null',
    'true',
    '0',
    '-1',
    '1e999',
  ],
  '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two old\n+two new\n three\n',
  '--- /dev/null\n+++ b/made.txt\n@@ -0,0 +1 @@\n+made\n',
  '--- a/empty.txt\n+++ /dev/null\n@@ -0,0 +0,0 @@\n',
  '--- a/../outside/secret.txt\n+++ b/../outside/secret.txt\n@@ -1,2 +1,2 @@\n outside\n-old\n+new\n',
  '--- a/link-dir/secret.txt\n+++ b/link-dir/secret.txt\n@@ -1,2 +1,2 @@\n outside\n-old\n+new\n',
  'diff --git a/a.txt b/b.txt\nsimilarity index 100%\nrename from a.txt\nrename to b.txt\n',
  '*** Begin Patch\n*** Update File: a.txt\n@@\n-two old\n+two new\n*** End Patch\n',
  '*** Begin Patch\n*** Add File: ../outside/new.txt\n+x\n*** End Patch\n',
  '*** Begin Patch\n*** Delete File: no-end.txt\n',
  'a.txt\n<<<<<<< SEARCH\ntwo old\n=======\ntwo new\n>>>>>>> REPLACE\n',
  '@@ -1 +1 @@\n-one\n+uno\n',
  'x'.repeat(5000),
  'line old\n'.repeat(3000),
];
/** Harmless as they stand, and in every part. */
const COMMANDS = [
  ...[
    'true',
    'false',
    'echo hi',
    'echo out; echo err >&2',
    'pwd',
    'ls',
    'cat a.txt',
    'wc -l big.txt',
    'exit 3',
    'sleep 0.02',
    'printf x',
    'cat big.txt',
    'echo "a b"',
    "echo 'it'",
    'kill -9 $$',
  ],
  ...[
    'head -c 200000 /dev/zero',
    'cat none.txt',
    'echo $HOME',
    'git status',
    'yes | head -n 20000',
    'printf "\\033[31mred\\033[0m"',
    'echo é日本',
    ':',
    '',
    ' ',
    'echo a &',
    'nosuchcommand',
    '(',
    'echo "',
  ],
];
/** What fits the files there are, by field: a third of the calls are made of these, so that deeper code is reached. */
const SOUND: Readonly<Record<string, readonly string[]>> = {
  file: [
    'a.txt',
    'main.go',
    'crlf.txt',
    'utf16.txt',
    'no-end.txt',
    'src/b c.txt',
    'src/日本.txt',
    'big.txt',
    'new.txt',
    'deep/new.txt',
  ],
  search: ['old', 'two old', 'one'],
  replace: ['new', '', 'old', 'a\nb', '日本'],
  content: ['text\n', 'old', ''],
  term: ['old', 'one', 'println'],
};
const NUMBERS = [0, 1, 2, 3, 5, 10, 50, 100, 1000, 200_000, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21];

/** One call of one of the tools. */
export function randomCall(tools: readonly Tool[], random: Random): FuzzCall {
  // What starts a program of its own takes longest and is asked least.
  const tool = pickTool(tools, random);
  const args = fields(tool, tool.schema, random, random.once(3));
  const sub = tool.name.startsWith('@coder ') ? tool.name.slice('@coder '.length) : undefined;
  return {
    name: sub === undefined ? tool.name : random.pick(['@coder', '@coder', 'coder', tool.name]),
    ...shaped(tool, sub, args, random),
  };
}

function pickTool(tools: readonly Tool[], random: Random): Tool {
  const tool = random.pick(tools);
  const isSlow = runsCommand(tool) || /test|checkpoint|git/.test(tool.name);
  return isSlow && random.once(2) ? pickTool(tools, random) : tool;
}

function runsCommand(tool: Tool): boolean {
  return tool.facts({ ...tool.example, cmd: 'true' }).command !== undefined;
}

function fields(tool: Tool, schema: Pick<ObjectSchema, 'properties' | 'required'>, random: Random, sound: boolean): JsonObject {
  const object: JsonObject = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const fits = sound ? SOUND[name] : undefined;
    if (fits) {
      object[name] = random.pick(fits);
      continue;
    }
    const isRequired = schema.required?.includes(name) === true;
    if (isRequired ? !sound && random.once(40) : !random.once(sound ? 12 : 4)) continue;
    const key = random.once(8) ? (Object.entries(tool.fieldAliases).find(([, field]) => field === name)?.[0] ?? name) : name;
    object[key] = valueFor(tool, name, property, random, sound);
  }
  if (!sound && random.once(40))
    object[random.pick(['unknown', '__proto__x', 'constructor', 'fil', '', 'args'])] = random.pick(TEXTS);
  return object;
}

function valueFor(tool: Tool, name: string, property: PropertySchema | ObjectSchema, random: Random, sound: boolean): Json {
  const isCommand = /^(cmd|command|script)$/.test(name) && !('enum' in property && property.enum);
  if (isCommand) return random.pick(COMMANDS);
  if (!sound && random.once(30)) return random.pick<Json>([null, true, 1, 'x', [], {}, [[1]], { a: null }]);
  if ('enum' in property && property.enum && !random.once(20)) return random.pick(property.enum);
  const type = random.pick(
    typeof property.type === 'string' || property.type === undefined ? [property.type ?? 'string'] : property.type,
  );
  if (type === 'integer' || type === 'number')
    return random.once(12) ? String(random.pick(NUMBERS)) : count(property as PropertySchema, name, random);
  if (type === 'boolean') return random.once(12) ? random.pick(['true', 'false', 'yes']) : random.once(2);
  if (type === 'array') return listFor(tool, name, property as PropertySchema, random, sound);
  if (type === 'object')
    return fields(tool, { properties: property.properties ?? {}, required: property.required ?? [] }, random, sound);
  return textFor(name, random);
}

function listFor(tool: Tool, name: string, property: PropertySchema, random: Random, sound: boolean): Json {
  const list = Array.from({ length: random.int(4) + (sound ? 1 : 0) }, () =>
    valueFor(tool, name, property.items ?? { type: 'string' }, random, sound),
  );
  return random.once(10) ? JSON.stringify(list) : list;
}

function count(property: PropertySchema, name: string, random: Random): number {
  // A time limit of hours would be obeyed.
  if (/timeout|wait/.test(name)) return random.pick([0.05, 0.2, 1, 5, 0, -1]);
  if (random.once(6)) return random.pick(NUMBERS);
  const [least, most] = [property.minimum ?? 0, property.maximum ?? (property.minimum ?? 0) + 30];
  return Math.floor(least + random.int(Math.min(1000, Math.max(1, most - least + 1))));
}

function textFor(name: string, random: Random): string {
  if (/file|dir|path/.test(name)) return random.pick(PATHS);
  if (/glob|pattern|include|exclude/.test(name))
    return random.pick(['*.txt', '**/*', '*', '*.{go,txt}', '!*.txt', '[', '', '../*', '*'.repeat(60), '.go', ...PATHS]);
  return random.once(20) ? random.pick(PATHS) : random.pick(TEXTS);
}

/** The arguments in one of the forms, sometimes damaged. */
function shaped(tool: Tool, sub: string | undefined, args: JsonObject, random: Random): { words: string[] } {
  const whole =
    sub === undefined
      ? args
      : random.pick<JsonObject>([
          { cmd: sub, args },
          { cmd: sub, flags: args },
          { cmd: sub, args: JSON.stringify(args) },
          flatOf(sub, args),
        ]);
  const words = flagWords(tool, args);
  const form = random.int(10);
  if (form < 6) return { words: [damaged(JSON.stringify(whole), random)] };
  if (form < 8) return { words: sub === undefined ? words : [sub, ...words] };
  if (form === 8) return { words: [JSON.stringify(sub === undefined ? args : { argv: [sub, ...words] })] };
  return { words: [`<tool_call name="${sub === undefined ? tool.name : '@coder'}">${JSON.stringify(whole)}</tool_call>`] };
}

function flatOf(sub: string, args: JsonObject): JsonObject {
  const { cmd, ...rest } = args;
  return cmd === undefined ? { cmd: sub, ...rest } : { cmd: sub, command: cmd, ...rest };
}

function flagWords(tool: Tool, args: JsonObject): string[] {
  return Object.entries(args).flatMap(([key, value]) => {
    if (value === true) return [`--${key}`];
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const takes = tool.schema.properties[key]?.type !== 'boolean';
    return takes ? [`--${key}`, text] : [`--${key}=${text}`];
  });
}

/** Now and then cut short, requoted or with marks too many. A command stays harmless: no part of one does harm. */
function damaged(json: string, random: Random): string {
  if (!random.once(8)) return json;
  return random.pick([
    () => json.slice(0, random.int(json.length)),
    () => json.replaceAll('"', "'"),
    () => `${json}}`,
    () => json.replace(/}$/, ',}'),
    () => `\`\`\`json\n${json}\n\`\`\``,
    () => JSON.stringify(json),
    () => json.replace(/"(\w+)":/g, '$1:'),
    () => `${json}${json}`,
  ])();
}
