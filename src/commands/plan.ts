/** `/plan`: only looking, ending with a plan; `/plan run` carries it out. */
import type { Command } from '../types/command.js';

const CARRY_OUT = 'Carry out the plan you wrote above, step by step.';

export const plan: Command = {
  name: 'plan',
  aliases: [],
  summary: 'command.plan',
  group: 'work',
  run(words, { rights, start, print, t, session }) {
    if (!rights) return print(t('command.notHere'));
    if (/^(?:run|go)$/i.test(words)) {
      if (rights.mode === 'plan') rights.set(rights.before);
      print(t('mode.now', { mode: rights.mode }));
      return start?.(CARRY_OUT, session.mode === 'chat' ? 'coder' : undefined);
    }
    if (/^off$/i.test(words)) {
      if (rights.mode === 'plan') rights.set(rights.before);
      return print(t('mode.now', { mode: rights.mode }));
    }
    rights.set('plan');
    if (words === '') return print(`${t('mode.now', { mode: 'plan' })}\n${t('plan.hint')}`);
    return start?.(words, session.mode === 'chat' ? 'coder' : undefined);
  },
  complete: (_word, { t }, before) =>
    before === ''
      ? [
          { insert: 'run', detail: t('plan.run') },
          { insert: 'off', detail: t('plan.off') },
        ]
      : [],
};
