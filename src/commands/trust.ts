/** `/trust`: what the folder brings and whether it counts; trusts it as it is now, or takes trust back. */
import type { Command } from '../types/command.js';

export const trust: Command = {
  name: 'trust',
  aliases: [],
  summary: 'command.trust',
  group: 'project',
  run(words, { trust: port, print, t, failed }) {
    if (!port) return print(t('trust.usage'));
    const wanted = words.trim().toLowerCase();
    if (wanted === '') return print([...port.show(), t('trust.hint')].join('\n'));
    if (wanted === 'list' || wanted === '--list') return print(port.list().join('\n'));
    const change = CHANGES[wanted];
    if (!change) return print(t('trust.usage'));
    try {
      const { done, lines } = port[change]();
      if (!done) failed?.();
      print([...lines, ...(done ? [t('trust.nextStart')] : [])].join('\n'));
    } catch (error) {
      failed?.();
      print(t('trust.notSaved', { reason: error instanceof Error ? error.message : String(error) }));
    }
  },
};

const CHANGES: Readonly<Record<string, 'add' | 'remove' | undefined>> = {
  add: 'add',
  yes: 'add',
  remove: 'remove',
  '--remove': 'remove',
  no: 'remove',
};
