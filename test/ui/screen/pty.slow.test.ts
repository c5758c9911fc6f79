/** The screen in a real terminal: type-ahead, keys, resize while streaming, other programs, stops, every way out, tmux. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noPty, openPty, type PtyOptions, type PtyTerminal } from '../../helpers/pty.js';
import { buildTiny } from './build-tiny.js';

let tiny: Awaited<ReturnType<typeof buildTiny>>;
let without: string | undefined;
const opened: PtyTerminal[] = [];

async function start(more: Partial<PtyOptions> = {}): Promise<PtyTerminal> {
  const terminal = await openPty({
    file: process.execPath,
    args: [tiny.file],
    ...more,
    env: { TERM_PROGRAM: 'vscode', ...more.env },
  });
  opened.push(terminal);
  return terminal;
}

beforeAll(async () => {
  without = await noPty();
  tiny = await buildTiny();
});
afterAll(() => tiny.remove());
beforeEach((context) => {
  if (without) context.skip(without);
});
afterEach(async () => {
  for (const terminal of opened.splice(0)) await terminal.close();
});

const streamed = (terminal: PtyTerminal): number[] =>
  terminal.scrollback().flatMap((line) => {
    const number = /^S(\d+)/.exec(line)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
const left = (terminal: PtyTerminal) => ({
  paste: terminal.terminal.modes.bracketedPasteMode,
  wraps: terminal.terminal.modes.wraparoundMode,
  hidden: /\x1b\[\?25l(?![\s\S]*\x1b\[\?25h)/.test(terminal.output()),
});
const CLEAN = { paste: false, wraps: true, hidden: false };

/** What a tmux pane holds, scrollback and all. */
function rest(socket: string, columns: number) {
  const held = spawnSync('tmux', ['-S', socket, 'capture-pane', '-p', '-J', '-S', '-']).stdout.toString().split('\n');
  const rules = held.filter((line) => line.startsWith('─'));
  return {
    streamed: held.filter((line) => /^S\d/.test(line)).length,
    rules:
      rules.filter((line) => line.trimEnd() === '─'.repeat(columns)).length +
      rules.filter((line) => line.trimEnd() !== '─'.repeat(columns)).length * 10,
    inputs: held.filter((line) => line.startsWith('>')).length,
  };
}

