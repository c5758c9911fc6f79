/** xargs, find -exec and git: the commands they run, with the words they add. */

import { compileGlob } from '../../base/path-glob.js';
import { because } from '../reasons.js';
import { derive } from './build-simple.js';
import { code } from './code.js';
import { type Option, optionSet, scanOptions } from './options.js';
import { judgeRead, place, SECRET_NAMES } from './paths.js';
import { endsAction, FIND_RUNS, lookFind, readFd, readFind } from './readers/find.js';
import { readGit, splitGit } from './readers/git.js';
import { no, reads } from './readers/reader.js';
import { readingOf } from './readers/registry.js';
import { literal, only, type ShellEnv, type ShellWord, type Simple, unknownWord } from './types.js';
import { type Script, scriptsOf, startOf, type Unwrapped } from './unwrapped.js';

const XARGS_FINE = optionSet(
  '-0 --null -r --no-run-if-empty -n --max-args -P --max-procs -I --replace -L --max-lines -d --delimiter -t --verbose -x -s -E -i',
);
/** `--replace` and `--max-lines` take a value only behind an equals sign. */
const XARGS_VALUED = optionSet('-n --max-args -P --max-procs -I -L -d --delimiter -s --max-chars -E -a --arg-file -R -J -S');

export function unwrapXargs(simple: Simple, env: ShellEnv): Unwrapped {
  const scan = scanOptions(simple.words.slice(1), { valued: XARGS_VALUED, attached: optionSet('-i -l -e'), stop: true });
  const other = scan.options.find((option) => !XARGS_FINE.has(option.name));
  const between = separator(scan.options);
  const listed =
    !other &&
    between !== undefined &&
    simple.piped.length > 0 &&
    simple.stdin === undefined &&
    simple.piped.every((left) => listsWorkspace(left, between, env));
  const mark = scan.options.find((option) => /^(-I|-J|--replace|-i)$/.test(option.name));
  const token = mark ? (only(mark.value) ?? '{}') : undefined;
  const added = (source: string): ShellWord[] => [
    ...(simple.stdin ?? []).flatMap((text) => text.split(/\s+/)).map((text) => unknownWord(source, { guesses: [text] })),
    unknownWord(source, { listed, splits: !listed }),
  ];
  const words =
    token === undefined
      ? [...scan.operands, ...added('...')]
      : scan.operands.flatMap((word) => ((only(word) ?? '').includes(token) ? replaced(word, token, listed) : [word]));
  const inner = scan.operands.length > 0 ? [derive(simple, words, 'xargs', { stdin: undefined, piped: simple.piped })] : [];
  return {
    inner,
    scripts: [],
    self: other ? no(because`${code(`xargs ${other.name}`)} is not known to be harmless`) : reads([]),
    opaque: scan.unclear !== undefined ? because`what \`xargs\` runs is only known when it runs` : undefined,
  };
}

/** A word in which `token` stands for something only known when it runs. */
function replaced(word: ShellWord, token: string, listed: boolean): ShellWord[] {
  const text = only(word) ?? '';
  return [
    unknownWord(word.source, { prefix: text.slice(0, text.indexOf(token)), splits: false, listed: listed && text === token }),
  ];
}

/** What parts one name from the next. Blanks do not count: a file name may hold them, and a path of its own behind one. */
function separator(options: readonly Option[]): 'nul' | 'line' | undefined {
  if (options.some((option) => option.name === '-0' || option.name === '--null')) return 'nul';
  const line = options.some(
    (option) => option.name === '-I' || (/^(-d|--delimiter)$/.test(option.name) && /^(\\n|\n)$/.test(only(option.value) ?? '')),
  );
  return line ? 'line' : undefined;
}

