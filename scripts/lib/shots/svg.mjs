// Cells of a terminal as one self-contained SVG: a plain window, text at fixed columns, lines of boxes as strokes.

const CELL = 8.4;
const SIZE = 14;
const LINE = 19;
const BASE = 14;
const PAD = 18;
const FONTS = 'ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace';

/** Backgrounds, plain text, and the sixteen colours a terminal of that kind usually has. */
export const GROUNDS = {
  dark: {
    back: '#16181d',
    fore: '#d9dee7',
    frame: '#333842',
    colours:
      '#2b303b #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #c8ccd4 #7f848e #f08a92 #b5e08f #f0d399 #82c4ff #d9a0ea #7bd0dc #ffffff',
  },
  light: {
    back: '#fcfcfd',
    fore: '#24292f',
    frame: '#d0d7de',
    colours:
      '#24292f #c1302a #1a7f37 #8a6100 #0a5fc2 #8250df #116978 #57606a #6e7781 #a40e26 #116329 #6b4a00 #0a4da2 #6639ba #0d5563 #ffffff',
  },
};

const xmlText = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const short = (value) => String(Number(value.toFixed(2)));

/** `#rrggbb` of a palette number. */
function indexed(value, colours) {
  if (value < 16) return colours[value];
  const hex = (parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  if (value > 231) return hex(Array(3).fill(8 + (value - 232) * 10));
  const steps = [0, 95, 135, 175, 215, 255];
  const at = value - 16;
  return hex([steps[Math.floor(at / 36)], steps[Math.floor(at / 6) % 6], steps[at % 6]]);
}

function mixed(front, behind, share) {
  const part = (hex, at) => Number.parseInt(hex.slice(at, at + 2), 16);
  return `#${[1, 3, 5]
    .map((at) => Math.round(part(front, at) * share + part(behind, at) * (1 - share)))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`;
}

/** The colours a cell is shown in. `back` undefined: that of the window. */
function looks(cell, ground) {
  const colours = ground.colours.split(' ');
  const plain = (colour) => (typeof colour === 'number' ? indexed(colour, colours) : colour);
  let [fore, back] = [plain(cell.fore) ?? ground.fore, plain(cell.back)];
  if (cell.inverse) [fore, back] = [back ?? ground.back, fore];
  if (cell.faint) fore = mixed(fore, back ?? ground.back, 0.62);
  return { fore, back };
}

/** Arms of box letters: left, right, up, down; `round` bends. */
const BOXES = {
  '─': 'lr',
  '│': 'ud',
  '┌': 'rd',
  '┐': 'ld',
  '└': 'ru',
  '┘': 'lu',
  '╭': 'rd',
  '╮': 'ld',
  '╰': 'ru',
  '╯': 'lu',
  '├': 'rud',
  '┤': 'lud',
  '┬': 'lrd',
  '┴': 'lru',
  '┼': 'lrud',
  '━': 'lr',
  '┃': 'ud',
};

function strokes(arms, x, y) {
  const [mx, my] = [x + CELL / 2, y + LINE / 2];
  const ends = { l: [x, my], r: [x + CELL, my], u: [mx, y], d: [mx, y + LINE] };
  return [...arms].map((arm) => `M${short(mx)} ${short(my)}L${ends[arm].map(short).join(' ')}`).join('');
}

/** Pieces of a row that look alike: `{column, width, text, key}`; box letters and what is not ASCII stand alone. */
function pieces(cells) {
  const out = [];
  for (const cell of cells) {
    const { text, column, width } = cell;
    const key = [cell.fore, cell.back, cell.bold, cell.faint, cell.italic, cell.underline, cell.struck, cell.inverse].join();
    const last = out.at(-1);
    const isPlain = /^[ -~]$/.test(text);
    const isRule = text === '─' && last?.text.at(-1) === '─';
    if (last && last.key === key && ((isPlain && last.isPlain) || isRule)) {
      last.text += text;
      last.width += width;
    } else out.push({ cell, column, width, text, key, isPlain });
  }
  return out;
}

class Styles {
  names = new Map();

  name(css) {
    if (!this.names.has(css)) this.names.set(css, `s${this.names.size}`);
    return this.names.get(css);
  }

  css() {
    return [...this.names].map(([css, name]) => `.${name}{${css}}`).join('');
  }
}

function rowShapes(cells, row, ground, styles) {
  const backs = [];
  const fronts = [];
  const y = PAD + row * LINE;
  for (const piece of pieces(cells)) {
    const { cell, text } = piece;
    const { fore, back } = looks(cell, ground);
    const x = PAD + piece.column * CELL;
    const width = short(piece.width * CELL);
    if (back) {
      const last = backs.at(-1);
      if (last?.back === back && Math.abs(last.to - x) < 0.01) last.to = x + piece.width * CELL;
      else backs.push({ back, x, to: x + piece.width * CELL, y });
    }
    if (BOXES[text[0]] !== undefined && [...text].every((letter) => letter === text[0])) {
      const line = text.length > 1 ? `M${short(x)} ${short(y + LINE / 2)}h${width}` : strokes(BOXES[text], x, y);
      fronts.push(`<path class="${styles.name(`fill:none;stroke:${fore}`)}" d="${line}"/>`);
      continue;
    }
    const shown = cell.underline || cell.struck ? text : text.trimEnd();
    const lead = cell.underline || cell.struck ? 0 : shown.length - shown.trimStart().length;
    const words = shown.slice(lead);
    if (words === '') continue;
    const css = [
      `fill:${fore}`,
      cell.bold ? 'font-weight:700' : '',
      cell.italic ? 'font-style:italic' : '',
      cell.underline || cell.struck
        ? `text-decoration:${[cell.underline ? 'underline' : '', cell.struck ? 'line-through' : ''].filter(Boolean).join(' ')}`
        : '',
    ];
    const start = x + lead * CELL;
    const fitted = piece.isPlain && words.length > 1 ? ` textLength="${short(words.length * CELL)}"` : '';
    const name = styles.name(css.filter(Boolean).join(';'));
    fronts.push(`<text class="${name}" x="${short(start)}" y="${short(y + BASE)}"${fitted}>${xmlText(words)}</text>`);
  }
  const rects = backs.map(
    ({ back, x, to, y: top }) =>
      `<rect class="${styles.name(`fill:${back}`)}" x="${short(x)}" y="${top}" width="${short(to - x)}" height="${LINE}"/>`,
  );
  return [...rects, ...fronts];
}

/** `cells` from the emulator; empty rows at the end are left out. `cursor`: `{row, column}`, or undefined when hidden. */
export function svgOf({ cells, columns, ground: name, title, cursor }) {
  const ground = GROUNDS[name];
  const isBlank = (row) => row.every(({ text, back, inverse }) => text === ' ' && back === undefined && !inverse);
  const rows = [...cells];
  while (rows.length > 1 && isBlank(rows.at(-1)) && cursor?.row !== rows.length - 1) rows.pop();
  const [width, height] = [short(columns * CELL + 2 * PAD), rows.length * LINE + 2 * PAD];
  const styles = new Styles();
  const body = rows.flatMap((row, index) => rowShapes(row, index, ground, styles));
  const block = cursor
    ? `<rect x="${short(PAD + cursor.column * CELL)}" y="${PAD + cursor.row * LINE + 1}" width="${CELL}" height="${LINE - 2}" fill="${ground.fore}" fill-opacity="0.55"/>`
    : '';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" xml:space="preserve">`,
    `<title>${xmlText(title)}</title>`,
    `<style>text{font:${SIZE}px ${FONTS};white-space:pre}${styles.css()}</style>`,
    `<rect x="0.5" y="0.5" width="${short(columns * CELL + 2 * PAD - 1)}" height="${height - 1}" rx="8" fill="${ground.back}" stroke="${ground.frame}"/>`,
    ...body,
    ...(block ? [block] : []),
    '</svg>',
    '',
  ].join('\n');
}
