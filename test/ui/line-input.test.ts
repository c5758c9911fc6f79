import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { openHistory } from '../../src/ui/history-file.js';
import { createLineInput, type LineInputOptions } from '../../src/ui/line-input.js';
import { createText } from '../../src/ui/text/index.js';
import { FakeTerminal } from './streams.js';

const dirs: string[] = [];
const tempDir = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'lines-'));
  dirs.push(dir);
  return dir;
};
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

const wait = (ms = 15) => new Promise((resolve) => setTimeout(resolve, ms));

function open(input: PassThrough, more: Partial<LineInputOptions> = {}) {
  const output = new PassThrough();
  let screen = '';
  output.on('data', (data) => {
    screen += String(data);
  });
  return { lines: createLineInput({ input, output, text: createText('en'), ...more }), screen: () => screen };
}

describe('line input', () => {
  it('gives one line after the other, also those that came early', async () => {
    const input = new PassThrough();
    const { lines, screen } = open(input);
    input.write('one\ntwo\nthr');
    expect(await lines.next('> ')).toEqual({ kind: 'line', text: 'one' });
    expect(await lines.next('> ')).toEqual({ kind: 'line', text: 'two' });
    const third = lines.next('> ');
    input.write('ee\n');
    expect(await third).toEqual({ kind: 'line', text: 'three' });
    expect(screen()).toContain('> ');
    lines.close();
    expect(await lines.next('> ')).toEqual({ kind: 'leave' });
  });

  it('gives a line away at once while something runs, and only then', async () => {
    const input = new PassThrough();
    const taken: string[] = [];
    const atOnce = (line: string): boolean => line.startsWith('/agents') && taken.push(line) > 0;
    const { lines } = open(input, { atOnce });
    const first = lines.next('> ');
    input.write('/agents\n');
    expect(await first).toEqual({ kind: 'line', text: '/agents' });
    input.write('/agents cancel coder\nfor the model\n');
    await wait();
    expect(taken).toEqual(['/agents cancel coder']);
    expect(lines.takeTyped()).toEqual(['for the model']);
    lines.close();
  });

  it('joins lines that end in a backslash, and only in an odd number of them', async () => {
    const input = new PassThrough();
    const { lines, screen } = open(input);
    const first = lines.next('> ');
    input.write('a\\\nb\\\\\n');
    expect(await first).toEqual({ kind: 'line', text: 'a\nb\\\\' });
    expect(screen()).toContain('… ');
    lines.close();
  });

  it('leaves at the end of the input, after what was begun', async () => {
    const input = new PassThrough();
    const { lines } = open(input);
    input.end('half\\\nlast');
    expect(await lines.next('> ')).toEqual({ kind: 'line', text: 'half\nlast' });
    expect(await lines.next('> ')).toEqual({ kind: 'leave' });
    expect(await lines.next('> ')).toEqual({ kind: 'leave' });
  });

  it('clears what was typed at the first Ctrl+C, hints at an empty prompt, leaves at the second', async () => {
    const input = new FakeTerminal();
    const { lines, screen } = open(input);
    const next = lines.next('> ');
    input.write('rm -rf x');
    await wait();
    input.write('\x03');
    await wait();
    expect(screen()).not.toContain('to leave');
    input.write('kept\r');
    expect(await next).toEqual({ kind: 'line', text: 'kept' });
    const last = lines.next('> ');
    input.write('\x03');
    await wait();
    expect(screen()).toContain('Press Ctrl+C again, or Ctrl+D, to leave.');
    input.write('\x03');
    expect(await last).toEqual({ kind: 'leave' });
  });

  it('forgets the first Ctrl+C when a line comes between', async () => {
    const input = new FakeTerminal();
    const { lines } = open(input);
    const next = lines.next('> ');
    input.write('\x03');
    await wait();
    input.write('x\r');
    await next;
    const second = lines.next('> ');
    input.write('\x03');
    await wait();
    input.write('y\r');
    expect(await second).toEqual({ kind: 'line', text: 'y' });
    lines.close();
  });

  it('leaves at Ctrl+D on an empty prompt', async () => {
    const input = new FakeTerminal();
    const { lines } = open(input);
    const next = lines.next('> ');
    input.write('\x04');
    expect(await next).toEqual({ kind: 'leave' });
  });

  it('gives Ctrl+C to what runs, and keeps what is typed meanwhile', async () => {
    const input = new FakeTerminal();
    const { lines } = open(input);
    let interrupts = 0;
    const free = lines.busy(() => interrupts++);
    input.write('next task\r\x03\x03');
    await wait();
    expect(interrupts).toBe(2);
    expect(lines.takeTyped()).toEqual(['next task']);
    expect(lines.takeTyped()).toEqual([]);
    free();
    lines.close();
  });

  it('gives the input away and takes it back with what was half typed', async () => {
    const input = new FakeTerminal();
    const { lines } = open(input);
    const next = lines.next('> ');
    input.write('half ');
    await wait();
    const giveBack = lines.hold();
    expect([input.isRaw, input.listenerCount('keypress')]).toEqual([false, 0]);
    giveBack();
    giveBack();
    input.write('done\r');
    expect(await next).toEqual({ kind: 'line', text: 'half done' });
    lines.close();
    lines.hold()();
  });

  it('keeps what is half typed while something runs away from what is shown, and from the question', async () => {
    const input = new FakeTerminal();
    const { lines, screen } = open(input);
    input.write('half ');
    await wait();
    const giveBack = lines.hold();
    const before = screen().length;
    giveBack();
    await wait();
    expect(screen().slice(before)).not.toContain('half');
    input.write('more');
    await wait();
    const next = lines.next('> ');
    input.write(' done\r');
    expect(await next).toEqual({ kind: 'line', text: 'half more done' });
    // One letter was an answer that came too early.
    input.write('y');
    await wait();
    lines.hold()();
    const empty = lines.next('> ');
    input.write('go\r');
    expect(await empty).toEqual({ kind: 'line', text: 'go' });
    lines.close();
  });

  it('completes commands', async () => {
    const input = new FakeTerminal();
    const { lines } = open(input, { complete: (line) => ['/coder', '/chat'].filter((word) => word.startsWith(line)) });
    const next = lines.next('> ');
    input.write('/co\t');
    await wait();
    input.write(' x\r');
    expect(await next).toEqual({ kind: 'line', text: '/coder x' });
    lines.close();
  });

  it('brings back what was typed in an earlier session', async () => {
    const historyFile = join(tempDir(), 'state', 'history');
    const first = open(new PassThrough(), { historyFile });
    openHistory(historyFile).add('earlier line');
    first.lines.close();
    const input = new FakeTerminal();
    const { lines } = open(input, { historyFile });
    const next = lines.next('> ');
    input.write('\x1b[A\r');
    expect(await next).toEqual({ kind: 'line', text: 'earlier line' });
    lines.close();
    expect(statSync(historyFile).mode & 0o777).toBe(0o600);
  });
});

