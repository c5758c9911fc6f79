/** Every slash command typed once in the real shell, with what it shows; templates, context words, and lines typed while a run works. */
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../src/commands/registry.js';
import type { Reply } from '../../helpers/wire/script.js';
import { count, PATIENCE_MS, type Place, paste, playedShells, textOf } from './input-shell.js';

const start = playedShells();
const PLACEHOLDER = 'Ask, or say what to change';

function repository({ root }: Place): void {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root });
  git('init', '-q', '-b', 'main');
  git('config', 'user.email', 'a@example.com');
  git('config', 'user.name', 'A');
  git('add', '-A');
  git('commit', '-q', '-m', 'First');
}

/** Line -> what the screen then shows, anywhere in the scrollback behind the echoed line. */
const LINES: readonly (readonly [string, RegExp])[] = [
  ['/coder', /coder> /],
  ['/agent', /agent> /],
  ['/run', /agent> /],
  ['/chat', /\n> /],
  ['/plan', /plan/],
  ['/mode', /default/],
  ['/agents', /reviewer/],
  ['/undo', /[Nn]othing/],
  ['/redo', /[Nn]othing/],
  ['/diff', /[Nn]o|[Nn]othing/],
  ['/checkpoint', /[Nn]o|checkpoint/],
  ['/switch', /OPENAI/],
  ['/model', /test-model/],
  ['/effort', /high/],
  ['/session', /default|chat/],
  ['/session list', /./],
  ['/resume', /./],
  ['/context', /%|token/],
  ['/cost', /[Nn]o|request|token/],
  ['/config', /permissionMode/],
  ['/config get maxTurns', /maxTurns +50/],
  ['/doctor', /git/],
  ['/policy', /./],
  ['/trust', /./],
  ['/add-dir /no/such', /no\/such/],
  ['/skills', /./],
  ['/plugin', /builtin/],
  ['/mcp', /./],
  ['/memory', /./],
  ['/compact', /./],
  ['/help', /\/coder[\s\S]*\/exit/],
  ['/help commit', /\/commit/],
];

