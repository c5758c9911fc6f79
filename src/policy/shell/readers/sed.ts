/** sed: reads only when its script holds nothing but commands that print, change and delete lines of the output. */
import type { Reason } from '../../../types/policy.js';
import { because } from '../../reasons.js';
import { code } from '../code.js';
import { isAmong, optionSet, scanOptions } from '../options.js';
import { only, type Simple } from '../types.js';
import { no, type Reading, reads } from './reader.js';

const FINE = optionSet(
  '-n -E -r -s -u -z -e --quiet --silent --regexp-extended --separate --unbuffered --null-data --zero-terminated --expression --posix --sandbox --debug',
);
const VALUED = optionSet('-e --expression');

export function readSed(simple: Simple): Reading {
  const scan = scanOptions(simple.words.slice(1), { valued: VALUED });
  if (scan.unclear !== undefined) return no(because`an option of \`sed\` may hide in ${scan.unclear}`);
  for (const option of scan.options) {
    if (!FINE.has(option.name)) return no(because`${code(`sed ${option.name}`)} may change files or take its script from one`);
  }
  const given = scan.options.filter((option) => isAmong(option.name, optionSet('-e --expression'))).map((option) => option.value);
  const scripts = given.length > 0 ? given : scan.operands.slice(0, 1);
  const texts = scripts.map((word) => only(word));
  if (texts.length === 0 || texts.some((text) => text === undefined))
    return no(because`the script of \`sed\` is only known when it runs`);
  const fault = sedFault(texts.join('\n'));
  if (fault !== undefined) return no(fault);
  return reads(given.length > 0 ? scan.operands : scan.operands.slice(1));
}

/** Why a sed script may do more than change its output; undefined when it cannot. */
export function sedFault(script: string): Reason | undefined {
  let rest = script;
  for (let steps = 0; steps < 2000; steps++) {
    rest = rest.replace(/^[\s;]+/, '');
    if (rest === '') return undefined;
    const afterAddress = skipAddresses(rest);
    if (afterAddress === undefined) return because`the script of \`sed\` could not be read`;
    const next = afterCommand(afterAddress.replace(/^[\s!]+/, ''));
    if (typeof next !== 'string') return next.fault;
    rest = next;
  }
  return because`the script of \`sed\` is too long`;
}

function skipAddresses(text: string): string | undefined {
  const first = skipAddress(text);
  if (first === undefined) return undefined;
  if (first === text) return text;
  const comma = /^\s*,\s*/.exec(first);
  if (!comma) return first;
  const from = first.slice(comma[0].length);
  const second = skipAddress(from);
  return second === from ? undefined : second;
}

/** The text after one address; the same text when there is none; undefined when it is broken. */
function skipAddress(text: string): string | undefined {
  const number = /^(\$|[+~]?\d+(~\d+)?)/.exec(text);
  if (number) return text.slice(number[0].length);
  if (text.startsWith('/')) return flags(skipDelimited(text.slice(1), '/'));
  if (text.startsWith('\\') && text.length > 1) return flags(skipDelimited(text.slice(2), text.charAt(1)));
  return text;
}

function flags(text: string | undefined): string | undefined {
  return text?.replace(/^[IM]+/, '');
}

/** The text after the next `end` that is neither escaped nor inside brackets. */
function skipDelimited(text: string, end: string): string | undefined {
  if (end === '\n' || end === '\\') return undefined;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '\\') i++;
    else if (char === '\n') return undefined;
    else if (char === end) return text.slice(i + 1);
    // Versions differ on whether brackets hide the delimiter, so that is not read at all.
    else if (char === '[' && bracketHolds(text.slice(i + 1), end)) return undefined;
  }
  return undefined;
}

function bracketHolds(text: string, end: string): boolean {
  const close = text.indexOf(']', text.startsWith('^') ? 2 : 1);
  const found = text.indexOf(end);
  return close >= 0 && found >= 0 && found < close;
}

type After = string | { readonly fault: Reason };

function afterCommand(text: string): After {
  const command = text.charAt(0);
  const rest = text.slice(1);
  if (command === '') return '';
  if ('=dDgGhHnNpPxzFlLqQ'.includes(command)) return ends(rest.replace(/^\s*\d*/, ''), command);
  if (command === '{' || command === '}') return rest;
  if ('bt:T'.includes(command)) return ends(rest.replace(/^[ \t]*[A-Za-z0-9_.-]*/, ''), command);
  if (command === '#') return rest.replace(/^[^\n]*/, '');
  if ('aic'.includes(command)) return rest.replace(/^(\\\n|[^\n\\]|\\[^\n])*/, '');
  if (command === 's') return afterSubstitute(rest);
  if (command === 'y') {
    const middle = skipDelimited(rest.slice(1), rest.charAt(0));
    const tail = middle === undefined ? undefined : skipDelimited(middle, rest.charAt(0));
    return tail === undefined ? { fault: because`the script of \`sed\` could not be read` } : ends(tail, 'y');
  }
  const meaning: Record<string, Reason> = {
    w: because`writes a file`,
    W: because`writes a file`,
    r: because`reads another file`,
    R: because`reads another file`,
    e: because`runs a command`,
  };
  return { fault: because`${code(command)} in the script of \`sed\` ${meaning[command] ?? because`is not known to only print`}` };
}

function afterSubstitute(text: string): After {
  const end = text.charAt(0);
  const middle = skipDelimited(text.slice(1), end);
  const tail = middle === undefined ? undefined : skipMultiline(middle, end);
  if (tail === undefined) return { fault: because`the script of \`sed\` could not be read` };
  const found = /^[a-zA-Z0-9]*/.exec(tail)?.[0] ?? '';
  if (/[^gpiIM0-9]/.test(found))
    return { fault: because`the flag ${code(found)} of \`s\` in \`sed\` writes a file or runs a command` };
  return ends(tail.slice(found.length), 's');
}

/** The replacement of `s` may hold line breaks behind a backslash. */
function skipMultiline(text: string, end: string): string | undefined {
  return skipDelimited(text.replaceAll('\\\n', '\\n'), end);
}

/** After a command: nothing, a separator, a closing brace or a comment. */
function ends(text: string, command: string): After {
  const rest = text.replace(/^[ \t]+/, '');
  if (rest === '' || /^[;\n}#]/.test(rest)) return rest;
  return { fault: because`the text after ${command} in the script of \`sed\` could not be read` };
}
