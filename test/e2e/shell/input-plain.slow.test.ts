/** The line-by-line shell on poor terminals and for screen readers, pipes, both languages, no colour, resizing, and tmux. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { program } from '../../helpers/program.js';
import { envFor } from '../../helpers/wire/env.js';
import { PATIENCE_MS, paste, playedShells } from './input-shell.js';

const start = playedShells();

describe('the plain shell', () => {
  it.each([
    ['TERM=dumb', { env: { TERM: 'dumb' } }],
    ['--plain', { args: ['--plain'] }],
  ])('goes line by line with %s: commands, messages, no cursor games', async (_name, options) => {
    const shell = await start(options);
    await shell.type('/mode\r', 'accept-edits');
    await shell.type('hello there\r', 'Understood.');
    expect(shell.lastSaid()).toContain('hello there');
    await shell.type('!echo own $((6*7))\r', 'own 42');
    shell.terminal.send('/exit\r');
    expect(await shell.terminal.exit).toEqual({ code: 0, signal: 0 });
    expect(shell.terminal.output()).not.toContain('\x1b[?2026h');
  });
  it('keeps commands, and lines that name files, from a run that works; they have their turn after it', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const shell = await start({
      args: ['--plain'],
      files: { 'named.txt': 'text of the named file' },
      script: async (_request, index) => {
        if (index === 0) await held;
        return { text: `Answer ${index + 1}.` };
      },
    });
    shell.terminal.send('go\r');
    await expect.poll(() => shell.server.requests.length, { timeout: PATIENCE_MS }).toBe(1);
    shell.terminal.send('for the run\r!echo own $((6*7))\rsee @named.txt\r');
    await shell.terminal.waitFor('see @named.txt', { ms: PATIENCE_MS });
    release();
    await shell.terminal.waitFor('own 42', { all: true, ms: PATIENCE_MS });
    await shell.terminal.waitFor('Answer 3.', { all: true, ms: PATIENCE_MS });
    expect(shell.server.requests).toHaveLength(3);
    expect(JSON.stringify(shell.server.requests[1]?.body)).toContain('for the run');
    expect(JSON.stringify(shell.server.requests[1]?.body)).not.toContain('echo own');
    expect(shell.lastSaid()).toMatch(/own 42[\s\S]*text of the named file[\s\S]*see @named\.txt/);
  });
  it('takes a pipe as one message and prints only the answer', async () => {
    const shell = await start({ args: ['--plain'] });
    const child = spawn(process.execPath, [await program()], {
      cwd: shell.root,
      env: { PATH: process.env['PATH'] ?? '', HOME: shell.home, LANG: 'C.UTF-8', ...envFor(shell.server) },
    });
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    child.stdin.end('hi\n/exit\n');
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
    expect(printed.trim()).toBe('Understood.');
    expect(shell.lastSaid()).toContain('hi\n/exit');
  });
});

describe('looks', () => {
  it('has no colour with NO_COLOR', async () => {
    const shell = await start({ env: { NO_COLOR: '1' } });
    await shell.enter('hello', 'Understood.');
    expect(shell.terminal.output()).not.toMatch(/\x1b\[(?:3[0-7]|9[0-7]|38|48)[;m]/);
  });
  it('speaks Portuguese', async () => {
    const shell = await start({ env: { CHATCLI_LANG: 'pt-BR' } });
    expect(shell.shown()).not.toContain('Ask, or say');
    await shell.enter('/ajuda-que-nao-ha', /ajuda-que-nao-ha/);
    expect(shell.all()).not.toMatch(/unknown command|There is no/i);
    await shell.enter('/mode', /accept-edits/);
  });
  it.each([
    [40, 24],
    [200, 24],
    [80, 5],
  ])('typing many wide lines while the window is resized (from %i x %i) loses and doubles nothing', async (columns, rows) => {
    const shell = await start({ columns, rows });
    const text = ['first 中文字中文字中文字中文字', 'second 👩‍👩‍👧👩‍👩‍👧 é\u0301 end', 'third שלום'].join('\n');
    shell.terminal.send(paste(text));
    await shell.terminal.waitFor(/third/, { ms: PATIENCE_MS });
    for (const [width, height] of [
      [30, 12],
      [120, 6],
      [33, 24],
      [columns, rows],
    ] as const) {
      shell.terminal.resize(width, height);
      shell.terminal.send('x');
      const number = shell.terminal.output().length;
      await shell.terminal.waitUntil('a frame', () => shell.terminal.output().length > number, PATIENCE_MS);
    }
    await shell.terminal.waitFor(/xxxx/, { ms: PATIENCE_MS });
    shell.terminal.send('\r');
    await shell.terminal.waitFor('Understood.', { all: true, ms: PATIENCE_MS });
    expect(shell.lastSaid()).toContain(`${text}xxxx`);
  });
});

describe('tmux', () => {
  it('shows the same, and Shift+Enter or Alt+Enter begin a line', async (context) => {
    const found = spawnSync('tmux', ['-V'], { encoding: 'utf8' });
    if (found.status !== 0) context.skip('no tmux here');
    const shell = await start();
    const socket = `chatcli-input-${process.pid}`;
    const tmux = (...words: string[]): string =>
      execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...words], {
        encoding: 'utf8',
        cwd: shell.root,
        env: {
          PATH: process.env['PATH'] ?? '',
          HOME: shell.home,
          LANG: 'C.UTF-8',
          TERM: 'xterm-256color',
          ...envFor(shell.server),
        },
      });
    const until = async (what: RegExp): Promise<string> => {
      for (const end = Date.now() + PATIENCE_MS; ; ) {
        const shown = tmux('capture-pane', '-p', '-t', 's');
        if (what.test(shown)) return shown;
        if (Date.now() > end) throw new Error(`tmux never showed ${what}:\n${shown}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    tmux('new-session', '-d', '-x', '80', '-y', '24', '-s', 's', process.execPath, await program());
    try {
      await until(/> Ask, or/);
      tmux('send-keys', '-t', 's', '-l', 'typed 中文 in tmux');
      await until(/> typed 中文 in tmux/);
      tmux('send-keys', '-t', 's', 'M-Enter');
      tmux('send-keys', '-t', 's', '-l', 'second');
      await until(/in tmux\n {2}second/);
      tmux('send-keys', '-t', 's', 'Enter');
      const shown = await until(/Understood\./);
      expect(shown.split('second').length).toBe(2);
      expect(shell.lastSaid()).toContain('typed 中文 in tmux\nsecond');
    } finally {
      tmux('kill-server');
    }
  });
});
