/** Odd spellings of envelopes, flags and values that have one meaning, and those that have none. */
import { describe, expect, it } from 'vitest';
import { callFromUser } from '../../src/protocol/user-call.js';
import { counter, FAKES } from './fake-tools.js';

const run = (name: string, ...words: string[]) => {
  const call = callFromUser(name, words, { tools: FAKES, agent: 'main', nextId: counter() });
  return call.ok ? `${call.call.tool} ${JSON.stringify(call.call.args)}` : `${call.code} ${call.message.split('\n')[0]}`;
};
const coder = (object: unknown) => run('@coder', JSON.stringify(object));
const READ = '@coder read {"file":"a"}';

describe('envelopes', () => {
  const same: unknown[] = [
    { CMD: 'read', ARGS: { file: 'a' } },
    { cmd: 'read', Args: { file: 'a' } },
    { cmd: ['read', '--file', 'a'] },
    { cmd: ['read'], args: { file: 'a' } },
    { argv: 'read --file a' },
    { args: ['read', '--file', 'a'] },
    { args: 'read --file a' },
    { args: '{"cmd":"read","args":{"file":"a"}}' },
    { read: { file: 'a' } },
    { cmd: 'coder', args: { cmd: 'read', args: { file: 'a' } } },
    { cmd: '@coder', args: { cmd: 'read', file: 'a' } },
    { cmd: '@coder read', args: { file: 'a' } },
    { subcommand: 'read', file: 'a' },
    { cmd: 'read', positional: 'a' },
    { cmd: 'read', _: 'a' },
    { cmd: 'read', args: { _: ['a'] } },
    { cmd: 'read', args: { '--file': 'a' } },
    { cmd: 'read', args: null, flags: { file: 'a' } },
    { cmd: 'read', args: { args: { file: 'a' } } },
  ];
  for (const object of same) it(JSON.stringify(object), () => expect(coder(object)).toBe(READ));
  it('exec takes its line under each name, and words that need no quotes', () => {
    for (const object of [
      { cmd: 'exec', command: 'ls -la' },
      { cmd: 'exec', args: { cmd: 'ls -la' } },
      { cmd: 'exec', args: { argv: ['ls', '-la'] } },
      { cmd: 'exec', args: ['ls', '-la'] },
      { cmd: 'exec --cmd "ls -la"' },
      { cmd: 'exec -- ls -la' },
      { cmd: 'exec ls -la' },
    ])
      expect(coder(object), JSON.stringify(object)).toBe('@coder exec {"cmd":"ls -la"}');
    expect(coder({ cmd: 'exec', args: { cmd: ['ls', 'a b'] } })).toBe(`@coder exec {"cmd":"ls 'a b'"}`);
    expect(run('@coder', 'exec', '--', 'ls', '-la')).toBe('@coder exec {"cmd":"ls -la"}');
    expect(run('@coder', 'exec', '--', 'echo', 'a b')).toContain('quote it');
    expect(coder({ cmd: 'exec -- echo "a  b" | wc -c' })).toBe('@coder exec {"cmd":"echo \\"a  b\\" | wc -c"}');
  });
  it('git and its subcommand are one name', () => {
    expect(run('@coder', 'git diff --staged')).toBe('@coder git-diff {"staged":true}');
    expect(coder({ cmd: 'git status' })).toBe('@coder git-status {}');
    expect(coder({ cmd: 'git push' })).toContain('unknown subcommand "git"');
  });
  it('what is a tool and a command too says how to run the command', () => {
    expect(coder({ cmd: 'ls -la' })).toContain('to run a shell command send {"cmd":"exec","args":{"cmd":"ls -la"}}');
    expect(run('@coder', 'Here is the call: {"cmd":"read"}')).not.toContain('to run a shell command');
  });
});

it('what comes in a later version is said to', () => {
  expect(coder({ cmd: 'delegate', args: { task: 'x' } })).toContain('"delegate" is not in this version');
  expect(run('@webfetch', '{}')).toMatch(/^NotFound @webfetch: not in this version/);
  // There is such a tool, but not for every agent and not in every run.
  expect(run('skill', '{}')).toMatch(/^NotFound skill: not among your tools here; known: /);
  expect(coder({ cmd: 'todo', args: { cmd: 'mark', args: { id: 1, status: 'failed' } } })).toBe(
    '@todo {"cmd":"mark","id":1,"status":"failed"}',
  );
});

