import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { type StreamOptions, streamLines } from '../../src/process/stream-lines.js';

const node = (script: string, options: Partial<StreamOptions> = {}) =>
  streamLines({ file: process.execPath, args: ['-e', script], cwd: tmpdir(), env: {}, ...options });

async function all(stream: ReturnType<typeof streamLines>): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of stream.lines) lines.push(line.cut ? `${line.text}<cut>` : line.text);
  return lines;
}

describe('streamLines', () => {
  it('gives whole lines, the last one without a break too, and how it ended', async () => {
    const stream = node("process.stdout.write('a\\n\\nü'.repeat(3)); process.stderr.write('oops'); process.exitCode = 3");
    expect(await all(stream)).toEqual(['a', '', 'üa', '', 'üa', '', 'ü']);
    expect(await stream.end).toEqual({ exitCode: 3, stderr: 'oops' });
  });

  it('passes arguments as they are, without a shell', async () => {
    const stream = streamLines({
      file: process.execPath,
      args: ['-e', 'console.log(process.argv[1], process.env.X)', '$(touch x); "q"'],
      cwd: tmpdir(),
      env: { X: 'y' },
    });
    expect(await all(stream)).toEqual(['$(touch x); "q" y']);
  });

  it('kills the program when the listener leaves', async () => {
    const stream = node("setInterval(() => console.log('tick'), 1)");
    for await (const line of stream.lines) {
      expect(line.text).toBe('tick');
      break;
    }
    expect(await stream.end).toMatchObject({ exitCode: null, stopped: 'early' });
  });

  it('ends at the deadline and on abort', async () => {
    const late = node('setInterval(() => 0, 1000)', { timeoutMs: 50 });
    expect(await all(late)).toEqual([]);
    expect(await late.end).toMatchObject({ stopped: 'timeout' });
    const controller = new AbortController();
    const stopped = node('setInterval(() => 0, 1000)', { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    await all(stopped);
    expect(await stopped.end).toMatchObject({ stopped: 'aborted' });
    const never = node('setInterval(() => 0, 1000)', { signal: AbortSignal.abort() });
    await all(never);
    expect(await never.end).toMatchObject({ stopped: 'aborted' });
  });

  it('tells what follows the mark in a line that was cut, wherever the pieces end', async () => {
    for (const before of [0, 1, 9, 10, 11, 30, 70_000]) {
      const stream = node(
        `const text = 'a'.repeat(${before}) + '<mark>12,' + 'b'.repeat(50);
         process.stdout.write('<mark>x\\n');
         let i = 0;
         const step = () => {
           if (i >= text.length) return process.stdout.write('\\n' + text.slice(0, -50) + '\\n');
           process.stdout.write(text.slice(i, i + (i < 100 ? 7 : 9999)), step);
           i += i < 100 ? 7 : 9999;
         };
         step();`,
        { maxLineBytes: 10, mark: '<mark>' },
      );
      const found: (string | undefined)[] = [];
      for await (const line of stream.lines) found.push(line.cut ? line.afterMark?.slice(0, 3) : 'whole');
      expect([before, found]).toEqual([before, ['whole', '12,', before < 2 ? 'whole' : '12,']]);
    }
  });

  it('bounds a line that never ends', async () => {
    const stream = node(
      "for (let i = 0; i < 100; i++) process.stdout.write('x'.repeat(10000)); process.stdout.write('\\nnext\\n')",
      { maxLineBytes: 5000 },
    );
    expect((await all(stream)).map((line) => line.length)).toEqual([5005, 4]);
  });

  it('tells of a program that cannot be started', async () => {
    const stream = streamLines({ file: '/nonexistent/program', args: [], cwd: tmpdir(), env: {} });
    expect(await all(stream)).toEqual([]);
    expect(await stream.end).toMatchObject({ exitCode: null, failed: 'ENOENT' });
  });
});
