/** Completion in the real shell: commands, words behind them, files of odd names and huge folders, agents; on small windows too. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, playedShells } from './input-shell.js';

const start = playedShells();
const PLACEHOLDER = 'Ask, or say what to change';
const DOWN = '\x1b[B';
const ESC = '\x1b';

describe('commands', () => {
  it('are listed with what they do, narrowed, chosen and run', async () => {
    const shell = await start();
    await shell.type('/', /\/coder/);
    await shell.type('ef', /▸ \/effort +Show or set how hard/);
    await shell.type('\t', '> /effort');
    await shell.terminal.waitFor(/▸ low/);
    await shell.type('h', '▸ high');
    await shell.type('\t', '> /effort high');
    await shell.type('\r', /❯ \/effort high\n[\s\S]*high/);
    await shell.type('/hel', '▸ /help');
    await shell.type('\r', /\/exit.*\n/);
    await shell.terminal.waitFor('/checkpoint', { all: true });
  });
  it('go by Esc, come back by Tab, and are passed over by the arrows', async () => {
    const shell = await start();
    await shell.type('/co', /▸ \/coder/);
    await shell.type(DOWN, /▸ \/commit/);
    await shell.type(`${ESC}`, /> \/co\n─/);
    await shell.type('\t', /▸ \/coder/);
    await shell.type(`${ESC}`, /> \/co\n─/);
    await shell.type(`${ESC}${ESC}`, PLACEHOLDER);
  });
  it('complete what stands behind them', async () => {
    const shell = await start();
    await shell.type('/config get permi', '▸ permissionMode');
    await shell.type('\t', '> /config get permissionMode');
    await shell.type('\r', /permissionMode.*default/);
    await shell.type('/export h', '▸ html');
    await shell.type('\t', '> /export html');
  });
});

describe('files', () => {
  const files = {
    'src/discounts.js': '1',
    'src/deep/er/discount-table.js': '1',
    'docs/discount.md': '1',
    'with blank/a file.txt': 'inside the blank file',
    'ünï/日本 語.md': '日本の中身',
    "it's.txt": 'quoted',
    '-dash.txt': 'dashed',
    'odd\nname.txt': '1',
    'esc\x1b[31m.txt': '1',
    '.env': 'SECRET=1',
    'emoji 👩‍👩‍👧.txt': 'family',
  };
  it('come best first, whatever their names', async () => {
    const shell = await start({ files });
    await shell.type('see @disc', /▸ docs\/discount\.md|▸ src\/discounts\.js/);
    const rows = shell.terminal.screen().filter((row) => /discount/.test(row) && !row.includes('@'));
    expect(rows.map((row) => row.replace('▸', ' ').trim())).toEqual([
      'docs/discount.md',
      'src/discounts.js',
      'src/deep/er/discount-table.js',
    ]);
    await shell.type(`${DOWN}\t`, '> see @src/discounts.js');
    await shell.type('\x15@"a fi', '▸ with blank/a file.txt');
    await shell.type('\t', '> @"with blank/a file.txt"');
    await shell.type('and @日本', '▸ ünï/日本 語.md');
    await shell.type('\t', '@"ünï/日本 語.md"');
    await shell.type("@it's", "▸ it's.txt");
    await shell.type('\t', '@"it\'s.txt"');
    await shell.type('@-da', '▸ -dash.txt');
    await shell.type('\t', '@-dash.txt');
    await shell.type('\r', 'Understood.');
    const said = shell.lastSaid();
    for (const inside of ['inside the blank file', '日本の中身', 'quoted', 'dashed']) expect(said).toContain(inside);
  });
  it('that cannot be typed, or are private, are not offered', async () => {
    const shell = await start({ files });
    await shell.type('@', '▸ file');
    shell.terminal.send('name');
    await shell.terminal.waitFor('> @name');
    await shell.type(`\x15x @esc`, '> x @esc');
    await shell.type(`\x15x @.env`, '> x @.env');
    await shell.type(' ok', '@.env ok');
    await shell.type('\r', 'Understood.');
    expect(shell.all()).toContain('private');
    expect(shell.lastSaid()).not.toContain('SECRET=1');
    expect(shell.terminal.output()).not.toContain('esc\x1b[31m');
  });
  it('go on into folders, and end with a blank at a file', async () => {
    const shell = await start({ files });
    await shell.type('@sr', '▸ src/');
    await shell.type('\t', '> @src/');
    await shell.terminal.waitFor('src/discounts.js');
    await shell.type('disc', '▸ src/discounts.js');
    await shell.type('\r', '> @src/discounts.js');
    expect(shell.server.requests).toHaveLength(0);
  });
  it('are found in a folder of 20,000, without git', async () => {
    const shell = await start({
      prepare: ({ root }) => {
        for (let folder = 0; folder < 20; folder++) {
          mkdirSync(join(root, `f${folder}`));
          for (let n = 0; n < 1000; n++) writeFileSync(join(root, `f${folder}/file-${folder}-${n}.txt`), '');
        }
        writeFileSync(join(root, 'f19/needle.ts'), 'found it');
      },
    });
    await shell.type('@', '▸');
    // The list grows while one types; a key asks again.
    await shell.type('needle', '> @needle');
    for (let tries = 0; tries < 200 && !shell.shown().includes('▸ f19/needle.ts'); tries++) {
      shell.terminal.send('\x7f');
      await shell.terminal.waitFor(/> @needl$/m);
      shell.terminal.send('e');
      await shell.terminal.waitFor(/> @needle$/m);
    }
    await shell.terminal.waitFor('▸ f19/needle.ts', { ms: PATIENCE_MS });
    await shell.type('\t', '@f19/needle.ts');
  }, 300_000);
  it('that vanished are told, not sent', async () => {
    const shell = await start({ files: { 'gone.txt': 'x' } });
    await shell.type('@gone', '▸ gone.txt');
    await shell.type('\t', '> @gone.txt');
    rmSync(join(shell.root, 'gone.txt'));
    await shell.type('\r', 'Understood.');
    expect(shell.all()).toContain('@gone.txt: not found');
  });
});

describe('agents and words', () => {
  it('stand behind @ with what they are', async () => {
    const shell = await start();
    await shell.type('@gi', /▸ git +state of the repository/);
    await shell.type('\t', '> @git');
    await shell.type('\x15@review', /▸ reviewer +\S/);
    await shell.type('\t', '> @reviewer');
  });
});

describe('small windows', () => {
  it.each([
    [40, 24],
    [200, 24],
    [40, 10],
    [40, 5],
    [20, 6],
  ])('have room for the list: %i x %i', async (columns, rows) => {
    const shell = await start({ columns, rows, files: { [`${'long-folder-name/'.repeat(6)}file.txt`]: '' } });
    await shell.type('/c', /> \/c/);
    await shell.terminal.waitUntil('a choice', () => rows < 6 || shell.shown().includes('▸ /'), PATIENCE_MS);
    expect(shell.terminal.screen().length).toBe(rows);
    await shell.type('\x15', /> (?:Ask|$)/m);
    await shell.type('@lon', '> @lon');
    await shell.type('\t\t', /long-folder/);
    await shell.type('\x15', /> (?:Ask|$)/m);
    await shell.enter('/exit', '');
    expect(await shell.terminal.exit).toEqual({ code: 0, signal: 0 });
  });
});
