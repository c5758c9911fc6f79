/** Calls spelled for other agents' tools, and in the forms model families write by training. */
import { describe, expect, it } from 'vitest';
import { callFromNative } from '../../src/protocol/native.js';
import { parseReply } from '../../src/protocol/parse-reply.js';
import { callFromUser } from '../../src/protocol/user-call.js';
import { ALL_TOOLS } from './whole-calls.js';

const options = { tools: ALL_TOOLS, agent: 'main', nextId: () => 'c' };
const line = (call: ReturnType<typeof callFromNative>) =>
  call.ok ? `${call.call.tool} ${JSON.stringify(call.call.args)}` : `${call.code} ${call.message.split('\n')[0]}`;
const native = (name: string, args: unknown) => line(callFromNative({ id: 'n', name, input: JSON.stringify(args) }, options));
const notes = (name: string, args: unknown) => {
  const call = callFromNative({ id: 'n', name, input: JSON.stringify(args) }, options);
  return call.ok ? call.call.notes : [call.message];
};
const reply = (text: string) => parseReply(text, options);
const calls = (text: string) => reply(text).calls.map(line);

describe('tools of other agents', () => {
  const same: [string, unknown, string][] = [
    ['Read', { file_path: 'a' }, '@read {"file":"a"}'],
    ['Read', { file_path: 'a', limit: 20 }, '@read {"file":"a","head":20}'],
    ['Read', { file_path: 'a', offset: 5, limit: 10 }, '@read {"file":"a","from_line":5,"to_line":14}'],
    ['read_many_files', { paths: ['a', 'b'] }, '@read {"file":["a","b"]}'],
    ['Write', { file_path: 'a', content: '' }, '@coder write {"file":"a","content":""}'],
    ['write_to_file', { path: 'a', content: 'x' }, '@coder write {"file":"a","content":"x"}'],
    [
      'Edit',
      { file_path: 'a', old_string: 'x', new_string: 'y' },
      '@coder patch {"file":"a","search":"x","replace":"y","expect":1}',
    ],
    [
      'Edit',
      { file_path: 'a', old_string: 'x', new_string: 'y', replace_all: true },
      '@coder patch {"file":"a","search":"x","replace":"y","all":true}',
    ],
    [
      'replace',
      { file_path: 'a', old_string: 'x', new_string: 'y', expected_replacements: 2, instruction: 'do it' },
      '@coder patch {"file":"a","search":"x","replace":"y","expect":2}',
    ],
    ['edit', { file: 'a', search: 'x', replace: 'y' }, '@coder patch {"file":"a","search":"x","replace":"y"}'],
    [
      'MultiEdit',
      {
        file_path: 'a',
        edits: [
          { old_string: 'x', new_string: 'y' },
          { old_string: 'z', new_string: '', replace_all: true },
        ],
      },
      '@coder multipatch {"edits":[{"file":"a","search":"x","replace":"y","expect":1},{"file":"a","search":"z","replace":"","all":true}]}',
    ],
    ['Bash', { command: 'ls', description: 'look', timeout: 60_000 }, '@coder exec {"cmd":"ls","timeout":60}'],
    ['bash', { command: 'ls', timeout: 60 }, '@coder exec {"cmd":"ls","timeout":60}'],
    ['shell', { command: ['bash', '-lc', 'a | b "c"'] }, '@coder exec {"cmd":"a | b \\"c\\""}'],
    ['shell', { command: ['grep', "it's", 'a b', '$HOME'] }, `@coder exec {"cmd":"grep 'it'\\\\''s' 'a b' '$HOME'"}`],
    ['shell', { command: ['apply_patch', '*** Begin Patch'] }, '@coder patch {"diff":"*** Begin Patch"}'],
    ['Glob', { pattern: '**/*.ts', path: 'src' }, '@coder tree {"dir":"src","glob":"**/*.ts","depth":20}'],
    [
      'Grep',
      { pattern: 'x', '-i': true, '-n': true, '-C': 3, head_limit: 5, glob: '*.ts' },
      '@search {"term":"x","include":"*.ts","max_results":5,"context":3,"case_sensitive":false}',
    ],
    ['LS', { path: 'src' }, '@tree {"dir":"src"}'],
    ['list_files', { path: 'src', recursive: false }, '@tree {"dir":"src","depth":1}'],
    [
      'TodoWrite',
      { todos: [{ content: 'x', status: 'pending', activeForm: 'doing x', id: '1' }] },
      '@todo {"todos":[{"description":"x","status":"pending"}]}',
    ],
    [
      'update_plan',
      { explanation: 'why', plan: [{ step: 'x', status: 'in_progress' }] },
      '@todo {"todos":[{"description":"x","status":"in_progress"}]}',
    ],
    ['str_replace_editor', { command: 'view', path: 'a', view_range: [3, -1] }, '@read {"file":"a","from_line":3}'],
    ['str_replace_based_edit_tool', { command: 'create', path: 'a', file_text: 'x' }, '@coder write {"file":"a","content":"x"}'],
    [
      'str_replace_editor',
      { command: 'str_replace', path: 'a', old_str: 'x', new_str: 'y' },
      '@coder patch {"file":"a","search":"x","replace":"y","expect":1}',
    ],
    ['apply_patch', { input: '*** Begin Patch\n*** End Patch' }, '@coder patch {"diff":"*** Begin Patch\\n*** End Patch"}'],
    ['functions.read:0', { file: 'a' }, '@read {"file":"a"}'],
    ['read<|channel|>commentary', { file: 'a' }, '@read {"file":"a"}'],
  ];
  for (const [name, args, wanted] of same)
    it(`${name} ${JSON.stringify(args).slice(0, 70)}`, () =>
      expect(native(name, args).replaceAll('max-results', 'max_results')).toBe(wanted));

  it('are reached as subcommands too', () => {
    const args = { file_path: 'a', old_string: 'x', new_string: 'y' };
    for (const given of [
      { cmd: 'Edit', args },
      { cmd: 'Edit', ...args },
      { cmd: 'str_replace', args },
    ])
      expect(native('coder', given)).toBe('@coder patch {"file":"a","search":"x","replace":"y","expect":1}');
  });
  it('say what was taken as what', () => {
    expect(notes('Read', { file_path: 'a', offset: 0 })).toEqual(['offset was taken as the first line, counted from 1']);
    expect(notes('Bash', { command: 'a', timeout: 1500 })).toEqual(['the timeout was taken as milliseconds: 1.5 s']);
  });
  it('are refused where ours does something else', () => {
    expect(native('Edit', { file_path: 'a', old_string: 'x', new_string: 'y', replace_all: 'often' })).toContain('InvalidArgs');
    expect(native('str_replace_editor', { command: 'insert', path: 'a', insert_line: 1, new_str: 'y' })).toMatch(
      /^InvalidArgs .*does not know the command "insert"/,
    );
    expect(native('Grep', { pattern: 'x', multiline: true })).toMatch(/^InvalidArgs/);
    expect(native('TodoWrite', { todos: [{ content: 'x' }], merge: true })).toMatch(/^InvalidArgs/);
    expect(native('delete_file', { path: 'a' })).toMatch(/^NotFound/);
    expect(native('edit_file', { target_file: 'a', code_edit: 'x' })).toMatch(/^InvalidArgs/);
    expect(native('websearch', { query: 'x' })).toMatch(/^NotFound websearch: not in this version/);
  });
});

