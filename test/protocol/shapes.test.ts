import { describe, expect, it } from 'vitest';
import type { ParsedCall } from '../../src/protocol/parsed-call.js';
import { callFromUser } from '../../src/protocol/user-call.js';
import { counter, FAKES } from './fake-tools.js';

const user = (name: string, ...words: string[]): ParsedCall =>
  callFromUser(name, words, { tools: FAKES, agent: 'main', nextId: counter() });
const shown = (call: ParsedCall) =>
  call.ok ? `${call.call.tool} ${JSON.stringify(call.call.args)}` : `${call.code} ${call.message.split('\n')[0]}`;
const run = (name: string, ...words: string[]) => shown(user(name, ...words));

describe('names', () => {
  it('mean the same tool in every spelling', () => {
    for (const name of ['@coder read', 'coder read', '@coder:read', 'coder_read', 'coder.read', '@Coder Read'])
      expect(run(name, '{"file":"a"}'), name).toBe('@coder read {"file":"a"}');
    for (const name of ['@read', 'read', 'Read', 'functions.read', 'view'])
      expect(run(name, '{"file":"a"}'), name).toBe('@read {"file":"a"}');
    for (const name of ['write', '@write', '@coder write', 'write_file', 'writeFile', 'Write'])
      expect(run(name, '{"file":"a","content":""}'), name).toBe('@coder write {"file":"a","content":""}');
  });
  it('of subcommands have aliases, in JSON and in words', () => {
    for (const cmd of ['exec', 'run', 'run_command', 'shell', 'bash', 'execute', '@coder exec'])
      expect(run('@coder', JSON.stringify({ cmd, args: { command: 'ls -la' } })), cmd).toBe('@coder exec {"cmd":"ls -la"}');
    for (const cmd of ['ls', 'list', 'list_dir', 'list_directory', 'LS'])
      expect(run('@coder', cmd, '--path', 'src'), cmd).toBe('@coder tree {"dir":"src"}');
    for (const cmd of ['git_status', 'gitStatus', 'git status'.replace(' ', '-')])
      expect(run('@coder', cmd), cmd).toBe('@coder git-status {}');
    expect(run('@coder', '{"cmd":"grep","args":{"pattern":"x"}}')).toBe('@coder search {"term":"x"}');
    expect(run('@coder', '{"cmd":"todo","args":{"cmd":"list"}}')).toBe('@todo {"cmd":"list"}');
  });
  it('that are unknown are answered with what is near', () => {
    expect(run('@coder', '{"cmd":"raed","args":{"file":"a.txt"}}')).toMatch(
      /^InvalidArgs @coder at \/cmd: unknown subcommand "raed" \(did you mean read\?\)/,
    );
    expect(run('@coder', '{"cmd":"npm test"}')).toContain('{"cmd":"exec","args":{"cmd":"npm test"}}');
    expect(run('@coder', '{"file":"a"}')).toContain('names no subcommand');
    expect(run('@coder')).toContain('names no subcommand');
    expect(run('@nothing', '{}')).toMatch(/^NotFound @nothing: no such tool/);
    for (const name of ['constructor', '__proto__', 'toString', '']) expect(run(name, '{}')).toMatch(/^NotFound/);
    for (const cmd of ['constructor', '__proto__', ''])
      expect(run('@coder', JSON.stringify({ cmd })), cmd).toMatch(/^InvalidArgs/);
  });
});

