/** Stops and failures of a run in the real shell: Esc and Ctrl+C in each phase, lines typed ahead, services that fail; the shell lives on. */
import { describe, expect, it } from 'vitest';
import type { LiveTurn } from './live-model.js';
import { expectOnce, type RunShell, runShells } from './run-shell.js';

const start = runShells();
const AUTO = ['--permission-mode', 'auto'];
const KEYS = [
  ['Esc', '\x1b'],
  ['Ctrl+C', '\x03'],
] as const;

/** The next message is answered. */
async function livesOn(shell: RunShell): Promise<LiveTurn> {
  await shell.sees(/^(?:coder|agent|chat)?> Ask/m);
  const turn = await shell.ask('are you there');
  turn.say('I am here.\n').end();
  await shell.sees('I am here.');
  await shell.terminal.waitUntil('the summary', () => /here\.\s[\s\S]*tokens/.test(shell.all()), 60_000);
  return turn;
}

describe.each(KEYS)('%s', (_name, key) => {
  it('before the first byte', async () => {
    const shell = await start();
    const turn = await shell.ask('hello');
    shell.terminal.send(key);
    await shell.sees('Interrupted');
    expect(await turn.gone).toBe(true);
    await livesOn(shell);
  });

  it('while words come: they are kept, and the model is told', async () => {
    const shell = await start();
    const turn = await shell.ask('hello');
    turn.say('The first part.\n\nThe second pa');
    await shell.sees('The second pa');
    shell.terminal.send(key);
    await shell.sees('Interrupted');
    expect(await turn.gone).toBe(true);
    expectOnce(shell, ['The first part.', 'The second pa']);
    const { told } = await livesOn(shell);
    expect(told.turns.map(({ text }) => text).join('\n')).toContain('The second pa');
  });

  it('while it thinks', async () => {
    const shell = await start();
    const turn = await shell.ask('hello');
    turn.think('a long thought');
    await shell.sees('a long thought');
    shell.terminal.send(key);
    await shell.sees('Interrupted');
    await livesOn(shell);
  });

  it('while a command runs: it is ended, with what it began', async () => {
    const shell = await start({ args: AUTO });
    const turn = await shell.ask('/coder do it');
    turn.call([{ name: 'exec', input: { cmd: 'echo begun; (sleep 2; echo late > late.txt) & sleep 300' } }]);
    await shell.sees(/^ +begun/m);
    shell.terminal.send(key);
    await shell.sees('Interrupted');
    const { told } = await livesOn(shell);
    expect(told.turns.flatMap(({ results }) => results.map(({ text }) => text)).join('\n')).toMatch(
      /begun|abort|interrupt|stopp/i,
    );
  });

  it('while a question is open: nothing is done', async () => {
    const shell = await start();
    const turn = await shell.ask('/coder do it');
    turn.call([{ name: 'write', input: { file: 'new.txt', content: 'x\n' } }]);
    await shell.question();
    shell.terminal.send(key);
    if (key === '\x03') {
      await shell.sees('Interrupted');
      await livesOn(shell);
    } else {
      // Esc is no answer: the question stays.
      await shell.sees('[y/');
      // Right behind an Esc a key is Alt with that key: it is pressed until it counts.
      const pressing = setInterval(() => shell.terminal.send('n'), 500);
      const next = await shell.turn().finally(() => clearInterval(pressing));
      next.say('Well then.\n').end();
      await shell.sees('Well then.');
    }
    expect(shell.file('new.txt')).toBe('');
  });
});

describe('Ctrl+C twice', () => {
  it('while it runs stops the run; at rest a hint, then it leaves', async () => {
    const shell = await start();
    await shell.ask('hello');
    shell.terminal.send('\x03');
    await shell.sees('Interrupted');
    await shell.sees(/> Ask/);
    shell.terminal.send('\x03');
    await shell.sees(/again/i);
    shell.terminal.send('\x03');
    expect((await shell.terminal.exit).code).toBe(0);
    expect(shell.terminal.output().endsWith('\x1b[?25h') || shell.terminal.output().includes('\x1b[?2004l')).toBe(true);
  });
});

