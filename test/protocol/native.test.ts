import { describe, expect, it } from 'vitest';
import { callFromNative, functionsFor } from '../../src/protocol/native.js';
import { FAKES } from './fake-tools.js';

const native = (name: string, input: string) => callFromNative({ id: 'n1', name, input }, { tools: FAKES, agent: 'w1' });
const run = (name: string, input: unknown) => {
  const call = native(name, typeof input === 'string' ? input : JSON.stringify(input));
  return call.ok ? `${call.call.tool} ${JSON.stringify(call.call.args)}` : `${call.code} ${call.message}`;
};

describe('callFromNative', () => {
  it('keeps id, agent and source', () => {
    expect(native('read', '{"file":"a"}')).toMatchObject({
      ok: true,
      call: { id: 'n1', agent: 'w1', source: 'native', tool: '@read', args: { file: 'a' } },
    });
    expect(native('raed', '{"file":"a"}')).toMatchObject({
      ok: false,
      id: 'n1',
      name: 'raed',
      code: 'NotFound',
      raw: '{"file":"a"}',
    });
  });
  it('reaches the same call by every function', () => {
    for (const [name, input] of [
      ['write', { file: 'a', content: 'x' }],
      ['write_file', { path: 'a', content: 'x' }],
      ['Write', { file_path: 'a', content: 'x' }],
      ['coder', { cmd: 'write', args: { file: 'a', content: 'x' } }],
      ['coder', { cmd: 'write --file a --content x' }],
      ['@coder', { cmd: 'write', file: 'a', content: 'x' }],
      ['coder', { argv: ['write', '--file', 'a', '--content', 'x'] }],
      ['call_tool', { name: '@coder write', args: { file: 'a', content: 'x' } }],
      ['call_tool', { name: '@coder', args: { cmd: 'write', args: { file: 'a', content: 'x' } } }],
      ['call_tool', { name: 'write', args: '{"file":"a","content":"x"}' }],
      ['write', { cmd: 'write', args: { file: 'a', content: 'x' } }],
      ['write', JSON.stringify(JSON.stringify({ file: 'a', content: 'x' }))],
      ['write', "{'file': 'a', 'content': 'x'}"],
    ] as const)
      expect(run(name, input), `${name} ${JSON.stringify(input)}`).toBe('@coder write {"file":"a","content":"x"}');
    expect(run('coder', { cmd: 'git-status' })).toBe('@coder git-status {}');
    expect(run('tree', '')).toBe('@tree {}');
    expect(run('exec', { cmd: 'exec', args: { command: 'ls' } })).toBe('@coder exec {"cmd":"ls"}');
    expect(run('todo', { cmd: 'mark', args: { id: 1, status: 'failed' } })).toBe('@todo {"cmd":"mark","id":1,"status":"failed"}');
  });
  it('adds nothing that may have been cut off', () => {
    const inputs: [string, unknown][] = [
      ['write', { file: 'a', content: 'x "y"}}', append: true }],
      [
        'multipatch',
        {
          edits: [
            { file: 'a', search: 'x', replace: 'y' },
            { file: 'b', search: 'x', replace: 'y' },
          ],
        },
      ],
      ['coder', { cmd: 'write', args: { file: 'a', content: 'x', append: true } }],
      ['coder', { cmd: 'read', args: { file: 'a', start: 10, end: 200 } }],
      ['call_tool', { name: '@coder exec', args: { cmd: 'rm -r build/tmp', timeout: 100 } }],
      ['exec', { cmd: 'echo "a" && rm -r b', timeout: 20 }],
    ];
    for (const [name, input] of inputs) {
      const whole = JSON.stringify(input);
      const wanted = run(name, whole);
      expect(wanted).toMatch(/^@/);
      for (let end = 1; end < whole.length; end++) {
        const answer = run(name, whole.slice(0, end));
        if (!answer.startsWith('InvalidArgs')) expect(answer, whole.slice(0, end)).toBe(wanted);
      }
    }
    expect(run('coder', '{"cmd":"read","args":{"file":"a"}')).toBe('@coder read {"file":"a"}');
  });
  it('answers what cannot be', () => {
    expect(run('call_tool', { args: {} })).toContain('names no tool');
    expect(run('call_tool', { name: 'call_tool', args: {} })).toContain('cannot call itself');
    expect(run('call_tool', { name: 'nothing' })).toMatch(/^NotFound/);
    expect(run('call_tool', { name: 'read', args: { file: 'a' }, more: 1 })).toContain('at /more: unknown field');
    expect(run('read', { file: 'a', start: 0 })).toContain('at /from_line: expected a whole number of at least 1, got 0');
    expect(run('tree', { depth: 21 })).toContain('expected a whole number from 1 to 20, got 21');
    expect(run('todo', { cmd: 'write', todos: [{ description: 'x', status: 'done' }] })).toContain(
      'at /todos/0/status: expected one of "pending", "in_progress", "completed", "failed", got the text "done"',
    );
    expect(run('write', { file: 'a' })).toContain('Example: write {"file":"hello.txt"');
    expect(run('read', '{"file":"a","file":"b"}')).toContain('the key "file" stands twice');
    expect(run('read', '[1,2]')).toMatch(/^InvalidArgs/);
    expect(run('read', '"a')).toMatch(/^InvalidArgs/);
  });
});

describe('functionsFor', () => {
  it('offers the full ones in order, then the two envelopes', () => {
    const functions = functionsFor(FAKES);
    expect(functions.map((item) => item.name)).toEqual([
      'read',
      'search',
      'tree',
      'todo',
      'write',
      'patch',
      'multipatch',
      'exec',
      'test',
      'coder',
      'call_tool',
    ]);
    expect(functions[0]?.schema).toBe(FAKES[0]?.schema);
    expect(JSON.stringify(functionsFor([...FAKES]))).toBe(JSON.stringify(functions));
  });
  it('fits the tools an agent has', () => {
    expect(functionsFor([])).toEqual([]);
    expect(functionsFor(FAKES.filter((tool) => tool.name === '@read')).map((item) => item.name)).toEqual(['read', 'call_tool']);
  });
  it('every offered function can be called with its own example', () => {
    for (const tool of FAKES)
      if (tool.native) expect(run(tool.native, tool.example), tool.native).toBe(`${tool.name} ${JSON.stringify(tool.example)}`);
  });
});
