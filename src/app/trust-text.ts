/** What a folder brings, as lines for people. */
import type { Brought } from '../policy/brings.js';
import type { FolderTrust } from '../policy/trust.js';
import { safeLine } from '../ui/safe-text.js';
import type { Translate } from './flags.js';

/** One line an entry: kind and path. With `trust`, files that changed since are marked. */
export function broughtLines(brought: readonly Brought[], t: Translate, trust?: FolderTrust): readonly string[] {
  return brought.map(({ kind, path, sha256 }) => {
    const changed = trust !== undefined && !trust.whole && sha256 !== undefined && trust.pins[path] !== sha256;
    return `  ${t(`trust.kind.${kind}`)}: ${safeLine(path)}${changed ? `  ${t('trust.changed')}` : ''}`;
  });
}
