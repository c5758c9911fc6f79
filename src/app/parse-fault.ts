/** Faults the argument parser finds, told in the user's language and in our form. */
import type { CommanderError } from 'commander';
import type { Text, TextKey } from '../ui/text/index.js';

const KEYS: Readonly<Record<string, TextKey>> = {
  'commander.unknownOption': 'parse.unknownOption',
  'commander.missingArgument': 'parse.missingArgument',
  'commander.optionMissingArgument': 'parse.optionMissingArgument',
  'commander.excessArguments': 'parse.excessArguments',
  'commander.unknownCommand': 'parse.unknownCommand',
};

/** One or two lines. A fault of a kind we do not know keeps the parser's own words. `command`: the first word of the call. */
export function parseFaultLines(error: CommanderError, text: Text, command?: string): string[] {
  const key = KEYS[error.code];
  const own = error.message.replace(/^error: /, '').split('\n')[0] ?? '';
  const name = /'([^']*)'/.exec(own)?.[1] ?? '';
  const suggestion = /\(Did you mean (?:one of )?(.+?)\?\)/.exec(error.message)?.[1];
  // A flag of the tool itself, written where options of the command stand.
  const isToolFlag = command === 'tool' && error.code === 'commander.unknownOption';
  const hint = isToolFlag
    ? text.t('parse.toolHint')
    : suggestion
      ? text.t('parse.suggestion', { name: suggestion })
      : text.t('parse.hint');
  return [key ? text.t(key, { name }) : own, `  ${hint}`];
}