describe('the history file', () => {
  it('keeps entries of several lines, newest first, without repetitions and secrets', () => {
    const file = join(tempDir(), 'h');
    const history = openHistory(file);
    for (const entry of ['one', 'two\nlines', 'two\nlines', ' secret', '', '   ']) history.add(entry);
    expect(openHistory(file).entries).toEqual(['two\nlines', 'one']);
    expect(readFileSync(file, 'utf8')).toBe('"one"\n"two\\nlines"\n');
  });

  it('skips damage, keeps the newest thousand and makes the file private', () => {
    const file = join(tempDir(), 'h');
    writeFileSync(file, `rubbish\n{"a":1}\n7\n${Array.from({ length: 1500 }, (_, i) => `"e${i}"`).join('\n')}\n"half`, {
      mode: 0o644,
    });
    const history = openHistory(file);
    expect([history.entries.length, history.entries[0], history.entries[999]]).toEqual([1000, 'e1499', 'e500']);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(1001);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('never throws and never writes through a link', () => {
    const dir = tempDir();
    mkdirSync(join(dir, 'folder'));
    const folder = openHistory(join(dir, 'folder'));
    folder.add('x');
    expect(folder.entries).toEqual([]);
    writeFileSync(join(dir, 'victim'), 'precious');
    symlinkSync(join(dir, 'victim'), join(dir, 'link'));
    openHistory(join(dir, 'link')).add('x');
    expect(readFileSync(join(dir, 'victim'), 'utf8')).toBe('precious');
  });
});
