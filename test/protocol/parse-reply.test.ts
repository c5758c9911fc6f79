import { describe, expect, it } from 'vitest';
import { parseReply } from '../../src/protocol/parse-reply.js';
import type { Tool } from '../../src/types/tool.js';
import { counter, FAKES, WITH_AGENT } from './fake-tools.js';

const parse = (text: string, tools: readonly Tool[] = FAKES, forbidden: readonly string[] = []) =>
  parseReply(text, { tools, agent: 'main', nextId: counter(), forbidden });
/** Each call as `tool {args}`, or `code name`. */
const calls = (text: string, tools?: readonly Tool[]) =>
  parse(text, tools).calls.map((call) =>
    call.ok ? `${call.call.tool} ${JSON.stringify(call.call.args)}` : `${call.code} ${call.name}`,
  );
const READ = '<tool_call name="@read" args=\'{"file":"a"}\'/>';
const READ_DONE = '@read {"file":"a"}';

it('fields that contradict the arguments beside them are refused, not dropped', () => {
  for (const object of [
    '{"name":"@read","args":{"file":"a"},"arguments":{"file":"b"}}',
    '{"name":"@read","arguments":{"file":"a"},"file":"b"}',
  ])
    for (const text of [object, `<tool_call>${object}</tool_call>`]) expect(calls(text), text).toEqual(['InvalidArgs @read']);
  expect(calls('{"id":"1","name":"@read","args":{"file":"a"},"arguments":{"file":"a"},"file":"a"}')).toEqual([READ_DONE]);
});

