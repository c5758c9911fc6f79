/** Commands of one's own, the external editor, job control, and every way out: what they leave on the screen and of the terminal. */
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { count, PATIENCE_MS, type Place, type PlayedShell, playedShells, textOf } from './input-shell.js';

const start = playedShells();
const PLACEHOLDER = 'Ask, or say what to change';
const CTRL_C = '\x03';
const CTRL_G = '\x07';

/** What a shell may have switched on and must switch off. */
function expectRestored({ terminal }: PlayedShell): void {
  const { bracketedPasteMode } = terminal.terminal.modes;
  expect(bracketedPasteMode).toBe(false);
  expect(terminal.output().lastIndexOf('\x1b[?25h')).toBeGreaterThanOrEqual(terminal.output().lastIndexOf('\x1b[?25l'));
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

async function gone(pid: number): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  while (isAlive(pid)) {
    if (Date.now() > until) throw new Error(`process ${pid} is still there`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('a command of one’s own', () => {
  it('shows its output as it comes, each line once, and tells the next message', async () => {
    const shell = await start();
    await shell.enter('!echo out; echo err >&2; printf "no end"', 'no end');
    await shell.terminal.waitFor(PLACEHOLDER);
    expect(count(shell.all(), '\nout\n')).toBe(1);
    expect(count(shell.all(), '\nerr\n')).toBe(1);
    expect(shell.server.requests).toHaveLength(0);
    await shell.enter('what was that?', 'Understood.');
    expect(shell.lastSaid()).toMatch(/exit code 0:\n\$ echo out; .*\n(?:out\nerr|err\nout)\nno end/);
    await shell.enter('and now?', /now\?\n[\s\S]*Understood/);
    expect(shell.lastSaid()).not.toContain('no end');
  });
  it('that fails, or is not there, says how it ended', async () => {
    const shell = await start();
    await shell.enter('!exit 7', 'Ended with 7.');
    await shell.enter('!no-such-program-here', 'Ended with 127.');
    expect(shell.all()).toMatch(/no-such-program-here/);
    await shell.enter('!', PLACEHOLDER);
  });
  it('of many lines keeps every line once and in order, and gives the model the end', async () => {
    const shell = await start();
    await shell.enter('!seq -f "row %g." 1 3000', 'row 3000.');
    await shell.terminal.waitFor(PLACEHOLDER);
    const rows = shell.terminal.scrollback().filter((line) => /^row \d+\.$/.test(line));
    expect(rows).toEqual(Array.from({ length: 3000 }, (_, n) => `row ${n + 1}.`));
    await shell.enter('well?', 'Understood.');
    expect(shell.lastSaid()).toContain('row 3000.');
    expect(shell.lastSaid().length).toBeLessThan(30_000);
  });
  it('with control sequences, a binary and carriage returns does nothing to the terminal', async () => {
    const shell = await start();
    await shell.enter(`!printf 'a\\033[2Jb\\033]0;t\\007c\\rd\\nlast\\n'`, /last\n/);
    await shell.terminal.waitFor(PLACEHOLDER);
    expect(shell.terminal.output()).not.toMatch(/a\x1b\[2J|\x1b\]0;t/);
    await shell.enter('!head -c 3000 /dev/urandom', PLACEHOLDER);
    await shell.terminal.waitUntil('it is done', () => shell.shown().includes(PLACEHOLDER), PATIENCE_MS);
    await shell.enter('!echo fine', /\nfine\n/);
  });
  it('is ended by Ctrl+C with all it started', async () => {
    const shell = await start();
    await shell.enter('!sleep 1000 & echo "child $!."; echo "self $$."; wait', /child \d+\.\nself \d+\./);
    const pids = [...shell.all().matchAll(/(?:child|self) (\d+)\./g)].map((match) => Number(match[1]));
    shell.terminal.send(CTRL_C);
    await shell.terminal.waitFor(PLACEHOLDER, { ms: PATIENCE_MS });
    for (const pid of pids) await gone(pid);
  });
  it('that will not end by asking is ended all the same', async () => {
    const shell = await start();
    await shell.enter(`!trap '' TERM INT HUP; echo "self $$."; while :; do sleep 0.1; done`, /self \d+\./);
    const pid = Number(/self (\d+)\./.exec(shell.all().replace(/self \$\$/g, ''))?.[1]);
    shell.terminal.send(CTRL_C);
    await shell.terminal.waitFor(PLACEHOLDER, { ms: PATIENCE_MS });
    await gone(pid);
  });
  it('that leaves something in the background gives the input back', async () => {
    const shell = await start();
    await shell.enter('!sleep 1000 & echo "left $!."', /left \d+\./);
    const pid = Number(/left (\d+)\./.exec(shell.all())?.[1]);
    try {
      await shell.terminal.waitFor(PLACEHOLDER, { ms: PATIENCE_MS });
    } finally {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    }
  });
  it('gets no answer from the keyboard, and does not wait for one', async () => {
    const shell = await start();
    await shell.enter('!cat; read x; echo "asked: $x."', 'asked: .');
    await shell.terminal.waitFor(PLACEHOLDER);
  });
});

/** An editor as a script. */
function editor(place: Place, body: string): string {
  const file = join(place.base, 'editor with blank.sh'.replaceAll(' ', '-'));
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}

describe('the external editor', () => {
  async function withEditor(body: string, more: { readonly options?: string } = {}): Promise<PlayedShell> {
    let file = '';
    const shell = await start({
      wait: false,
      prepare: (place) => {
        file = editor(place, body);
      },
    });
    await shell.terminal.waitFor(/^> /m, { ms: PATIENCE_MS });
    await shell.terminal.close();
    return shell.again({ env: { EDITOR: `${file}${more.options ?? ''}`, VISUAL: '', TMPDIR: shell.base }, wait: true });
  }
  it('changes the text, which is not sent by itself', async () => {
    const shell = await withEditor('printf "line one\\nline zwei 中文\\n" >> "$1"');
    await shell.type('begun', '> begun');
    await shell.type(CTRL_G, /line zwei 中文/);
    expect(shell.shown()).toMatch(/> begunline one\n {2}line zwei 中文\n/);
    expect(shell.server.requests).toHaveLength(0);
    await shell.type('\r', 'Understood.');
    expect(shell.lastSaid()).toContain('begunline one\nline zwei 中文');
    expect(readdirSync(shell.base).filter((name) => name.startsWith('chatcli-edit-'))).toEqual([]);
  });
  it('leaves the text as it was when it fails', async () => {
    const shell = await withEditor('echo spoiled > "$1"; exit 1');
    await shell.type('keep this', '> keep this');
    await shell.type(CTRL_G, 'The editor ended with an error');
    await shell.type('!', '> keep this!');
    expect(shell.shown()).not.toContain('spoiled');
  });
  it('takes options', async () => {
    const shell = await withEditor('echo "$1 $2" > "$3"', { options: ' --wait -n' });
    await shell.type(CTRL_G, '> --wait -n');
  });
  it('may leave the terminal in an odd state, and read keys of its own', async () => {
    const shell = await withEditor(
      'printf "\\033[?1049h\\033[?25l\\033[31mEDITOR"; stty raw -echo; head -c 3 > "$1"; printf "\\033[?2004l\\033[?1049l\\033[5m"',
    );
    await shell.type('x', '> x');
    await shell.type(CTRL_G, 'EDITOR');
    await shell.type('abc', '> abc');
    await shell.type('\x1b[D|', '> ab|c');
    await shell.type('\x1b[200~p\nq\x1b[201~', /> ab\|p\n {2}qc/);
    await shell.type('\r', 'Understood.');
  });
  it('that is not there is told, and the text stays', async () => {
    const shell = await start({ env: { EDITOR: '/no/such/editor', VISUAL: '' } });
    await shell.type('keep this', '> keep this');
    await shell.type(CTRL_G, /no\/such\/editor/);
    await shell.type('!', '> keep this!');
  });
  it('survives Ctrl+C meant for the editor', async () => {
    const shell = await withEditor('trap "" INT; echo READY; head -n 1 >> "$1"');
    await shell.type(CTRL_G, 'READY');
    shell.terminal.send(CTRL_C);
    shell.terminal.send('typed in it\n');
    await shell.terminal.waitFor('> typed in it', { ms: PATIENCE_MS });
    await shell.type('!', '> typed in it!');
  });
});

describe('job control', () => {
  it('stops by Ctrl+Z with the terminal as it was, and goes on by fg with the text that stood there', async () => {
    const shell = await start({ through: ['/bin/bash', '--norc', '--noprofile', '-i'], wait: false, env: { PS1: 'sh-ready$ ' } });
    await shell.type('', 'sh-ready$');
    await shell.type('"$NODE" "$MAIN"\r', PLACEHOLDER);
    await shell.type('half typed', '> half typed');
    await shell.type('\x1a', /Stopped[\s\S]*sh-ready\$ ?$/m);
    await shell.type('echo "in $((40+2))"\r', 'in 42');
    expect(shell.terminal.terminal.modes.bracketedPasteMode).toBe(
      count(shell.terminal.output(), '\x1b[?2004h') > count(shell.terminal.output(), '\x1b[?2004l'),
    );
    await shell.type('fg\r', /> half typed\n/);
    await shell.type(' on', '> half typed on');
    await shell.type('\r', 'Understood.');
    shell.terminal.send('\x04');
    await shell.terminal.waitUntil('the shell is back', () => /sh-ready\$ ?$/.test(shell.all()), PATIENCE_MS);
    await shell.type('stty -a | tr " " "\\n" | grep -x -e icanon -e echo | sort | tr "\\n" "+"\r', /^echo\+icanon\+/m);
    shell.terminal.send('exit\r');
    await shell.terminal.exit;
  });
});

describe('leaving', () => {
  it.each([
    ['/exit', async (shell: PlayedShell) => void (await shell.enter('/exit', ''))],
    ['Ctrl+D', async (shell: PlayedShell) => shell.terminal.send('\x04')],
    [
      'Ctrl+C twice',
      async (shell: PlayedShell) => {
        await shell.type('text', '> text');
        await shell.type(CTRL_C, PLACEHOLDER);
        await shell.type(CTRL_C, /Ctrl\+C/);
        await shell.terminal.waitFor(/again|once more|leave/i);
        shell.terminal.send(CTRL_C);
      },
    ],
  ])('%s ends with 0 and the terminal as it was', async (_name, leave) => {
    const shell = await start();
    await leave(shell);
    expect(await shell.terminal.exit).toEqual({ code: 0, signal: 0 });
    expectRestored(shell);
    expect(shell.all()).not.toContain(PLACEHOLDER);
  });
  it('does not happen by Ctrl+D with text, nor by Ctrl+C twice with text between', async () => {
    const shell = await start();
    await shell.type('ab\x1b[D', '> ab');
    await shell.type('\x04', /> a$/m);
    await shell.type(CTRL_C, PLACEHOLDER);
    await shell.type(CTRL_C, /leave/i);
    await shell.enter('hello', 'Understood.');
    await shell.terminal.waitFor(PLACEHOLDER);
    await shell.type(CTRL_C, /Understood[\s\S]*leave/i);
    await shell.enter('still here', /still here\n[\s\S]*Understood/);
  });
  it.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('%s ends it at rest, with the terminal as it was', async (name) => {
    const shell = await start();
    await shell.type('text', '> text');
    shell.terminal.signal(name);
    const { code, signal } = await shell.terminal.exit;
    expect(signal !== 0 || code >= 128 || code === 0).toBe(true);
    expectRestored(shell);
  });
  it.each(['SIGTERM', 'SIGHUP'] as const)('%s ends it while it works, with what it started', async (name) => {
    const shell = await start();
    await shell.enter('!echo "self $$."; sleep 1000', /self \d+\./);
    const pid = Number(/self (\d+)\./.exec(shell.all())?.[1]);
    shell.terminal.signal(name);
    await shell.terminal.exit;
    expectRestored(shell);
    await gone(pid);
  });
  it.each([
    ['at rest', false],
    ['while a command of one’s own runs', true],
  ])('the terminal goes away %s: nothing is left running', async (_name, busy) => {
    const shell = await start();
    let pid = 0;
    if (busy) {
      await shell.enter('!echo "self $$."; sleep 1000', /self \d+\./);
      pid = Number(/self (\d+)\./.exec(shell.all())?.[1]);
    }
    shell.terminal.hangUp();
    await gone(shell.terminal.pid);
    if (busy) await gone(pid);
  });
  it('keeps the conversation: what was said can be gone on with', async () => {
    const shell = await start();
    await shell.enter('remember me', 'Understood.');
    shell.terminal.signal('SIGTERM');
    await shell.terminal.exit;
    const next = await shell.again({ args: ['--continue'] });
    await next.enter('again', 'Understood.');
    expect(JSON.stringify(shell.server.requests.at(-1)?.body)).toContain('remember me');
    expect(textOf(join(shell.home, '.chatcli/history'))).toContain('remember me');
  });
});
