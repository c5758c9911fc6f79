/** Reads the test script of a package.json: which runner it ends with, and the words of a plain `node --test`. */

/** `...-last`: the script ends with this runner, so that further arguments reach it. */
export type ScriptRunner = 'vitest' | 'jest' | 'mocha' | 'node' | 'bun' | 'other' | 'vitest-last' | 'jest-last' | 'ava-last';

/** Words before a runner that only start it. */
const STARTERS = /^(npx|cross-env|env|dotenv|exec|run|--|-y|--yes|[A-Za-z_][A-Za-z0-9_]*=.*)$/;

function lastCommand(script: string): string[] {
  const command =
    script
      .split(/&&|\|\||;|\n/)
      .at(-1)
      ?.trim() ?? '';
  const words = command.split(/\s+/).filter((word) => word !== '');
  const start = words.findIndex((word) => !STARTERS.test(word) && !/^(pnpm|yarn|npm|bunx)$/.test(word));
  return start === -1 ? words : words.slice(start);
}

/** What a script runs its tests with, as far as it can be told from its last command. */
export function scriptRunner(script: string): ScriptRunner {
  const words = lastCommand(script);
  const program = (words[0] ?? '').replace(/^.*\//, '');
  const plain = !/[|<>&]/.test(words.join(' '));
  if (program === 'vitest') return plain ? 'vitest-last' : 'vitest';
  if (program === 'jest') return plain ? 'jest-last' : 'jest';
  if (program === 'ava') return plain ? 'ava-last' : 'other';
  if (program === 'mocha') return 'mocha';
  if (program === 'bun' && words[1] === 'test') return 'bun';
  if (program === 'node' && words.some((word) => /^--test(-|=|$)/.test(word))) return 'node';
  if (program === 'node' && words.some((word) => /node_modules\/(\.bin|jest\/bin)\/jest/.test(word)))
    return plain ? 'jest-last' : 'jest';
  return 'other';
}

/** Flags of node whose value is the next word. */
const TAKES_VALUE = new Set([
  '--import',
  '--require',
  '-r',
  '--loader',
  '--experimental-loader',
  '--env-file',
  '--test-reporter',
  '--test-reporter-destination',
  '--conditions',
  '-C',
]);

/**
 * The flags of a script whose last command is `node ... --test ...`, without the files it names, so that others can be
 * given. Undefined when the command needs a shell to be understood.
 */
export function nodeTestWords(script: string): string[] | undefined {
  const words = lastCommand(script);
  if ((words[0] ?? '').replace(/^.*\//, '') !== 'node' || words.some((word) => /[$`\\|<>&(){}]/.test(word))) return undefined;
  const flags: string[] = [];
  for (let index = 1; index < words.length; index++) {
    const word = words[index] as string;
    if (!word.startsWith('-')) continue;
    if (/['"]/.test(word)) return undefined;
    flags.push(word);
    if (TAKES_VALUE.has(word) && index + 1 < words.length) {
      index += 1;
      const value = words[index] as string;
      if (/['"]/.test(value)) return undefined;
      flags.push(value);
    }
  }
  return flags.includes('--test') ? flags : undefined;
}
