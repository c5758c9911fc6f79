/** Whole calls in every form models and services write them, and what a prefix of one may become: nothing, or the same call. */
import { callFromNative } from '../../src/protocol/native.js';
import { type ParsedCall, parseReply } from '../../src/protocol/parse-reply.js';
import { callFromUser } from '../../src/protocol/user-call.js';
import { TOOLS } from '../../src/tools/registry.js';
import type { JsonObject } from '../../src/types/json.js';
import type { Tool } from '../../src/types/tool.js';
import { encodeAttribute } from './encode-attribute.js';
import { FAKES } from './fake-tools.js';

/** The real tools, and stand-ins for those that are not there yet. */
export const ALL_TOOLS: readonly Tool[] = [...TOOLS, ...FAKES.filter((fake) => !TOOLS.some((tool) => tool.name === fake.name))];

/** Contents that are easily mistaken for an end. */
const CONTENTS: readonly string[] = [
  'plain',
  'two\nlines\n',
  '{"a":{"b":"c"}}',
  '"}}',
  'it\'s "so" \\ and \\n {x}} [y]]',
  'if (a) {\n  return "}";\n}\n',
  '</tool_call>\n"/>\n\'/>',
  '```json\n{"cmd":"exec"}\n```\n',
  '</parameter>\n<parameter=file>\nb',
  ']]> <![CDATA[',
  'SGVsbG8gV29ybGQhIQ==',
  '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a "b"\n+c }\n',
  '日本 😀 \u2028 é',
  '<think>x</think> <|im_end|> [TOOL_CALLS]',
  'echo \'a\' && rm -r "b c" # x',
];

interface WholeForm {
  readonly name: string;
  readonly text: string;
  parse(text: string): ParsedCall[];
  /** Set where only the service can tell that the text was cut: its parser is told so. */
  readonly told?: true;
}

export interface CallToCut {
  readonly cmd: string;
  readonly args: JsonObject;
}

/** Calls that change something, their last field last; then some that only look. */
export function callsToCut(): CallToCut[] {
  const calls = CONTENTS.flatMap((content): CallToCut[] => [
    { cmd: 'write', args: { file: 'a.txt', content } },
    { cmd: 'write', args: { content, file: 'a.txt', append: true } },
    { cmd: 'patch', args: { file: 'a.txt', search: content, replace: `${content}2`, all: true } },
    { cmd: 'exec', args: { cmd: content, timeout: 120 } },
  ]);
  calls.push(
    { cmd: 'write', args: { file: 'b.bin', content: 'QUJDREVGR0hJSktM', encoding: 'base64' } },
    { cmd: 'patch', args: { diff: CONTENTS[11] ?? '' } },
    { cmd: 'rollback', args: { file: 'dir/name.txt' } },
    { cmd: 'test', args: { dir: './pkg', pattern: '*_test.go', timeout: 60 } },
    { cmd: 'git-diff', args: { file: 'a"b}.txt', staged: true } },
    { cmd: 'rollback', args: { file: 'a "b}\n.txt' } },
  );
  return calls;
}

/** `edits` of several files, as a list and as a text that holds one. */
export function editsToCut(): CallToCut[] {
  const edits = CONTENTS.slice(0, 8).map((content, index) => ({ file: `f${index}`, search: content, replace: `${content}!` }));
  return [
    { cmd: 'multipatch', args: { edits } },
    { cmd: 'multipatch', args: { edits: JSON.stringify(edits) } },
  ];
}

