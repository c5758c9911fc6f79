/** A long text in the input costs no more for each key than a short one, to speak of: measured in time of the processor. */
import { describe, expect, it } from 'vitest';
import type { Key } from '../../src/ui/screen/port.js';
import { open, press, text, VIEW } from '../ui/editor/play.js';

const LENGTH = 100_000;
const KINDS: Readonly<Record<string, string>> = {
  'one line of plain letters': 'hello wor ',
  'many lines': 'some line of text\n',
  Chinese: '中文字',
  families: '👨‍👩‍👧',
  flags: '🇧🇷',
  mixed: 'é word ',
};
/** The naive way takes hundreds of milliseconds. */
const MOST_MS = 15;

const spent = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

describe('typing in a text of 100 KB', () => {
  for (const [name, part] of Object.entries(KINDS)) {
    it(`stays quick: ${name}`, () => {
      const { editor } = open();
      editor.set(part.repeat(Math.floor(LENGTH / part.length)));
      editor.view(VIEW);
      const each = (keys: readonly Key[]): number => {
        const start = spent();
        for (const key of keys) {
          editor.key(key);
          editor.view(VIEW);
        }
        return (spent() - start) / keys.length;
      };
      const typed = [...'some words 和 ö '.repeat(3)].map(text);
      const walk = ['left', 'up', 'C-left', 'down', 'backspace', 'C-w'].flatMap((chord) =>
        Array.from({ length: 10 }, () => press(chord)),
      );
      const costs = {
        atEnd: each(typed),
        walk: each(walk),
        atStart: each([press('C-home'), ...typed]),
        undo: each([press('C-_'), press('C-_')]),
      };
      for (const [what, ms] of Object.entries(costs)) expect(ms, what).toBeLessThan(MOST_MS);
    });
  }
});
