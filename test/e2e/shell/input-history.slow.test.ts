/** What was typed before: kept over starts, walked through, searched, shared by two shells, never a danger. */
import { appendFileSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, playedShells, textOf } from './input-shell.js';

const start = playedShells();
const PLACEHOLDER = 'Ask, or say what to change';
const UP = '\x1b[A';
const DOWN = '\x1b[B';

describe('history', () => {
  it('goes on over starts, readable only by its owner, but not what begins with a blank', async () => {
    const shell = await start();
    const file = join(shell.home, '.chatcli/history');
    await shell.enter('first question', 'Understood.');
    await shell.type('two\nlines', /two\n {2}lines/);
    await shell.type('\r', /lines\n[\s\S]*Understood\.[\s\S]*Ask, or/);
    await shell.enter('/mode', 'accept-edits');
    await shell.enter(' a secret thing', /secret thing\n[\s\S]*Understood\.[\s\S]*Ask, or/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(textOf(file)).not.toContain('secret');
    await shell.enter('/exit', '');
    expect(await shell.terminal.exit).toEqual({ code: 0, signal: 0 });
    const next = await shell.again();
    await next.type('draft', '> draft');
    await next.type('\x15', PLACEHOLDER);
    await next.type(UP, '> /exit');
    await next.type(UP, '> /mode');
    await next.type(UP, /> two\n {2}lines/);
    await next.type(`${UP}${UP}`, '> first question');
    await next.type(UP, '> first question');
    await next.type(DOWN, /> two\n {2}lines/);
    await next.type(`${DOWN}${DOWN}${DOWN}${DOWN}`, PLACEHOLDER);
  });

  it('is searched by Ctrl+R: hits, further hits, none, given up, taken over, sent', async () => {
    const shell = await start({
      homeFiles: {
        '.chatcli/history': ['fix the parser', 'look at the log', 'fix the tests'].map((line) => JSON.stringify(line)).join('\n'),
      },
    });
    await shell.type('keep me', '> keep me');
    await shell.type('\x12fix', 'fix the tests');
    await shell.type('\x12', 'fix the parser');
    await shell.type('zz', 'nothing found');
    await shell.type('\x03', '> keep me');
    await shell.type('\x12log', 'look at the log');
    await shell.type('\x1b', '> look at the log');
    await shell.type('\x15', PLACEHOLDER);
    await shell.type('\x12parser', 'fix the parser');
    await shell.type('\r', 'Understood.');
    expect(shell.lastSaid()).toContain('fix the parser');
  });

  it('of two shells at once holds what both were told', async () => {
    const one = await start();
    const two = await one.again();
    for (const name of ['alpha', 'beta', 'gamma']) {
      await one.enter(`one ${name}`, new RegExp(`one ${name}\\n[\\s\\S]*Understood\\.[\\s\\S]*Ask, or`));
      await two.enter(`two ${name}`, new RegExp(`two ${name}\\n[\\s\\S]*Understood\\.[\\s\\S]*Ask, or`));
    }
    const lines = textOf(join(one.home, '.chatcli/history')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      'one alpha',
      'two alpha',
      'one beta',
      'two beta',
      'one gamma',
      'two gamma',
    ]);
  });

  it.each([
    ['half a line and binary', (file: string) => writeFileSync(file, `"good"\n\xff\x00{"a":1}\n"x"\n"un`, 'latin1')],
    ['a folder in its place', (file: string) => mkdirSync(file)],
    ['a link', (file: string) => symlinkSync('/etc/passwd', file)],
    [
      'an escape sequence in an entry',
      (file: string) => writeFileSync(file, `${JSON.stringify('good \x1b]0;title\x07 \x1b[2J')}\n`),
    ],
  ])('that is broken (%s) hinders nobody', async (_name, spoil) => {
    const shell = await start({
      prepare: ({ home }) => {
        mkdirSync(join(home, '.chatcli'));
        spoil(join(home, '.chatcli/history'));
      },
    });
    shell.terminal.send(UP);
    await shell.type('!', /> .*!/);
    expect(shell.terminal.output()).not.toContain('\x1b]0;title');
    shell.terminal.send('\x15\x15');
    await shell.terminal.waitFor(PLACEHOLDER, { ms: PATIENCE_MS });
    await shell.enter('hello', 'Understood.');
    await shell.enter('hello again', /again\n[\s\S]*Understood/);
    await shell.type(UP, '> hello again');
  });

  it('does not mix in what another shell adds in the middle of walking', async () => {
    const shell = await start({ homeFiles: { '.chatcli/history': '"older"\n"newer"\n' } });
    await shell.type(UP, '> newer');
    appendFileSync(join(shell.home, '.chatcli/history'), '"foreign"\n');
    await shell.type(UP, '> older');
    await shell.type(DOWN, '> newer');
  });
});
