/** A headless terminal for tests: the widths of letters are those of today, lines can be read back whole. */
import xterm, { type IBufferLine, type Terminal } from '@xterm/headless';
import stringWidth from 'string-width';

/** Columns of single letters as modern terminals have them: marks join the letter before. */
const letterWidth = (code: number): 0 | 1 | 2 => {
  if (code < 0x7f) return code < 0x20 ? 0 : 1;
  return Math.min(2, stringWidth(String.fromCodePoint(code))) as 0 | 1 | 2;
};

/** With 20,000 lines of scrollback. */
export function newTerminal(columns: number, rows: number): Terminal {
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 20_000, allowProposedApi: true });
  const widths = new Map<number, 0 | 1 | 2>();
  terminal.unicode.register({
    version: 'today',
    wcwidth(code) {
      let width = widths.get(code);
      if (width === undefined) {
        width = letterWidth(code);
        widths.set(code, width);
      }
      return width;
    },
    // The layout of xterm: kind of letter above, width in two bits, and whether it joins the one before.
    charProperties(code, before) {
      const width = this.wcwidth(code as number);
      const joins = width === 0 && before !== 0;
      return ((joins ? (before >> 1) & 3 : width) << 1) | (joins ? 1 : 0);
    },
  } as Parameters<Terminal['unicode']['register']>[0] & { wcwidth(code: number): 0 | 1 | 2 });
  terminal.unicode.activeVersion = 'today';
  return terminal;
}

/** All lines, the scrollback first; rows the terminal broke are joined. Blank ones at the end are left out. */
export function bufferLines(terminal: Terminal, from = 0): string[] {
  const buffer = terminal.buffer.active;
  const out: string[] = [];
  for (let i = from; i < buffer.length; i++) {
    const line = buffer.getLine(i) as IBufferLine;
    const next = buffer.getLine(i + 1);
    const text = line.translateToString(next?.isWrapped !== true);
    if (line.isWrapped && out.length > 0) out[out.length - 1] += text;
    else out.push(text);
  }
  while (out.length > 0 && out.at(-1)?.trim() === '') out.pop();
  return out.map((line) => line.trimEnd());
}

/** The rows of the window, as they stand there. */
export function windowRows(terminal: Terminal): string[] {
  const buffer = terminal.buffer.active;
  return Array.from({ length: terminal.rows }, (_, i) => buffer.getLine(buffer.baseY + i)?.translateToString(true) ?? '');
}
