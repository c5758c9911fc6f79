import { describe, expect, it } from 'vitest';
import { open, paste, text } from './play.js';

describe('typing', () => {
  it('shows the prompt and the placeholder, then what is typed', () => {
    const { play, shown } = open();
    expect(shown()).toBe('> |say it');
    play("'hello");
    expect(shown()).toBe('> hello|');
  });

  it('begins lines by Shift, Alt and Ctrl with Enter, by Ctrl+J, and by a backslash', () => {
    const { play, editor } = open();
    play("'a", 'S-enter', "'b", 'M-enter', "'c", 'C-enter', "'d", 'C-j', "'e\\", 'enter', "'f");
    expect(editor.text).toBe('a\nb\nc\nd\ne\nf');
    expect(play('enter')).toEqual({ kind: 'submit', text: 'a\nb\nc\nd\ne\nf' });
    expect(editor.text).toBe('');
  });

  it('takes a backslash for a line end only at the end of a line, and only an odd number of them', () => {
    const { play, editor } = open();
    play("'a\\", 'M-enter', "'b", 'up', 'end', 'enter');
    expect(editor.text).toBe('a\n\nb');
    play('C-c', "'two\\\\");
    expect(play('enter')).toEqual({ kind: 'submit', text: 'two\\\\' });
    play("'x\\y", 'left');
    expect(play('enter')).toEqual({ kind: 'submit', text: 'x\\y' });
  });

  it('sends nothing when there is nothing but blanks', () => {
    const { play, history } = open();
    expect(play("'  ", 'enter')).toBeUndefined();
    expect(history).toEqual([]);
  });
});

describe('moves', () => {
  it('goes by letters, words, lines and through the whole text', () => {
    const { play, shown } = open();
    play("'one two.three", 'C-j', "'four", 'C-a');
    expect(shown()).toBe('> one two.three\n  |four');
    play('left', 'M-b');
    expect(shown()).toBe('> one two.|three\n  four');
    play('C-left', 'C-left');
    expect(shown()).toBe('> |one two.three\n  four');
    play('M-f');
    expect(shown()).toBe('> one| two.three\n  four');
    play('C-right', 'end');
    expect(shown()).toBe('> one two.three|\n  four');
    play('C-home', 'C-end');
    expect(shown()).toBe('> one two.three\n  four|');
  });

  it('keeps its column over short lines, and counts wide letters as they look', () => {
    const { play, shown } = open();
    play("'abcdef", 'C-j', "'x", 'C-j', "'中文字", 'up');
    expect(shown()).toBe('> abcdef\n  x|\n  中文字');
    play('up');
    expect(shown()).toBe('> abcdef|\n  x\n  中文字');
    play('left', 'left', 'left', 'down', 'down');
    expect(shown().split('\n')[2]).toBe('  中|文字');
  });

  it('goes up and down by the rows that are seen', () => {
    const { play, shown } = open();
    play("'0123456789abcdefghij");
    shown({ columns: 12 });
    play('left', 'up');
    expect(shown({ columns: 12 })).toBe('> 012345678|9\n  abcdefghij');
    play('down');
    expect(shown({ columns: 12 })).toBe('> 0123456789\n  abcdefghi|j');
  });

  it('finds words where no blanks are', () => {
    const { play, editor } = open();
    play("'今天天气很好", 'M-backspace');
    expect(editor.text.length).toBeGreaterThan(2);
    expect(editor.text.length).toBeLessThan(6);
  });
});

describe('killing', () => {
  it('joins kills in a row and puts them back', () => {
    const { play, editor } = open();
    play("'one two three", 'C-w', 'C-w', 'C-a', 'C-y');
    expect(editor.text).toBe('two threeone ');
  });

  it('turns the ring after a yank, and only then', () => {
    const { play, editor } = open();
    play("'aa", 'C-u', "'bb", 'C-u', 'C-y');
    expect(editor.text).toBe('bb');
    play('M-y');
    expect(editor.text).toBe('aa');
    play('M-y');
    expect(editor.text).toBe('bb');
    play("'!", 'M-y');
    expect(editor.text).toBe('bb!');
  });

  it('kills to both ends of a line, then the line end itself', () => {
    const { play, editor } = open();
    play("'ab", 'C-j', "'cd", 'up', 'C-a', 'C-k');
    expect(editor.text).toBe('\ncd');
    play('C-k');
    expect(editor.text).toBe('cd');
    play('C-y');
    expect(editor.text).toBe('ab\ncd');
  });

  it('tells words by blanks (Ctrl+W) from words by letters (Alt+Backspace)', () => {
    const { play, editor } = open();
    play("'x src/main.ts", 'M-backspace');
    expect(editor.text).toBe('x src/main.');
    play('C-w');
    expect(editor.text).toBe('x ');
    play("'foo bar", 'M-b', 'M-d');
    expect(editor.text).toBe('x foo ');
  });

  it('exchanges letters', () => {
    const { play, editor } = open();
    play("'teh", 'C-t');
    expect(editor.text).toBe('the');
    play('C-a', 'C-t');
    expect(editor.text).toBe('the');
    play('right', 'C-t');
    expect(editor.text).toBe('hte');
  });
});

