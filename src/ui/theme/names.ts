/** The names of the themes; alone, because every start reads them with the configuration. */

export const THEME_NAMES = ['dark', 'light', 'high-contrast', 'none'] as const;
export type ThemeName = (typeof THEME_NAMES)[number];
/** What can be asked for; `auto` follows the background of the terminal. */
export const THEME_CHOICES = ['auto', ...THEME_NAMES] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];