describe('tag variants', () => {
  const same: [string, string][] = [
    ['self-closing, single quotes', `<tool_call name="@coder" args='{"cmd":"read","args":{"file":"a"}}'/>`],
    ['space before the end', `<tool_call name="@coder" args='{"cmd":"read","args":{"file":"a"}}' />`],
    [
      'double quotes, entities',
      '<tool_call name="@coder" args="{&quot;cmd&quot;:&quot;read&quot;,&quot;args&quot;:{&quot;file&quot;:&quot;a&quot;}}"/>',
    ],
    ['double quotes, backslashes', '<tool_call name="@coder" args="{\\"cmd\\":\\"read\\",\\"args\\":{\\"file\\":\\"a\\"}}"/>'],
    ['double quotes, nothing escaped', '<tool_call name="@coder" args="{"cmd":"read","args":{"file":"a"}}"/>'],
    ['single quotes inside single quotes', "<tool_call name='@coder' args='{'cmd':'read','args':{'file':'a'}}'/>"],
    [
      'attributes the other way round, spaces around =',
      `<tool_call args = '{"cmd":"read","args":{"file":"a"}}' name = "@coder"/>`,
    ],
    ['no space between attributes', `<tool_call name="@coder"args='{"cmd":"read","args":{"file":"a"}}'/>`],
    ['on several lines', `<tool_call\n  name="@coder"\n  args='{\n  "cmd": "read",\n  "args": {"file": "a"}\n}'\n/>`],
    ['upper case', `<TOOL_CALL NAME="@coder" ARGS='{"cmd":"read","args":{"file":"a"}}'/>`],
    ['the short tag', `<tool name="@coder" args='{"cmd":"read","args":{"file":"a"}}'/>`],
    ['paired', `<tool_call name="@coder" args='{"cmd":"read","args":{"file":"a"}}'></tool_call>`],
    ['opening tag only', `<tool_call name="@coder" args='{"cmd":"read","args":{"file":"a"}}'>`],
    ['name without @', `<tool_call name="coder" args='{"cmd":"read","args":{"file":"a"}}'/>`],
    ['name unquoted', `<tool_call name=@coder args='{"cmd":"read","args":{"file":"a"}}'/>`],
    ['args as in JSX', `<tool_call name="@coder" args={"cmd":"read","args":{"file":"a"}} />`],
    ['arguments for args', `<tool_call name="@coder" arguments='{"cmd":"read","args":{"file":"a"}}'/>`],
    ['a command line in cmd', `<tool_call name="@coder" args='{"cmd":"read --file a"}'/>`],
    ['a command line', '<tool_call name="@coder" args="read --file a"/>'],
    ['a command line with quotes', `<tool_call name="@coder" args="read --file "a""/>`],
    ['the subcommand in the name', `<tool_call name="@coder read" args='{"file":"a"}'/>`],
    ['flat attributes', '<tool_call name="@coder" cmd="read" file="a"/>'],
    ['a body', '<tool_call name="@coder">{"cmd":"read","args":{"file":"a"}}</tool_call>'],
    ['a body on lines of its own', '<tool_call name="@coder">\n{"cmd":"read","args":{"file":"a"}}\n</tool_call>'],
    ['a body in CDATA', '<tool_call name="@coder"><![CDATA[{"cmd":"read","args":{"file":"a"}}]]></tool_call>'],
    ['a body with an element', '<tool_call name="@coder"><args>{"cmd":"read","args":{"file":"a"}}</args></tool_call>'],
    ['a body with a fence', '<tool_call name="@coder">\n```json\n{"cmd":"read","args":{"file":"a"}}\n```\n</tool_call>'],
    ['a body that is a command line', '<tool_call name="@coder">read --file a</tool_call>'],
    ['the name in the body', '<tool_call>\n{"name": "@coder", "arguments": {"cmd":"read","args":{"file":"a"}}}\n</tool_call>'],
    ['args without their last brace', `<tool_call name="@coder" args='{"cmd":"read","args":{"file":"a"}'/>`],
    ['args without any brace', `<tool_call name="@coder" args='{"cmd":"read","args":{"file":"a"'/>`],
    ['args encoded twice', `<tool_call name="@coder" args='"{\\"cmd\\":\\"read\\",\\"args\\":{\\"file\\":\\"a\\"}}"'/>`],
    ['a prefix some models write', '<tool_call name="functions.coder">{"cmd":"read","args":{"file":"a"}}</tool_call>'],
  ];
  for (const [name, text] of same) it(name, () => expect(calls(text)).toEqual(['@coder read {"file":"a"}']));

  it('keeps what stands in a text', () => {
    const content = `it's <b>"bold"</b> > </tool_call> ]]> 'x'/> \\d {a: 1,}`;
    const json = JSON.stringify({ cmd: 'write', args: { file: 'a', content } });
    const wanted = [`@coder write ${JSON.stringify({ file: 'a', content })}`];
    expect(calls(`<tool_call name="@coder" args='${json}'/>`)).toEqual(wanted);
    expect(calls(`<tool_call name="@coder">${json}</tool_call>`)).toEqual(wanted);
    expect(calls(`<tool_call name="@coder"><![CDATA[${json}]]></tool_call>`)).toEqual(wanted);
  });
  it('decodes entities in attributes, once, and nowhere else', () => {
    const args = (text: string) => parse(text).calls.map((call) => (call.ok ? call.call.args['content'] : call.message));
    expect(
      args(
        `<tool_call name="@coder" args='{"cmd":"write","args":{"file":"a","content":"&lt;b&gt; &amp;amp; &quot;q&quot; &nbsp; &#65;&#x42;&#0;"}}'/>`,
      ),
    ).toEqual(['<b> &amp; "q" &nbsp; AB&#0;']);
    expect(args('<tool_call name="@coder">{"cmd":"write","args":{"file":"a","content":"&lt;b&gt; &amp;"}}</tool_call>')).toEqual([
      '&lt;b&gt; &amp;',
    ]);
    expect(args('{"cmd":"write","args":{"file":"a","content":"&lt;b&gt;"}}')).toEqual(['&lt;b&gt;']);
  });
  it('takes the words of a command as they stand', () => {
    const command = `grep -n "it's" 'a b' | sed 's/\\d/x/' && echo > out`;
    expect(calls(`<tool_call name="@coder">${JSON.stringify({ cmd: 'exec', args: { cmd: command } })}</tool_call>`)).toEqual([
      `@coder exec ${JSON.stringify({ cmd: command })}`,
    ]);
    expect(calls(`<tool_call name="@coder" args='${JSON.stringify({ cmd: 'exec', args: { cmd: command } })}'/>`)).toEqual([
      `@coder exec ${JSON.stringify({ cmd: command })}`,
    ]);
  });
  it('rejects tags that only look like calls', () => {
    expect(calls('<toolbox name="@read" args="a"/> <tool_caller name="@read"/> <tool>x</tool> <tool href="x"/>')).toEqual([]);
    expect(calls('Write <tool_call> or <tool_call name> to call; <tool_call begins a call.')).toEqual([]);
  });
});