describe('shapes of one call', () => {
  const wanted = '@coder read {"file":"a b.txt","start":10}';
  const same: [string, string[]][] = [
    ['the envelope', ['{"cmd":"read","args":{"file":"a b.txt","start":10}}']],
    ['flags for args', ['{"cmd":"read","flags":{"file":"a b.txt","start":10}}']],
    ['flat', ['{"cmd":"read","file":"a b.txt","start":10}']],
    ['args as JSON text', ['{"cmd":"read","args":"{\\"file\\":\\"a b.txt\\",\\"start\\":10}"}']],
    ['args as words', ['{"cmd":"read","args":"--file \'a b.txt\' --start 10"}']],
    ['args as a list of words', ['{"cmd":"read","args":["--file","a b.txt","--start",10]}']],
    ['a line in cmd', ['{"cmd":"read --file \\"a b.txt\\" --start 10"}']],
    ['a line in cmd and args', ['{"cmd":"read --file \\"a b.txt\\"","args":{"start":10}}']],
    ['argv', ['{"argv":["read","--file","a b.txt","--start","10"]}']],
    ['a list', ['["read","--file","a b.txt","--start=10"]']],
    ['positional', ['{"cmd":"read","positional":["a b.txt"],"start":10}']],
    ['the key _', ['{"cmd":"read","_":["a b.txt"],"start":10}']],
    ['one line', ['read --file "a b.txt" --start 10']],
    ['words', ['read', '--file', 'a b.txt', '--start', '10']],
    ['words with =', ['read', '--file=a b.txt', '--start=10']],
    ['words with one dash', ['read', '-file', 'a b.txt', '-start', '10']],
    ['a word without a flag', ['read', 'a b.txt', '--start', '10']],
    ['the flag before it', ['read', '--start', '10', 'a b.txt']],
    ['behind --', ['read', '--start', '10', '--', 'a b.txt']],
    ['JSON behind the subcommand', ['read', '{"file":"a b.txt","start":10}']],
    ['other names', ['{"cmd":"read","args":{"file_path":"a b.txt","start":"10"}}']],
    ['null for what is not given', ['{"cmd":"read","args":{"file":"a b.txt","start":10,"end":null,"encoding":null}}']],
    [
      'XML entities around the whole',
      ['{&quot;cmd&quot;:&quot;read&quot;,&quot;args&quot;:{&quot;file&quot;:&quot;a b.txt&quot;,&quot;start&quot;:10}}'],
    ],
    ['a fence', ['```json\n{"cmd":"read","args":{"file":"a b.txt","start":10}}\n```']],
    ['encoded twice', ['"{\\"cmd\\":\\"read\\",\\"args\\":{\\"file\\":\\"a b.txt\\",\\"start\\":10}}"']],
    ['encoded twice without quotes', ['{\\"cmd\\":\\"read\\",\\"args\\":{\\"file\\":\\"a b.txt\\",\\"start\\":10}}']],
    ['a tag', ['<tool_call name="@coder" args=\'{"cmd":"read","args":{"file":"a b.txt","start":10}}\'/>']],
    [
      'a tag with a body',
      ['<tool_call name="@coder"><args>{"cmd":"read","args":{"file":"a b.txt","start":10}}</args></tool_call>'],
    ],
    ['single quotes and Python', ["{'cmd':'read','args':{'file':'a b.txt','start':10,'end':None}}"]],
    ['comments and commas', ['{\n // look\n "cmd": "read", "args": {"file": "a b.txt", "start": 10,},}']],
    ['a missing brace', ['{"cmd":"read","args":{"file":"a b.txt","start":10}']],
  ];
  for (const [name, words] of same) it(name, () => expect(run('@coder', ...words)).toBe(wanted));

  it('work for flat tools too', () => {
    for (const words of [
      ['a b.txt'],
      ['"a b.txt"'],
      ['{"file":"a b.txt"}'],
      ['{"path":"a b.txt"}'],
      ['{"args":{"file":"a b.txt"}}'],
      ['{"cmd":"read","args":{"file":"a b.txt"}}'],
      ['--file', 'a b.txt'],
      ['--file "a b.txt"'],
      ['read "a b.txt"'],
      ['{"input":"a b.txt"}'],
    ])
      expect(run('@read', ...words), words[0]).toBe('@read {"file":"a b.txt"}');
    expect(run('@todo', '{"cmd":"mark","args":{"id":"2","status":"completed"}}')).toBe(
      '@todo {"cmd":"mark","id":2,"status":"completed"}',
    );
    expect(run('@todo', 'mark', '2', '--status', 'completed')).toBe('@todo {"cmd":"mark","id":2,"status":"completed"}');
    expect(run('@todo', '{"cmd":"write","args":{"todos":"[{\\"content\\":\\"x\\"}]"}}')).toBe(
      '@todo {"cmd":"write","todos":[{"description":"x"}]}',
    );
    expect(run('@tree')).toBe('@tree {}');
    expect(run('@tree', '{}')).toBe('@tree {}');
    expect(run('@tree', '')).toBe('@tree {}');
  });
  it('a field given twice with different values is a fault, in whatever layers', () => {
    const twice = /^InvalidArgs @coder write at \/(file|content): given twice/;
    for (const call of [
      '{"cmd":"write","file":"p","args":{"file":"o","content":"1"}}',
      '{"cmd":"write","path":"p","args":{"file":"o","content":"1"}}',
      '{"cmd":"write","args":{"file":"o","content":"1"},"content":"2"}',
      '{"cmd":"write","args":{"file":"o","content":"1"},"flags":{"content":"2"}}',
      '{"cmd":"write","args":{"file":"o","content":"1"},"arguments":{"file_path":"p"}}',
      '{"cmd":"write","file":"p","args":"{\\"file\\":\\"o\\",\\"content\\":\\"1\\"}"}',
    ])
      expect(run('@coder', call), call).toMatch(twice);
    expect(run('@coder', '{"cmd":"read","file":"a","args":{"path":"a"},"flags":{"start":3},"start":"3"}')).toBe(
      '@coder read {"file":"a","start":3}',
    );
    expect(run('@coder', '{"cmd":"read","file":"a","args":{"file":null},"flags":null}')).toBe('@coder read {"file":"a"}');
  });
  it('text that may be content is never dropped as a comment, and a list is not completed', () => {
    for (const args of [
      '{"cmd":"write","args":{"file":"o.sh","content":"echo hi" # note\\nrm -rf build\\n"}}',
      '{"cmd":"exec","args":{"cmd":"echo hi" # note && echo "}}',
      '{"cmd":"write","args":{"file":"o","content":"let s = f(1)" // keep\\nmore();\\nrest();\\n"}}',
      '{"cmd":"multipatch","args":{"edits":"[{\\"file\\":\\"a\\",\\"search\\":\\"x\\",\\"replace\\":\\"y\\"}"}}',
    ])
      expect(run('@coder', args), args).toMatch(/^InvalidArgs/);
  });
  it('a field given twice otherwise is a fault too', () => {
    expect(run('@coder', '{"cmd":"read","args":{"file":"x","path":"a"}}')).toMatch(
      /^InvalidArgs @coder read at \/file: given twice/,
    );
    expect(run('@coder', '{"cmd":"read","args":{"file":"a","path":"a"}}')).toBe('@coder read {"file":"a"}');
    expect(run('@coder', '{"cmd":"read --file x","args":{"file":"a"}}')).toContain('given twice');
    expect(run('@coder', '{"cmd":"read","args":{"file":"a","file":"a"}}')).toContain('the key "file" stands twice');
    expect(run('@coder', 'read', '--file', 'a', '--file', 'b')).toContain('given twice');
  });
});