describe('lines typed ahead', () => {
  it('go to the run at its next step, in order, once', async () => {
    const shell = await start({ args: AUTO, files: { 'a.txt': 'x\n' } });
    const turn = await shell.ask('/coder do it');
    await shell.type('also this', '> also this');
    await shell.type('\r', '↳ also this');
    await shell.type('and that', '> and that');
    await shell.type('\r', '↳ and that');
    turn.call([{ name: 'read', input: { file: 'a.txt' } }]);
    const second = await shell.turn();
    const last = second.told.turns.filter(({ role }) => role === 'user').map(({ text }) => text);
    expect(last.join('\n')).toMatch(/also this[\s\S]*and that/);
    await shell.sees('❯ also this');
    second.say('Both seen.\n').end();
    await shell.sees('Both seen.');
    await shell.sees(/tokens/);
    expectOnce(shell, ['❯ also this', '❯ and that']);
    expect(shell.shown()).not.toContain('↳');
  });

  it('come with the end of an answer: they are the next message', async () => {
    const shell = await start();
    const turn = await shell.ask('hello');
    await shell.type('next one', '> next one');
    await shell.type('\r', '↳ next one');
    turn.say('The first answer.\n').end();
    const second = await shell.turn();
    expect(second.told.turns.at(-1)?.text).toContain('next one');
    second.say('The second answer.\n').end();
    await shell.sees('The second answer.');
    await shell.sees(/> Ask/);
    expectOnce(shell, ['❯ hello', '❯ next one', 'The first answer.', 'The second answer.']);
  });

  it('a command waits until the run has ended, and what stands behind it too', async () => {
    const shell = await start({ args: AUTO, files: { 'a.txt': 'x\n' } });
    const turn = await shell.ask('/coder do it');
    for (const line of ['/cost', 'behind the command']) {
      await shell.type(line, `> ${line}`);
      await shell.type('\r', `↳ ${line}`);
    }
    turn.call([{ name: 'read', input: { file: 'a.txt' } }]);
    const second = await shell.turn();
    expect(JSON.stringify(second.told)).not.toContain('behind the command');
    second.say('First answer.\n').end();
    const third = await shell.turn();
    expect(third.told.turns.at(-1)?.text).toContain('behind the command');
    third.say('Second answer.\n').end();
    await shell.sees('Second answer.');
    const all = shell.all();
    expect(all.indexOf('❯ /cost')).toBeGreaterThan(all.indexOf('First answer.'));
    expect(all.indexOf('❯ behind the command')).toBeGreaterThan(all.indexOf('❯ /cost'));
    expectOnce(shell, ['❯ /cost', '❯ behind the command']);
  });

  it('stand in the input again where the run was stopped, and start nothing', async () => {
    const shell = await start();
    await shell.ask('hello');
    for (const line of ['do more', '/cost']) {
      await shell.type(line, `> ${line}`);
      await shell.type('\r', `↳ ${line}`);
    }
    shell.terminal.send('\x1b');
    await shell.sees(/> do more\n\s*\/cost/);
    await shell.lost('↳');
    expect(shell.all()).not.toContain('❯ do more');
    shell.terminal.send('\x03');
    await shell.sees(/> Ask/);
    const next = await shell.ask('another');
    expect(JSON.stringify(next.told)).not.toContain('do more');
    next.say('Done.\n').end();
    await shell.sees('Done.');
  });

  it('reach the model without a key that stands in them', async () => {
    const shell = await start({ args: AUTO, env: { XAI_API_KEY: 'xai-0123456789abcdefSECRET' }, files: { 'a.txt': 'x\n' } });
    const turn = await shell.ask('/coder do it');
    await shell.type('my key is xai-0123456789abcdefSECRET, use it', 'use it');
    await shell.type('\r', '↳ my key is');
    turn.call([{ name: 'read', input: { file: 'a.txt' } }]);
    const second = await shell.turn();
    expect(second.told.turns.map(({ text }) => text).join('\n')).toContain('my key is');
    expect(JSON.stringify(second.told)).not.toContain('0123456789abcdefSECRET');
    second.say('No.\n').end();
    await shell.sees('No.');
  });
});