describe('where a tag counts', () => {
  it('anywhere on a line, several in one reply, in order', () => {
    const reply = parse(`First ${READ} then\n- list item ${READ}\n  ${READ} end`);
    expect(reply.calls.map((call) => call.ok && call.call.id)).toEqual(['c1', 'c2', 'c3']);
    expect(reply.visible).toBe('First then\n- list item\n\nend');
  });
  const ignored: [string, string][] = [
    ['a fence', `text\n\`\`\`xml\n${READ}\n\`\`\`\nmore`],
    ['a tilde fence', `text\n~~~\n${READ}\n~~~\nmore`],
    ['a fence in a list', `- x\n  \`\`\`\n  ${READ}\n  \`\`\``],
    ['a longer fence around a shorter one', `x\n\`\`\`\`md\n\`\`\`\n${READ}\n\`\`\`\n${READ}\n\`\`\`\``],
    ['a fence that never ends', `text\n\`\`\`\n${READ}`],
    ['inline code', `use \`${READ}\` for it`],
    ['inline code with two backticks', `use \`\`${READ}\`\` for it`],
    ['a quotation', `he said\n> ${READ}\n  > ${READ}`],
    ['a comment', `<!-- ${READ} -->`],
    ['reasoning', `<think>${READ}</think><thinking>\n${READ}\n</thinking><reasoning>${READ}</reasoning>answer`],
    ['reasoning opened in the prompt', `${READ} so I could\n</think>\nanswer`],
    ['JSON in prose', 'I would send {"cmd":"read","args":{"file":"a"}} now'],
    ['a fence in prose', 'See:\n```json\n{"cmd":"read","args":{"file":"a"}}\n```'],
    ['brackets in prose', 'I use [tool: @read {"file":"a"}] here'],
    ['escaped angle brackets', READ.replaceAll('<', '&lt;')],
  ];
  for (const [name, text] of ignored) it(`not in ${name}`, () => expect(calls(text)).toEqual([]));

  const counted: [string, string][] = [
    ['after a fence', `\`\`\`\n${READ}\n\`\`\`\n${READ}`],
    ['beside inline code', `use \`x\` ${READ} and \`y\``],
    ['after a stray backtick whose pair stands in the call', `a \` b ${READ.replace('"a"', '"a`"')}`],
    ['after a quotation', `> quote\n${READ}`],
    ['after reasoning', `<think>hm</think>${READ}`],
    ['after a stray end of reasoning', `hm</think>${READ}`],
    ['after a word for reasoning in a sentence', `I strip <think> tags. ${READ}`],
    ['after an unclosed comment', `<!-- ${READ}`],
    ['after an apostrophe', `it's here: ${READ}`],
  ];
  for (const [name, text] of counted) it(name, () => expect(calls(text)).toHaveLength(1));

  it('says so when reasoning never ends', () => {
    const reply = parse(`<think>I will ${READ}`);
    expect(reply.calls).toEqual([]);
    expect(reply.problems[0]).toContain('reasoning block is not closed');
  });
  it('says so when a fence never ends', () => {
    expect(parse(`Look:\n\`\`\`\n${READ}`).problems[0]).toContain('code fence is not closed');
    expect(parse('Look:\n```\nno call').problems).toEqual([]);
    expect(parse(`${READ}\n\`\`\`\n${READ}`).problems).toEqual([]);
  });
  it('says so when the only call stands in a fence', () => {
    const reply = parse(`\`\`\`xml\n${READ}\n\`\`\``);
    expect(reply.calls).toEqual([]);
    expect(reply.problems[0]).toContain('without the fence');
  });
});

describe('a reply that is one call without a tag', () => {
  const whole: [string, string][] = [
    ['an object with cmd', '{"cmd":"read","args":{"file":"a"}}'],
    ['an object with cmd, flat', '{"cmd":"read","file":"a"}'],
    ['an object that names the tool', '{"tool":"@coder","args":{"cmd":"read","args":{"file":"a"}}}'],
    ['the key tool_call', '{"tool_call":"@coder","arguments":{"cmd":"read","args":{"file":"a"}}}'],
    ['name and arguments as text', '{"name":"coder","arguments":"{\\"cmd\\":\\"read\\",\\"args\\":{\\"file\\":\\"a\\"}}"}'],
    ['as a function', '{"type":"function","function":{"name":"coder","arguments":{"cmd":"read","args":{"file":"a"}}}}'],
    [
      'a list of one',
      '{"tool_calls":[{"type":"function","function":{"name":"coder","arguments":"{\\"cmd\\":\\"read\\",\\"args\\":{\\"file\\":\\"a\\"}}"}}]}',
    ],
    ['a bare list of one', '[{"name":"coder","arguments":{"cmd":"read","args":{"file":"a"}}}]'],
    ['reasoning before it', '<think>x</think>\n{"cmd":"read","args":{"file":"a"}}\n'],
    ['single quotes', "{'cmd':'read','args':{'file':'a'}}"],
    ['one fence', '```json\n{"cmd":"read","args":{"file":"a"}}\n```'],
    ['a fence with another word', '```tool_call\n{"cmd":"read","args":{"file":"a"}}\n```'],
    ['brackets', '[tool: @coder {"cmd":"read","args":{"file":"a"}}]'],
    ['brackets, other word, no @', '[tool_call: coder {"cmd":"read","args":{"file":"a"}}]'],
    ['brackets without their end', '[tool: @coder {"cmd":"read","args":{"file":"a"}}'],
  ];
  for (const [name, text] of whole) {
    it(name, () => {
      expect(calls(text)).toEqual(['@coder read {"file":"a"}']);
      expect(parse(text).visible).toBe('');
    });
  }
  const data = [
    '{"name":"pkg","version":"1.0.0"}',
    '{"name":"pkg","args":{"a":1}}',
    '{"cmd":"npm start"}',
    '{"tool":"hammer","input":{}}',
    '[1,2]',
    '{"a":1}{"b":2}',
    '{"type":"error","error":{}}',
    '[link: x]',
    '{ not json',
    '{"cmd":"npm start',
  ];
  for (const text of data) {
    it(`data stays data: ${text}`, () => {
      const reply = parse(text);
      expect([reply.calls, reply.problems, reply.visible]).toEqual([[], [], text]);
    });
  }
  it('a known tool with broken JSON is an answer', () => {
    expect(calls('{"cmd":"write","args":{"file":"a","content":"half')).toEqual(['InvalidArgs @coder']);
    expect(calls('{"cmd":"read","args":{"file":"a"}}{"cmd":"read","args":{"file":"b"}}')).toEqual(['InvalidArgs @coder']);
    expect(parse('{"tool":"@read","args":{"file":"half').problems[0]).toContain('not valid JSON');
    expect(calls('[tool: @read {"file":"half')).toEqual(['InvalidArgs @read']);
  });
  it('several calls in a list are asked for one by one', () => {
    const reply = parse('[{"name":"read","arguments":{"file":"a"}},{"name":"read","arguments":{"file":"b"}}]');
    expect([reply.calls, reply.problems.length]).toEqual([[], 1]);
    expect(parse('[{"name":"read","arguments":{"file":"a"}},{"x":1}]').problems).toEqual([]);
  });
  it('tags in its texts are texts', () => {
    expect(calls(JSON.stringify({ cmd: 'write', args: { file: 'a', content: `${READ} <think>x</think>` } }))).toEqual([
      `@coder write ${JSON.stringify({ file: 'a', content: `${READ} <think>x</think>` })}`,
    ]);
  });
  it('shell text alone is a problem, in an answer it is not', () => {
    for (const text of ['```bash\nls -la\n```', '$ ls -la\n$ pwd', '```sh\nls\n```'])
      expect(parse(text).problems[0], text).toContain('call exec');
    for (const text of [
      'Run this:\n```bash\nls\n```',
      '# Title\n- one',
      '```ts\nconst a = 1;\n```',
      'costs $ 5',
      '```bash\nls\n```\nThat lists.',
    ])
      expect(parse(text).problems, text).toEqual([]);
    expect(
      parse(
        '```bash\nls\n```',
        FAKES.filter((tool) => tool.name !== '@coder exec'),
      ).problems,
    ).toEqual([]);
  });
});

describe('cut off', () => {
  const replies = [
    `<tool_call name="@coder" args='{"cmd":"write","args":{"file":"a.txt","content":"one\\n\\"two\\" {x}}} it is />"}}'/>`,
    `<tool_call name="@coder" args="{\\"cmd\\":\\"write\\",\\"args\\":{\\"file\\":\\"a\\",\\"content\\":\\"b \\\\\\"c\\\\\\" />\\"}}"/>`,
    `<tool_call name="@coder" args='{"cmd":"write","args":{"file":"a","content":"x","append":true}}' />`,
    `<tool_call name="@coder" args='{"cmd":"multipatch","args":{"edits":[{"file":"a","search":"x","replace":"y"},{"file":"b","search":"x","replace":"y"}]}}'/>`,
    '<tool_call name="@coder">{"cmd":"write","args":{"file":"a","content":"</tool_call>}}"}}</tool_call>',
    '<tool_call name="@coder"><![CDATA[{"cmd":"exec","args":{"cmd":"rm -r build && echo ]]>"}}]]></tool_call>',
    '<tool_call>{"name":"@coder","arguments":{"cmd":"exec","args":{"cmd":"echo a; echo b"}}}</tool_call>',
    '<tool_call name="@coder" args="exec --cmd \'rm -r build/tmp\' --timeout 100"/>',
    "<tool_call name=\"@coder\" args='{'cmd':'write','args':{'file':'a','content':'b c'}}'/>",
    '<tool_call name="@coder" cmd="exec" command="echo one two"/>',
    '{"cmd":"write","args":{"file":"a","content":"b\\n}}"}}',
    '```json\n{"cmd":"write","args":{"file":"a","content":"b}}"}}\n```',
    '[tool: @coder {"cmd":"write","args":{"file":"a","content":"b}]"}}]',
    '<agent_call agent="file" task="Read a \\"b\\" > c and tell />" />',
    '<agent_call agent="file" task="Read">all of it</agent_call>',
    '<agent_call>{"agent":"file","task":"Read \\"it\\" all"}</agent_call>',
    '<agent_call agent="file">{"task":"Read it"}</agent_call>',
  ];
  for (const whole of replies) {
    it(`every prefix fails or is the whole: ${whole.slice(0, 60)}`, () => {
      const wanted = calls(whole, WITH_AGENT);
      expect(wanted).toHaveLength(1);
      expect(wanted[0]).not.toMatch(/^[A-Z]/);
      for (let end = 0; end < whole.length; end++) {
        const run = parse(whole.slice(0, end), WITH_AGENT).calls.filter((call) => call.ok);
        for (const call of run)
          expect(`${call.call.tool} ${JSON.stringify(call.call.args)}`, whole.slice(0, end)).toBe(wanted[0]);
      }
    });
  }
  it('is an answer that says so, and hides the rest from people', () => {
    const reply = parse(`Now:\n${READ}\n<tool_call name="@coder" args='{"cmd":"write","args":{"file":"a","content":"half`);
    expect(reply.calls.map((call) => call.ok)).toEqual([true, false]);
    expect(reply.calls[1]).toMatchObject({ code: 'InvalidArgs', name: '@coder' });
    expect(reply.calls[1]?.ok === false && reply.calls[1].message).toContain('cut off');
    expect(reply.visible).toBe('Now:');
  });
});

describe('faults are answers', () => {
  it('unknown tools, with the nearest names', () => {
    const [call] = parse('<tool_call name="@raed" args="a"/>').calls;
    expect(call).toMatchObject({ ok: false, code: 'NotFound', name: '@raed' });
    expect(call?.ok === false && call.message).toContain('did you mean @read');
  });
  it('a tag that names nothing', () => expect(calls('<tool_call>read a</tool_call>')).toEqual(['InvalidArgs tool_call']));
  it('a malformed tag does not hide the next', () =>
    expect(calls(`<tool_call name="@read" args="a" "/>\n${READ}`)).toEqual(['InvalidArgs @read', READ_DONE]));
  it('broken arguments do not swallow the next tag', () =>
    expect(calls(`<tool_call name="@read" args='{"file":"a" nonsense "b"'/>\n${READ}`)).toEqual([
      'InvalidArgs @read',
      READ_DONE,
    ]));
  it('a fault carries an example', () => {
    const [call] = parse(`<tool_call name="@coder" args='{"cmd":"write","args":{"file":"a"}}'/>`).calls;
    expect(call?.ok === false && call.message).toContain('@coder write at /content: required, but missing');
    expect(call?.ok === false && call.message).toContain('Example: @coder {"cmd":"write","args":{"file":"hello.txt"');
  });
});

describe('agent calls', () => {
  it('become calls of the agent tool', () => {
    expect(
      calls(
        '<agent_call agent="File" task="Read all .go files" />\n<agent_call task=\'b &amp; "c"\' agent="coder">more\nlines</agent_call>',
        WITH_AGENT,
      ),
    ).toEqual([
      'agent {"agent":"file","task":"Read all .go files"}',
      'agent {"agent":"coder","task":"b & \\"c\\"\\nmore\\nlines"}',
    ]);
    expect(calls('<agent_call agent="file" task="fix the "foo" bug" />', WITH_AGENT)).toEqual([
      'agent {"agent":"file","task":"fix the \\"foo\\" bug"}',
    ]);
  });
  it('are answered when something is missing', () => {
    expect(calls('<agent_call agent="file"/>', WITH_AGENT)).toEqual(['InvalidArgs agent']);
    const read = ['agent {"agent":"file","task":"Read"}'];
    expect(calls('<agent_call>{"agent":"file","task":"Read"}</agent_call>', WITH_AGENT)).toEqual(read);
    expect(calls('<agent_call>\n{"name":"agent","arguments":{"agent":"file","task":"Read"}}\n</agent_call>', WITH_AGENT)).toEqual(
      read,
    );
    expect(calls('<agent_call agent="file">{"task":"Read"}</agent_call>', WITH_AGENT)).toEqual(read);
    expect(calls('<agent_call>{"agent":"file","task":"Say </agent_call>"}</agent_call>', WITH_AGENT)).toEqual([
      'agent {"agent":"file","task":"Say </agent_call>"}',
    ]);
    expect(calls('<agent_call>{"agent":"file","task":"Rea</agent_call>', WITH_AGENT)).toEqual(['InvalidArgs agent']);
    expect(calls('<agent_call>{"agent":"file"}</agent_call>', WITH_AGENT)).toEqual(['InvalidArgs agent']);
    expect(calls('<agent_call agent="file" task="Mend">{"task":"x"}</agent_call>', WITH_AGENT)).toEqual([
      'agent {"agent":"file","task":"Mend\\n{\\"task\\":\\"x\\"}"}',
    ]);
    expect(calls('<agent_call agent="file">{"port": 1}</agent_call>', WITH_AGENT)).toEqual([
      'agent {"agent":"file","task":"{\\"port\\": 1}"}',
    ]);
    expect(calls('<agent_call task="x"/>', WITH_AGENT)).toEqual(['InvalidArgs agent']);
    expect(calls('<agent_call agent="file" task="x"/>')).toEqual(['NotFound agent']);
    expect(calls('<agent_call agent="file" task="x">', WITH_AGENT)).toEqual(['InvalidArgs agent']);
    expect(calls('`<agent_call agent="file" task="x"/>`', WITH_AGENT)).toEqual([]);
  });
});

describe('text of tool results', () => {
  const blocked = (text: string, forbidden: string) =>
    parse(text, FAKES, [forbidden]).calls.map((call) => (call.ok ? 'ran' : call.code));
  it('never runs when it is only repeated', () => {
    expect(blocked(READ, `some file\n${READ}\nend`)).toEqual(['Blocked']);
    expect(blocked(`As asked: ${READ}`, `   7 | ${READ}`)).toEqual(['Blocked']);
    expect(blocked('{"cmd":"read","args":{"file":"a"}}', 'x {"cmd":"read","args":{"file":"a"}}')).toEqual(['Blocked']);
    const long = `<tool_call name="@coder">\n{"cmd":"read",\n"args":{"file":"a"}}\n</tool_call>`;
    expect(
      blocked(
        long,
        long
          .split('\n')
          .map((line, n) => `${n + 1} | ${line}`)
          .join('\n'),
      ),
    ).toEqual(['Blocked']);
  });
  it('does not hold back calls of the model itself', () => {
    expect(blocked(READ, 'file a holds nothing of the kind')).toEqual(['ran']);
    expect(blocked(READ.replace('"a"', '"b"'), READ)).toEqual(['ran']);
  });
});

it('text for people has no calls and no reasoning', () => {
  expect(parse(`<think>secret</think>\nI look.\n\n${READ}\n\n\n${READ}\n\nDone.`).visible).toBe('I look.\n\nDone.');
  expect(parse('Plain **answer** with `code`').visible).toBe('Plain **answer** with `code`');
  expect(parse('').visible).toBe('');
  expect(parse(`${READ}</tool_call>\nDone </tool_call>`).visible).toBe('Done');
  const answer = 'Here:\n\n```py\na = 1   \n\n\n\nb = 2\n```\n\n\nEnd  \nline';
  expect(parse(answer).visible).toBe(answer);
  expect(parse(`${READ}\n${answer}`).visible).toBe(answer);
});

it('long and hostile replies end quickly', () => {
  const big = JSON.stringify({ cmd: 'write', args: { file: 'a', content: `it's "x" <b>\n`.repeat(40_000) } });
  expect(calls(`<tool_call name="@coder" args='${big}'/>`)).toHaveLength(1);
  expect(calls(`<tool_call name="@coder">${big}</tool_call>`)).toHaveLength(1);
  for (const text of [
    '`'.repeat(20_000),
    '` '.repeat(20_000),
    '<'.repeat(20_000),
    '<tool_call '.repeat(3_000),
    `${'<tool_call name="'.repeat(2_000)}`,
    '<think>'.repeat(3_000),
    `<tool_call name="a" args='${"x' ".repeat(5_000)}`,
    '```\n'.repeat(5_001),
    '> '.repeat(10_000),
  ]) {
    expect(parse(text).calls.filter((call) => call.ok)).toEqual([]);
  }
});