/** Does a command print nothing but paths of files in the workspace that hold no secrets by name, each sure to end where it seems to? */
function listsWorkspace(simple: Simple, between: 'nul' | 'line', env: ShellEnv): boolean {
  const name = only(simple.words[0]);
  if (name === undefined || simple.redirects.length > 0 || simple.assigns.length > 0 || simple.away || simple.cwd === undefined)
    return false;
  const reading = readingOf(simple);
  if (!reading.ok || [literal('.'), ...reading.reads].some((word) => judgeRead(word, simple.cwd, env).verdict !== 'allow'))
    return false;
  const texts = simple.words.slice(1).map((word) => only(word) ?? '');
  const has = (pattern: RegExp) => texts.some((text) => pattern.test(text));
  if (name === 'git') {
    // git quotes a line break in a name, unless asked for NUL bytes.
    if (has(/^(-z|--null)$/) !== (between === 'nul')) return false;
    if (texts[0] === 'ls-files') return !has(/^-\w*[oi]|^--(others|ignored|eol|debug|format)/);
    return (
      (texts[0] === 'diff' && has(/^--name-only$/)) || (texts[0] === 'grep' && has(/^-\w*l|^--(name-only|files-with-matches)$/))
    );
  }
  if (between === 'line') {
    if (reading.reads.length > 0 || simple.piped.length === 0) return false;
    return /^(head|tail|sort|uniq)$/.test(name) || (name === 'grep' && !has(/^-\w*[orRfl]|^--(only-matching|recursive|file)/));
  }
  if (name === 'rg')
    return (
      has(/^(-0|--null)$/) &&
      has(/^-l$|^--files(-with-matches)?$/) &&
      !has(/^-\w*[u.grA]|^--(hidden|no-ignore|unrestricted|i?glob|replace)/)
    );
  if (name === 'fd' || name === 'fdfind') return has(/^(-0|--print0)$/) && !has(/^-\w*[Hu]|^--(hidden|no-ignore|unrestricted)/);
  return name === 'find' && has(/^-print0$/) && benignFind(simple.words.slice(1));
}

/** find with a name test that no file of secrets passes. */
function benignFind(args: readonly ShellWord[]): boolean {
  const look = lookFind(args);
  if (look.fault !== undefined || look.branched || look.names.length === 0) return false;
  if (args.some((word) => /^-(printf|ls|fprint|L|follow|exec|execdir|ok|okdir)/.test(only(word) ?? ''))) return false;
  return look.names.some((name) => !SECRET_NAMES.some((secret) => compileGlob(name, { ignoreCase: true }).test(secret)));
}

/** find without a name test, where no private file lies below its starting points: it hands over plain names of what is there. */
function freeOfSecrets(args: readonly ShellWord[], roots: readonly ShellWord[], simple: Simple, env: ShellEnv): boolean {
  if (!env.holdsPersonal || lookFind(args).fault !== undefined) return false;
  if (args.some((word) => /^-(printf|ls|fprint|L|H|follow|exec|execdir|ok|okdir)/.test(only(word) ?? ''))) return false;
  return (roots.length > 0 ? roots : [literal('.')]).every((root) => {
    const places = place(only(root) ?? '$', simple.cwd, env);
    return places?.every((located) => located.zone === 'inside' && env.holdsPersonal?.(located.real) === false) === true;
  });
}

export function unwrapFind(name: string, simple: Simple, env: ShellEnv): Unwrapped | undefined {
  const args = simple.words.slice(1);
  if (name === 'fd' || name === 'fdfind') return unwrapFd(simple, args);
  const { roots, names } = lookFind(args);
  const before = args.slice(
    0,
    args.findIndex((word) => FIND_RUNS.has(only(word) ?? '')),
  );
  if (before.length === args.length - 1 && before.length === 0) return undefined;
  const listed =
    (benignFind(before) || freeOfSecrets(before, roots, simple, env)) &&
    roots.every((root) => judgeRead(root, simple.cwd, env).verdict === 'allow') &&
    simple.cwd !== undefined;
  const inner: Simple[] = [];
  for (let i = 0; i < args.length; i++) {
    if (!FIND_RUNS.has(only(args[i]) ?? '')) continue;
    const from = i + 1;
    while (i < args.length && !endsAction(args, i)) i++;
    const words = args
      .slice(from, i)
      .map((word) => ((only(word) ?? '').includes('{}') ? fileWord(word, roots, names, listed) : word));
    if (words.length === 0) continue;
    inner.push(derive(simple, words, name));
    // Where these run is some folder below, with settings of its own.
    if (/dir$/.test(only(args[from - 1]) ?? '')) inner.push(derive(simple, words, name, { cwd: undefined }));
  }
  if (inner.length === 0) return undefined;
  if (inner.length > MOST_ACTIONS) {
    const reason = because`\`find\` runs too many commands to judge`;
    return { inner: inner.slice(0, MOST_ACTIONS), scripts: [], self: no(reason), opaque: reason, immune: reason };
  }
  const interactive = args.some((word) => /^-ok(dir)?$/.test(only(word) ?? ''));
  const reading = readFind(simple);
  return { inner, scripts: [], self: interactive ? no(because`\`find -ok\` asks at the keyboard`) : reading };
}

