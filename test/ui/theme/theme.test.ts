import { describe, expect, it } from 'vitest';
import { DARK, HIGH_CONTRAST_DARK, HIGH_CONTRAST_LIGHT, LIGHT, type Palette, ROLES } from '../../../src/ui/theme/palettes.js';
import { nearest256, rgbOf } from '../../../src/ui/theme/sgr.js';
import { chooseTheme, createTheme, THEME_NAMES } from '../../../src/ui/theme/theme.js';

/** Relative luminance and contrast as WCAG 2 defines them. */
function luminance(hex: string): number {
  const [r, g, b] = rgbOf(hex).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}
function weakest(palette: Palette): { readonly role: string; readonly ratio: number } {
  let least = { role: '', ratio: 21 };
  for (const role of ROLES) {
    const { fore, back } = palette.looks[role];
    // Lines are no text; see below.
    if (!fore || role === 'border') continue;
    for (const ground of back ? [back.rgb] : palette.backgrounds) {
      const ratio = contrast(fore.rgb, ground);
      if (ratio < least.ratio) least = { role: `${role} on ${ground}`, ratio };
    }
  }
  return least;
}

describe('themes', () => {
  it.each([
    ['dark', DARK, 4.5],
    ['light', LIGHT, 4.5],
    ['high contrast, dark', HIGH_CONTRAST_DARK, 7],
    ['high contrast, light', HIGH_CONTRAST_LIGHT, 7],
  ] as const)('%s is readable on usual backgrounds', (_name, palette, least) => {
    const { role, ratio } = weakest(palette);
    expect(ratio, role).toBeGreaterThanOrEqual(least);
  });

  it.each([
    ['dark', DARK, 2, 5],
    ['light', LIGHT, 2, 5],
    ['high contrast, dark', HIGH_CONTRAST_DARK, 4.5, 21],
    ['high contrast, light', HIGH_CONTRAST_LIGHT, 4.5, 21],
  ] as const)('lines of %s are seen, and stay behind the text', (_name, palette, least, most) => {
    for (const ground of palette.backgrounds) {
      const ratio = contrast(palette.looks.border.fore?.rgb ?? '', ground);
      expect(ratio, ground).toBeGreaterThanOrEqual(least);
      expect(ratio, ground).toBeLessThanOrEqual(most);
    }
  });

  it('computes contrast as the standard does', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  });

  it.each(THEME_NAMES)('%s leaves the text alone at every depth, and closes what it opens', (name) => {
    for (const depth of [0, 4, 8, 24] as const) {
      const theme = createTheme(name, depth);
      for (const role of ROLES) {
        const painted = theme[role]('word');
        expect(painted.replace(/\x1b\[[\d;]*m/g, '')).toBe('word');
        if (depth === 0 || name === 'none') expect(painted).toBe('word');
        expect(theme[role]('')).toBe('');
        const codes = [...painted.matchAll(/\x1b\[([\d;]*)m/g)].map((match) => match[1] ?? '');
        expect([0, 2]).toContain(codes.length);
        for (const [on, off] of [
          [/^(?:3[0-7]|9[0-7]|38)$|^38;/, '39'],
          [/^(?:4[0-7]|10[0-7]|48)$|^48;/, '49'],
        ] as const)
          if (on.test(codes[0] ?? '')) expect((codes[1] ?? '').split(';')).toContain(off);
      }
    }
  });

  it('uses only what the depth has', () => {
    for (const role of ROLES) {
      expect(createTheme('dark', 4)[role]('x')).not.toMatch(/[34]8;/);
      expect(createTheme('dark', 8)[role]('x')).not.toMatch(/[34]8;2/);
    }
    expect(createTheme('dark', 24).accent('x')).toBe('\x1b[38;2;138;180;248mx\x1b[39m');
    expect(createTheme('dark', 8).accent('x')).toMatch(/^\x1b\[38;5;\d+mx\x1b\[39m$/);
    expect(createTheme('dark', 4).accent('x')).toBe('\x1b[36mx\x1b[39m');
    expect(createTheme('light', 4).selection('x')).toContain('\x1b[7');
  });

  it('follows the background, and trusts only the sixteen colours where it is not known', () => {
    expect(chooseTheme('auto', { depth: 24, background: 'light' }).name).toBe('light');
    expect(chooseTheme('auto', { depth: 24, background: 'dark' }).name).toBe('dark');
    expect(chooseTheme('auto', { depth: 24, background: 'unknown' })).toMatchObject({ name: 'dark', depth: 4 });
    expect(chooseTheme('dark', { depth: 24, background: 'light' })).toMatchObject({ name: 'dark', depth: 24 });
    expect(chooseTheme('nonsense', { depth: 8, background: 'light' })).toMatchObject({ name: 'light', depth: 8 });
    expect(chooseTheme('high-contrast', { depth: 24, background: 'light' }).link('x')).not.toBe(
      chooseTheme('high-contrast', { depth: 24, background: 'dark' }).link('x'),
    );
    expect(chooseTheme('light', { depth: 0, background: 'light' }).name).toBe('none');
    expect(chooseTheme('none', { depth: 24, background: 'dark' }).depth).toBe(0);
  });

  it('finds the closest of 256 colours', () => {
    expect(nearest256([255, 0, 0])).toBe(196);
    expect(nearest256([0, 0, 0])).toBe(16);
    expect(nearest256([118, 118, 118])).toBe(243);
  });
});
