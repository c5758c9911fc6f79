import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRecorder, readRecording } from '../../src/session/recording.js';
import type { ProviderEvent } from '../../src/types/provider.js';
import { ended, event, said, say, tempDir, text } from './temp.js';

const header = {
  app: 'chatcli 0',
  created: 5,
  mode: 'coder',
  task: 'fix it',
  provider: 'OPENAI',
  model: 'm',
  toolMode: 'native',
  permissionMode: 'auto',
  workspace: '/w',
  home: '/home/u',
} as const;
const HEADER = JSON.stringify({ type: 'recording', version: 1, ...header });
const stream = (turn: number, e: ProviderEvent, agent = 'main') => event({ type: 'provider-event', turn, event: e }, agent);
const delta = (value: string): ProviderEvent => ({ type: 'text-delta', text: value });
const end: ProviderEvent = { type: 'end', reason: 'stop' };
const call: ProviderEvent = { type: 'call', id: 'x', name: 'read', input: '{', meta: { sig: 'abc' } };
const usage: ProviderEvent = { type: 'usage', usage: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0 } };
const restart: ProviderEvent = {
  type: 'restart',
  fault: { kind: 'server', message: '500', status: 500, retryable: true },
  waitMs: 5,
  attempt: 1,
};

async function write(lines: readonly (string | object)[], last = '\n'): Promise<string> {
  const file = join(tempDir(), 'r.jsonl');
  writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n') + last);
  return file;
}