const MOST_ACTIONS = 50;

/** `{}`: some file below the starting points, which are therefore good guesses. */
function fileWord(word: ShellWord, roots: readonly ShellWord[], names: readonly string[], listed: boolean): ShellWord {
  const bare = only(word) === '{}';
  const starts = bare ? roots.flatMap((root) => [...root.values, ...root.guesses]) : [];
  const secrets = names
    .filter((name) => !/^[*?]+$/.test(name))
    .flatMap((name) => SECRET_NAMES.filter((secret) => compileGlob(name, { ignoreCase: true }).test(secret)));
  const guesses = [...starts, ...starts.flatMap((start) => secrets.map((secret) => `${start}/${secret}`))];
  return unknownWord(word.source, { splits: false, prefix: './', listed: listed && bare, guesses });
}

function unwrapFd(simple: Simple, args: readonly ShellWord[]): Unwrapped | undefined {
  const at = args.findIndex((word) => /^(-x|-X|--exec|--exec-batch)$/.test(only(word) ?? ''));
  if (at < 0) return undefined;
  const words = args.slice(at + 1).filter((word) => only(word) !== ';');
  const moved = args.slice(0, at).some((word) => /^(-\w*C|--base)/.test(only(word) ?? '')) ? { cwd: undefined } : {};
  const head: Simple = { ...simple, words: [simple.words[0] ?? unknownWord('fd'), ...args.slice(0, at)] };
  return {
    inner: words.length > 0 ? [derive(simple, [...words, unknownWord('{}', { splits: false, prefix: './' })], 'fd', moved)] : [],
    scripts: [],
    self: readFd(head),
  };
}

/** Aliases given on the line, `rebase --exec`, `bisect run`, `submodule foreach`, filters. */
export function unwrapGit(simple: Simple): Unwrapped | undefined {
  const call = splitGit(simple.words.slice(1));
  const start = startOf(simple, 'git');
  const scripts: Script[] = [];
  const inner: Simple[] = [];
  for (const option of call.global.options) {
    const setting = /^([^=]*)=([\s\S]*)$/.exec(option.name === '-c' ? (only(option.value) ?? option.value?.prefix ?? '') : '');
    if (!setting) continue;
    const value = (setting[2] ?? '').replace(/^!/, '');
    scripts.push({ text: value, start });
    const [, alias] = /^alias\.(.+)$/i.exec(setting[1] ?? '') ?? [];
    if (alias !== undefined && alias === call.sub && !(setting[2] ?? '').startsWith('!')) {
      scripts.push({ text: `git ${value} ${call.args.map((word) => word.source).join(' ')}`, start });
    }
  }
  const scan = scanOptions(call.args, {
    valued: optionSet(
      '-x --exec --tree-filter --index-filter --msg-filter --env-filter --commit-filter --tag-name-filter --parent-filter --upload-pack --receive-pack --extcmd',
    ),
  });
  for (const option of scan.options) {
    if (/^(-x|--exec|--extcmd|--upload-pack|--receive-pack|--\w+-filter|--tag-name-filter)$/.test(option.name))
      scripts.push(...scriptsOf(option.value, start));
  }
  const words = call.args.filter((word) => !/^-/.test(word.prefix));
  if (call.sub === 'submodule' && only(words[0]) === 'foreach') {
    if (words.length === 2) scripts.push(...scriptsOf(words[1], start));
    else inner.push(derive(simple, words.slice(1), 'git'));
  }
  if (call.sub === 'bisect' && only(words[0]) === 'run')
    inner.push(derive(simple, call.args.slice(call.args.findIndex((word) => only(word) === 'run') + 1), 'git'));
  const real = inner.filter((command) => command.words.length > 0);
  return real.length + scripts.length === 0 ? undefined : { inner: real, scripts, self: readGit(simple) };
}
