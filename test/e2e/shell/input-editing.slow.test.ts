/** Typing in the real shell: keys before it is up, moves, several lines, pastes, and letters of every width. */
import { describe, expect, it } from 'vitest';
import { count, paste, playedShells } from './input-shell.js';

const start = playedShells();
const PLACEHOLDER = 'Ask, or say what to change';

describe('the start', () => {
  it('shows the header and keeps what was typed before the input is up', async () => {
    const shell = await start({ wait: false });
    shell.terminal.send('typed early');
    await shell.terminal.waitFor('> typed early', { ms: 60_000 });
    expect(shell.shown()).toMatch(/ChatCLI/);
    await shell.type('\r', 'Understood.');
    expect(shell.lastSaid()).toContain('typed early');
    expect(count(shell.all(), 'typed early')).toBe(1);
  });
  it('keeps an Enter that came early, and a paste', async () => {
    const shell = await start({ wait: false });
    shell.terminal.send(`first\r${paste('a\nb')}`);
    await shell.terminal.waitFor('Understood.', { ms: 40_000 });
    await shell.terminal.waitFor(/> a\n {2}b/);
    expect(shell.lastSaid()).toContain('first');
    expect(shell.server.requests).toHaveLength(1);
  });
});

describe('keys', () => {
  it('move and change by letters, words and lines', async () => {
    const shell = await start();
    await shell.type('one two three', '> one two three');
    await shell.type('\x1b[D\x1b[DX', '> one two thrXee');
    await shell.type('\x1bbY', '> one two YthrXee');
    await shell.type('\x01Z', '> Zone two');
    await shell.type('\x1b[1;5CW', '> ZoneW two');
    await shell.type('\x05!', 'YthrXee!');
    await shell.type('\x17', '> ZoneW two\n');
    await shell.type('\x1b[H\x1b[3~', '> oneW two');
    await shell.type('\x15\x0b', PLACEHOLDER);
    await shell.type('\x19', '> oneW two');
    await shell.type('\x1f', PLACEHOLDER);
    await shell.type('back', '> back');
    await shell.type('\x7f\x7f', /> ba$/m);
  });
  it.each([
    ['Alt+Enter', '\x1b\r'],
    ['Ctrl+J', '\n'],
    ['Shift+Enter of kitty', '\x1b[13;2u'],
    ['Shift+Enter of xterm', '\x1b[27;2;13~'],
    ['a backslash', '\\\r'],
  ])('begin a line by %s', async (_name, key) => {
    const shell = await start();
    await shell.type('first', '> first');
    await shell.type(`${key}second`, /> first\n {2}second/);
    await shell.type('\r', 'Understood.');
    expect(shell.lastSaid()).toContain('first\nsecond');
    expect(count(shell.all(), 'second')).toBe(1);
  });
});

describe('a paste', () => {
  it('of a few lines stands there and is sent only by Enter', async () => {
    const shell = await start();
    await shell.type(paste('a\r\nb\tc\rd'), /> a\n {2}b {2}c\n {2}d/);
    expect(shell.server.requests).toHaveLength(0);
    await shell.type('\r', 'Understood.');
    expect(shell.lastSaid()).toContain('a\nb\tc\nd');
  });
  it('of ten thousand lines is folded and sent whole', async () => {
    const shell = await start();
    const lines = Array.from({ length: 10_000 }, (_, n) => `line ${n} of the paste`).join('\n');
    await shell.type(`look: ${paste(lines)}`, /> look: \[paste 1: 10[,.]?000 lines\]/);
    await shell.type('\r', 'Understood.');
    const said = shell.lastSaid();
    expect(said.includes(lines)).toBe(true);
  });
  it('with control characters and escape sequences does nothing but stand there', async () => {
    const shell = await start();
    await shell.type(paste('safe\x1b]0;title\x07\x1b[2J\x03\x04\x1a\x00 end\x1b[31m'), /> safe.* end/);
    expect(shell.terminal.output()).not.toContain('\x1b]0;title');
    await shell.type('\r', 'Understood.');
    expect(shell.lastSaid()).toMatch(/safe[^\n]* end/);
    expect(shell.lastSaid()).not.toMatch(/[\x00-\x08\x0b-\x1f]/);
  });
  it('that holds the mark of its own end sends nothing by itself', async () => {
    const shell = await start();
    await shell.type(`${paste('before\x1b[201~after')}tail`, /> before.*after.*tail/);
    expect(shell.server.requests).toHaveLength(0);
  });
  it('without marks, of many lines at once, stands there too', async () => {
    const shell = await start();
    await shell.type('one\rtwo\r!touch hacked\r/exit\rfive\r', /> one\n {2}two\n {2}!touch hacked\n {2}\/exit\n {2}five/);
    expect(shell.server.requests).toHaveLength(0);
    await shell.type('!', /five\n {2}!/);
    await shell.type('\r', 'Understood.');
    expect(shell.lastSaid()).toContain('one\ntwo\n!touch hacked\n/exit\nfive\n!');
  });
});

describe('letters', () => {
  const LETTERS: readonly (readonly [string, string, number])[] = [
    ['Chinese', '中文字', 3],
    ['a family', 'a👩‍👩‍👧b', 3],
    ['a flag', '🇧🇷x', 2],
    ['a skin tone', '👍🏽!', 2],
    ['combining marks', 'e\u0301a\u0308n\u0303', 3],
    ['right to left', 'שלום', 4],
    ['Arabic', 'سلام', 4],
    ['Devanagari', 'नमस्ते', -1],
    ['Hangul', '한국어', 3],
  ];
  it.each(LETTERS)('%s are typed, moved over and taken away whole', async (_name, text, letters) => {
    const shell = await start({ columns: 60 });
    await shell.type(`[${text}]`, ']');
    expect(shell.shown()).toContain(`> [${text}]`);
    const steps = letters < 0 ? [...new Intl.Segmenter().segment(text)].length : letters;
    await shell.type(`\x1b[D${'\x1b[D'.repeat(steps)}|`, `> [|${text}]`);
    await shell.type(`${'\x1b[C'.repeat(steps)}|`, `> [|${text}|]`);
    await shell.type(`\x7f${'\x7f'.repeat(steps)}`, '> [|]');
    await shell.type('\x05.', '> [|].');
  });
});
