/** What the security question shows of an edit: nothing hides, nothing is wider than the screen, the choices stay in sight. */
import { describe, expect, it } from 'vitest';
import type { Question } from '../../../../src/types/policy.js';
import type { Features } from '../../../../src/ui/screen/port.js';
import { Dialog } from '../../../../src/ui/shell/approval/dialog.js';
import type { ProposedFile } from '../../../../src/ui/shell/approval/hunks.js';
import { createText, type Language } from '../../../../src/ui/text/index.js';
import { createTheme } from '../../../../src/ui/theme/theme.js';
import { textWidth } from '../../../../src/ui/width.js';

const question: Question = {
  call: { id: 'c', tool: '@coder write', args: { file: 'a.txt', content: 'x' }, source: 'native', agent: 'coder-2' },
  facts: { readOnly: false, reads: [], writes: ['a.txt'], order: 'overlap', label: { verb: 'write', object: 'a.txt' } },
  decision: { verdict: 'ask', step: 7, reason: 'no rule', code: 'Denied' },
  agent: 'coder-2',
  task: 'change it',
};

function shown(
  files: readonly ProposedFile[],
  { columns = 80, rows = 60, language = 'en' as Language, prepare = (_dialog: Dialog): void => undefined } = {},
) {
  const dialog = new Dialog({
    question,
    text: createText(language),
    proposal: { files, changed: async () => undefined },
    canEdit: true,
    waiting: () => 3,
  });
  prepare(dialog);
  const features: Features = { columns, rows, depth: 24, unicode: true, moves: true, background: 'dark' };
  const room = { features, theme: createTheme('dark', 24), rows };
  const { lines } = dialog.view(room);
  return { dialog, room, lines, text: lines.map((line) => line.replace(/\x1b\[[\d;]*m/g, '')).join('\n') };
}

describe('the question about an edit', () => {
  it('shows invisible letters, controls and odd line ends as codes, in the change and in the name', () => {
    const before = 'if (admin) {\n}\n';
    const after = 'if (adm\u200bin\u202e) {\x1b[2J\r\n}\n';
    const { text } = shown([
      { path: 'a\u202etxt.exe', before, after },
      { path: 'new.txt', before: undefined, after: 'zero\u200bwidth\x07\n' },
    ]);
    for (const code of ['adm<U+200B>in<U+202E>', '<U+001B>[2J', '<U+000D>', 'a<U+202E>txt.exe', 'zero<U+200B>width<U+0007>'])
      expect(text).toContain(code);
    expect(text).not.toMatch(/[\u200b\u202e\x07\x1b]/);
  });

  it('has nothing to say of carriage returns that are everywhere', () => {
    const { text } = shown([{ path: 'a.txt', before: 'one\r\ntwo\r\n', after: 'one\r\nTWO\r\n' }]);
    expect(text).not.toContain('U+000D');
    expect(text).toContain('2 - two');
  });

  it('offers v for a line that is cut, and then shows its end, however long it is', () => {
    const long = `${'x'.repeat(5000)}END`;
    const files = [{ path: 'a.txt', before: 'a\n', after: `${long}\n` }];
    const cut = shown(files);
    expect(cut.dialog.choices(cut.room)).toContain('v');
    expect(cut.text).not.toContain('END');
    const whole = shown(files, { rows: 400, prepare: (dialog) => dialog.showAll() });
    expect(whole.dialog.choices(whole.room)).not.toContain('v');
    expect(whole.text.replace(/[\s\d+]/g, '')).toContain(long);
  });

  it.each(['en', 'pt-BR'] as const)('fits 40 columns and few rows, with the choices and who waits (%s)', (language) => {
    const before = Array.from({ length: 60 }, (_, i) => `línea ${i} 漢字漢字漢字漢字漢字漢字漢字漢字 👩‍💻\n`).join('');
    const after = before.replace('línea 3 ', 'linha 3 ').replace('línea 30 ', 'linha 30 ').replace('línea 50 ', '');
    for (const rows of [12, 20, 40]) {
      const { lines, text, dialog, room } = shown([{ path: 'a.txt', before, after }], { columns: 40, rows, language });
      for (const line of lines) expect(textWidth(line.replace(/\x1b\[[\d;]*m/g, ''))).toBeLessThanOrEqual(40);
      expect(text).toContain('[y/a/n/d');
      expect(lines.length).toBeLessThanOrEqual(Math.max(rows, 20));
      dialog.move('down');
      dialog.move('down');
      dialog.toggle();
      expect(dialog.view(room).lines.join('\n')).toContain('[ ]');
      expect(dialog.wanted()).toMatchObject({ taken: 2, all: 3 });
    }
    expect(shown([{ path: 'a.txt', before, after }], { language }).text).toMatch(
      /3 more questions wait|mais 3 perguntas esperam/,
    );
  });
});
