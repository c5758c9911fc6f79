/** Colours, or none, for plain output: the terminal's own sixteen. */
import { sgr } from './theme/sgr.js';

export interface Paint {
  dim(text: string): string;
  bold(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

const PLAIN = (text: string): string => text;

export function createPaint(options: { readonly color: boolean }): Paint {
  if (!options.color) return { dim: PLAIN, bold: PLAIN, red: PLAIN, green: PLAIN, yellow: PLAIN, cyan: PLAIN };
  return {
    dim: sgr(2, 22),
    bold: sgr(1, 22),
    red: sgr(31, 39),
    green: sgr(32, 39),
    yellow: sgr(33, 39),
    cyan: sgr(36, 39),
  };
}
