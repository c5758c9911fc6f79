/** Disguises of commands for the fuzzers: the same command quoted, encoded, taken apart, carried or surrounded. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';

export const HARMFUL: readonly string[] = [
  'rm -rf /',
  'rm -rf ~',
  'rm -rf ..',
  'rm -r -f /etc',
  'mkfs.ext4 /dev/sda1',
  'dd if=/dev/zero of=/dev/sda',
  'sudo make install',
  'git push --force origin main',
  'git reset --hard',
  'git clean -fdx',
  'shutdown now',
  'cat ~/.ssh/id_rsa',
  'chmod -R 777 /',
  'kill -9 1',
];

type Change = (command: string) => string;
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const hex = (text: string) => [...text].map((char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
const octal = (text: string) => [...text].map((char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`).join('');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const firstWord =
  (change: Change): Change =>
  (command) =>
    command.replace(/^\S+/, (name) => change(name));

const inVariables = (words: readonly string[]) =>
  `${words.map((word, at) => `v${at}=${quoted(word)};`).join('')} ${words.map((_word, at) => `$v${at}`).join(' ')}`;

/** The same words, spelled differently. They apply to a plain command only. */
const SPELLINGS: readonly Change[] = [
  firstWord((name) => `$'${hex(name)}'`),
  firstWord((name) => `$'${octal(name)}'`),
  firstWord((name) => `$"${name}"`),
  firstWord((name) => [...name].map((char) => `'${char}'`).join('')),
  firstWord((name) => [...name].map((char) => `\\${char}`).join('')),
  firstWord((name) => `${name.slice(0, 1)}\\\n${name.slice(1)}`),
  firstWord((name) => `${name.slice(0, 1)}""${name.slice(1)}`),
  firstWord((name) => `\${x:-${name}}`),
  firstWord((name) => `/usr/bin/${name}`),
  firstWord((name) => `/bin//${name}`),
  firstWord((name) => `command -p ${name}`),
  (command) => `{${command.replaceAll(' ', ',')}}`,
  // A tilde in a variable stays what it is.
  (command) => (command.includes('~') ? command : `a=${quoted(command)}; $a`),
  (command) => (command.includes('~') ? command : inVariables(command.split(' '))),
  (command) => command.replaceAll(' ', '\t  '),
  (command) => command.replaceAll(' ', ' \\\n'),
  (command) => `>/dev/null ${command}`,
  (command) => `A=1 ${command}`,
];

/** The command inside something that runs it. */
const SURROUNDINGS: readonly Change[] = [
  (command) => `ls; ${command}`,
  (command) => `ls\n${command}\n`,
  (command) => `true && ${command}\ntrue`,
  (command) => `( ${command}\n)`,
  (command) => `{ ${command}\n}`,
  (command) => `echo "$( ${command}\n)"`,
  (command) => `for i in 1; do ${command}\ndone`,
  (command) => `if ${command}\nthen ls; fi`,
  (command) => `case a in *) ${command}\n;; esac`,
  (command) => `bash -c ${quoted(command)}`,
  (command) => `eval ${quoted(command)}`,
  (command) => `bash <<'${endOf(command)}'\n${command}\n${endOf(command)}`,
  (command) => `cat <<'${endOf(command)}' | sh\n${command}\n${endOf(command)}`,
  (command) => `echo ${quoted(command)} | bash`,
  (command) => `printf '${octal(command)}' | sh`,
  (command) => `echo ${base64(command)} | base64 -d | bash`,
  (command) => `bash -c "$(echo ${base64(command)} | base64 -d)"`,
  (command) => `bash <(echo ${base64(command)} | base64 --decode)`,
  (command) => `eval "$(printf '${hex(command)}')"`,
  (command) => `xxd -r -p <<< ${Buffer.from(command).toString('hex')} | sh`,
  (command) => `f() { ${command}\n}; f`,
  (command) => `${command}\n# nothing`,
  (command) => `! ${command}`,
  (command) => `time ${command}`,
  (command) => `{ ${command}\n} & wait`,
  (command) => `timeout 9 nice env A=b bash -c ${quoted(command)}`,
];

const CARRIERS = JSON.parse(readFileSync(new URL('./corpus/carriers.json', import.meta.url), 'utf8')) as readonly string[];

/** Lines that run one of these commands, disguised at random. */
export function disguised(commands: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(...commands),
      fc.option(fc.constantFrom(...SPELLINGS)),
      fc.option(fc.constantFrom(...CARRIERS.filter((line) => !/['"`\n]/.test(line))), { freq: 3 }),
      fc.array(fc.constantFrom(...SURROUNDINGS), { maxLength: 3 }),
    )
    .map(([command, spell, carrier, around]) => {
      // In a container or on another host a private path is another one.
      const plain =
        carrier === null || command.includes('~') ? (spell?.(command) ?? command) : carrier.replace('@', () => command);
      return around.reduce((text, change) => change(text), plain);
    });
}

/** Does bash read it? Only then it is a disguise. */
export function isReadable(line: string): boolean {
  return spawnSync('bash', ['-n'], { input: `${line}\n`, stdio: ['pipe', 'ignore', 'ignore'] }).status === 0;
}

/** A line that ends a here-document and does not stand in it. */
function endOf(command: string): string {
  let end = 'END';
  while (command.includes(end)) end += 'S';
  return end;
}
