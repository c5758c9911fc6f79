/** Everyday commands that only read files or text, and the options that would make them do more. */
import type { Reason } from '../../../types/policy.js';
import { because } from '../../reasons.js';
import { only, possible, type ShellWord } from '../types.js';
import type { Reader } from './reader.js';

const FILES: Reader = { operands: 'paths', loose: true };
const FOLDER: Reader = { operands: 'paths', loose: true, folder: true };
const TEXT: Reader = { operands: 'text', loose: true };
const ALONE: Reader = { operands: 'none' };

const same = (names: string, reader: Reader): [string, Reader][] => names.split(' ').map((name) => [name, reader]);

/** Commands known by name; whatever is not here or in a reader of its own asks. */
export const PLAIN_READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ...same('ls ll la dir vdir eza exa', { ...FOLDER, valued: '-I --ignore -w --width -T --tabsize' }),
  ...same('du', {
    ...FOLDER,
    valued: '-d --max-depth -t --threshold -B --block-size --exclude',
    bad: '--files0-from',
    files: '-X --exclude-from',
  }),
  ...same('cat tac nl rev readlink realpath stat cksum sum', FILES),
  ...same('md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum shasum md5 zcat bzcat xzcat zstdcat lz4cat', FILES),
  ...same('wc', { ...FILES, bad: '--files0-from' }),
  ...same('head', { ...FILES, valued: '-n -c --lines --bytes' }),
  ...same('strings readelf nm objdump size', { operands: 'paths', bad: '--plugin', valued: '-n -t -e -T' }),
  [
    'tail',
    {
      operands: 'paths',
      bad: '-f -F --follow --retry --pid',
      valued: '-n -c --lines --bytes -s --sleep-interval',
      check: noFollow,
    },
  ],
  ...same('cut', { ...FILES, valued: '-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter' }),
  ...same('paste', { ...FILES, valued: '-d --delimiters' }),
  ...same('comm cmp join fold fmt expand unexpand column tsort factor od hexdump hd', {
    operands: 'paths',
    loose: true,
    valued: '-w -t -s -n -N -j -d -1 -2 -o -e -a -v -c -A -f',
  }),
  ...same('grep egrep fgrep', {
    operands: 'first-text',
    loose: true,
    folder: true,
    patternBy: '-e -f --regexp --file',
    files: '-f --file --exclude-from',
    valued:
      '-e --regexp -m --max-count -A -B -C --after-context --before-context --context --include --exclude --exclude-dir -d -D --label --color --colour --binary-files --group-separator',
  }),
  ['rg', RIPGREP()],
  [
    'ag',
    {
      operands: 'first-text',
      folder: true,
      bad: '--pager -p --path-to-ignore',
      valued: '-A -B -C -G -m --ignore --depth --file-search-regex -W --width',
    },
  ],
  ['tr', TEXT],
  ...same(
    'echo basename dirname pwd true false : which type whereis expr sleep numfmt uname nproc whoami id groups users logname tty locale getconf pathchk uptime free printenv',
    TEXT,
  ),
  [
    'seq',
    {
      operands: 'text',
      loose: true,
      // Short numbers only: no exponents, no infinity, no step so small that it never gets there.
      check: (_scan, simple) =>
        simple.words.slice(1).some((word) => /^[-+]?(inf|nan|[.\d]+[a-z]|0x|(.*\d){8})/i.test(only(word) ?? ''))
          ? because`\`seq\` with such a number may hardly ever end`
          : undefined,
    },
  ],
  ...same('test [', { operands: 'text', loose: true, check: (_scan, simple) => testIsPlain(simple.words.slice(1)) }),
  ...same('w who last lastlog', { operands: 'none', loose: true }),
  ...same('less more', { operands: 'paths', only: '-N -S -R -F -X -i -I -n -r -E -e -s -q', check: noPlus }),
  [
    'printf',
    {
      operands: 'text',
      check: (scan) =>
        firstIsPlain(
          scan.operands[0],
          scan.options.map((option) => option.name),
          scan.operands.length > 1,
        ),
    },
  ],
  [
    'diff',
    {
      operands: 'paths',
      bad: '--paginate -l --to-file --from-file',
      valued: '-U -C -c --unified --context -W --width -I -x --exclude -F --label -L --color --palette --line-format',
      files: '-X --exclude-from',
    },
  ],
  [
    'sort',
    {
      operands: 'paths',
      bad: '-o --output --compress-program -T --temporary-directory --files0-from',
      valued: '-k --key -t --field-separator -S --buffer-size --parallel --batch-size --sort',
      files: '--random-source',
    },
  ],
  ['shuf', { operands: 'paths', bad: '-o --output', valued: '-n --head-count -i --input-range', files: '--random-source' }],
  ['uniq', { operands: 'paths', most: 1, valued: '-f -s -w --skip-fields --skip-chars --check-chars' }],
  [
    'file',
    {
      operands: 'paths',
      bad: '-C --compile -f --files-from',
      valued: '-F --separator -P -e --exclude',
      files: '-m --magic-file',
    },
  ],
  [
    'tree',
    {
      operands: 'paths',
      folder: true,
      bad: '-o -R --fromfile --fromtabfile --output',
      valued: '-L -P -I -H -T --charset --filelimit --timefmt --sort',
      files: '--gitfile --infofile',
    },
  ],
  ['df', { ...FOLDER, valued: '-B -t -x --output' }],
  ['xxd', { operands: 'paths', most: 1, ordered: true, bad: '-r -revert', valued: '-l -s -c -g -o -n -len -seek -cols' }],
  ['base64', { operands: 'paths', bad: '-o --output -b', valued: '-w --wrap' }],
  ['base32', { operands: 'paths', bad: '-o --output', valued: '-w --wrap' }],
  [
    'date',
    {
      operands: 'text',
      bad: '-s --set',
      valued: '-d --date',
      files: '-r --reference -f --file',
      attached: '-I',
      check: dateOnlyShows,
    },
  ],
  ['cal', TEXT],
  ['arch', ALONE],
  ['hostname', { operands: 'none', only: '-f -s -i -I -d -A --fqdn --short --ip-address --all-ip-addresses --domain --long' }],
  ...same('sw_vers', ALONE),
  ['ps', { operands: 'text', valued: '-o -O -p -u -U -C -t -g -G --format --pid --ppid --sort --user', loose: true }],
  ...same('pgrep pidof lscpu lsblk lsusb lspci lsmod lsof findmnt ss netstat', {
    operands: 'text',
    bad: '-K --kill',
    valued: '-o -p -u -i -t -f -F',
  }),
  [
    'jq',
    {
      operands: 'first-text',
      bad: '--run-tests -f --from-file -L',
      valued: '--arg --indent',
      check: jqTakesPairs,
    },
  ],
  [
    'xmllint',
    {
      operands: 'paths',
      only: '--noout --format --html --nonet --recover --huge --pretty',
      valued: '--xpath --encode',
      files: '--schema --relaxng --dtdvalid',
    },
  ],
  [
    'unzip',
    {
      operands: 'paths',
      check: (scan) =>
        scan.options.some((option) => /^-[lZvt]$/.test(option.name)) &&
        !scan.options.some((option) => /^-[doxPp]$/.test(option.name))
          ? undefined
          : because`unzip unpacks files`,
    },
  ],
  ...same('zipinfo', FILES),
  [
    'man',
    {
      operands: 'text',
      only: '-k -f -w -a --where --apropos --whatis',
      check: (scan) =>
        scan.operands.some((word) => /[/\\]/.test(only(word) ?? '/')) ? because`man formats a file given by its path` : undefined,
    },
  ],
]);

