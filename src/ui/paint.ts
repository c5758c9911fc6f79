/** Colours, or none: the only place that writes terminal codes for style. */

export interface Paint {
  dim(text: string): string;
  bold(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

const PLAIN = (text: string): string => text;
const style = (on: number, off: number) => (text: string) => (text ? `\x1b[${on}m${text}\x1b[${off}m` : text);

export function createPaint(options: { readonly color: boolean }): Paint {
  if (!options.color) return { dim: PLAIN, bold: PLAIN, red: PLAIN, green: PLAIN, yellow: PLAIN, cyan: PLAIN };
  return {
    dim: style(2, 22),
    bold: style(1, 22),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
    cyan: style(36, 39),
  };
}
