/** A command of the user's own: what is shown of it, and what is not waited for. */
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { runOwn, shownOutput } from '../../../src/app/shell/own-command.js';

const run = (command: string, more: { env?: Record<string, string>; signal?: AbortSignal } = {}) => {
  const shown: string[] = [];
  const env = { PATH: process.env['PATH'] ?? '', SHELL: '/bin/sh', ...more.env };
  const signal = more.signal ?? new AbortController().signal;
  return runOwn(command, { cwd: tmpdir(), env, signal, show: (text) => shown.push(text) }).then((ended) => ({ ...ended, shown }));
};

it('shows the beginning and the end of an endless output, in bounds', () => {
  const printed: string[] = [];
  const shown = shownOutput((lines) => printed.push(...lines));
  for (let i = 0; i < 200_000; i++) shown.take(`line ${i}\n`);
  shown.end((count) => `${count} left out`);
  expect(printed[0]).toBe('line 0');
  expect(printed.at(-1)).toBe('line 199999');
  expect(printed.join('\n').length).toBeLessThan(450_000);
  expect(printed.filter((line) => /^\d+ left out$/.test(line))).toHaveLength(1);
});

it('shows all of a short one once, without a mark', () => {
  const printed: string[] = [];
  const shown = shownOutput((lines) => printed.push(...lines));
  shown.take('one\ntwo\n');
  shown.take('three');
  shown.end(() => 'cut');
  expect(printed).toEqual(['one', 'two', 'three']);
});

it('does not wait for what a command left in the background and that goes on talking', async () => {
  const stop = new AbortController();
  const { code, shown } = await run(
    'echo first; (i=0; while [ $i -lt 100 ]; do sleep 0.1; echo more; i=$((i+1)); done) & exit 3',
    {
      signal: stop.signal,
    },
  );
  expect(code).toBe(3);
  expect(shown.join('')).toContain('first');
  expect(shown.join('').match(/more/g)?.length ?? 0).toBeLessThan(60);
});

it('takes an empty SHELL for none, and says that a command cannot hold NUL', async () => {
  expect(await run('echo fine', { env: { SHELL: '' } })).toMatchObject({ code: 0, output: 'fine\n' });
  const { code, shown } = await run('echo a\0b');
  expect(code).toBeUndefined();
  expect(shown.join('')).toContain('NUL');
});

it('gives many lines that come at once as whole lines', async () => {
  const printed: string[] = [];
  const shown = shownOutput((lines) => printed.push(...lines));
  const env = { PATH: process.env['PATH'] ?? '', SHELL: '/bin/sh' };
  const text = Array.from({ length: 20_000 }, (_, n) => `row ${n + 1}.`);
  const command = `awk 'BEGIN { for (i = 1; i <= 20000; i++) print "row " i "." }'`;
  const { signal } = new AbortController();
  await runOwn(command, { cwd: tmpdir(), env, signal, show: shown.take });
  shown.end(() => 'cut');
  expect(printed).toEqual(text);
});
