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
  ...same('ls ll la dir vdir eza exa', {
    ...FOLDER,
    maybe: '-I --ignore -w --width -T --tabsize -L',
    texts: '-I --ignore --hide',
  }),
  ...same('du', {
    ...FOLDER,
    valued: '-d --max-depth -t --threshold -B --block-size --exclude',
    bad: '--files0-from',
    texts: '--exclude -I',
    files: '-X --exclude-from',
  }),
  ...same('cat tac nl rev readlink cksum sum users', FILES),
  ['realpath', { ...FILES, texts: '--relative-to --relative-base' }],
  ['stat', { ...FILES, texts: '-c --format --printf -t' }],
  ...same('md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum shasum md5 zcat bzcat xzcat zstdcat lz4cat', FILES),
  ...same('wc', { ...FILES, bad: '--files0-from' }),
  ...same('head', { ...FILES, valued: '-n -c --lines --bytes' }),
  ['strings', { operands: 'paths', valued: '-n -t -e --bytes --radix', maybe: '-T -s -U', check: noAtFile }],
  ...same('readelf nm objdump size', {
    operands: 'paths',
    bad: '--plugin',
    maybe: '-t -x -p -R -j -M -b -m -f -X',
    check: noAtFile,
  }),
  [
    'tail',
    {
      operands: 'paths',
      bad: '-f -F --follow --retry --pid',
      valued: '-n -c --lines --bytes',
      maybe: '-s --sleep-interval',
      check: noFollow,
    },
  ],
  ...same('cut', {
    ...FILES,
    valued: '-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter',
    texts: '-d --delimiter --output-delimiter',
  }),
  ...same('paste', { ...FILES, valued: '-d --delimiters', texts: '-d --delimiters' }),
  ...same('tsort factor', FILES),
  ['comm', { ...FILES, maybe: '--output-delimiter' }],
  ['cmp', { ...FILES, valued: '-i --ignore-initial -n --bytes' }],
  ['join', { ...FILES, valued: '-a -e -j -o -t -v -1 -2', texts: '-t -e' }],
  ['fold', { ...FILES, valued: '-w --width' }],
  ['fmt', { ...FILES, valued: '-w --width', maybe: '-p --prefix -g --goal -d -l -t', texts: '-p --prefix' }],
  ...same('expand unexpand', { ...FILES, valued: '-t --tabs' }),
  [
    'column',
    { ...FILES, valued: '-c -s --separator', maybe: '-o -N -n -l -r -i -p -C -E -O -W -H -R -T', texts: '-s -o --separator' },
  ],
  ['od', { ...FILES, valued: '-A --address-radix -j --skip-bytes -N --read-bytes -t --format', maybe: '-S' }],
  ...same('hexdump hd', {
    ...FILES,
    valued: '-e -n -s --format --length --skip',
    files: '-f --format-file',
    texts: '-e --format',
  }),
  ...same('grep egrep fgrep', {
    operands: 'first-text',
    loose: true,
    folder: true,
    patternBy: '-e -f --regexp --file',
    files: '-f --file --exclude-from',
    valued:
      '-e --regexp -m --max-count -A -B --after-context --before-context --include --exclude --exclude-dir -d -D --label --binary-files --group-separator',
    maybe: '-C --context --color --colour',
    texts: '-e --regexp --include --exclude --exclude-dir --label --group-separator',
  }),
  ['rg', RIPGREP()],
  [
    'ag',
    {
      operands: 'first-text',
      folder: true,
      bad: '--pager -p --path-to-ignore',
      valued: '-G --ignore --depth --file-search-regex',
      maybe: '-A -B -C -m -W --width',
      texts: '-G --ignore --file-search-regex',
    },
  ],
  ['tr', TEXT],
  ...same(
    'echo basename dirname pwd true false : which type whereis expr sleep numfmt uname nproc whoami id groups logname tty locale getconf pathchk uptime free printenv',
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
  ...same('w who last lastlog', { operands: 'none', loose: true, bad: '-f --file -R --root' }),
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
      valued: '-U -C -W --width -I -x --exclude -F --label -L --palette --line-format --horizon-lines --tabsize',
      maybe: '--unified --context --color -D -S --starting-file',
      texts: '-I -x --exclude -F --label -L -D --line-format',
      files: '-X --exclude-from',
    },
  ],
  [
    'sort',
    {
      operands: 'paths',
      bad: '-o --output --compress-program -T --temporary-directory --files0-from',
      valued: '-k --key -t --field-separator -S --buffer-size --parallel --batch-size --sort',
      texts: '-t --field-separator',
      files: '--random-source',
    },
  ],
  ['shuf', { operands: 'paths', bad: '-o --output', valued: '-n --head-count -i --input-range', files: '--random-source' }],
  ['uniq', { operands: 'paths', most: 1, valued: '-f -s --skip-fields --skip-chars', maybe: '-w --check-chars' }],
  [
    'file',
    {
      operands: 'paths',
      bad: '-C --compile -f --files-from',
      valued: '-F --separator -P -e --exclude',
      texts: '-F --separator',
      files: '-m --magic-file',
    },
  ],
  [
    'tree',
    {
      operands: 'paths',
      folder: true,
      bad: '-o -R --fromfile --fromtabfile --output',
      valued: '-L -P -I -H -T --charset --filelimit --timefmt',
      maybe: '--sort',
      texts: '-P -I -H -T --timefmt',
      files: '--gitfile --infofile',
    },
  ],
  ['df', { ...FOLDER, valued: '-t', maybe: '-B -x --output' }],
  ['xxd', { operands: 'paths', most: 1, ordered: true, bad: '-r -revert', valued: '-l -s -c -g -o -n -len -seek -cols' }],
  ['base64', { operands: 'paths', bad: '-o --output -b', maybe: '-w --wrap' }],
  ['base32', { operands: 'paths', bad: '-o --output', maybe: '-w --wrap' }],
  [
    'date',
    {
      operands: 'text',
      bad: '-s --set',
      valued: '-d --date',
      texts: '-d --date',
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
  ...same('ss netstat', { operands: 'text', loose: true, bad: '-D --diag -F --filter -E --events -K --kill -c --continuous' }),
  [
    'pgrep',
    {
      operands: 'text',
      only: '-l -a -f -x -i -n -o -v -c -w --list-name --list-full --full --exact --ignore-case --newest --oldest --inverse --count',
      valued: '-u -U -g -G -P -s -t -d -r --euid --uid --group --pgroup --parent --session --terminal --delimiter --runstates',
    },
  ],
  ['pidof', { operands: 'text', only: '-s -x -c -q', valued: '-o' }],
  [
    'lsblk',
    {
      operands: 'text',
      only: '-a -b -d -f -i -J -l -m -n -O -p -P -r -S -t -T -s --all --bytes --nodeps --fs --json --list --perms --noheadings --output-all --paths --pairs --raw --topology --tree --version --help',
      valued: '-o --output -I --include -e --exclude -x --sort',
    },
  ],
  ['lsmod', ALONE],
  ['lsof', { operands: 'text', bad: '-D -k -m -r', only: '-n -P -a -l -t -U -R -w -V -N', valued: '-p -u -i -c -g -d -s' }],
  [
    'findmnt',
    {
      operands: 'text',
      bad: '-F --tab-file -p --poll',
      only: '-a -b -D -e -f -i -J -l -n -P -r -R -u -v --all --ascii --bytes --df --evaluate --first-only --json --list --noheadings --pairs --raw --submounts --uniq',
      valued: '-t --types -o --output -O --options -T --target -S --source -M --mountpoint',
    },
  ],
  ['lspci', { operands: 'text', only: '-v -vv -vvv -n -nn -k -t -m -D' }],
  ...same('lsusb lscpu', { operands: 'none', only: '-v -t -e -p -J -b --extended --parse --json' }),
  [
    'jq',
    {
      operands: 'first-text',
      bad: '--run-tests -f --from-file -L',
      valued: '--arg --indent',
      texts: '--arg',
      check: jqTakesPairs,
    },
  ],
  [
    'xmllint',
    {
      operands: 'paths',
      only: '--noout --format --html --nonet --recover --huge --pretty',
      valued: '--xpath --encode',
      texts: '--xpath',
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
    maybe: '-d',
    texts:
      '-e --regexp -g --glob --iglob -t -T --type --type-not --type-add -r --replace --pre-glob --context-separator --path-separator --field-match-separator --colors --hyperlink-format',
    valued:
      '-e --regexp -A -B -C --after-context --before-context --context -g --glob --iglob -m --max-count -t -T --type --type-not --type-add -M --max-columns --max-depth --maxdepth -r --replace -E --encoding -j --threads --sort --sortr --color --colors --max-filesize --pre-glob --engine --context-separator --path-separator --field-match-separator --dfa-size-limit --regex-size-limit --hyperlink-format',
  };
}

/** `less +!command` runs a command. */
function noPlus(scan: { readonly operands: readonly ShellWord[] }): Reason | undefined {
  return scan.operands.some((word) => !/^[^+]/.test(word.prefix)) ? because`a pager takes commands after a plus sign` : undefined;
}

/** binutils take further words, options too, from a file named behind `@`. */
function noAtFile({ operands }: { readonly operands: readonly ShellWord[] }): Reason | undefined {
  return operands.some((word) => possible(word).some((value) => value.startsWith('@')) || (word.unknown && word.prefix === ''))
    ? because`\`@\` takes further words from a file`
    : undefined;
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