describe('words', () => {
  it('a flag takes the next word whatever it looks like', () => {
    for (const value of ['-x', '--append', '', ' ', '--', '- item', '"q"', "it's", '日本', '\n', '{"a":1}', '--pre=x', '&amp;']) {
      expect(run('@coder', 'write', '--file', 'a', '--content', value)).toBe(
        `@coder write ${JSON.stringify({ file: 'a', content: value })}`,
      );
      expect(run('@coder', 'write', `--content=${value}`, '--file=a')).toBe(
        `@coder write ${JSON.stringify({ file: 'a', content: value })}`,
      );
    }
    expect(run('@coder', 'write', '--file', 'a', '--content')).toContain('the flag --content has no value');
  });
  it('a switch stands alone', () => {
    expect(run('@coder', 'write', '--append', '--file', 'a', '--content', 'x')).toContain('"append":true');
    expect(run('@coder', 'write', '--append=false', '--file', 'a', '--content', 'x')).toContain('"append":false');
    expect(run('@coder', 'git-diff', '--staged')).toBe('@coder git-diff {"staged":true}');
    expect(run('@coder', 'git-diff', '--staged', 'false')).toBe('@coder git-diff {"staged":false}');
    expect(run('@coder', 'git-diff', '--staged', 'main.go')).toBe('@coder git-diff {"file":"main.go","staged":true}');
    expect(run('@search', '--regex', 'true')).toBe('@search {"term":"true","regex":true}');
  });
  it('unknown flags and words too many are named', () => {
    expect(run('@coder', 'read', '--fil', 'a')).toMatch(
      /unknown flag "--fil" \(did you mean "--file"\?\); known: --file, --start/,
    );
    expect(run('@coder', 'git-status', '--short')).toContain('it takes none');
    expect(run('@coder', 'rollback', 'a', 'b')).toContain('one word too many: "b"');
    expect(run('@tree', '--exclude', 'a', '--exclude', 'b')).toBe('@tree {"exclude":["a","b"]}');
  });
  it('a command is one word, or the rest of a line', () => {
    expect(run('@coder', 'exec', 'npm', 'test')).toBe('@coder exec {"cmd":"npm test"}');
    expect(run('@coder', 'exec', '--cmd', 'a | b "c"', '--timeout', '5')).toBe('@coder exec {"cmd":"a | b \\"c\\"","timeout":5}');
    expect(run('@coder', 'exec', 'echo', 'a b')).toContain('quote it');
    expect(run('@coder', 'exec npm test -- --grep "a  b" --watch')).toBe(
      '@coder exec {"cmd":"npm test -- --grep \\"a  b\\" --watch"}',
    );
    expect(run('@coder', 'exec "npm test"')).toBe('@coder exec {"cmd":"npm test"}');
    expect(run('@coder', 'exec npm test --timeout 5')).toContain('unclear whether --timeout belongs to the command');
    expect(run('@coder', '{"cmd":"exec","args":"ls --color -la"}')).toBe('@coder exec {"cmd":"ls --color -la"}');
    expect(run('exec', '{"cmd":"exec","args":{"cmd":"exec"}}')).toBe('@coder exec {"cmd":"exec"}');
    expect(run('exec', '{"cmd":"ls"}')).toBe('@coder exec {"cmd":"ls"}');
  });
  it('an open quote is a fault', () => expect(run('@coder', "read --file it's")).toContain('not closed'));
});