describe('in a real terminal', () => {
  it('what was typed before the screen was up comes first, in order, and is not echoed', async () => {
    const terminal = await start({ env: { TINY_WAIT: '300' } });
    await terminal.waitFor('starting');
    terminal.send('early one\rtw');
    terminal.send('o');
    await terminal.waitFor('> two');
    expect(terminal.scrollback().slice(0, 3)).toEqual(['starting', 'ready', 'typed early one']);
    terminal.send('!\x1b[200~a\rb\x1b[201~\x1b[1;5C\x1b\r');
    await terminal.waitFor('key M-enter');
    expect(terminal.scrollback()).toEqual(expect.arrayContaining(['paste "a\\nb"', 'key C-right', 'key M-enter']));
    expect(terminal.screen()).toContain('> two!');
    terminal.send('\x1b');
    await terminal.waitFor('key escape');
    terminal.send('\x03');
    expect(await terminal.exit).toEqual({ code: 0, signal: 0 });
    expect(left(terminal)).toEqual(CLEAN);
    expect(terminal.scrollback().at(-1)).toBe('key escape');
  });

  it('keys that came before the program ran at all are kept, and their Enter is Enter', async () => {
    const terminal = await start();
    terminal.send('at once\rand mo');
    await terminal.waitFor('> and mo');
    expect(terminal.scrollback()).toContain('typed at once');
    expect(terminal.scrollback().slice(-4)).toEqual(['─'.repeat(80), '> and mo', '─'.repeat(80), 'lines 0 80x24 unknown']);
  });

  it('Ctrl+C ends a slow start', async () => {
    const terminal = await start({ env: { TINY_WAIT: '60000' } });
    await terminal.waitFor('starting');
    terminal.send('abc\x03');
    expect(await terminal.exit).toEqual({ code: 0, signal: 2 });
  });

  it('each line stands once after resizes in the middle of streaming', async () => {
    const terminal = await start();
    await terminal.waitFor('ready');
    terminal.send('\x13');
    for (const [shown, columns, rows] of [
      [50, 50, 24],
      [120, 120, 30],
      [200, 40, 15],
      [300, 90, 24],
    ] as const) {
      await terminal.waitUntil(`S${shown}`, () => (streamed(terminal).at(-1) ?? 0) >= shown);
      terminal.resize(columns, rows);
    }
    await terminal.waitFor('stream done');
    await terminal.waitFor('lines 500 90x24');
    expect(streamed(terminal)).toEqual(Array.from({ length: 500 }, (_, i) => i));
    expect(
      terminal
        .screen()
        .filter((row) => row !== '')
        .slice(-4),
    ).toEqual(['─'.repeat(90), '>', '─'.repeat(90), 'lines 500 90x24 unknown']);
    expect(terminal.output()).not.toMatch(/\x1b\[[23]J/);
  });

  it('stays quiet when nothing happens, and answers keys while much is printed', async () => {
    const terminal = await start();
    await terminal.waitFor('lines 0');
    terminal.send('\x02');
    await terminal.waitFor(/^B\d/m);
    terminal.send('typed amid');
    await terminal.waitFor('> typed amid');
    expect(terminal.scrollback()).not.toContain('burst done');
    await terminal.waitFor('burst done');
    expect(terminal.scrollback().filter((line) => /^B\d/.test(line))).toHaveLength(3000);
    const bytes = terminal.bytes();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(terminal.bytes()).toBe(bytes);
  });

  it('hands the terminal to another program and takes it again', async () => {
    const terminal = await start();
    await terminal.waitFor('ready');
    terminal.send('abc\x05');
    await terminal.waitFor('editor has it');
    expect(terminal.screen().join('\n')).not.toContain('lines');
    terminal.send('for sh\r');
    await terminal.waitFor('> abc');
    expect(terminal.scrollback().slice(0, 5)).toEqual(['starting', 'ready', 'editor has it', 'for sh', 'answer for sh']);
    terminal.send('d');
    await terminal.waitFor('> abcd');
  });

  it.each([
    ['an uncaught error', '\x14', { code: 1, signal: 0 }],
    ['an exit', '\x18', { code: 3, signal: 0 }],
  ] as const)('%s leaves the terminal as it was', async (_name, key, exit) => {
    const terminal = await start();
    await terminal.waitFor('lines 0');
    terminal.send(`half${key}`);
    expect(await terminal.exit).toEqual(exit);
    expect(left(terminal)).toEqual(CLEAN);
    expect(terminal.scrollback().slice(0, 2)).toEqual(['starting', 'ready']);
    expect(terminal.scrollback().join('\n')).not.toContain('lines 0');
    if (key === '\x14') expect(terminal.scrollback().join('\n')).toContain('thrown on purpose');
  });

  it.each([
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ] as const)('%s leaves the terminal as it was, and ends the program', async (name, number) => {
    const terminal = await start();
    await terminal.waitFor('lines 0');
    terminal.signal(name);
    expect((await terminal.exit).signal).toBe(number);
    expect(left(terminal)).toEqual(CLEAN);
  });

  it('Ctrl+Z stops under a shell with job control, fg goes on; without a shell nothing hangs', async () => {
    const alone = await start();
    await alone.waitFor('lines 0');
    alone.send('a\x1ab');
    await alone.waitFor('> ab');
    const shell = await start({ file: 'bash', args: ['--norc', '--noprofile', '-i'], env: { PS1: 'prompt$ ' } });
    await shell.waitFor('prompt$');
    shell.send(`'${process.execPath}' '${tiny.file}'\r`);
    await shell.waitFor('lines 0');
    shell.send('abc\x1a');
    await shell.waitFor(/Stopped[\s\S]*prompt\$/);
    shell.send('echo from $((40+2))\r');
    await shell.waitFor('from 42');
    shell.send('fg\r');
    await shell.waitFor('> abc');
    shell.send('d\r');
    await shell.waitFor('typed abcd');
    shell.send('\x03');
    await shell.waitFor(/typed abcd\nprompt\$/);
    shell.send('stty -a\r');
    await shell.waitFor(/\becho\b/);
    expect(shell.screen().join('\n')).not.toContain('-icanon');
  });

  it('TERM=dumb and NO_COLOR: lines only', async () => {
    const terminal = await start({ env: { TERM: 'dumb' } });
    await terminal.exit;
    expect(terminal.output()).toBe('starting\r\nready\r\n');
  });

  it('the same through tmux, with a resize', async (context) => {
    if (spawnSync('tmux', ['-V']).status !== 0) context.skip('tmux is not installed');
    const folder = mkdtempSync(join(tmpdir(), 'chatcli-tmux-'));
    const socket = join(folder, 'tmux');
    try {
      const terminal = await start({
        file: 'tmux',
        args: ['-f', '/dev/null', '-S', socket, 'new-session', `exec '${process.execPath}' '${tiny.file}'`],
        env: { TERM_PROGRAM: '' },
      });
      await terminal.waitFor('ready');
      terminal.send('中文');
      await terminal.waitFor('> 中文');
      terminal.send('\x13');
      await terminal.waitFor(/^S1\d\d/m);
      terminal.resize(50, 20);
      await terminal.waitFor(/^S2\d\d/m);
      terminal.resize(100, 30);
      await terminal.waitFor('stream done');
      await terminal.waitFor('lines 500');
      const held = spawnSync('tmux', ['-S', socket, 'capture-pane', '-p', '-J', '-S', '-']).stdout.toString().split('\n');
      const numbers = held.flatMap((line) => (/^S\d+/.test(line) ? [Number(/^S(\d+)/.exec(line)?.[1])] : []));
      expect(numbers).toEqual(Array.from({ length: 500 }, (_, i) => i));
      expect(held.filter((line) => line.startsWith('> 中文'))).toHaveLength(1);
      // At rest nothing of the live region is left behind: cursor in a line that is broken, long lines on both sides.
      terminal.send('x'.repeat(60));
      await terminal.waitFor('x'.repeat(60));
      for (const columns of [50, 30, 90]) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        const before = rest(socket, terminal.terminal.cols);
        terminal.resize(columns, 30);
        await terminal.waitFor(`lines 500 ${columns}x`);
        expect(rest(socket, columns)).toEqual({ ...before, rules: 2, inputs: 1 });
      }
      terminal.send('\x03');
      await terminal.exit;
    } finally {
      spawnSync('tmux', ['-S', socket, 'kill-server']);
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
