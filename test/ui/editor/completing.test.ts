import { describe, expect, it } from 'vitest';
import { askedAt } from '../../../src/ui/editor/completing.js';
import type { Completer, Completion } from '../../../src/ui/editor/port.js';
import { open } from './play.js';

const NAMES = ['/agent', '/agents', '/exit', '/help'];
const FILES = ['src/', 'src/main.ts', 'README.md', '"my notes.md"'];
const complete: Completer = ({ kind, word, before }) => {
  const of = (names: readonly string[], more: Partial<Completion> = {}): Completion[] =>
    names
      .filter((name) => name.replace('"', '').startsWith(word))
      .map((insert) => ({ insert, ends: !insert.endsWith('/'), ...more }));
  if (kind === 'command') return of(NAMES, { detail: 'what it does' });
  if (kind === 'argument') return before === '/agent ' ? of(['tester', 'coder']) : [];
  return of(FILES);
};

describe('what is asked for', () => {
  it('is a command at the beginning, an argument behind it, a mention anywhere', () => {
    const at = (text: string) => askedAt(text, text.length);
    expect(at('/he')).toMatchObject({ kind: 'command', word: '/he', from: 0 });
    expect(at('/agent te')).toMatchObject({ kind: 'argument', word: 'te', before: '/agent ', from: 7 });
    expect(at('/agent a b ')).toMatchObject({ kind: 'argument', word: '', before: '/agent a b ' });
    expect(at('see @src/m')).toMatchObject({ kind: 'mention', word: 'src/m', from: 5 });
    expect(at('/agent @x')).toMatchObject({ kind: 'mention', word: 'x' });
    expect(at('(@x')).toMatchObject({ kind: 'mention', word: 'x' });
    expect(at('see @"my no')).toMatchObject({ kind: 'mention', word: 'my no', from: 5 });
    for (const none of ['', 'x /he', 'a@b', 'hello', 'x\n/he', '/usr/bin', '@a b', 'see @"my notes" ', `${'/x '.repeat(600)}`])
      expect(at(none), none).toBeUndefined();
  });
});

describe('the list', () => {
  it('opens while one types, and Tab, Enter and Esc do what they should', () => {
    const { play, rows, editor } = open({ complete });
    play("'/a");
    expect(rows()).toEqual(['> /a', '▸ /agent   what it does', '  /agents  what it does']);
    play('down');
    expect(rows()[2]).toMatch(/^▸ \/agents/);
    play('down');
    expect(rows()[1]).toMatch(/^▸ \/agent /);
    play('up', 'tab');
    expect(editor.text).toBe('/agents ');
    expect(rows()).toHaveLength(1);
    play('C-c', "'/he");
    expect(play('enter')).toEqual({ kind: 'submit', text: '/help ' });
    play("'/he", 'escape');
    expect(rows()).toEqual(['> /he']);
    play("'l");
    expect(rows()).toEqual(['> /hel']);
    expect(play('enter')).toEqual({ kind: 'submit', text: '/hel' });
    play("'/he");
    expect(rows()).toHaveLength(2);
  });

  it('opens again by Tab after Esc, and takes the only one at once', () => {
    const { play, rows, editor } = open({ complete });
    play("'/a", 'escape', 'tab');
    expect(rows()).toHaveLength(3);
    play('C-c', "'/h", 'escape', 'tab');
    expect(editor.text).toBe('/help ');
  });

  it('runs a command only when it was begun as it is called', () => {
    const odd: Completer = () => [{ insert: '/undo', ends: true }];
    const { play, editor } = open({ complete: odd });
    expect(play("'/do", 'enter')).toBeUndefined();
    expect(editor.text).toBe('/undo ');
  });

  it('sends what is typed in full', () => {
    const { play } = open({ complete });
    expect(play("'/agent", 'enter')).toEqual({ kind: 'submit', text: '/agent' });
    expect(play("'see @README.md", 'enter')).toEqual({ kind: 'submit', text: 'see @README.md' });
    // An argument is never put in the place of what was typed by Enter.
    expect(play("'/agent te", 'enter')).toEqual({ kind: 'submit', text: '/agent te' });
  });

  it('goes on in a folder, ends with a blank at a file, quotes names with blanks', () => {
    const { play, editor, rows } = open({ complete });
    play("'@s", 'enter');
    expect(editor.text).toBe('@src/');
    expect(rows()).toHaveLength(3);
    play('down', 'enter');
    expect(editor.text).toBe('@src/main.ts ');
    play("'and @my", 'tab', "'!");
    expect(editor.text).toBe('@src/main.ts and @"my notes.md" !');
    play('C-c', "'x  y", 'left', 'left', "'@READ", 'tab', "'!");
    expect(editor.text).toBe('x @README.md !y');
  });

  it('completes arguments behind a command taken from the list', () => {
    const { play, rows, editor } = open({ complete });
    play("'/agent", 'tab');
    expect(rows()).toEqual(['> /agent ', '▸ tester', '  coder']);
    play("'c", 'tab');
    expect(editor.text).toBe('/agent coder ');
  });

  it('shows a part of a long list, and where one is in it', () => {
    const many: Completer = () => Array.from({ length: 300 }, (_, index) => ({ insert: `f${index}`, ends: true }));
    const { play, rows } = open({ complete: many });
    play("'@");
    expect(rows()).toHaveLength(9);
    expect(rows().at(-1)).toBe('  ↑↓ 1/200+');
    play('up');
    expect(rows().slice(-2)).toEqual(['▸ f199', '  ↑↓ 200/200+']);
    for (const view of [{ rows: 2 }, { rows: 3 }, { columns: 5 }]) {
      expect(rows(view).length).toBeLessThanOrEqual(view.rows ?? 9);
      for (const line of rows(view)) expect(line.length).toBeLessThanOrEqual(view.columns ?? 80);
    }
    expect(rows({ unicode: false, rows: 4 }).slice(1)).toEqual(['> f199', '  200/200+']);
  });

  it('shows hostile names as they are written', () => {
    const { play, rows } = open({ complete: () => [{ insert: 'a\u202eb\u001b[31mc', detail: 'x\ny', ends: true }] });
    play("'@");
    expect(rows()[1]).toBe('▸ a<U+202E>bc  x y');
  });
});

