/** Commands that only read but show the environment, where keys and passwords are kept. */
import type { Reason } from '../../types/policy.js';
import { because } from '../reasons.js';
import { code } from './code.js';
import { scanOptions } from './options.js';
import { showsSettings } from './shown-settings.js';
import { only, type ShellWord, type Simple } from './types.js';

const SECRET_PART =
  /(^|_)\w*(TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL)|KEY(S|_|$|\d)|(^|_)(AUTH|PASS|PAT)(_|$)|APIKEY|KEYFILE|OAUTH/i;
const NOT_SECRET =
  /^(SSH_AUTH_SOCK|KEYBOARD\w*|KEYMAP\w*|KEYTIMEOUT|\w*TOKENIZERS?(_\w*)?|XAUTHORITY|\w*AUTHOR\w*|GPG_TTY|\w*PUBLIC_KEY)$/i;

/** Does a variable of this name look as if it held a secret? */
export function isSecretVariable(name: string): boolean {
  return SECRET_PART.test(name) && !NOT_SECRET.test(name);
}

const DECLARES = new Set(['export', 'declare', 'typeset', 'readonly', 'local']);
const SILENT = new Set([
  'test',
  '[',
  '[[',
  ':',
  'true',
  'false',
  'exit',
  'return',
  'cd',
  'export',
  'declare',
  'local',
  'readonly',
  'typeset',
]);

/** Why a command shows secrets of the environment; undefined when it does not. */
export function tellsSecrets(simple: Simple): Reason | undefined {
  const name = only(simple.words[0])?.replace(/^.*\//, '') ?? '';
  const args = simple.words.slice(1);
  return (
    listing(name, args) ?? (SILENT.has(name) ? undefined : namedIn(simple)) ?? inProgram(name, args) ?? showsSettings(name, args)
  );
}

function listing(name: string, args: readonly ShellWord[]): Reason | undefined {
  const shows = (what: string) => because`${code(what)} shows every variable of the environment, keys and passwords among them`;
  if (name === 'printenv') {
    const scan = scanOptions(args);
    if (scan.operands.length === 0) return shows(name);
    const secret = scan.operands.find((word) => only(word) === undefined || isSecretVariable(only(word) ?? ''));
    return secret ? because`${code(`printenv ${secret.source}`)} may show a key or a password` : undefined;
  }
  if (name === 'env') {
    const scan = scanOptions(args, {
      valued: new Set(['-u', '--unset', '-C', '--chdir', '-S', '--split-string', '-P']),
      stop: true,
    });
    const cleared =
      scan.options.some((option) => /^(-i|--ignore-environment)$/.test(option.name)) ||
      scan.operands.some((word) => only(word) === '-');
    const script = scan.options.some((option) => /^(-S|--split-string)/.test(option.name));
    const runs = scan.operands.some((word) => !/^[A-Za-z_]\w*=/.test(word.prefix) && only(word) !== '-');
    return runs || script || cleared ? undefined : shows(name);
  }
  if (DECLARES.has(name)) return declared(name, args) ? shows(name) : shownByDeclare(name, args);
  if (name === 'ps')
    return psShows(args) ? because`\`ps\` with these letters may show the environment of every process` : undefined;
  return undefined;
}

function declared(name: string, args: readonly ShellWord[]): boolean {
  const options = args.filter((word) => /^[-+]/.test(word.prefix));
  const functions = name !== 'export' && options.some((word) => /^-\w*[fF]/.test(word.prefix));
  return options.length === args.length && !functions && !(name === 'local' && args.length === 0);
}

function shownByDeclare(name: string, args: readonly ShellWord[]): Reason | undefined {
  if (!args.some((word) => /^-\w*p/.test(word.prefix))) return undefined;
  const secret = args.find((word) => isSecretVariable(word.prefix));
  return secret ? because`${code(`${name} -p ${secret.source}`)} may show a key or a password` : undefined;
}

/** A value only known when it runs, of a variable with such a name. */
function namedIn(simple: Simple): Reason | undefined {
  const words = [...simple.words, ...simple.assigns.flatMap((assign) => assign.word ?? [])];
  const here = simple.text.indexOf('<<<');
  const texts = [
    ...words.filter((word) => word.unknown).map((word) => word.source),
    ...(simple.stdin ?? []),
    ...(here < 0 ? [] : [simple.text.slice(here)]),
  ];
  return texts.map(secretValueIn).find((found) => found !== undefined);
}

/** Why a text the shell expands shows a secret; undefined when it does not. */
export function secretValueIn(text: string): Reason | undefined {
  for (const match of text.matchAll(/(?<!\\)\$\{?([A-Za-z_]\w*)/g)) {
    const name = match[1] ?? '';
    const exported = name === name.toUpperCase() || /_(token|secret|password|key)$/i.test(name);
    if (exported && isSecretVariable(name)) return because`it shows the value of ${name}, which may be a key or a password`;
  }
  return undefined;
}

function inProgram(name: string, args: readonly ShellWord[]): Reason | undefined {
  const uses = (pattern: RegExp) =>
    args.some((word) => [...word.values, ...word.patterns, ...word.guesses].some((text) => pattern.test(text)));
  if (/^[gmn]?awk$/.test(name) && uses(/ENVIRON|PROCINFO|SYMTAB/)) return because`${code(name)} reads the environment`;
  if (/^[jy]q$/.test(name) && uses(/\$ENV\b|(^|[^.\w"$-])env\b|\b(str)?env\(|\$__prog_args|envsubst/))
    return because`${code(name)} reads the environment`;
  return undefined;
}

/** Numbers of processes. */
const PROCESS_NUMBER = /^"?\$(\$|!|PPID|BASHPID|\{PPID\})"?$/;
const PS_LONG_VALUED = /^--(pid|ppid|user|format|sort|group|tty|cols|rows|User|Group|sid|width|lines|columns)$/;

/**
 * `e` among letters without a dash shows environments; `-E` does elsewhere. Dashed letters that are none of the other kind
 * (`-ax`) make ps read all words as letters. A column of that name counts too.
 */
function psShows(args: readonly ShellWord[]): boolean {
  let letters = '';
  let doubtful = '';
  let dashed = '';
  let taken: 'none' | 'sure' | 'doubtful' = 'none';
  for (const word of args) {
    const text = only(word);
    const value = taken;
    taken = 'none';
    if (text === undefined) {
      if (PROCESS_NUMBER.test(word.source) || (value !== 'none' && !word.splits)) continue;
      return true;
    }
    if (/environ|\benv\b/i.test(text)) return true;
    if (value === 'sure') continue;
    if (value === 'doubtful') doubtful += text;
    else if (text.startsWith('--')) taken = PS_LONG_VALUED.test(text) ? 'sure' : 'none';
    else if (text.startsWith('-')) {
      dashed += text;
      taken = /[oOptqkN]$/.test(text) ? 'sure' : /[uUCGgs]$/.test(text) ? 'doubtful' : 'none';
    } else {
      letters += text;
      taken = /[oOpUtqkN]$/.test(text) ? 'sure' : 'none';
    }
  }
  if (/e/.test(letters) || /E/.test(dashed)) return true;
  return /[xX]/.test(dashed) && /e/.test(dashed + doubtful);
}