describe('every command', () => {
  it('answers something sensible and gives the input back', async () => {
    const shell = await start({ rows: 40, columns: 100 });
    for (const [line, answer] of LINES) {
      shell.terminal.send(line);
      await shell.terminal.waitFor(`> ${line}`, { ms: PATIENCE_MS });
      shell.terminal.send('\r');
      await shell.terminal.waitUntil(
        `${line} answers ${answer}`,
        () => {
          const all = shell.all();
          const at = all.lastIndexOf(`❯ ${line}\n`);
          return at >= 0 && answer.test(all.slice(at + line.length + 2)) && shell.shown().includes(PLACEHOLDER);
        },
        PATIENCE_MS,
      );
      expect(shell.all()).not.toMatch(/\n\s+at \S+ \(|TypeError|undefined/);
    }
    expect(shell.server.requests).toHaveLength(0);
  });
  it('is in the table, or has a test of its own below', () => {
    const own = ['review', 'commit', 'export', 'init', 'exit'];
    const named = new Set(LINES.map(([line]) => line.slice(1).split(' ')[0]));
    for (const { name } of COMMANDS) expect(named.has(name) || own.includes(name), name).toBe(true);
  });
  it('that is unknown is told with a near name', async () => {
    const shell = await start();
    await shell.enter('/comit', 'Is /commit meant?');
    await shell.enter('/zzzzzz', /zzzzzz[\s\S]*\/help/);
    await shell.enter('/usr/bin is a path', 'Understood.');
  });
});

describe('commands that write', () => {
  it('/config set and unset change the own file, private and valid', async () => {
    const shell = await start({ homeFiles: { '.chatcli/config.json': '{ "lang": "en" }' } });
    const file = join(shell.home, '.chatcli/config.json');
    await shell.enter('/config set maxTurns 12', /config\.json/);
    expect(JSON.parse(textOf(file))).toEqual({ lang: 'en', maxTurns: 12 });
    expect(statSync(file).mode & 0o077).toBe(0);
    await shell.enter('/config set maxTurns many', /maxTurns[\s\S]*many|maxTurns[\s\S]*number|maxTurns[\s\S]*integer/);
    await shell.enter('/config set theme light', /theme/);
    await shell.enter('/config unset maxTurns', /unset maxTurns\n[\s\S]*config\.json/);
    await shell.terminal.waitFor(PLACEHOLDER);
    expect(JSON.parse(textOf(file))).toEqual({ lang: 'en', theme: 'light' });
    await shell.enter('/config get nonsense', /nonsense[\s\S]*nonsense/);
  });
  it('/export writes each form once, privately', async () => {
    const shell = await start();
    await shell.enter('hello <b>world</b>', 'Understood.');
    await shell.enter('/export', /chatcli-.*\.md/);
    await shell.enter('/export out.html', /export out\.html\n[\s\S]*out\.html/);
    await shell.enter('/export json data.json', /data\.json\n[\s\S]*data\.json/);
    await shell.terminal.waitUntil('the last file', () => existsSync(join(shell.root, 'data.json')), PATIENCE_MS);
    expect(textOf(join(shell.root, 'out.html'))).toContain('hello &lt;b&gt;world');
    expect(JSON.parse(textOf(join(shell.root, 'data.json')))).toBeTruthy();
    expect(statSync(join(shell.root, 'out.html')).mode & 0o077).toBe(0);
    await shell.enter('/export out.html', /--force/);
    await shell.enter('/export out.html --force', /--force\n[\s\S]*out\.html/);
  });
  it('/commit proposes, lets change, asks, and commits', async () => {
    const shell = await start({
      files: { 'a.txt': 'one\n' },
      prepare: repository,
      script: () => ({ text: 'Change one to two' }),
    });
    execFileSync('sh', ['-c', 'echo two > a.txt'], { cwd: shell.root });
    await shell.enter('/commit', /> \/commit Change one to two/);
    await shell.type('!', 'Change one to two!');
    await shell.type('\r', /git[\s\S]*commit/);
    await shell.terminal.waitFor('Choose:', { ms: PATIENCE_MS });
    // Keys that come at once after a question has appeared do not answer it.
    for (let tries = 0; tries < 100 && shell.shown().includes('Choose:'); tries++) {
      shell.terminal.send('y');
      await shell.terminal
        .waitUntil('the question is gone', () => !shell.shown().includes('Choose:'), 500)
        .catch(() => undefined);
    }
    await shell.terminal.waitFor(/Understood|Change one|❯/, { ms: PATIENCE_MS });
    await shell.terminal.waitUntil('the input is back', () => !shell.shown().includes('SECURITY'), PATIENCE_MS);
    await expect
      .poll(() => execFileSync('git', ['log', '--format=%s'], { cwd: shell.root, encoding: 'utf8' }).split('\n').length, {
        timeout: PATIENCE_MS,
      })
      .toBe(3);
    expect(execFileSync('git', ['log', '-1', '--format=%B'], { cwd: shell.root, encoding: 'utf8' }).trim()).toBe(
      'Change one to two!',
    );
  });
  it('/init and /review start runs', async () => {
    const shell = await start({ files: { 'a.txt': 'one\n' }, prepare: repository });
    await shell.enter('/init be short', 'Understood.');
    expect(shell.lastSaid()).toMatch(/AGENTS\.md[\s\S]*be short/);
    await shell.enter('/review', /\/review\n[\s\S]*Understood/);
    expect(shell.server.requests.length).toBeGreaterThanOrEqual(2);
  });
});

describe('templates', () => {
  it('are filled, listed, and nothing in them is run', async () => {
    const shell = await start({
      homeFiles: {
        '.chatcli/commands/explain.md': '---\ndescription: Explain it plainly\n---\nExplain $ARGUMENTS to $1. $(touch hacked)',
        '.chatcli/commands/exit.md': 'not taken',
      },
    });
    await shell.type('/expl', /▸ \/explain +Explain it plainly/);
    await shell.type('\x15', PLACEHOLDER);
    await shell.enter('/explain "the loop" now', 'Understood.');
    expect(shell.lastSaid()).toContain('Explain "the loop" now to the loop. $(touch hacked)');
    expect(existsSync(join(shell.root, 'hacked'))).toBe(false);
  });
});

describe('context words', () => {
  it('put what they name before the message', async () => {
    const shell = await start({
      files: { 'a b.txt': 'content of a b', 'c.txt': 'content of c' },
      prepare: repository,
      homeFiles: { '.bash_history': 'make everything\n' },
      env: { SHELL: '/bin/bash', MY_TOKEN: 'hidden-value', PLAIN: 'plain-value' },
    });
    await shell.enter('use @"a b.txt" @file c.txt @git @env @history @command echo ran $((6*7))', 'Understood.');
    const said = shell.lastSaid();
    for (const piece of ['content of a b', 'content of c', 'First', 'PLAIN=plain-value', 'make everything', 'ran 42'])
      expect(said).toContain(piece);
    expect(said).not.toContain('hidden-value');
    expect(shell.all()).toContain('added to the message');
  });
});

describe('a line typed while a run works', () => {
  it('reaches that run with the file it names', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const steps: readonly Reply[] = [
      { calls: [{ name: 'read', input: { file: 'a.txt' } }] },
      { calls: [{ name: 'read', input: { file: 'b.txt' } }] },
      { calls: [{ name: 'read', input: { file: 'a.txt', start: 1, end: 1 } }] },
      { text: 'All done.' },
    ];
    const shell = await start({
      files: { 'a.txt': 'alpha', 'b.txt': 'beta', 'named.txt': 'text of the named file' },
      script: async (_request, index) => {
        if (index === 0) await held;
        return steps[index] ?? { text: 'All done.' };
      },
    });
    await shell.enter('go', /❯ go/);
    await shell.enter('also see @named.txt please', /also see/);
    release();
    await shell.terminal.waitFor('All done.', { ms: PATIENCE_MS });
    await shell.terminal.waitFor(PLACEHOLDER, { ms: PATIENCE_MS });
    const said = JSON.stringify(shell.server.requests.at(-1)?.body);
    expect(said).toContain('text of the named file');
    expect(count(said, 'also see @named.txt please')).toBe(1);
    expect(count(shell.all(), '❯ also see @named.txt please')).toBe(1);
    expect(count(shell.all(), 'added to the message')).toBe(1);
  });
  it('may be a paste; it stands in the input and goes whole', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const shell = await start({
      script: async (_request, index) => {
        if (index === 0) await held;
        return { text: `Answer ${index + 1}.` };
      },
    });
    await shell.enter('go', /❯ go/);
    const lines = Array.from({ length: 300 }, (_, n) => `pasted ${n}`).join('\n');
    await shell.type(paste(lines), '[paste 1: 300 lines]');
    await shell.type('\r', /pasted 0/);
    release();
    await shell.terminal.waitFor('Answer 2.', { ms: PATIENCE_MS });
    expect(shell.lastSaid().includes(lines)).toBe(true);
    await shell.terminal.waitFor(PLACEHOLDER, { ms: PATIENCE_MS });
    expect(shell.terminal.scrollback().filter((line) => /^. pasted \d+$/.test(line))).toHaveLength(300);
  });
});
