/** Programs given on the command line (`python -c`, `node -e`): their text, their strings, and what in them always asks. */
import type { Reason } from '../../types/policy.js';
import { because } from '../reasons.js';
import { code } from './code.js';
import { optionSet, scanOptions } from './options.js';
import { possible, type ShellWord, type Simple } from './types.js';

/** Options that bring a program, by interpreter. */
const INLINE: Readonly<Record<string, string>> = {
  python: '-c',
  pypy: '-c',
  perl: '-e -E',
  ruby: '-e',
  node: '-e --eval -p --print',
  nodejs: '-e --eval -p --print',
  bun: '-e --eval -p --print',
  deno: '',
  php: '-r',
  lua: '-e',
  luajit: '-e',
  tclsh: '',
  osascript: '-e',
  Rscript: '-e',
  groovy: '-e',
  julia: '-e --eval',
};

/** Deletes folders and files. */
const DELETES =
  /\b(shutil\.rmtree|rmtree|remove_tree|os\.(remove|unlink|rmdir|removedirs)|unlinkSync|rmSync|rmdirSync|Deno\.remove|FileUtils\.(rm|remove)\w*|rm_rf?|File\.delete|Dir\.(delete|rmdir))\b|\bunlink\b\s*(glob\b|<|[("'$])/;
/** Starts a program, or runs text as one. */
const STARTS =
  /\b(os\.(system|popen|exec\w*|spawn\w*|posix_spawn\w*)|subprocess|child_process|execSync|spawnSync|execFile\w*|shell_exec|passthru|proc_open|popen|Open3|os\.execute|do shell script|pty\.spawn|Deno\.(run|Command)|Bun\.spawn)\b|\b(eval|exec|system|spawn)\b\s*[("'[]|`[^`]+`|%x[({[]|\bqx\b/;
const FETCHES =
  /\b(urlopen|urllib|urlretrieve|requests\.(get|post)|httpx|http\.client|fetch|https?\.get|Net::HTTP|open-uri|LWP|file_get_contents|curl_exec|socket)\b/i;
const DISGUISES = /\b(b64decode|base64|atob|unhexlify|fromhex|marshal|pickle|decode64|unpack|rot13|codecs\.decode)\b/;
const MULTIPLIES = /fork\s*(\(\))?\s*(while|until)|while\s*(\(?\s*(1|True|true)\s*\)?)?:?\s*\{?\s*(os\.)?fork/i;

/** `python3.11` -> `python`. */
function interpreter(name: string): string {
  const plain = name.replace(/[\d.]+$/, '');
  return Object.hasOwn(INLINE, plain) ? plain : name;
}

/** The programs a command brings along on its line or in a here-document; empty for everything else. */
export function inlineTexts(name: string, simple: Simple): readonly string[] {
  const base = interpreter(name);
  if (!Object.hasOwn(INLINE, base)) return [];
  const args = simple.words.slice(1);
  const names = optionSet(INLINE[base]);
  const scan = scanOptions(args, { valued: names });
  const texts = scan.options
    .filter((option) => names.has(option.name))
    .flatMap((option) => (option.value ? possible(option.value) : []));
  if (base === 'deno') texts.push(...afterEval(args));
  if (texts.length > 0) return texts;
  const fromInput = scan.operands.every((word) => word.prefix === '-');
  return fromInput ? (simple.stdin ?? []) : [];
}

function afterEval(args: readonly ShellWord[]): string[] {
  const at = args.findIndex((word) => word.values[0] === 'eval');
  return at < 0 ? [] : args.slice(at + 1).flatMap((word) => possible(word));
}

/** Why a program on the line always asks; undefined when it does not (then it asks like any program). */
export function inlineImmune(name: string, simple: Simple): Reason | undefined {
  for (const text of inlineTexts(name, simple)) {
    if (MULTIPLIES.test(text)) return because`the program for ${code(name)} starts more and more copies of itself`;
    const deletes = DELETES.exec(text)?.[0];
    if (deletes) return because`the program for ${code(name)} deletes files (${deletes.slice(0, 40)})`;
    if (STARTS.test(text) && FETCHES.test(text)) return because`the program for ${code(name)} may run what it fetches`;
    if (STARTS.test(text) && DISGUISES.test(text)) return because`the program for ${code(name)} may run text in disguise`;
  }
  return undefined;
}

/** Strings in a program that starts others: each may be a command. */
export function inlineCommands(name: string, simple: Simple): readonly string[] {
  return inlineTexts(name, simple).flatMap((text) => (STARTS.test(text) ? stringsOf(text) : []));
}

/** Strings in a program: each may be a path. */
export function inlineStrings(name: string, simple: Simple): readonly string[] {
  return inlineTexts(name, simple).flatMap(stringsOf);
}

/** The quoted strings of a program, plain escapes opened; at most a few hundred. */
function stringsOf(text: string): string[] {
  const found: string[] = [];
  for (const match of text.matchAll(
    /"((?:\\[\s\S]|[^"\\])*)"|'((?:\\[\s\S]|[^'\\])*)'|`((?:\\[\s\S]|[^`\\])*)`|%x\{([^}]*)\}|qx[({]([^)}]*)[)}]/g,
  )) {
    const body = match.slice(1).find((group) => group !== undefined);
    if (body) found.push(body.replace(/\\(.)/gs, '$1'));
    if (found.length >= 300) break;
  }
  return found;
}
