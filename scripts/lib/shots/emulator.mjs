// A headless terminal as screenshots need it: today's widths of letters, an answer to the question about its background, its cells as data.
import xterm from '@xterm/headless';
import stringWidth from 'string-width';

/** Marks that join the letter before, emoji and wide letters, as modern terminals have them. */
function letterWidth(code) {
  if (code < 0x7f) return code < 0x20 ? 0 : 1;
  return Math.min(2, stringWidth(String.fromCodePoint(code)));
}

/** `background` is told when the program asks (`#rrggbb`); undefined: such a question is not answered. */
export function newEmulator({ columns, rows, background, answer }) {
  const terminal = new xterm.Terminal({ cols: columns, rows, scrollback: 5000, allowProposedApi: true });
  terminal.unicode.register({
    version: 'today',
    wcwidth: letterWidth,
    // The layout of xterm: kind of letter above, width in two bits, and whether it joins the one before.
    charProperties(code, before) {
      const width = letterWidth(code);
      const joins = width === 0 && before !== 0;
      return ((joins ? (before >> 1) & 3 : width) << 1) | (joins ? 1 : 0);
    },
  });
  terminal.unicode.activeVersion = 'today';
  let isCursorShown = true;
  const cursor = (shown) => (params) => {
    if (params.includes(25)) isCursorShown = shown;
    return false;
  };
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'h' }, cursor(true));
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'l' }, cursor(false));
  terminal.parser.registerOscHandler(11, (data) => {
    if (data !== '?' || !background) return false;
    const parts = [1, 3, 5].map((at) => background.slice(at, at + 2).repeat(2));
    answer(`\x1b]11;rgb:${parts.join('/')}\x1b\\`);
    return true;
  });
  terminal.onData(answer);
  return { terminal, isCursorShown: () => isCursorShown };
}

/** The rows of the window as texts. */
export function windowText(terminal) {
  const buffer = terminal.buffer.active;
  return Array.from({ length: terminal.rows }, (_, row) => buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? '');
}

const MODES = { 16777216: 'indexed', 33554432: 'indexed', 50331648: 'rgb' };

function colourOf(mode, value) {
  const kind = MODES[mode];
  if (kind === 'indexed') return value;
  return kind === 'rgb' ? `#${value.toString(16).padStart(6, '0')}` : undefined;
}

/**
 * The window as rows of cells: `{text, width, fore, back, bold, faint, italic, underline, struck, inverse}`. A colour is
 * `#rrggbb`, a number of the palette, or undefined for the terminal's own.
 */
export function windowCells(terminal) {
  const buffer = terminal.buffer.active;
  return Array.from({ length: terminal.rows }, (_, row) => {
    const line = buffer.getLine(buffer.baseY + row);
    const cells = [];
    for (let column = 0; line && column < terminal.cols; column++) {
      const cell = line.getCell(column);
      if (cell.getWidth() === 0) continue;
      cells.push({
        column,
        text: cell.getChars() || ' ',
        width: cell.getWidth(),
        fore: colourOf(cell.getFgColorMode(), cell.getFgColor()),
        back: colourOf(cell.getBgColorMode(), cell.getBgColor()),
        bold: cell.isBold() !== 0,
        faint: cell.isDim() !== 0,
        italic: cell.isItalic() !== 0,
        underline: cell.isUnderline() !== 0,
        struck: cell.isStrikethrough() !== 0,
        inverse: cell.isInverse() !== 0,
      });
    }
    return cells;
  });
}
