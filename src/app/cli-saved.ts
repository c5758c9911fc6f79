/** The commands `config` and `sessions` of the command line. */
import type { Command } from 'commander';
import { addPlaceOptions, type Translate } from './flags.js';
import { mergedFlags } from './merged-flags.js';
import { UsageError } from './usage-error.js';

type Exit = (code: number) => void;
type Inherit = (command: Command, t: Translate) => Command;

/** Without a word behind it, a group of commands shows its list; a wrong one is still told. */
function listAlone(group: Command, list: () => Promise<void>): void {
  group.allowExcessArguments(true).action(async () => {
    const [name] = group.args;
    if (name !== undefined) throw new UsageError('parse.unknownCommand', { name }, 'parse.hint');
    await list();
  });
}

export function addConfigCommand(program: Command, t: Translate, exit: Exit, inherit: Inherit): void {
  const config = inherit(program.command('config').description(t('cli.config')), t);
  listAlone(config, async () => {
    const { showConfig } = await import('./modes/config.js');
    exit(showConfig(undefined, mergedFlags(config)));
  });
  const part = (line: string, about: Parameters<Translate>[0]) =>
    addPlaceOptions(inherit(config.command(line).description(t(about)), t), t);
  part('list', 'cli.configList')
    .option('--origin', t('option.origin'))
    .option('--json', t('option.json'))
    .action(async (_flags: unknown, self: Command) => {
      const { showConfig } = await import('./modes/config.js');
      exit(showConfig(undefined, mergedFlags(self)));
    });
  part('get', 'cli.configGet')
    .argument('<name>', t('cli.configName'))
    .option('--origin', t('option.origin'))
    .option('--json', t('option.json'))
    .action(async (name: string, _flags: unknown, self: Command) => {
      const { showConfig } = await import('./modes/config.js');
      exit(showConfig(name, mergedFlags(self)));
    });
  part('set', 'cli.configSet')
    .argument('<name>', t('cli.configName'))
    .argument('<value>', t('cli.configValue'))
    .action(async (name: string, value: string, _flags: unknown, self: Command) => {
      const { changeConfig } = await import('./modes/config.js');
      exit(changeConfig(name, value, mergedFlags(self)));
    });
  part('unset', 'cli.configUnset')
    .argument('<name>', t('cli.configName'))
    .action(async (name: string, _flags: unknown, self: Command) => {
      const { changeConfig } = await import('./modes/config.js');
      exit(changeConfig(name, undefined, mergedFlags(self)));
    });
}

const SESSIONS = [
  ['list', [], 'cli.sessionsList'],
  ['show', ['<id>'], 'cli.sessionsShow'],
  ['search', ['<words...>'], 'cli.sessionsSearch'],
  ['fork', ['<id>'], 'cli.sessionsFork'],
  ['rewind', ['<id>', '<turn>'], 'cli.sessionsRewind'],
  ['export', ['<id>'], 'cli.sessionsExport'],
  ['delete', ['<id>'], 'cli.sessionsDelete'],
  ['verify', ['[ids...]'], 'cli.sessionsVerify'],
] as const;

export function addSessionsCommand(program: Command, t: Translate, exit: Exit, inherit: Inherit): void {
  const sessions = inherit(program.command('sessions').description(t('cli.sessions')), t);
  listAlone(sessions, async () => {
    const { sessionsMode } = await import('./modes/sessions.js');
    exit(await sessionsMode('list', [], mergedFlags(sessions)));
  });
  for (const [name, words, about] of SESSIONS) {
    const command = inherit(sessions.command(name).description(t(about)), t)
      .option('-C, --directory <dir>', t('option.directory'))
      .option('--lang <lang>', t('option.lang'));
    for (const word of words) command.argument(word);
    if (name === 'list' || name === 'search' || name === 'verify') command.option('--all', t('option.allSessions'));
    if (name === 'export')
      command
        .option('--form <form>', t('option.form'))
        .option('--out <file>', t('option.out'))
        .option('--force', t('option.force'));
    if (name === 'delete') command.option('--yes', t('option.yes'));
    if (name !== 'export' && name !== 'delete') command.option('--json', t('option.json'));
    command.action(async (...given: unknown[]) => {
      const self = given.at(-1) as Command;
      const { sessionsMode } = await import('./modes/sessions.js');
      exit(await sessionsMode(name, self.args, mergedFlags(self)));
    });
  }
}
