/** `/plugin [list]`, `reload`, and `inspect`, `trust`, `untrust`, `uninstall` with a name: programs of one's own as tools. */
import type { Changed, Command, CommandContext } from '../types/command.js';
import type { PluginsPort } from '../types/plugin-port.js';

const NAMED = ['inspect', 'trust', 'untrust', 'uninstall'] as const;
const ALIASES: Readonly<Record<string, string>> = { ls: 'list', show: 'inspect', remove: 'uninstall', delete: 'uninstall' };
/** What the next message finds changed. */
const CHANGES: ReadonlySet<string> = new Set(['trust', 'untrust', 'uninstall', 'reload']);

export const plugin: Command = {
  name: 'plugin',
  aliases: ['plugins'],
  summary: 'command.plugin',
  group: 'project',
  async run(words, context) {
    const { plugins, print, t, failed } = context;
    if (!plugins) return print(t('command.notHere'));
    const [given = 'list', ...rest] = words.trim().split(/\s+/).filter(Boolean);
    const wanted = given.toLowerCase();
    const action = Object.hasOwn(ALIASES, wanted) ? (ALIASES[wanted] ?? wanted) : wanted;
    const name = rest.join(' ');
    if (action === 'list' && name === '') return print((await plugins.list()).join('\n'));
    const change = await changeOf(action, name, plugins);
    if (change === undefined) {
      failed?.();
      return print(t('plugin.help'));
    }
    return told(change, action, context);
  },
  complete(_word, { plugins }, before) {
    const said = before.trim();
    if (said === '')
      return ['list', 'reload', ...NAMED].map((insert) => ({ insert, ends: insert === 'list' || insert === 'reload' }));
    return isNamed(said) ? (plugins?.names() ?? []).map((insert) => ({ insert })) : [];
  },
};

async function changeOf(action: string, name: string, plugins: PluginsPort): Promise<Changed | undefined> {
  if (action === 'reload' && name === '') return plugins.reload();
  return isNamed(action) && name !== '' ? plugins[action](name) : undefined;
}

function isNamed(word: string): word is (typeof NAMED)[number] {
  return (NAMED as readonly string[]).includes(word);
}

function told({ done, lines }: Changed, action: string, { print, t, failed }: CommandContext): void {
  if (!done) failed?.();
  print([...lines, ...(done && CHANGES.has(action) ? [t('plugin.nextMessage')] : [])].join('\n'));
}
