/** What `/trust` and `chatcli trust` do: show a folder's state, trust it as it is now, take trust back. */
import { type Brought, whatItBrings } from '../policy/brings.js';
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
import type { Config } from './config.js';
import type { Translate } from './flags.js';
import { broughtBy } from './load-config.js';
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
    return [t(STATES[state], { folder }), ...nothing, ...broughtLines(shown, t, trust)];
  };
  return {
    show,
    add() {
      const brought = broughtBy(config);
      // Agreed to is what was seen.
      if (shown && !isSame(shown, brought)) return { done: false, lines: [t('trust.moved'), ...show()] };
      recordTrust(config.state, config.root, 'trusted', brought, Date.now());
      trust = trustOf(config.state, config.root);
      onChange(trust);
      const nothing = brought.length === 0 ? [t('trust.bringsNothing')] : [];
      return { done: true, lines: [t('trust.added', { folder }), ...nothing, ...broughtLines(brought, t)] };
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
        ...broughtLines(whatItBrings(one, { state: config.state }), t, trustOf(config.state, one)),
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
  const tell = (code: string, files: readonly string[], text: string): void => {
    if (files.length === 0) return;
    const values = { files: files.join(', ') };
    emit({ type: 'notice', level: 'warn', code, text: `${text}: ${values.files}.`, values, agent: 'main', time: Date.now() });
  };
  tell('untrusted', fresh, 'Not in force, as the folder is not trusted');
  tell('trust-changed', changed, 'Changed since the folder was trusted, so not in force');
}
