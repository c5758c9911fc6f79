/** Text from the web, or in disguise, that ends up in a shell or interpreter: it always asks. */
import type { Reason } from '../../types/policy.js';
import { because } from '../reasons.js';
import { code } from './code.js';
import { only, possible, type ShellWord, type Simple } from './types.js';
import { BASH_LIKE, baseName, INTERPRETERS, SHELLS } from './wrapper-list.js';

const FETCHERS = new Set([
  'curl',
  'wget',
  'wget2',
  'fetch',
  'aria2c',
  'axel',
  'http',
  'https',
  'xh',
  'lynx',
  'links',
  'w3m',
  'lwp-request',
  'lwp-download',
  'nc',
  'ncat',
  'netcat',
  'socat',
  'telnet',
  'ftp',
  'tftp',
  'scp',
  'sftp',
  'rsync',
  'openssl',
  'gsutil',
]);
const DISGUISES = new Set([
  'base64',
  'base32',
  'basenc',
  'xxd',
  'openssl',
  'uudecode',
  'gpg',
  'rev',
  'tr',
  'gunzip',
  'zcat',
  'gzip',
  'bzcat',
  'xzcat',
  'printenv',
  'env',
  'hexdump',
  'od',
  'ascii2uni',
  'iconv',
  'recode',
  'dd',
  'strings',
  'qrencode',
  'zbarimg',
  'stegosaurus',
  'unxz',
  'bunzip2',
  'zstd',
  'brotli',
]);

/** Programs a simple command may be, by base name. */
export function namesOf(simple: Simple): readonly string[] {
  const word = simple.words[0];
  return word ? possible(word).map((text) => baseName(text).toLowerCase()) : [];
}

/** `all` holds, for each command of the line, everything found inside it. */
export function streamImmune(simple: Simple, insideOf: (simple: Simple) => readonly Simple[]): Reason | undefined {
  const runner = namesOf(simple).find(
    (name) => SHELLS.has(name) || INTERPRETERS.has(name) || name === 'eval' || name === 'xargs' || name === 'parallel',
  );
  if (runner === undefined) return undefined;
  const takes = runsInput(runner, simple) ? simple.piped : [];
  const given = runsFeeds(runner, simple) ? simple.feeds : [];
  for (const source of [...takes, ...given].flatMap((left) => [left, ...insideOf(left)])) {
    for (const name of namesOf(source)) {
      if (FETCHERS.has(name)) return because`${code(runner)} runs what ${code(name)} brings from elsewhere`;
      if (DISGUISES.has(name) && runner !== 'xargs' && runner !== 'awk' && !isDatabase(runner))
        return because`${code(runner)} runs what ${code(name)} has turned into text`;
    }
  }
  return undefined;
}

/** Is what its substitutions give the program itself, rather than an argument of one? */
function runsFeeds(runner: string, simple: Simple): boolean {
  if (runner === 'eval' || runner === 'source' || runner === '.') return true;
  const args = simple.words.slice(1);
  if (args.some((word) => /^-\w*[cerE]$|^--(eval|print|command|execute)$/.test(only(word) ?? ''))) return true;
  const file = args.find((word) => !word.prefix.startsWith('-'));
  return file !== undefined && (file.unknown || file.prefix.startsWith('/dev/fd/'));
}

function isDatabase(name: string): boolean {
  return name === 'psql' || name === 'mysql' || name === 'sqlite3';
}

/** Does it run what it reads, rather than work on it? */
function runsInput(runner: string, simple: Simple): boolean {
  const args = simple.words.slice(1);
  const texts = args.map((word) => only(word));
  if (runner === 'eval' || runner === 'source' || runner === '.' || runner === 'crontab' || runner === 'at' || runner === 'batch')
    return true;
  if (runner === 'awk' || runner === 'gawk') return texts.includes('-f');
  if (runner === 'xargs' || runner === 'parallel') return args.some((word) => inlineShell(word)) || args.length === 0;
  const operands = texts.filter((text) => text === undefined || !text.startsWith('-') || text === '-');
  const inline = texts.some((text) => text !== undefined && /^-\w*[cerE]$|^--(eval|print|command)$/.test(text));
  if (SHELLS.has(runner))
    return !inline
      ? operands.length === 0 || /^(-|\/dev\/(stdin|fd\/\d+))$/.test(operands[0] ?? '') || texts.includes('-s')
      : /\b(cat|read|bash|sh|eval|source|xargs)\b|\/dev\/stdin/.test(args.flatMap((word) => possible(word)).join(' '));
  if (isDatabase(runner)) return false;
  return !inline && (operands.length === 0 || /^(-|\/dev\/(stdin|fd\/\d+))$/.test(operands[0] ?? ''));
}

function inlineShell(word: ShellWord): boolean {
  return possible(word).some((text) => SHELLS.has(baseName(text)) || BASH_LIKE.has(text));
}

/** Names under which the commands of a line save what they download. */
export function downloads(simples: readonly Simple[]): ReadonlySet<string> {
  const files = new Set<string>();
  for (const simple of simples) {
    if (!namesOf(simple).some((name) => /^(curl|wget|wget2|aria2c|fetch)$/.test(name))) continue;
    const texts = simple.words.slice(1).map((word) => possible(word)[0] ?? '');
    texts.forEach((text, index) => {
      const glued = /^(?:-o|-O|--output=|--output-document=|--out=)(.+)$/.exec(text)?.[1];
      if (glued) files.add(baseName(glued));
      else if (/^(-\w*[oO]|--output|--output-document|--out)$/.test(text)) files.add(baseName(texts[index + 1] ?? ''));
      if (/^https?:\/\//.test(text)) files.add(baseName(text.replace(/[?#].*$/, '')));
    });
    for (const redirect of simple.redirects)
      for (const text of redirect.target ? possible(redirect.target) : [])
        if (redirect.op.includes('>')) files.add(baseName(text));
  }
  files.delete('');
  files.delete('-');
  files.delete('null');
  return files;
}

/** Does a command run one of the files the same line downloads? */
export function runsDownload(simple: Simple, files: ReadonlySet<string>): Reason | undefined {
  if (files.size === 0) return undefined;
  const words = simple.words.map((word) => possible(word)[0] ?? '');
  const [name = '', ...args] = words;
  if (name.includes('/') && files.has(baseName(name))) return because`it runs ${name}, which the same line downloads`;
  const base = baseName(name);
  const runs = SHELLS.has(base) || (INTERPRETERS.has(base) && !isDatabase(base));
  const file = runs ? args.find((text) => files.has(baseName(text))) : undefined;
  if (file !== undefined) return because`${code(base)} runs ${file}, which the same line downloads`;
  if (base === 'chmod' && /x|[1357]\d?\d?$/.test(args[0] ?? '')) {
    const made = args.slice(1).find((text) => files.has(baseName(text)));
    if (made !== undefined) return because`\`chmod\` makes ${made}, which the same line downloads, a program`;
  }
  return undefined;
}
