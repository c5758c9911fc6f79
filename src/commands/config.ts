/** `/config [list|get NAME|set NAME VALUE|unset NAME]`: settings, where each comes from, and changes of the user's own file. */
import type { Command, CommandContext } from '../types/command.js';
import { settingLines } from './shared/setting-lines.js';

export const config: Command = {
  name: 'config',
  aliases: ['settings'],
  summary: 'command.config',
  group: 'project',
  run(words, context) {
    const { settings, print, t, failed } = context;
    if (!settings) return print(t('command.notHere'));
    const [, action = 'list', name = '', value = ''] = /^(\S+)(?:\s+(\S+))?(?:\s+([\s\S]+))?$/.exec(words) ?? [];
    if (action === 'list')
      return print([...settingLines(settings.list(), t), t('config.file', { file: settings.file })].join('\n'));
    if (action === 'get' && name !== '') {
      const found = settings.list().filter((one) => one.name === name);
      if (found.length > 0) return print(settingLines(found, t).join('\n'));
      failed?.();
      return print(t('config.unknown', { name }));
    }
    if ((action === 'set' && name !== '' && value !== '') || (action === 'unset' && name !== '')) {
      const { done, lines } = settings.set(name, action === 'set' ? value.trim() : undefined);
      if (!done) failed?.();
      return print([...lines, ...(done ? [t('config.nextStart')] : [])].join('\n'));
    }
    failed?.();
    return print(t('config.usage'));
  },
  complete(_word, { settings }: CommandContext, before) {
    if (before === '') return ['list', 'get', 'set', 'unset'].map((insert) => ({ insert }));
    if (!/^(?:get|set|unset)$/.test(before)) return [];
    return (settings?.list() ?? []).map(({ name, about }) => ({ insert: name, detail: about }));
  },
};
