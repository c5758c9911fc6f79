import { describe, expect, it } from 'vitest';
import { compareResults, unifiedDiff } from '../../src/session/compare.js';
import { normalise, type Places } from '../../src/session/normalise.js';
import type { ToolResult } from '../../src/types/tool.js';

const places: Places = { roots: ['/home/ana/app'], home: '/home/ana', tmp: ['/tmp', '/var/tmp'] };
const other: Places = { roots: ['/tmp/copy-77'], home: '/root', tmp: ['/tmp'] };
const n = (text: string, where = places): string => normalise(text, where);
const result = (output: string, more: Partial<ToolResult> = {}): ToolResult => ({ output, isError: false, ...more });

describe('normalise', () => {
  const same: readonly (readonly [string, string, string])[] = [
    ['Go test time', 'ok  \tpkg\t0.123s', 'ok  \tpkg\t12.9s'],
    ['Go duration', 'took 1m2.5s', 'took 350.12µs'],
    ['milliseconds', 'done (12 ms)', 'done (1234 ms)'],
    ['pytest', '== 3 passed in 0.12s ==', '== 3 passed in 14.02s =='],
    ['node:test', '# duration_ms 45.123', '# duration_ms 4.5'],
    ['seconds in words', 'finished in 2 seconds', 'finished in 10.5 seconds'],
    ['ISO time', 'at 2026-11-30T10:15:00.123Z', 'at 2025-01-01T00:00:00Z'],
    ['ISO time with zone', '2026-11-30 10:15:00 +0200', '2025-01-02 03:04:05 -0300'],
    ['git date', 'Date:   Mon Nov 30 10:15:00 2026 +0000', 'Date:   Tue Jan 6 01:02:03 2025 -0300'],
    ['HTTP date', 'Mon, 30 Nov 2026 10:15:00 GMT', 'Tue, 06 Jan 2025 01:02:03 GMT'],
    ['ls date', 'Nov 30 10:15 a.txt', 'Jan  6 01:02 a.txt'],
    ['clock', '10:15:00 start', '1:02:03 start'],
    ['relative', '3 minutes ago', '1 hour ago'],
    ['epoch', 'id 1764497700123', 'id 1600000000000'],
    ['pid', 'pid 123', 'pid 99999'],
    ['pid with colon', 'PID: 1', 'PID: 2'],
    ['port', 'on http://localhost:3000/x', 'on http://localhost:45671/x'],
    ['port word', 'Listening on port 80', 'Listening on port 8080'],
    ['short hash', 'commit abc1234', 'commit 9f8e7d6c'],
    ['long hash', 'da39a3ee5e6b4b0d3255bfef95601890afd80709', '0a1b2c3d4e5f60718293a4b5c6d7e8f901234567'],
    ['uuid', 'id 123e4567-e89b-12d3-a456-426614174000', 'id 00000000-e89b-12d3-a456-4266141740ff'],
    ['session', 'session 20261130-101500-abcd', 'session 20250101-000000-zzzz'],
    ['temporary folder', 'in /tmp/go-build123/b001/x', 'in /tmp/go-build9/b001/x'],
    ['line ends', 'a\r\nb  \n', 'a\nb\n'],
  ];
  it.each(same)('takes out %s', (_name, a, b) => {
    expect(n(a)).toBe(n(b));
    expect(n(a)).not.toBe('');
  });

  const different: readonly (readonly [string, string, string])[] = [
    ['counts', '3 passed', '4 passed'],
    ['line numbers', 'a.ts:12: bad', 'a.ts:13: bad'],
    ['words of hex letters', 'deadbeef', 'facade'],
    ['exit codes', 'exit 1', 'exit 2'],
    ['versions', 'v1.2.3', 'v1.2.4'],
    ['numbers before a word', '3 strings', '4 strings'],
    ['other paths', '/etc/a', '/etc/b'],
    ['names below the temporary name', '/tmp/x1/a.txt', '/tmp/x1/b.txt'],
    ['ports that are none', 'report 12', 'report 13'],
  ];
  it.each(different)('leaves %s', (_name, a, b) => expect(n(a)).not.toBe(n(b)));

  it('marks the same places of two machines alike', () => {
    expect(n('/home/ana/app/src/a.ts and /home/ana/notes')).toBe('<workspace>/src/a.ts and <home>/notes');
    expect(n('/tmp/copy-77/src/a.ts and /root/notes', other)).toBe('<workspace>/src/a.ts and <home>/notes');
  });

  it('replaces whole paths only', () => {
    expect(n('/home/ana.application /home/anabel /x/home/ana/app /tmpfile')).toBe(
      '/home/ana.application /home/anabel /x/home/ana/app /tmpfile',
    );
    expect(n('"/home/ana/app": (/home/ana/app) /home/ana/app.')).toBe('"<workspace>": (<workspace>) <workspace>.');
    expect(normalise('a/b', { roots: ['/'], home: '', tmp: [''] })).toBe('a/b');
  });

  it('takes time in proportion to the text: a quadratic step would not end within the limit', () => {
    const pieces = [
      '1',
      'a',
      '1.',
      '1h',
      '1m ',
      '1:',
      'Mon ',
      '2026-',
      '/tmp',
      '/tmp/',
      ' ',
      '/home/ana/app',
      'f0',
      '1 ',
      '\r',
      'pid ',
      'sha256-',
      '-',
    ];
    for (const piece of pieces)
      expect(n(piece.repeat(Math.ceil(1_000_000 / piece.length))), JSON.stringify(piece)).toBeTypeOf('string');
  });
});

describe('compareResults', () => {
  const compare = (a: ToolResult, b: ToolResult) => compareResults(a, b, { recorded: places, replayed: other });

  it('is the same when only times and places differ', async () => {
    expect(await compare(result('ok /home/ana/app 0.1s'), result('ok /tmp/copy-77 9.1s'))).toEqual({ same: true, diff: '' });
  });
  it('shows a difference as a diff', async () => {
    const { same, diff } = await compare(result('one\ntwo\nthree\n'), result('one\n2\nthree\n'));
    expect(same).toBe(false);
    expect(diff).toBe('--- recorded\n+++ replayed\n@@ -1,4 +1,4 @@\n ok\n one\n-two\n+2\n three\n');
  });
  it('sees a changed code or error flag', async () => {
    expect((await compare(result('x'), result('x', { isError: true, code: 'Failed' }))).diff).toContain('+error Failed');
    expect(
      (await compare(result('x', { isError: true, code: 'ExitCode:1' }), result('x', { isError: true, code: 'ExitCode:2' })))
        .same,
    ).toBe(false);
  });
  it('gives up on a diff that would take too long, and still shows where it begins', async () => {
    const lines = (seed: number) => Array.from({ length: 40_000 }, (_, i) => String((i * seed) % 39_989)).join('\n');
    const diff = await unifiedDiff(`same\n${lines(7919)}`, `same\n${lines(104_729)}`, 'a', 'b');
    expect(diff.startsWith('--- a\n+++ b\n@@')).toBe(true);
  });
});
