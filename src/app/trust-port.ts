/** What `/trust` and `chatcli trust` do: show a folder's state, trust it as it is now, take trust back. */
import type { Brought } from '../policy/brings.js';
import {
  distrustFolder,
  type FolderTrust,
  NO_TRUST,
  recordTrust,
  trustedFolders,
  trustOf,
  trustRecord,
} from '../policy/trust.js';
import type { TrustPort } from '../types/command.js';
import type { AgentEvent } from '../types/event.js';
import { createText } from '../ui/text/index.js';
import type { Config } from './config.js';
import type { Translate } from './flags.js';
import { broughtBy } from './load-config.js';
import { detailedLines, usable } from './trust-details.js';
import { broughtLines, idleFiles, shownLine } from './trust-text.js';

/** `onChange` hears what counts from now on. Faults of the disk are thrown by `add` and `remove`. */
export function trustPort(config: Config, t: Translate, onChange: (trust: FolderTrust) => void): TrustPort {
  let trust = config.trust;
  let shown: readonly Brought[] | undefined;
  const folder = shownLine(config.root);
  const show = (): string[] => {
    shown = broughtBy(config);
    const answer = trustRecord(config.state, config.root)?.answer;
    const state = trust.forRun ? 'run' : (answer ?? 'none');
    const nothing = shown.length === 0 ? [`  ${t('trust.bringsNothing')}`] : [];
    return [t(STATES[state], { folder }), ...nothing, ...detailedLines(config.root, shown, t, trust)];
  };
  return {
    show,
    add() {
      const brought = broughtBy(config);
      // Agreed to is what was seen.
      if (shown && !isSame(shown, brought)) return { done: false, lines: [t('trust.moved'), ...show()] };
      const { good, broken } = usable(config.root, brought, t);
      recordTrust(config.state, config.root, 'trusted', good, Date.now());
      trust = trustOf(config.state, config.root);
      onChange(trust);
      const nothing = brought.length === 0 ? [t('trust.bringsNothing')] : [];
      const files = broken.map(shownLine).join(', ');
      const without = broken.length === 0 ? [] : [t('trust.without', { files })];
      const listed = detailedLines(config.root, brought, t);
      return { done: broken.length === 0, lines: [t('trust.added', { folder }), ...nothing, ...listed, ...without] };
    },
    remove() {
      const had = distrustFolder(config.state, config.root) || trust.forRun;
      trust = NO_TRUST;
      onChange(trust);
      return { done: had, lines: [t(had ? 'trust.removed' : 'trust.notTrusted', { folder })] };
    },
    list() {
      const folders = trustedFolders(config.state);
      if (folders.length === 0) return [t('trust.none')];
      return folders.flatMap((one) => [
        shownLine(one),
        ...broughtLines(broughtBy({ ...config, root: one }), t, trustOf(config.state, one)),
      ]);
    },
  };
}

const STATES = {
  run: 'trust.state.run',
  trusted: 'trust.state.trusted',
  declined: 'trust.state.declined',
  none: 'trust.state.none',
} as const;

/** The same files with the same bytes? */
export function isSame(one: readonly Brought[], other: readonly Brought[]): boolean {
  return (
    one.length === other.length && one.every(({ path, sha256 }, at) => other[at]?.path === path && other[at]?.sha256 === sha256)
  );
}

/** Says once which files of the folder are not in force. */
export function tellIdle(config: Config, emit: (event: AgentEvent) => void): void {
  const record = trustRecord(config.state, config.root);
  // Who said no to these very bytes is not told again.
  const isDeclined = ({ path, sha256 }: Brought) => record?.answer === 'declined' && record.pins[path] === sha256;
  const asked = broughtBy(config).filter((one) => !isDeclined(one));
  const { fresh, changed } = idleFiles(asked, config.trust);
  const tell = (code: 'untrusted' | 'trust-changed', files: readonly string[]): void => {
    if (files.length === 0) return;
    const values = { files: files.join(', ') };
    const text = createText('en').t(`notice.${code}`, values);
    emit({ type: 'notice', level: 'warn', code, text, values, agent: 'main', time: Date.now() });
  };
  tell('untrusted', fresh);
  tell('trust-changed', changed);
}
