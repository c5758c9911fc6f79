/** Every way of naming a file after any flag of a program that is known to only read. */
import { PLAIN_READERS } from '../../src/policy/shell/readers/plain.js';

/** Programs whose operands are words and never files; what they print is on the line already. */
export const WORDS_ONLY: ReadonlySet<string> = new Set(
  [...PLAIN_READERS].flatMap(([name, reader]) => (reader.operands === 'text' && name !== 'date' ? [name] : [])),
);

const GIT =
  'status diff log show shortlog blame annotate describe rev-list ls-files ls-tree cat-file whatchanged diff-tree diff-index diff-files grep range-diff check-ignore check-attr check-mailmap hash-object stash';

/** The starts of command lines that are known to only read. */
export const READING: readonly string[] = [
  ...[...PLAIN_READERS.keys()].filter((name) => !WORDS_ONLY.has(name) && !/^(cal|arch|sw_vers|:)$/.test(name)),
  ...GIT.split(' ').map((sub) => `git ${sub}`),
  'sed',
  'sed -n p',
  'sort -k 1',
  'awk 1',
  'find',
  'tar tf',
  'yq',
  'go vet',
];

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@'];
const LONG =
  '--file --files0-from --from-file --to-file --exclude-from --include-from --contents --ignore-revs-file --orderfile --color --context --unified --format --reference --starting-file --mailmap-file --files-from --magic-file --tab-file --lines --bytes --width --tabs';

/** Lines of one program in which `secret` may be read as a file. */
export function naming(start: string, secret: string, other: string): readonly string[] {
  const lines = [`${start} ${secret}`, `${start} -- ${secret}`, `${start} ${other} ${secret}`, `${start} @${secret}`];
  for (const letter of LETTERS) {
    const flag = `-${letter}`;
    lines.push(
      `${start} ${flag} ${secret}`,
      `${start} ${flag} ${secret} ${other}`,
      `${start} ${flag} ${other} ${secret}`,
      `${start} ${flag}${secret} ${other}`,
      `${start} ${flag} 1 ${secret}`,
      `${start} ${flag} -- ${secret}`,
    );
  }
  for (const flag of LONG.split(' '))
    lines.push(
      `${start} ${flag}=${secret} ${other}`,
      `${start} ${flag} ${secret} ${other}`,
      `${start} ${flag} ${other} ${secret}`,
      `${start} ${flag.slice(0, -1)}=${secret} ${other}`,
    );
  return lines;
}

/** Lines in which the name is a text by all versions of the program: a pattern to search, a separator, a label, a format. */
export const SHOWS_NOTHING =
  /^((rg|jq|[ef]?grep|ag|git grep|awk) |(ls|ll|la|dir|vdir|eza|exa|du|diff|tree) -I ?\.env|stat (-[ct]|--forma)|(cut|paste) -d|join -[et]|fmt -p|column -[os]|(hexdump|hd) -e|diff -[xDFIL]|diff --line|sort .*-t ?\.env|sort -t|file -F|tree -[HPT]|date -d|git \S+ (-[eGSx] ?\.env|--(color?|forma|format|line|lines)=)|go vet -f|(sed -n p|find) @)/;