describe('values', () => {
  it('numbers stay numbers, texts that are numbers become them', () => {
    expect(run('@coder', '{"cmd":"read","args":{"file":"a","start":1e3,"end":"0012"}}')).toBe(
      '@coder read {"file":"a","start":1000,"end":12}',
    );
    expect(run('@coder', '{"cmd":"search","args":{"term":404}}')).toBe('@coder search {"term":"404"}');
    expect(run('@coder', '{"cmd":"read","args":{"file":"a","start":"ten"}}')).toContain(
      'at /start: expected a whole number, got the text "ten"',
    );
    expect(run('@coder', '{"cmd":"read","args":{"file":"a","start":1.5}}')).toContain('expected a whole number, got 1.5');
    expect(run('@coder', '{"cmd":"read","args":{"file":"a","start":"99999999999999999999"}}')).toContain(
      'expected a whole number',
    );
    expect(run('@coder', '{"cmd":"write","args":{"file":"a","content":"x","append":"TRUE"}}')).toContain('"append":true');
    expect(run('@coder', '{"cmd":"write","args":{"file":"a","content":"x","append":"yes"}}')).toContain(
      'expected true or false, got the text "yes"',
    );
  });
  it('texts are never read', () => {
    for (const content of ['10', 'true', 'null', '[1]', '{"a":1}', '"x"', '&lt;', '\\n', '```\nx\n```'])
      expect(run('@coder', JSON.stringify({ cmd: 'write', args: { file: 'a', content } }))).toBe(
        `@coder write ${JSON.stringify({ file: 'a', content })}`,
      );
    expect(run('@coder', '{"cmd":"write","args":{"file":"a","content":{"a":1}}}')).toContain(
      'at /content: expected a text, got an object',
    );
  });
  it('a list may come as JSON text, whole or not at all', () => {
    const edits = [{ file: 'a', search: 'x', replace: 'y' }];
    const text = JSON.stringify(edits);
    expect(run('@coder', JSON.stringify({ cmd: 'multipatch', args: { edits: text } }))).toBe(
      `@coder multipatch ${JSON.stringify({ edits })}`,
    );
    expect(run('@coder', 'multipatch', '--edits', text)).toBe(`@coder multipatch ${JSON.stringify({ edits })}`);
    expect(run('@coder', JSON.stringify({ cmd: 'multipatch', args: { edits: edits[0] ?? null } }))).toBe(
      `@coder multipatch ${JSON.stringify({ edits })}`,
    );
    expect(run('@coder', JSON.stringify({ cmd: 'multipatch', args: { edits: text.slice(0, -3) } }))).toMatch(
      /^InvalidArgs @coder multipatch at \/edits: the text is not a list in JSON: the text is not closed \(in \/0\/replace\)/,
    );
    expect(
      run('@coder', '{"cmd":"multipatch","args":{"edits":[{"path":"a","old_string":"x","newString":"y","expect":"2"}]}}'),
    ).toBe('@coder multipatch {"edits":[{"file":"a","search":"x","replace":"y","expect":2}]}');
    expect(run('@coder', '{"cmd":"multipatch","args":{"edits":[{"file":"a","search":"x"}]}}')).toContain(
      'at /edits/0/replace: required',
    );
    expect(run('@coder', '{"cmd":"multipatch","args":{"edits":[{"file":"a","search":"x","replace":"y","serch":1}]}}')).toContain(
      'at /edits/0/serch: unknown field "serch" (did you mean "search"?)',
    );
    expect(run('@coder', '{"cmd":"multipatch","args":{"edits":[]}}')).toContain('at /edits: expected at least 1 entry');
  });
  it('unknown fields are named, with what is known', () => {
    expect(run('@read', '{"file":"a","form_line":1}')).toMatch(
      /at \/form_line: unknown field "form_line" \(did you mean "from_line"\?\); known: file, from_line/,
    );
    expect(run('@read', '{"file":"a","__proto__":{"x":1}}')).toContain('unknown field "__proto__"');
    expect(run('@read', '{"file":"a","constructor":1}')).toContain('unknown field "constructor"');
  });
  it('half a surrogate pair is refused', () => {
    expect(run('@coder', '{"cmd":"write","args":{"file":"a","content":"x\\ud83d"}}')).toContain(
      'at /content: the text holds half of a surrogate pair',
    );
    expect(run('@coder', '{"cmd":"write","args":{"file":"a","content":"\\ud83d\\ude00"}}')).toBe(
      '@coder write {"file":"a","content":"😀"}',
    );
  });
  it('foreign tools keep what they do not declare', () => {
    expect(run('mcp_notes_add', '{"title":"x","deep":{"path":null,"a":[null,1]},"args":{"b":1}}')).toBe(
      'mcp_notes_add {"title":"x","deep":{"path":null,"a":[null,1]},"args":{"b":1}}',
    );
    expect(run('mcp_notes_add', '{"title":1,"max_items":"3"}')).toBe('mcp_notes_add {"title":"1","maxItems":3}');
  });
});