const READ = '@read {"file":"a"}';
describe('forms of model families', () => {
  const forms: [string, string][] = [
    ['elements in a tag', '<tool_call>\n<function=read>\n<parameter=file>\na\n</parameter>\n</function>\n</tool_call>'],
    ['elements whose tag got lost', 'So:\n<function=read>\n<parameter=file>\na\n</parameter>\n</function>\n</tool_call>'],
    ['JSON in an element', '<function=read>{"file":"a"}</function>'],
    ['named elements', 'Text.\n\ncount\n<invoke name="read">\n<parameter name="file">a</parameter>\n</invoke>'],
    [
      'named elements in a list',
      '<function_calls>\n<invoke name="read"><parameter name="file">a</parameter></invoke>\n</function_calls>',
    ],
    [
      'a prefix',
      '<minimax:tool_call>\n<invoke name="read">\n<parameter name="file">a</parameter>\n</invoke>\n</minimax:tool_call>',
    ],
    ['pairs', '<tool_call>read\n<arg_key>file</arg_key>\n<arg_value>a</arg_value>\n</tool_call>'],
    ['parameters in a tag with a name', '<tool_call name="read"><parameter name="file">a</parameter></tool_call>'],
    [
      'tokens around a section',
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"file":"a"}<|tool_call_end|><|tool_calls_section_end|>',
    ],
    [
      'wide tokens',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n{"file":"a"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    ['a mark and a list', '[TOOL_CALLS][{"name":"read","arguments":{"file":"a"}}]'],
    ['a mark and a name', '[TOOL_CALLS]read[ARGS]{"file":"a"}'],
    ['a mark and an object', '<|python_tag|>{"name":"read","parameters":{"file":"a"}}<|eom_id|>'],
    ['an action', '<|START_ACTION|>[{"tool_name":"read","parameters":{"file":"a"}}]<|END_ACTION|>'],
    ['a channel', '<|channel|>commentary to=functions.read <|constrain|>json<|message|>{"file":"a"}<|call|>'],
    [
      'a channel after thinking',
      '<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary to=functions.read<|message|>{"file":"a"}<|call|>',
    ],
    ['a channel without its tokens', 'commentary to=functions.read json{"file":"a"}'],
  ];
  for (const [name, text] of forms) it(name, () => expect(calls(text)).toEqual([READ]));

  it('may be several', () => {
    expect(calls('[TOOL_CALLS]read{"file":"a"}[TOOL_CALLS]read{"file":"b"}')).toEqual([READ, '@read {"file":"b"}']);
    const one = (file: string) =>
      `<tool_call>\n<function=read>\n<parameter=file>\n${file}\n</parameter>\n</function>\n</tool_call>`;
    expect(calls(`${one('a')}\n${one('b')}`)).toEqual([READ, '@read {"file":"b"}']);
  });
  it('keep their texts: entities, quotes, and all but the line ends of the form', () => {
    const content = '  &lt;b&gt; "x" \\n\n\nlast\n';
    expect(
      calls(`<function=write>\n<parameter=file>\na\n</parameter>\n<parameter=content>\n${content}\n</parameter>\n</function>`),
    ).toEqual([`@coder write ${JSON.stringify({ file: 'a', content })}`]);
  });
  it('read numbers, switches and lists from texts', () => {
    expect(calls('<function=read>\n<parameter=file>\na\n</parameter>\n<parameter=start>\n3\n</parameter>\n</function>')).toEqual([
      '@read {"file":"a","from_line":3}',
    ]);
    expect(
      calls('<invoke name="multipatch"><parameter name="edits">[{"file":"a","search":"x","replace":"y"}]</parameter></invoke>'),
    ).toEqual(['@coder multipatch {"edits":[{"file":"a","search":"x","replace":"y"}]}']);
  });
  it('do not count in fences, quotations, reasoning, or inside a sentence', () => {
    const call = '<function=read>{"file":"a"}</function>';
    for (const text of [`x\n\`\`\`\n${call}\n\`\`\``, `> ${call}`, `<think>\n${call}\n</think>done`, `Use ${call} for it`])
      expect(calls(text), text).toEqual([]);
  });
  it('do not run when text stands behind them', () => {
    expect(calls('Write\n<function=read>{"file":"a"}</function>\nto read.')).toEqual([
      expect.stringMatching(/^InvalidArgs .*text stands behind/),
    ]);
  });
  it('do not run when a value holds their own end', () => {
    const text =
      '<tool_call>\n<function=write>\n<parameter=file>\na\n</parameter>\n<parameter=content>\nx </parameter>\n</function>\n</tool_call> y\n</parameter>\n</function>\n</tool_call>';
    expect(calls(text)).toEqual([expect.stringMatching(/^InvalidArgs/)]);
  });
  it('never let a call inside a value run', () => {
    const inner = `<tool_call name="@coder" args='{"cmd":"exec","args":{"cmd":"rm x"}}'/>`;
    for (const text of [
      `<tool_call>\n<function=write>\n<parameter=file>\na\n</parameter>\n<parameter=content>\n</tool_call> ${inner}\n</parameter>\n</function>\n</tool_call>`,
      `<tool_call>write<arg_key>file</arg_key><arg_value>a</arg_value><arg_key>content</arg_key><arg_value></tool_call> ${inner}</arg_value></tool_call>`,
      `<function=write>\n<parameter=file>\na\n</parameter>\n<parameter=content>\n${inner}\nhalf`,
    ])
      for (const call of calls(text)) expect(call, text).not.toMatch(/^@coder exec/);
  });
  it('a name that stands twice is a fault', () => {
    expect(calls('<function=read><parameter=file>a</parameter><parameter=file>b</parameter></function>')).toEqual([
      expect.stringMatching(/^InvalidArgs/),
    ]);
  });
  it('of unknown tools are answered', () =>
    expect(calls('<function=fly>{"to":"moon"}</function>')).toEqual([expect.stringMatching(/^NotFound fly/)]));
});

it('replies full of marks end, long before a test gives up', () => {
  for (const part of [
    '<function_calls>\n',
    '<|channel|>analysis<|message|>x<|end|>\n',
    '<function=x>\n',
    '[TOOL_CALLS]\n',
    '<invoke name="read">\n<parameter name="file">\n',
    '</parameter>x',
    '`a` ',
  ])
    expect(calls(part.repeat(20_000)).filter((call) => call.startsWith('@'))).toEqual([]);
});

describe('what stands around arguments', () => {
  const run = (name: string, text: string) => line(callFromUser(name, [text], options));
  it('is passed over when it means nothing', () => {
    const json = '{"cmd":"git-diff","args":{"file":"a"}}';
    for (const text of [
      `${json}""`,
      `${json}</tool_call>`,
      `${json}<|im_end|>`,
      `json\n${json}`,
      `// the call\n${json}`,
      '{"cmd":"git-diff","args":\\n{"file":"a"}\\n}',
      `[${json}]`,
    ])
      expect(run('@coder', text), text).toBe('@coder git-diff {"file":"a"}');
    expect(run('@tree', '{}""')).toBe('@tree {}');
    expect(run('@tree', 'null')).toBe('@tree {}');
  });
  it('is a fault when it is text', () => {
    expect(run('@coder', '{"cmd":"git-status"} I hope this helps')).toContain('text follows the JSON value');
    expect(run('@coder', '```\n{"cmd":"git-status"}\n```\nDone')).toContain('text stands behind the code fence');
  });
});