describe('lists', () => {
  const edit = { file: 'a', search: 'x', replace: 'y' };
  const wanted = `@coder multipatch ${JSON.stringify({ edits: [edit] })}`;
  it('of a tool that is about one list may come bare, as text, or one by one', () => {
    expect(coder({ cmd: 'multipatch', args: [edit] })).toBe(wanted);
    expect(coder({ cmd: 'multipatch', args: JSON.stringify([edit]) })).toBe(wanted);
    expect(coder({ cmd: 'multipatch', edits: [JSON.stringify(edit)] })).toBe(wanted);
    expect(run('@coder', 'multipatch', JSON.stringify([edit]))).toBe(wanted);
    expect(run('@coder', 'multipatch', '--edits', JSON.stringify(edit))).toBe(wanted);
    expect(run('@coder multipatch', JSON.stringify([edit]))).toBe(wanted);
    expect(run('@todo', '[{"description":"x"},{"description":"y"}]')).toBe(
      '@todo {"todos":[{"description":"x"},{"description":"y"}]}',
    );
    expect(run('@coder', 'multipatch', '--edits', JSON.stringify(edit), '--edits', JSON.stringify({ ...edit, file: 'b' }))).toBe(
      `@coder multipatch ${JSON.stringify({ edits: [edit, { ...edit, file: 'b' }] })}`,
    );
  });
  it('take what stands beside them for each item that does not say otherwise', () => {
    expect(coder({ cmd: 'multipatch', args: { file: 'a', edits: [{ search: 'x', replace: 'y' }] } })).toBe(wanted);
    expect(
      coder({ cmd: 'multipatch', args: { path: 'z', edits: JSON.stringify([{ file_path: 'a', search: 'x', replace: 'y' }]) } }),
    ).toBe(wanted);
    expect(coder({ cmd: 'multipatch', args: { encoding: 'base64', edits: [edit, { ...edit, encoding: 'text' }] } })).toBe(
      `@coder multipatch ${JSON.stringify({
        edits: [
          { ...edit, encoding: 'base64' },
          { ...edit, encoding: 'text' },
        ],
      })}`,
    );
    expect(coder({ cmd: 'multipatch', args: { nonsense: 1, edits: [edit] } })).toContain('unknown field "nonsense"');
  });
  it('with commas too many are read', () => {
    expect(run('@coder', '{"cmd":"multipatch","args":{"edits":[{"file":"a","search":"x","replace":"y",},]}}')).toBe(wanted);
  });
  it('of several calls are no call', () => {
    expect(run('@coder', '[{"cmd":"git-status"},{"cmd":"git-diff"}]')).toContain('a list of objects is not one call');
    expect(run('@read', '[{"file":"a"},{"file":"b"}]')).toContain('a list of objects is not one call');
  });
});

describe('flags', () => {
  it('may be typed with the dashes a word processor makes', () => {
    expect(run('@coder', 'read —file a –start 3')).toBe('@coder read {"file":"a","start":3}');
    expect(run('@coder', 'write', '—file', 'a', '—content', '—x')).toBe('@coder write {"file":"a","content":"—x"}');
    expect(run('@coder', 'read', '— notes.txt')).toBe('@coder read {"file":"— notes.txt"}');
  });
  it('quotes of that kind hold nothing together, and the fault says so', () => {
    expect(run('@coder', 'write --file a --content “x y”')).toContain('stands in quotes of the straight kind');
    expect(run('@coder', 'write --file a --content “hello”')).toBe('@coder write {"file":"a","content":"“hello”"}');
  });
  it('of switches may be turned off', () => {
    expect(run('@coder', 'git-diff --no-staged')).toBe('@coder git-diff {"staged":false}');
    expect(run('@coder', 'read', '--no-file')).toContain('unknown flag "--no-file"');
  });
  it('that are unknown are answered with all there are, and their defaults', () => {
    const message = run('@coder', 'search', '--trem', 'x');
    expect(message).toContain('@coder search at /trem: unknown flag "--trem" (did you mean "--term"?)');
    expect(message).toContain('--max-results (int)');
    expect(run('@coder', 'read', 'a', '-z')).toContain('unknown flag "-z"');
    expect(run('@coder', 'git-diff', '-3')).toContain('unknown flag "-3"');
    expect(run('@coder', 'exec --cmd ls -la')).toContain('a command with spaces stands in quotes');
  });
  it('take negative numbers, empty texts and what looks like a flag', () => {
    expect(run('@coder', 'read', '--file', 'a', '--start', '-5')).toContain('at least 1, got -5');
    expect(run('@coder', 'write --file a --content ""')).toBe('@coder write {"file":"a","content":""}');
    expect(run('@coder', 'write --file a --content --append')).toBe('@coder write {"file":"a","content":"--append"}');
  });
});

describe('numbers', () => {
  it('become texts only as they were written', () => {
    expect(coder({ cmd: 'search', args: { term: 404 } })).toBe('@coder search {"term":"404"}');
    for (const written of ['1e3', '1.0', '-0', '1.10'])
      expect(run('@coder', `{"cmd":"search","args":{"term":${written}}}`), written).toContain('expected a text');
  });
  it('that cannot be kept exactly are refused', () => {
    for (const written of ['1e999', '10000000000000000001', '-1e400'])
      expect(run('@coder', `{"cmd":"read","args":{"file":"a","start":${written}}}`), written).toContain(
        'too large to be kept exactly',
      );
    expect(run('mcp_notes_add', '{"title":"x","id":10000000000000000001}')).toContain('at /id: the number is too large');
    expect(run('@coder', '{"cmd":"read","args":{"file":"a","start":NaN}}')).toContain('expected a whole number');
  });
});

it('hostile arguments end quickly and in a fault', () => {
  for (const text of [
    '['.repeat(100_000),
    '{"a":'.repeat(100_000),
    `{"cmd":"read","args":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  ]) {
    const message = run('@coder', text);
    expect(message).toMatch(/^InvalidArgs/);
    expect(message.length).toBeLessThan(2000);
  }
  const content = 'x\n"'.repeat(1_000_000);
  expect(run('@coder', JSON.stringify({ cmd: 'write', args: { file: 'a', content } })).length).toBeGreaterThan(content.length);
  expect(run('@coder', `write --file a --content '${content}'`).length).toBeGreaterThan(content.length);
});
