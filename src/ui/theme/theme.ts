/** Themes: what a piece of text is, and how that looks on this terminal. */
import type { Paint } from '../paint.js';
import type { Features } from '../screen/port.js';
import { THEME_NAMES, type ThemeName } from './names.js';
import { DARK, HIGH_CONTRAST_DARK, HIGH_CONTRAST_LIGHT, LIGHT, type Palette, ROLES, type Role } from './palettes.js';
import { type Depth, type Styler, styler } from './sgr.js';

export { THEME_NAMES, type ThemeName } from './names.js';
export type { Role } from './palettes.js';

/** One function per role; they put codes around a text and never change it. `none` and depth 0 write no code at all. */
export interface Theme extends Paint, Readonly<Record<Exclude<Role, 'dim'>, Styler>> {
  readonly name: ThemeName;
  readonly depth: Depth;
}

/** A theme by name at a depth; `background` chooses between the two high-contrast palettes. */
export function createTheme(name: ThemeName, depth: Depth, background: Features['background'] = 'unknown'): Theme {
  const shown = name === 'none' ? 0 : depth;
  const palette = paletteOf(name, background);
  const roles = Object.fromEntries(ROLES.map((role) => [role, styler(palette.looks[role], shown)])) as Record<Role, Styler>;
  return {
    ...roles,
    name: shown === 0 ? 'none' : name,
    depth: shown,
    bold: roles.strong,
    red: roles.bad,
    green: roles.good,
    yellow: roles.warn,
    cyan: roles.accent,
  };
}

function paletteOf(name: ThemeName, background: Features['background']): Palette {
  if (name === 'light') return LIGHT;
  if (name === 'high-contrast') return background === 'light' ? HIGH_CONTRAST_LIGHT : HIGH_CONTRAST_DARK;
  return DARK;
}

/**
 * The theme asked for; `auto` (and a name that is none of ours) follows the background. Where that is not known, the terminal's
 * own sixteen colours are used: they fit it, whatever it is.
 */
export function chooseTheme(name: string, features: Pick<Features, 'depth' | 'background'>): Theme {
  const { depth, background } = features;
  const known = THEME_NAMES.find((one) => one === name);
  if (known === undefined && background === 'unknown') return createTheme('dark', depth === 0 ? 0 : 4, background);
  if (known === 'high-contrast' && background === 'unknown') return createTheme(known, depth === 0 ? 0 : 4, background);
  return createTheme(known ?? (background === 'light' ? 'light' : 'dark'), depth, background);
}
