/** The colours of each theme as data; every text colour is readable on the backgrounds people use, lines (`border`) are only seen. */
import type { Colour, Look } from './sgr.js';

/** What a piece of text is; a theme says how that looks. */
export const ROLES = [
  'text',
  'dim',
  'strong',
  'emphasis',
  'struck',
  'accent',
  'good',
  'warn',
  'bad',
  'added',
  'removed',
  'addedWord',
  'removedWord',
  'heading',
  'title',
  'link',
  'quote',
  'border',
  'selection',
  'inlineCode',
  'keyword',
  'string',
  'comment',
  'number',
  'function',
  'type',
  'meta',
] as const;
export type Role = (typeof ROLES)[number];

/** The looks of a theme, and the backgrounds they were chosen for. */
export interface Palette {
  readonly backgrounds: readonly string[];
  readonly looks: { readonly [role in Role]: Look };
}

const [BLACK, RED, GREEN, YELLOW, BLUE, MAGENTA, CYAN] = [0, 1, 2, 3, 4, 5, 6];
const WHITE = 15;
const GREY = 8;

type Hues = Readonly<
  Record<
    | 'dim'
    | 'accent'
    | 'good'
    | 'warn'
    | 'bad'
    | 'heading'
    | 'link'
    | 'quote'
    | 'border'
    | 'code'
    | 'keyword'
    | 'string'
    | 'number'
    | 'type'
    | 'meta'
    | 'addedFore'
    | 'addedBack'
    | 'removedFore'
    | 'removedBack'
    | 'selectionFore'
    | 'selectionBack',
    string
  >
>;

/** Sixteen colours are the terminal's own, so those of one theme only differ where a light background needs it. */
function palette(hues: Hues, backgrounds: readonly string[], ground: 'dark' | 'light'): Palette {
  const colour = (rgb: string, ansi: number): Colour => ({ rgb, ansi });
  const blue = ground === 'dark' ? CYAN : BLUE;
  const yellow = ground === 'dark' ? YELLOW : MAGENTA;
  const dim: Look = { fore: colour(hues.dim, GREY), faint: true };
  return {
    backgrounds,
    looks: {
      text: {},
      dim,
      strong: { bold: true },
      emphasis: { italic: true },
      struck: { struck: true },
      accent: { fore: colour(hues.accent, blue) },
      good: { fore: colour(hues.good, GREEN) },
      warn: { fore: colour(hues.warn, yellow) },
      bad: { fore: colour(hues.bad, RED) },
      added: { fore: colour(hues.good, GREEN) },
      removed: { fore: colour(hues.bad, RED) },
      addedWord: { fore: colour(hues.addedFore, GREEN), back: colour(hues.addedBack, BLACK), inverse: true },
      removedWord: { fore: colour(hues.removedFore, RED), back: colour(hues.removedBack, BLACK), inverse: true },
      heading: { fore: colour(hues.heading, blue), bold: true },
      title: { fore: colour(hues.heading, blue), bold: true, underline: true },
      link: { fore: colour(hues.link, blue), underline: true },
      quote: { fore: colour(hues.quote, GREY), faint: true, italic: true },
      border: { fore: colour(hues.border, GREY), faint: true },
      selection: {
        fore: colour(hues.selectionFore, ground === 'dark' ? WHITE : BLACK),
        back: colour(hues.selectionBack, BLUE),
        inverse: true,
      },
      inlineCode: { fore: colour(hues.code, ground === 'dark' ? CYAN : BLUE) },
      keyword: { fore: colour(hues.keyword, MAGENTA) },
      string: { fore: colour(hues.string, GREEN) },
      comment: { ...dim, italic: true },
      number: { fore: colour(hues.number, yellow) },
      function: { fore: colour(hues.accent, blue) },
      type: { fore: colour(hues.type, yellow) },
      meta: { fore: colour(hues.meta, blue) },
    },
  };
}

export const DARK: Palette = palette(
  {
    dim: '#9aa5b8',
    accent: '#8ab4f8',
    good: '#8fce9b',
    warn: '#e6c07b',
    bad: '#f49a92',
    heading: '#a8c7fa',
    link: '#7fcadb',
    quote: '#b4bdcb',
    border: '#5f6878',
    code: '#94d8c6',
    keyword: '#caa9f7',
    string: '#a9d491',
    number: '#f0b183',
    type: '#e8cc8f',
    meta: '#86d3cd',
    addedFore: '#c9f4d3',
    addedBack: '#1f4f30',
    removedFore: '#ffd5d0',
    removedBack: '#602a2a',
    selectionFore: '#ffffff',
    selectionBack: '#37496d',
  },
  ['#000000', '#0d1117', '#1e1e1e', '#1e1e2e', '#002b36', '#282c34', '#2e3440'],
  'dark',
);

export const LIGHT: Palette = palette(
  {
    dim: '#59616d',
    accent: '#1a56c4',
    good: '#1a6b2f',
    warn: '#825100',
    bad: '#b3261e',
    heading: '#1746a2',
    link: '#0b5f72',
    quote: '#4d5664',
    border: '#9aa4b2',
    code: '#0a665c',
    keyword: '#7c2fb8',
    string: '#2c6a1e',
    number: '#964600',
    type: '#775300',
    meta: '#0b6a60',
    addedFore: '#0f4a1f',
    addedBack: '#c6edcf',
    removedFore: '#7d1610',
    removedBack: '#ffd9d5',
    selectionFore: '#10264f',
    selectionBack: '#cfe0ff',
  },
  ['#ffffff', '#fafafa', '#fdf6e3', '#eff1f5'],
  'light',
);

export const HIGH_CONTRAST_DARK: Palette = palette(
  {
    dim: '#d8dee9',
    accent: '#8fd0ff',
    good: '#7dff9b',
    warn: '#ffe066',
    bad: '#ffb3ad',
    heading: '#ffffff',
    link: '#8ff0ff',
    quote: '#e5e9f0',
    border: '#d8dee9',
    code: '#a5ffe4',
    keyword: '#e3c9ff',
    string: '#b9ff9e',
    number: '#ffcf9e',
    type: '#ffe89e',
    meta: '#9efff4',
    addedFore: '#ffffff',
    addedBack: '#005c1f',
    removedFore: '#ffffff',
    removedBack: '#8c0f0f',
    selectionFore: '#000000',
    selectionBack: '#ffe066',
  },
  ['#000000', '#1e1e1e', '#282c34', '#2e3440'],
  'dark',
);

export const HIGH_CONTRAST_LIGHT: Palette = palette(
  {
    dim: '#333a44',
    accent: '#0a3a94',
    good: '#0b4a1c',
    warn: '#5c3800',
    bad: '#8a120b',
    heading: '#000000',
    link: '#06424f',
    quote: '#2b313a',
    border: '#333a44',
    code: '#06483f',
    keyword: '#581a8c',
    string: '#1c4b12',
    number: '#6b3100',
    type: '#573b00',
    meta: '#064a43',
    addedFore: '#ffffff',
    addedBack: '#0b5c24',
    removedFore: '#ffffff',
    removedBack: '#8a120b',
    selectionFore: '#ffffff',
    selectionBack: '#0a3a94',
  },
  ['#ffffff', '#fafafa', '#fdf6e3', '#eff1f5'],
  'light',
);