describe('a diff without line ends', () => {
  const diff = '--- a/x\\n+++ b/x\\n@@ -1 +1 @@\\n-a\\tb\\n+c\\\\n';
  it('is decoded once, in every form, and the call says so', () => {
    for (const call of [
      user('@coder', 'patch', '--diff', diff),
      user('@coder', JSON.stringify({ cmd: 'patch', args: { diff } })),
      user('@coder', `patch --diff '${diff}'`),
    ]) {
      expect(call.ok && call.call.args['diff']).toBe('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\tb\n+c\\n');
      expect(call.ok && call.call.notes?.[0]).toContain('"diff" had no line ends');
    }
  });
  it('one with a real line end stays, and so does every other field', () => {
    const real = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\\n\n+b';
    const call = user('@coder', JSON.stringify({ cmd: 'patch', args: { diff: real } }));
    expect(call.ok && [call.call.args['diff'], call.call.notes]).toEqual([real, undefined]);
    expect(run('@coder', JSON.stringify({ cmd: 'patch', args: { file: 'a', search: 'a\\nb', replace: 'c\\td' } }))).toBe(
      '@coder patch {"file":"a","search":"a\\\\nb","replace":"c\\\\td"}',
    );
  });
});

describe('what was cut off or is unclear', () => {
  it('names the field', () => {
    expect(run('@coder', '{"cmd":"write","args":{"file":"a.txt","content":"half of the')).toContain(
      '@coder at /args/content: the text is not closed',
    );
    expect(run('@coder', '{"cmd":"write","args":"{\\"file\\":\\"a.txt\\",\\"content\\":\\"half"}')).toContain(
      '@coder write at /args/content: the text is not closed',
    );
    expect(run('@coder', '{\\"cmd\\":\\"write\\",\\"args\\":{\\"content\\":\\"half')).toContain('not closed');
    expect(run('@coder', '"{\\"cmd\\":\\"write\\"')).toContain('not closed');
    expect(run('@coder', '```json\n{"cmd":"read"')).toContain('not closed');
    expect(run('@coder', '<tool_call name="@coder" args=\'{"cmd":"read"')).toContain('cut off');
  });
  it('two calls in one are refused', () => {
    expect(
      run('@coder', '{"cmd":"write","args":{"file":"a","content":"1"}}{"cmd":"write","args":{"file":"b","content":"2"}}'),
    ).toContain('two JSON values');
    expect(run('@coder', '[{"cmd":"read","file":"a"},{"cmd":"read","file":"b"}]')).toContain('a list of objects is not one call');
    expect(run('@coder', '<tool_call name="@read" args="a"/><tool_call name="@read" args="b"/>')).toContain(
      'expected one call tag',
    );
    expect(run('@coder', '<tool_call name="@read" args="a"/>')).toContain('the tag calls @read, not @coder');
  });
  it('no prefix of a word writes anything but whole texts', () => {
    const args = { file: 'a.txt', content: 'line "one"\n{two}}\n', append: true };
    const whole = JSON.stringify({ cmd: 'write', args });
    for (let end = 1; end < whole.length; end++) {
      const call = user('@coder', whole.slice(0, end));
      if (call.ok)
        expect([call.call.args['file'], call.call.args['content']], whole.slice(0, end)).toEqual([args.file, args.content]);
    }
  });
});