describe('recordings', () => {
  it('come back as they were recorded', async () => {
    const file = join(tempDir(), 'r.jsonl');
    const recorder = await createRecorder(file, header);
    for (const e of [delta('a'), restart, delta('b'), call, usage, end]) recorder.sink(stream(1, e));
    recorder.sink(event({ type: 'text-delta', text: 'a' }));
    recorder.sink(said(say('assistant', [text('b')])));
    recorder.sink(stream(1, delta('worker'), 'coder-1'));
    recorder.sink(stream(2, delta('c')));
    recorder.sink(stream(1, end, 'coder-1'));
    recorder.sink(stream(2, end));
    recorder.sink(
      ended('t1c1', 'out', {
        code: 'ExitCode:1',
        isError: true,
        display: { kind: 'matches', hits: [], more: false },
        ms: 3,
        changed: ['/w/a'],
      }),
    );
    expect(recorder.close()).toBeUndefined();
    const recording = await readRecording(file);
    expect(recording.header).toEqual({ type: 'recording', version: 1, ...header });
    expect(recording.turns).toEqual([
      [delta('a'), restart, delta('b'), call, usage, end],
      [delta('c'), end],
    ]);
    expect(recording.agents.get('coder-1')).toEqual([[delta('worker'), end]]);
    expect(recording.calls).toHaveLength(1);
    expect(recording.calls[0]).toMatchObject({
      agent: 'main',
      denied: false,
      result: { output: 'out', code: 'ExitCode:1', ms: 3, changed: ['/w/a'] },
    });
    expect(recording.cut).toBe(false);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((l) => l.includes('"text-delta"') && !l.includes('provider-event')),
    ).toEqual([]);
  });

  it('tell two calls of the provider in one turn apart', async () => {
    const file = await write([HEADER, stream(1, delta('x')), stream(1, end), stream(1, delta('y')), stream(1, end)]);
    expect((await readRecording(file)).turns).toEqual([
      [delta('x'), end],
      [delta('y'), end],
    ]);
  });

  it('of a crash can be read up to the cut', async () => {
    const file = await write([HEADER, stream(1, delta('x')), stream(1, end), stream(2, delta('y')), '{"type":"provider-ev'], '');
    const recording = await readRecording(file);
    expect(recording.turns).toEqual([
      [delta('x'), end],
      [delta('y'), { type: 'end', reason: 'aborted' }],
    ]);
    expect(recording.cut).toBe(true);
  });

  it('replace an older recording and leave every other file alone', async () => {
    const file = await write([HEADER]);
    (await createRecorder(file, { ...header, task: 'second' })).close();
    expect((await readRecording(file)).header.task).toBe('second');
    const other = join(tempDir(), 'notes.md');
    writeFileSync(other, '# mine\n');
    await expect(createRecorder(other, header)).rejects.toMatchObject({ code: 'exists' });
    expect(readFileSync(other, 'utf8')).toBe('# mine\n');
    const link = join(tempDir(), 'link');
    symlinkSync(other, link);
    await expect(createRecorder(link, header)).rejects.toMatchObject({ name: 'SessionFault' });
    expect(readFileSync(other, 'utf8')).toBe('# mine\n');
    await expect(createRecorder(join(tempDir(), 'no', 'such', 'folder'), header)).rejects.toMatchObject({ code: 'io' });
  });

  it('never throw from the sink, and report the first fault', async () => {
    const recorder = await createRecorder(join(tempDir(), 'r'), header);
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    recorder.sink(event({ type: 'notice', level: 'info', code: 'c', text: 't', values: loop as never }));
    expect(recorder.close()).toContain('circular');
  });

  const bad: readonly (readonly [string, readonly (string | object)[], number])[] = [
    ['an empty file', [''], 1],
    ['no header', [stream(1, end)], 1],
    ['a newer version', ['{"type":"recording","version":2}'], 1],
    ['a header that lacks a field', [JSON.stringify({ type: 'recording', version: 1, ...header, home: 5 })], 1],
    [
      'a header with a mode we do not have',
      [JSON.stringify({ type: 'recording', version: 1, ...header, permissionMode: 'root' })],
      1,
    ],
    ['half a line in the middle', [HEADER, '{"type":"prov', stream(1, end)], 2],
    ['an array', [HEADER, '[]'], 2],
    ['too deep', [HEADER, `{"type":"x","agent":"main","time":1,"d":${'['.repeat(5000)}${']'.repeat(5000)}}`], 2],
    ['no agent', [HEADER, '{"type":"run-end","time":1}'], 2],
    [
      'an unknown provider event',
      [HEADER, { type: 'provider-event', agent: 'main', time: 1, turn: 1, event: { type: 'exec' } }],
      2,
    ],
    [
      'a prototype as provider event',
      [HEADER, { type: 'provider-event', agent: 'main', time: 1, turn: 1, event: { type: 'toString' } }],
      2,
    ],
    [
      'an end with a reason we do not know',
      [HEADER, stream(1, end), { type: 'provider-event', agent: 'main', time: 1, turn: 1, event: { type: 'end', reason: 'x' } }],
      3,
    ],
    ['a turn that is no number', [HEADER, { type: 'provider-event', agent: 'main', time: 1, turn: '1', event: end }], 2],
    [
      'a call without output',
      [
        HEADER,
        {
          type: 'call-end',
          agent: 'main',
          time: 1,
          denied: false,
          call: { id: 'a', tool: 't', args: {}, source: 'tag', agent: 'main' },
          result: { isError: false },
        },
      ],
      2,
    ],
    [
      'a call with a code we do not know',
      [
        HEADER,
        {
          type: 'call-end',
          agent: 'main',
          time: 1,
          denied: false,
          call: { id: 'a', tool: 't', args: {}, source: 'tag', agent: 'main' },
          result: { output: '', isError: true, code: 'x y' },
        },
      ],
      2,
    ],
    [
      'arguments that reach for a prototype',
      [
        HEADER,
        '{"type":"call-end","agent":"main","time":1,"denied":false,"call":{"id":"a","tool":"t","args":{"__proto__":{}},"source":"tag","agent":"main"},"result":{"output":"","isError":false}}',
      ],
      2,
    ],
    ['an outcome that is none', [HEADER, { type: 'run-end', agent: 'main', time: 1, outcome: null }], 2],
  ];
  it.each(bad)('refuse %s with the line', async (_name, lines, line) => {
    const file = await write(lines, lines[0] === '' ? '' : '\n');
    await expect(readRecording(file)).rejects.toMatchObject({ code: 'bad-recording', values: { line } });
  });

  it('refuse folders, absent files and bytes that are not UTF-8', async () => {
    const dir = tempDir();
    mkdirSync(join(dir, 'folder'));
    await expect(readRecording(join(dir, 'folder'))).rejects.toMatchObject({ name: 'SessionFault' });
    await expect(readRecording(join(dir, 'absent'))).rejects.toMatchObject({ code: 'io' });
    writeFileSync(join(dir, 'bytes'), Buffer.concat([Buffer.from(`${HEADER}\n`), Buffer.from([0xff, 10])]));
    await expect(readRecording(join(dir, 'bytes'))).rejects.toMatchObject({ code: 'bad-recording', values: { line: 2 } });
  });

  it('keep only displays that fit their kind', async () => {
    const call = { id: 'a', tool: 't', args: {}, source: 'tag', agent: 'main' };
    const displays = [
      { kind: 'tests', command: 'x', passed: 1, failed: 0, skipped: 0, ok: true },
      { kind: 'tests', passed: '1' },
      { kind: 'constructor' },
      7,
    ];
    const file = await write([
      HEADER,
      ...displays.map((display) => ({
        type: 'call-end',
        agent: 'main',
        time: 1,
        denied: false,
        call,
        result: { output: '', isError: false, display },
      })),
    ]);
    expect((await readRecording(file)).calls.map((c) => c.result.display)).toEqual([
      displays[0],
      undefined,
      undefined,
      undefined,
    ]);
  });
});
