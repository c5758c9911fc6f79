/** Names that may stand behind `@` beside files: context words and agents. */

import type { Text } from '../../ui/text/index.js';
import { agentsOf } from '../agents-view.js';
import type { Config } from '../config.js';
import type { Mention } from './completions.js';

/** Agents are read anew each time; there are few. */
export async function mentionsOf(config: Config, t: Text['t']): Promise<readonly Mention[]> {
  const words: Mention[] = [
    { name: 'file', about: t('mention.about.file') },
    { name: 'git', about: t('mention.about.git') },
    { name: 'env', about: t('mention.about.env') },
    { name: 'history', about: t('mention.about.history') },
    { name: 'command', about: t('mention.about.command') },
  ];
  if (!config.agents.parallel) return words;
  const { agents } = await agentsOf(config);
  return [...words, ...agents.map(({ name, description }) => ({ name, about: description }))];
}