/** The call in every form. */
function formsOf(call: CallToCut, tools: readonly Tool[]): WholeForm[] {
  const { cmd, args } = call;
  const json = JSON.stringify({ cmd, args });
  // Beside the subcommand the command line of exec is called `command`.
  const flat = Object.fromEntries(Object.entries(args).map(([key, value]) => [key === 'cmd' ? 'command' : key, value]));
  const options = { tools, agent: 'main', nextId: () => 'c' };
  const reply = (text: string) => parseReply(text, options).calls;
  const cutReply = (text: string) => parseReply(text, { ...options, cut: true }).calls;
  const native = (name: string, cut: boolean) => (text: string) => [
    callFromNative({ id: 'n', name, input: text }, { ...options, cut }),
  ];
  const direct = (text: string) => [callFromUser('@coder', [text], options)];
  const quoted = (value: unknown) => `"${String(value).replace(/["\\]/g, '\\$&')}"`;
  const flags = Object.entries(args).map(([key, value]) =>
    value === true ? `--${key}` : `--${key} ${quoted(typeof value === 'object' ? JSON.stringify(value) : value)}`,
  );
  const line = [cmd, ...flags].join(' ');
  const elements = Object.entries(args).map(
    ([key, value]) => `<parameter=${key}>\n${typeof value === 'string' ? value : JSON.stringify(value)}\n</parameter>`,
  );
  const tool = (form: string, text: string): WholeForm => ({ name: form, text, parse: reply });
  const forms: WholeForm[] = [
    tool('attribute', `<tool_call name="@coder" args='${encodeAttribute(json)}'/>`),
    tool('attribute, nothing escaped', `<tool_call name="@coder" args='${json}'/>`),
    tool('attribute with double quotes', `<tool_call name="@coder" args="${encodeAttribute(json)}" />`),
    tool('body', `<tool_call name="@coder">\n${json}\n</tool_call>`),
    tool('CDATA', `<tool_call name="@coder"><![CDATA[${json.replaceAll(']]>', ']]]]><![CDATA[>')}]]></tool_call>`),
    tool('name in the body', `<tool_call>\n${JSON.stringify({ name: '@coder', arguments: { cmd, args } })}\n</tool_call>`),
    tool('args as text', `<tool_call name="@coder">${JSON.stringify({ cmd, args: JSON.stringify(args) })}</tool_call>`),
    tool('a line in a body', `<tool_call name="@coder">${JSON.stringify({ cmd: line })}</tool_call>`),
    tool('flat', `<tool_call name="@coder">${JSON.stringify({ cmd, ...flat })}</tool_call>`),
    tool('flags', `<tool_call name="@coder">${JSON.stringify({ cmd, flags: args })}</tool_call>`),
    tool(
      'argv',
      `<tool_call name="@coder">${JSON.stringify({ argv: [cmd, ...Object.entries(args).flatMap(([key, value]) => (value === true ? [`--${key}`] : [`--${key}`, typeof value === 'string' ? value : JSON.stringify(value)]))] })}</tool_call>`,
    ),
    tool('whole reply', json),
    tool('whole reply, fenced', `\`\`\`json\n${json}\n\`\`\``),
    tool('whole reply, flat', JSON.stringify({ cmd, ...flat })),
    tool('whole reply, indented', JSON.stringify({ cmd, args }, null, 2)),
    tool('brackets', `[tool: @coder ${json}]`),
    tool('element', `<tool_call>\n<function=${cmd}>\n${elements.join('\n')}\n</function>\n</tool_call>`),
    tool('element without a tag', `Now.\n<function=${cmd}>\n${elements.join('\n')}\n</function>`),
    tool('element with JSON', `<function=${cmd}>${JSON.stringify(args)}</function>`),
    tool(
      'special tokens',
      `<|tool_calls_section_begin|><|tool_call_begin|>functions.${cmd}:0<|tool_call_argument_begin|>${JSON.stringify(args)}<|tool_call_end|><|tool_calls_section_end|>`,
    ),
    tool('a list behind a mark', `[TOOL_CALLS]${JSON.stringify([{ name: cmd, arguments: args }])}`),
    tool('a channel', `<|channel|>commentary to=functions.${cmd} <|constrain|>json<|message|>${JSON.stringify(args)}<|call|>`),
    { name: 'native coder', text: json, parse: native('coder', false) },
    { name: 'native', text: JSON.stringify(args), parse: native(cmd, false) },
    { name: 'native, args as text', text: JSON.stringify({ cmd, args: JSON.stringify(args) }), parse: native('coder', false) },
    { name: 'direct', text: json, parse: direct },
    { name: 'direct, flat', text: JSON.stringify({ cmd, ...flat }), parse: direct },
    { name: 'direct, args as text', text: JSON.stringify({ cmd, args: JSON.stringify(args) }), parse: direct },
    { name: 'direct, a line in cmd', text: JSON.stringify({ cmd: line }), parse: direct },
    {
      name: 'native, args before a field',
      text: JSON.stringify({ cmd, args: {}, ...flat }),
      parse: native('coder', true),
      told: true,
    },
    { name: 'native line', text: line, parse: native('coder', true), told: true },
    { name: 'native words', text: JSON.stringify(line), parse: native('coder', true), told: true },
    { name: 'whole reply, flags behind args', text: JSON.stringify({ cmd, args: {}, flags: args }), parse: cutReply, told: true },
  ];
  return forms;
}

