/** `/mode`: what becomes of a question; shown, or changed at once. */
import type { Command } from '../types/command.js';
import { PERMISSION_MODES, type PermissionMode } from '../types/policy.js';

/** Words that agree to `auto`. */
const YES: ReadonlySet<string> = new Set(['yes', 'y', 'sim', 's']);

export const mode: Command = {
  name: 'mode',
  aliases: ['permissions'],
  summary: 'command.mode',
  group: 'work',
  run(words, { rights, print, t, failed }) {
    if (!rights) return print(t('command.notHere'));
    const [name = '', answer = ''] = words.toLowerCase().split(/\s+/);
    if (name === '')
      return print([t('mode.now', { mode: rights.mode }), ...PERMISSION_MODES.map((one) => t(ABOUT[one]))].join('\n'));
    const wanted = PERMISSION_MODES.find((one) => one === name);
    if (!wanted) {
      failed?.();
      return print(t('mode.unknown', { name, names: PERMISSION_MODES.join(', ') }));
    }
    if (wanted === 'auto' && rights.mode !== 'auto' && !YES.has(answer)) {
      const lines = [t('mode.auto'), ...(/^(?:off|none)$/.test(rights.sandbox()) ? [t('mode.autoOpen')] : [])];
      return print([...lines, t('mode.autoConfirm')].join('\n'));
    }
    rights.set(wanted);
    return print(t('mode.now', { mode: wanted }));
  },
  complete: (_word, { t }, before) =>
    before === '' ? PERMISSION_MODES.map((one) => ({ insert: one, detail: t(ABOUT[one]).replace(/^\S+\s+/, '') })) : [],
};

const ABOUT: Readonly<Record<PermissionMode, string>> = {
  default: 'mode.about.default',
  'accept-edits': 'mode.about.acceptEdits',
  plan: 'mode.about.plan',
  auto: 'mode.about.auto',
};
