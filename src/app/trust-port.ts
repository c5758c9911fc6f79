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
import { createText, type Values } from '../ui/text/index.js';
import type { Config } from './config.js';
import { currentTrust } from './current-trust.js';
import type { Translate } from './flags.js';
import { broughtBy } from './load-config.js';
import { detailedLines, usable } from './trust-details.js';
import { broughtLines, idleFiles, idlePrompts, shownLine } from './trust-text.js';

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
  const prompts = idlePrompts(asked, config.trust);
  const { fresh, changed } = idleFiles(
    asked.filter(({ kind }) => kind !== 'agent' && kind !== 'skill'),
    config.trust,
  );
  const tell = (code: IdleCode, values: Values): void => {
    const text = createText('en').t(`notice.${code}`, values);
    emit({ type: 'notice', level: 'warn', code, text, values, agent: 'main', time: Date.now() });
  };
  if (fresh.length > 0) tell('untrusted', { files: fresh.join(', ') });
  if (changed.length > 0) tell('trust-changed', { files: changed.join(', ') });
  for (const notice of idleNotices(config, prompts)) tell(...notice);
}

type PromptCode = 'agents-untrusted' | 'agents-changed' | 'skills-unusable';
type IdleCode = 'untrusted' | 'trust-changed' | PromptCode;
const MOST_NAMED = 6;

/**
 * What is said of agents and skills that are not in force: how many of an untrusted folder; of a trusted one which, and which
 * packages cannot be trusted. (Agents that cannot are named when they are read.)
 */
function idleNotices(config: Config, prompts: readonly Brought[]): (readonly [PromptCode, Values])[] {
  if (prompts.length === 0) return [];
  const count = (kind: Brought['kind']) => prompts.filter((one) => one.kind === kind).length;
  const isTrusted = config.trust.forRun || trustRecord(config.state, config.root)?.answer === 'trusted';
  if (!isTrusted) return [['agents-untrusted', { agents: count('agent'), skills: count('skill') }]];
  const named = (code: PromptCode, some: readonly Brought[]): (readonly [PromptCode, Values])[] => {
    const names = some.slice(0, MOST_NAMED).map(({ path }) => shownLine(path));
    const more = some.length > MOST_NAMED ? [`… (${some.length})`] : [];
    return some.length === 0 ? [] : [[code, { files: [...names, ...more].join(', ') }]];
  };
  const unusable = prompts.filter(({ kind, fault }) => kind === 'skill' && fault !== undefined);
  const changed = prompts.filter(({ fault }) => fault === undefined);
  return [...named('agents-changed', changed), ...named('skills-unusable', unusable)];
}

/** The same as lines for people; none when all of the folder's agents and skills are in force. */
export function idleAgentLines(config: Config, t: Translate): readonly string[] {
  const prompts = idlePrompts(broughtBy(config), currentTrust(config));
  return idleNotices(config, prompts).map(([code, values]) => t(`notice.${code}`, values));
}
