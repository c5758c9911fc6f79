/** The first lines on the screen: painted before anything else is loaded. */
import { safeLine } from '../safe-text.js';
import type { Features, ScreenLine } from '../screen/port.js';
import type { Text } from '../text/index.js';
import type { Theme } from '../theme/theme.js';
import { wrap } from '../width.js';

export interface HeaderFacts {
  readonly version: string;
  /** Home shortened to `~`. */
  readonly folder: string;
}

/** Program, version, folder, and where help is. */
export function headerLines({ version, folder }: HeaderFacts, features: Features, theme: Theme, text: Text): ScreenLine[] {
  const { columns } = features;
  const head = `${theme.heading('ChatCLI')} ${theme.dim(version)}  ${theme.dim(safeLine(folder, 200))}`;
  return [...wrap(head, columns), ...wrap(text.t('shell.hint'), columns).map((line) => theme.dim(line))];
}