describe('answers that come later', () => {
  function slow() {
    const asked: { word: string; signal: AbortSignal; answer: (found: Completion[]) => void; fail: () => void }[] = [];
    const answers: Completer = ({ word }, signal) =>
      new Promise((answer, fail) => {
        asked.push({ word, signal, answer, fail: () => fail(new Error('no')) });
      });
    return { asked, ...open({ complete: answers }) };
  }
  const turn = () => new Promise((done) => setImmediate(done));

  it('are shown when they come, and forgotten when they come too late', async () => {
    const { asked, play, rows, changes, editor } = slow();
    play("'@a", "'b");
    expect(asked.map(({ word, signal }) => [word, signal.aborted])).toEqual([
      ['a', true],
      ['ab', false],
    ]);
    asked[0]?.answer([{ insert: 'old', ends: true }]);
    await turn();
    expect([rows().length, changes.count]).toEqual([1, 0]);
    asked[1]?.answer([{ insert: 'abc', ends: true }]);
    await turn();
    expect([rows().length, changes.count]).toEqual([2, 1]);
    // The list of before stays in sight, but is not taken for what stands there now.
    play("'x");
    expect(rows()).toHaveLength(2);
    expect(play('tab')).toBeUndefined();
    expect(editor.text).toBe('@abx');
    expect(play('enter')).toEqual({ kind: 'submit', text: '@abx' });
    asked[2]?.answer([{ insert: 'abxyz', ends: true }]);
    await turn();
    expect(rows()).toEqual(['> say it']);
  });

  it('complete the word when Tab waited for the only one', async () => {
    const { asked, play, editor } = slow();
    play("'@a", 'tab');
    asked.at(-1)?.answer([{ insert: 'abc', ends: true }]);
    await turn();
    expect(editor.text).toBe('@abc ');
  });

  it('may fail', async () => {
    const { asked, play, rows } = slow();
    play("'@a");
    asked[0]?.fail();
    await turn();
    expect(rows()).toEqual(['> @a']);
    const thrown = open({
      complete: () => {
        throw new Error('no');
      },
    });
    thrown.play("'@a");
    expect(thrown.rows()).toEqual(['> @a']);
  });
});