describe('undo', () => {
  it('takes back words, clears, deletions, and does them again', () => {
    const { play, editor } = open();
    play(...[...'one two'].map(text), 'C-_');
    expect(editor.text).toBe('one ');
    play('C-_');
    expect(editor.text).toBe('');
    play('M-/', 'M-_');
    expect(editor.text).toBe('one two');
    play('C-c');
    expect(editor.text).toBe('');
    play('C-/');
    expect(editor.text).toBe('one two');
    play('C-x', 'C-u');
    expect(editor.text).toBe('one ');
  });

  it('brings nothing of a text that was sent back', () => {
    const { play, editor } = open();
    play("'sent", 'enter', 'C-_');
    expect(editor.text).toBe('');
  });
});

describe('pastes', () => {
  const long = Array.from({ length: 34 }, (_, line) => `line ${line}`).join('\n');

  it('folds a long one into a letter, sends it whole, and deletes it whole', () => {
    const { play, shown, editor } = open();
    play("'see ", paste(long), "' and");
    expect(shown()).toBe('> see [paste 1: 34 lines] and|');
    expect(editor.text).toBe(`see ${long} and`);
    play('M-b', 'left', 'backspace');
    expect(editor.text).toBe('see  and');
    play('C-_');
    expect(play('enter')).toEqual({ kind: 'submit', text: `see ${long} and` });
  });

  it('opens a fold when the same is pasted again, or by Ctrl+O beside it', () => {
    const { play, rows, editor } = open();
    play(paste(long), paste(long));
    expect(rows().at(-1)).toBe('  line 33');
    expect(editor.text).toBe(long);
    play('C-_');
    expect(rows()).toEqual(['> [paste 1: 34 lines]']);
    expect(play('C-o')).toBeUndefined();
    expect(rows().at(-1)).toBe('  line 33');
    expect(play('C-o')).toEqual({ kind: 'unfold' });
  });

  it('leaves six lines as they are, with or without a last line end', () => {
    const { play, rows } = open();
    play(paste('1\n2\n3\n4\n5\n6\n'));
    expect(rows()).toHaveLength(7);
    play('C-c', paste('1\n2\n3\n4\n5\n6\n7'));
    expect(rows()).toEqual(['> [paste 1: 7 lines]']);
  });

  it('keeps killed folds over a sending', () => {
    const { play, editor } = open();
    play(paste(long), 'C-u', "'x", 'enter', paste('z'.repeat(2000)), 'C-y');
    expect(editor.text).toBe('z'.repeat(2000) + long);
  });

  it('never takes typed letters for folds', () => {
    const { play, editor, rows } = open();
    play(paste('a\udc00b\u{f0000}\u{10fffd}'));
    expect(editor.text).toBe('a\ufffdb\u{f0000}\u{10fffd}');
    expect(rows()[0]).toBe('> a\ufffdb\u{f0000}<U+10FFFD>');
  });

  it('takes a megabyte and ten thousand lines', () => {
    const { play, rows, editor } = open();
    const big = 'x'.repeat(1024 * 1024);
    play(paste(big), paste(`${'y\n'.repeat(10_000)}`));
    expect(rows()).toEqual(['> [paste 1: 1 line][paste 2: 10000 lines]']);
    expect(editor.text.length).toBe(1024 * 1024 + 20_000);
  });
});