/** Offsets at which a form may be cut: all but the empty text of a native call, which stands for a call without arguments. */
function endsOf(form: WholeForm, step = 1): number[] {
  const first = form.name.startsWith('native') && !form.told ? 1 : 0;
  const last = form.text.length - 1;
  return Array.from({ length: last - first + 1 }, (_, index) => first + index).filter(
    (end) => end % step === 0 || end > last - 12,
  );
}

/** What a parse gives, as one text: every call that would run. */
function wouldRun(calls: readonly ParsedCall[]): string[] {
  return calls.flatMap((call) => (call.ok ? [`${call.call.tool} ${JSON.stringify(call.call.args)}`] : []));
}

/** Forms whose whole cannot always be told from a part: what the service says was cut, and elements whose value holds their own end. */
function mayBeUnread(form: WholeForm): boolean {
  return form.told === true || (form.name.startsWith('element') && /<\/parameter>\\?n?\s*<parameter=file>\s*b/.test(form.text));
}

/** What is wrong with a call's forms: a whole that is not the call meant, or a prefix that runs something else. */
export function faultsOf(
  call: CallToCut,
  tools: readonly Tool[],
  step: number,
): { readonly faults: string[]; readonly parsed: number } {
  const forms = formsOf(call, tools);
  const meant = wouldRun(forms.find((form) => form.name === 'native coder')?.parse(JSON.stringify(call)) ?? [])[0];
  const faults = meant?.startsWith('@coder') ? [] : [`${JSON.stringify(call)} is no call`];
  let parsed = 0;
  for (const form of forms) {
    const whole = wouldRun(form.parse(form.text));
    const isRight = whole.length === 0 ? mayBeUnread(form) : whole.length === 1 && whole[0] === meant;
    if (!isRight) faults.push(`${form.name}: the whole runs ${whole.join(', ') || 'nothing'}: ${form.text}`);
    const ends = endsOf(form, step);
    parsed += ends.length;
    const fault = wrongPrefix(form, meant ?? 'nothing', ends);
    if (fault) faults.push(`${form.name}: ${fault}`);
  }
  return { faults, parsed };
}

/**
 * The first prefix that runs something else than the whole call, or undefined. Calls that only read may be run from what came
 * when a person sent them.
 */
function wrongPrefix(form: WholeForm, wanted: string, ends: Iterable<number>): string | undefined {
  for (const end of ends) {
    const cut = form.text.slice(0, end);
    const calls = form.parse(cut);
    const wrong = calls.find((call) => {
      if (!call.ok) return false;
      const reads = form.name.startsWith('direct') && call.tool.facts(call.call.args).readOnly;
      return !reads && `${call.call.tool} ${JSON.stringify(call.call.args)}` !== wanted;
    });
    if (wrong) return `${JSON.stringify(cut)} runs ${wouldRun([wrong])[0]}`;
  }
  return undefined;
}
