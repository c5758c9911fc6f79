/** The only place that writes SGR codes: looks become functions that put codes around a text. */

/** A colour as `#rrggbb`, and as one of the terminal's own sixteen (0 to 15) where no more are to be had. */
export interface Colour {
  readonly rgb: string;
  readonly ansi: number;
}

/** How a piece of text looks. Nothing set: as the terminal writes by itself. */
export interface Look {
  readonly fore?: Colour;
  readonly back?: Colour;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly struck?: boolean;
  readonly faint?: boolean;
  /** Both colours change places where a terminal has only sixteen. */
  readonly inverse?: boolean;
}

export type Depth = 0 | 4 | 8 | 24;
export type Styler = (text: string) => string;

const PLAIN: Styler = (text) => text;

/** Text between an opening and a closing code; an empty text stays empty. */
export function sgr(on: string | number, off: string | number): Styler {
  return (text) => (text ? `\x1b[${on}m${text}\x1b[${off}m` : text);
}

/** The function for a look at a colour depth; with depth 0 it changes nothing. */
export function styler(look: Look, depth: Depth): Styler {
  if (depth === 0) return PLAIN;
  const on: (string | number)[] = [];
  const off: number[] = [];
  const add = (wanted: boolean | undefined, code: number, end: number): void => {
    if (!wanted) return;
    on.push(code);
    if (!off.includes(end)) off.unshift(end);
  };
  add(look.bold, 1, 22);
  add(look.faint && (depth === 4 || !look.fore), 2, 22);
  add(look.italic, 3, 23);
  add(look.underline, 4, 24);
  add(look.struck, 9, 29);
  add(look.inverse && depth === 4, 7, 27);
  const plainFore = depth === 4 && look.faint;
  if (look.fore && !plainFore) {
    on.push(colourCode(look.fore, depth, 0));
    off.unshift(39);
  }
  if (look.back && !(depth === 4 && look.inverse)) {
    on.push(colourCode(look.back, depth, 10));
    off.unshift(49);
  }
  return on.length === 0 ? PLAIN : sgr(on.join(';'), off.join(';'));
}

/** `shift` is 10 for backgrounds. */
function colourCode(colour: Colour, depth: Exclude<Depth, 0>, shift: 0 | 10): string | number {
  if (depth === 4) return (colour.ansi < 8 ? 30 + colour.ansi : 82 + colour.ansi) + shift;
  const rgb = rgbOf(colour.rgb);
  return depth === 24 ? `${38 + shift};2;${rgb.join(';')}` : `${38 + shift};5;${nearest256(rgb)}`;
}

/** Red, green, blue, each 0 to 255. */
export function rgbOf(hex: string): [number, number, number] {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

const STEPS = [0, 95, 135, 175, 215, 255];

/** The closest of the 216 colours of the cube and the 24 greys. */
export function nearest256(rgb: readonly [number, number, number]): number {
  const steps = rgb.map((part) => nearestIndex(STEPS, part)) as [number, number, number];
  const cube = steps.map((step) => STEPS[step] ?? 0);
  const grey = Math.max(0, Math.min(23, Math.round(((rgb[0] + rgb[1] + rgb[2]) / 3 - 8) / 10)));
  const level = 8 + grey * 10;
  const near = distance(rgb, cube) <= distance(rgb, [level, level, level]);
  return near ? 16 + 36 * steps[0] + 6 * steps[1] + steps[2] : 232 + grey;
}

function nearestIndex(values: readonly number[], wanted: number): number {
  let best = 0;
  for (const [index, value] of values.entries())
    if (Math.abs(value - wanted) < Math.abs((values[best] ?? 0) - wanted)) best = index;
  return best;
}

const distance = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, part, index) => sum + (part - (b[index] ?? 0)) ** 2, 0);
