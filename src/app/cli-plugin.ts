/** The command `plugin` of the command line. */
import type { Command } from 'commander';
import type { Translate } from './flags.js';
import { mergedFlags } from './merged-flags.js';

type Exit = (code: number) => void;
type Inherit = (command: Command, t: Translate) => Command;

const ACTIONS = [
  ['list', '', 'cli.pluginList'],
  ['inspect', '<name>', 'cli.pluginInspect'],
  ['install', '<file>', 'cli.pluginInstall'],
  ['uninstall', '<name>', 'cli.pluginUninstall'],
  ['trust', '<name>', 'cli.pluginTrust'],
  ['untrust', '<name>', 'cli.pluginUntrust'],
  ['reload', '', 'cli.pluginReload'],
  ['new', '<name>', 'cli.pluginNew'],
] as const;

export function addPluginCommand(program: Command, t: Translate, exit: Exit, inherit: Inherit): void {
  const plugin = inherit(program.command('plugin').description(t('cli.plugin')), t);
  for (const [action, word, about] of ACTIONS) {
    const command = inherit(plugin.command(action).description(t(about)), t)
      .option('-C, --directory <dir>', t('option.directory'))
      .option('--lang <lang>', t('option.lang'));
    if (word !== '') command.argument(word);
    if (action === 'list' || action === 'inspect') command.option('--json', t('option.json'));
    if (action === 'install') command.option('--yes', t('option.pluginTrust')).option('--force', t('option.pluginForce'));
    if (action === 'new') command.option('--dir <dir>', t('option.pluginDir')).option('--node', t('option.pluginNode'));
    command.action(async (...given: unknown[]) => {
      const self = given.at(-1) as Command;
      const { pluginMode } = await import('./modes/plugin.js');
      exit(await pluginMode(action, self.args[0] ?? '', mergedFlags(self)));
    });
  }
}