describe('history', () => {
  const entries = ['git status', 'npm test', 'git log', 'npm test', 'a\nb'];

  it('goes through lines first, then back and forth, and brings the draft back', () => {
    const { play, editor } = open({ entries: [...entries] });
    play('up');
    expect(editor.text).toBe('a\nb');
    play('up');
    expect(editor.text).toBe('a\nb');
    play('up');
    expect(editor.text).toBe('npm test');
    play('up');
    expect(editor.text).toBe('git log');
    play('down', 'down', 'down', 'down');
    expect(editor.text).toBe('');
  });

  it('keeps to what begins as typed, and a draft with its folds', () => {
    const { play, editor, rows } = open({ entries: [...entries] });
    play("'git", 'up');
    expect(editor.text).toBe('git log');
    play('up');
    expect(editor.text).toBe('git status');
    play('up');
    expect(editor.text).toBe('git status');
    play('C-n', 'C-n');
    expect(editor.text).toBe('git');
    play('C-c', paste('git '.repeat(400)), 'C-home', 'up');
    expect(rows()).toEqual(['> [paste 1: 1 line]']);
  });

  it('walks on with Ctrl+P where Up would go through lines, and typing ends walking', () => {
    const { play, editor } = open({ entries: [...entries] });
    play('C-p', 'C-p');
    expect(editor.text).toBe('npm test');
    play("'!", 'C-p');
    expect(editor.text).toBe('npm test!');
  });

  it('finds what was sent just now', () => {
    const { play, editor } = open();
    play("'first", 'enter', 'up');
    expect(editor.text).toBe('first');
  });
});

describe('search', () => {
  const entries = ['git status', 'npm test', 'git log', 'make test'];

  it('shows hits, goes round, both ways', () => {
    const { play, rows, editor } = open({ entries: [...entries] });
    play('C-r', "'git");
    expect(rows()).toEqual(['Search what was typed: git', 'git log']);
    play('C-r');
    expect(rows()[1]).toBe('git status');
    play('C-r');
    expect(rows()[1]).toBe('git log');
    play('C-s');
    expect(rows()[1]).toBe('git status');
    play('escape');
    expect(editor.text).toBe('git status');
  });

  it('says that nothing is found, and finds again when letters go', () => {
    const { play, rows } = open({ entries: [...entries] });
    play('C-r', "'testz");
    expect(rows()[1]).toBe('nothing found');
    play('backspace');
    expect(rows()[1]).toBe('make test');
  });

  it('gives up by Ctrl+C with the text as it was, sends by Enter, edits by any other key', () => {
    const { play, editor } = open({ entries: [...entries] });
    play("'draft", 'C-r', "'npm", 'C-c');
    expect(editor.text).toBe('draft');
    play('C-c', 'C-r', "'npm", 'end', "'!");
    expect(editor.text).toBe('npm test!');
    play('C-c', 'C-r', "'log");
    expect(play('enter')).toEqual({ kind: 'submit', text: 'git log' });
  });

  it('marks the hit, and shows it however far it stands', () => {
    const { play, rows } = open({ entries: [`${'x'.repeat(500)} needle ${'y'.repeat(500)}`] });
    play('C-r', "'needle");
    const line = rows({ columns: 40 })[1] ?? '';
    expect(line).toContain('needle');
    expect(line.length).toBe(40);
  });
});

describe('keys that mean something to the shell', () => {
  it('tells of them', () => {
    const { play } = open();
    expect(play('S-tab')).toEqual({ kind: 'mode' });
    expect(play('C-l')).toEqual({ kind: 'redraw' });
    expect(play('C-z')).toEqual({ kind: 'suspend' });
    expect(play('C-o')).toEqual({ kind: 'unfold' });
    expect(play('C-d')).toEqual({ kind: 'leave' });
    expect(play('C-c')).toEqual({ kind: 'interrupt', empty: true });
    expect(play("'x", 'C-c')).toEqual({ kind: 'interrupt', empty: false });
    expect(play("'x", 'C-d')).toBeUndefined();
    expect(play('C-g')).toEqual({ kind: 'external', text: 'x' });
    expect(play('C-x', 'C-e')).toEqual({ kind: 'external', text: 'x' });
    expect(play('C-x', "'y", 'C-e')).toBeUndefined();
    expect(play('C-q', 'unknown', 'M-S-q')).toBeUndefined();
  });

  it('gives the first Esc away and clears at the second, which can be taken back', () => {
    const { play, editor } = open();
    expect(play("'x", 'escape')).toEqual({ kind: 'escape' });
    expect(editor.text).toBe('x');
    expect(play('escape')).toBeUndefined();
    expect(editor.text).toBe('');
    expect(play('escape')).toEqual({ kind: 'escape' });
    play('C-_');
    expect(editor.text).toBe('x');
  });

  it('takes a text from outside', () => {
    const { play, editor, shown } = open();
    play("'old");
    editor.set('new\ntext');
    expect(shown()).toBe('> new\n  text|');
    play('C-_');
    expect(editor.text).toBe('old');
    editor.set('z'.repeat(200_000));
    expect(shown()).toBe('> [paste 1: 1 line]|');
    expect(editor.text.length).toBe(200_000);
  });
});