function RIPGREP(): Reader {
  return {
    operands: 'first-text',
    folder: true,
    bad: '--pre --hostname-bin -z --search-zip --generate',
    patternBy: '-e -f --regexp --file --files --type-list',
    files: '-f --file --ignore-file',
    valued:
      '-e --regexp -A -B -C --after-context --before-context --context -g --glob --iglob -m --max-count -t -T --type --type-not --type-add -M --max-columns -d --max-depth --maxdepth -r --replace -E --encoding -j --threads --sort --sortr --color --colors --max-filesize --pre-glob --engine --context-separator --path-separator --field-match-separator --dfa-size-limit --regex-size-limit --hyperlink-format',
  };
}

/** `less +!command` runs a command. */
function noPlus(scan: { readonly operands: readonly ShellWord[] }): Reason | undefined {
  return scan.operands.some((word) => !/^[^+]/.test(word.prefix)) ? because`a pager takes commands after a plus sign` : undefined;
}

function noFollow(scan: {
  readonly options: readonly { readonly name: string }[];
  readonly operands: readonly unknown[];
}): Reason | undefined {
  return scan.options.some((option) => option.name === '-f' || option.name === '-F')
    ? because`\`tail -f\` never ends`
    : undefined;
}

/** printf -v sets a variable; a format that cannot be read may be an option. */
function firstIsPlain(first: Parameters<typeof only>[0], options: readonly string[], more: boolean): Reason | undefined {
  if (options.includes('-v')) return because`\`printf -v\` sets a variable`;
  if (first && only(first) === undefined && (first.splits || first.prefix === ''))
    return because`the format of \`printf\` is only known when it runs`;
  // `%n` sets the variable that a further argument names.
  if (first && more && (first.unknown || possible(first).some((text) => COUNTS.test(text.replaceAll('%%', '')))))
    return because`\`printf %n\` sets a variable`;
  return undefined;
}

const COUNTS = /%[-#+ 0'\d*.hjlLtz]*n/;

const TEST_SIGN = /^(=|==|!=|-[a-zA-Z]{1,2})$/;

/** `test -v` evaluates its operand; an operator that is only known when it runs might be that one. */
function testIsPlain(words: readonly ShellWord[]): Reason | undefined {
  const texts = words.map((word) => only(word));
  if (texts.includes('-v') || texts.includes('-R')) return because`\`test -v\` evaluates the name it is given`;
  const open = words.filter((_word, index) => texts[index] === undefined && words[index]?.patterns.length === 0);
  if (open.length === 0) return undefined;
  if (open.some((word) => word.unknown && word.splits)) return because`a test with an unquoted value may become another test`;
  if (texts.includes('-a') || texts.includes('-o'))
    return because`a joined test with values that are only known when it runs may become another test`;
  return texts.some((text) => text !== undefined && TEST_SIGN.test(text)) || words.length <= 2
    ? undefined
    : because`the operator of the test is only known when it runs`;
}

/** date NUMBER sets the clock; only +FORMAT is shown. */
function dateOnlyShows(scan: { readonly operands: readonly Parameters<typeof only>[0][] }): Reason | undefined {
  return scan.operands.every((word) => word?.prefix.startsWith('+'))
    ? undefined
    : because`\`date\` with an argument sets the clock`;
}

/** --slurpfile and --rawfile take a name and a file: the file is one of the operands here, so it is checked like one. */
function jqTakesPairs(scan: Parameters<NonNullable<Reader['check']>>[0]): Reason | undefined {
  if (/\b(import|include)\b/.test(only(scan.operands[0]) ?? 'import'))
    return because`a \`jq\` program that imports reads files of its own choice`;
  return scan.options.some((option) => option.name === '--argfile')
    ? because`\`jq --argfile\` is not known to only read`
    : undefined;
}
