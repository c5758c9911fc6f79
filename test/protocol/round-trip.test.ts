import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callFromNative } from '../../src/protocol/native.js';
import { type ParsedCall, parseReply } from '../../src/protocol/parse-reply.js';
import { callFromUser } from '../../src/protocol/user-call.js';
import type { JsonObject } from '../../src/types/json.js';
import { encodeAttribute } from './encode-attribute.js';
import { counter, FAKES } from './fake-tools.js';

const options = () => ({ tools: FAKES, agent: 'main', nextId: counter() });
const argsOf = (call: ParsedCall | undefined): unknown =>
  call === undefined ? 'no call' : call.ok ? call.call.args : call.message;
const reply = (text: string): unknown => {
  const parsed = parseReply(text, options());
  return parsed.calls.length === 1 ? argsOf(parsed.calls[0]) : `${parsed.calls.length} calls`;
};

/** Any text a file may hold, with what is dangerous in JSON, XML, Markdown and shells made likely. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        '"',
        "'",
        '\\',
        '\\n',
        '\n',
        '\t',
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '<',
        '>',
        '&',
        '&amp;',
        '&#39;',
        ']]>',
        '</tool_call>',
        '<tool_call name="@read" args=\'a\'/>',
        '/>',
        '```',
        '`',
        '> ',
        '<think>',
        '</think>',
        '//',
        '/*',
        '#',
        'True',
        '日',
        '😀',
        ' ',
        'a',
        '--x',
        '$(',
        '\r\n',
      ),
      { maxLength: 25 },
    )
    .map((parts) => parts.join('')),
);
const write = fc.record({ file: text, content: text, append: fc.boolean() });
const edits = fc.array(fc.record({ file: text, search: text.filter((t) => t !== ''), replace: text }), {
  minLength: 1,
  maxLength: 4,
});

function everyWay(cmd: string, native: string, args: JsonObject): void {
  const json = JSON.stringify({ cmd, args });
  const cdata = json.replaceAll(']]>', ']]]]><![CDATA[>');
  const ways: Record<string, unknown> = {
    'single-quoted attribute': reply(`<tool_call name="@coder" args='${encodeAttribute(json)}'/>`),
    'double-quoted attribute': reply(`<tool_call name="@coder" args="${encodeAttribute(json)}"/>`),
    'indented in an attribute': reply(
      `<tool_call name="@coder" args='${encodeAttribute(JSON.stringify({ cmd, args }, null, 2))}'/>`,
    ),
    body: reply(`<tool_call name="@coder">${json}</tool_call>`),
    CDATA: reply(`<tool_call name="@coder"><![CDATA[${cdata}]]></tool_call>`),
    'CDATA, not split': reply(`<tool_call name="@coder"><![CDATA[${json}]]></tool_call>`),
    'name in the body': reply(`<tool_call>\n${JSON.stringify({ name: '@coder', arguments: { cmd, args } })}\n</tool_call>`),
    'whole reply': reply(json),
    'args as text': reply(`<tool_call name="@coder">${JSON.stringify({ cmd, args: JSON.stringify(args) })}</tool_call>`),
    native: argsOf(callFromNative({ id: 'n', name: native, input: JSON.stringify(args) }, options())),
    coder: argsOf(callFromNative({ id: 'n', name: 'coder', input: json }, options())),
    call_tool: argsOf(
      callFromNative({ id: 'n', name: 'call_tool', input: JSON.stringify({ name: `@coder ${cmd}`, args }) }, options()),
    ),
    'one word': argsOf(callFromUser('@coder', [json], options())),
    'trailing comma': argsOf(callFromUser('@coder', [json.replace(/\}\}$/, ',},}')], options())),
    'bare outer keys': argsOf(callFromUser('@coder', [json.replace(/^\{"cmd":/, '{cmd:')], options())),
  };
  // Text without entities survives in an attribute even when nothing in it is escaped.
  if (!json.includes('&')) ways['unescaped attribute'] = reply(`<tool_call name="@coder" args='${json}'/>`);
  for (const [way, got] of Object.entries(ways)) expect(got, way).toEqual(args);
}

describe('any content arrives unchanged', () => {
  it('through every form of a write', () => {
    fc.assert(
      fc.property(write, (args) => everyWay('write', 'write', args)),
      { numRuns: 150 },
    );
  });
  it('through every form of a multipatch', () => {
    fc.assert(
      fc.property(edits, (list) => everyWay('multipatch', 'multipatch', { edits: list })),
      { numRuns: 60 },
    );
  });
  it('through words', () => {
    fc.assert(
      fc.property(write, ({ file, content }) => {
        expect(argsOf(callFromUser('@coder', ['write', '--file', file, '--content', content], options()))).toEqual({
          file,
          content,
        });
        expect(argsOf(callFromUser('@coder', ['write', `--file=${file}`, `--content=${content}`], options()))).toEqual({
          file,
          content,
        });
        const quoted = (word: string) => `"${word.replace(/["\\]/g, '\\$&')}"`;
        const line = `write --file ${quoted(file)} --content ${quoted(content)}`;
        expect(reply(`<tool_call name="@coder">${JSON.stringify({ cmd: line })}</tool_call>`)).toEqual({ file, content });
      }),
      { numRuns: 150 },
    );
  });
  it('through foreign tools with arguments of their own', () => {
    const deep = fc.dictionary(
      fc
        .string({ unit: 'binary' })
        .filter(
          (key) =>
            !/^(title|max_?items|args|flags|input|arguments|parameters|params|cmd|command|name|tool|action|subcommand|argv|positional|_)$/i.test(
              key.replace(/[-\s]/g, ''),
            ),
        ),
      fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text)),
      { maxKeys: 4 },
    );
    fc.assert(
      fc.property(deep, (args) => {
        const clean = JSON.parse(JSON.stringify(args)) as JsonObject;
        expect(argsOf(callFromNative({ id: 'n', name: 'mcp_notes_add', input: JSON.stringify(clean) }, options()))).toEqual(
          clean,
        );
        expect(reply(`<tool_call name="mcp_notes_add" args='${encodeAttribute(JSON.stringify(clean))}'/>`)).toEqual(clean);
      }),
      { numRuns: 100 },
    );
  });
});

describe('no reply makes the parser throw, and no cut reply runs another call', () => {
  it('for any text', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), (parts) => {
        const parsed = parseReply(parts.join('<tool_call name="@coder" args='), options());
        expect(Array.isArray(parsed.calls)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
  it('for every cut of a reply with three calls', () => {
    fc.assert(
      fc.property(write, text, fc.nat(), (args, prose, at) => {
        const json = JSON.stringify({ cmd: 'write', args });
        const plain = prose.replace(/[`<>]/g, '');
        const whole = `${plain}<tool_call name="@coder" args='${encodeAttribute(json)}'/>\n<tool_call name="@coder">${json}</tool_call>\n<tool_call name="@coder"><![CDATA[${json}]]></tool_call>`;
        const all = parseReply(whole, options()).calls.filter((call) => call.ok);
        const cut = parseReply(whole.slice(0, at % whole.length), options()).calls.filter((call) => call.ok);
        expect(all).toHaveLength(3);
        for (const call of cut) expect(argsOf(call)).toEqual(args);
      }),
      { numRuns: 200 },
    );
  });
});
