/** awk: reads only when its program neither runs commands nor writes files nor opens others. */
import type { Reason } from '../../../types/policy.js';
import { because } from '../../reasons.js';
import { code } from '../code.js';
import { isAmong, optionSet, scanOptions } from '../options.js';
import { only, type Simple } from '../types.js';
import { no, type Reading, reads } from './reader.js';

const FINE = optionSet('-F -v --field-separator --assign --posix --traditional --re-interval --csv -P -c -r -k');
const VALUED = optionSet('-F -v --field-separator --assign');

export function readAwk(simple: Simple): Reading {
  const scan = scanOptions(simple.words.slice(1), { valued: VALUED, stop: true });
  if (scan.unclear !== undefined) return no(because`an option of \`awk\` may hide in ${scan.unclear}`);
  for (const option of scan.options)
    if (!FINE.has(option.name) && !isAmong(option.name, optionSet('--version --help')))
      return no(because`${code(`awk ${option.name}`)} is not known to only read`);
  const [program, ...files] = scan.operands;
  const text = only(program);
  if (text === undefined)
    return scan.options.length > 0 && !program ? reads([]) : no(because`the program of \`awk\` is only known when it runs`);
  const fault = awkFault(text);
  if (fault !== undefined) return no(fault);
  return reads(files.filter((word) => !/^[A-Za-z_][A-Za-z0-9_]*=/.test(word.prefix) || /=\s*[/~.]/.test(word.prefix)));
}

const REACHES = /^(system|getline|ARGV|ARGC)$/;

/** Why an awk program may do more than print; undefined when it cannot. */
export function awkFault(program: string): Reason | undefined {
  let depth = 0;
  let printDepth = -1;
  let last = '';
  for (let i = 0; i < program.length; ) {
    const token = tokenAt(program, i, last);
    if (token === undefined) return because`the program of \`awk\` could not be read`;
    i += token.length;
    const text = token;
    if (/^[ \t\r\f]+$/.test(text) || text === '\\\n' || text.startsWith('#')) continue;
    if (text === '\n' && /^(,|&&|\|\||\{|do|else)$/.test(last)) continue;
    if (/^[A-Za-z_]/.test(text)) {
      if (REACHES.test(text)) return because`the program of \`awk\` uses ${text}, which runs commands or reads other files`;
      if (text === 'print' || text === 'printf') printDepth = depth;
    } else if (text === '|' || text === '|&') return because`the program of \`awk\` has a pipe to a command`;
    else if (text === '@') return because`the program of \`awk\` loads something or calls by name`;
    else if (text === '>>' || (text === '>' && printDepth >= 0 && depth <= printDepth))
      return because`the program of \`awk\` writes a file`;
    else if (text === '(' || text === '[') depth++;
    else if (text === ')' || text === ']') depth--;
    else if (text === ';' || text === '{' || text === '}' || text === '\n') printDepth = -1;
    last = text;
  }
  return undefined;
}

/** The token at `at`: a string, a regular expression, a name, white space, or one sign. */
function tokenAt(text: string, at: number, last: string): string | undefined {
  const rest = text.slice(at, at + 20_000);
  const simple = /^([A-Za-z_][A-Za-z0-9_]*|\d[\w.]*|[ \t\r\f]+|\n|#[^\n]*|>>|\|\||\|&|&&|>=|<=|==|!=|\+\+|--|\\\n)/.exec(rest);
  // Where a number with letters behind it ends, programs do not agree.
  if (simple) return /^\d/.test(simple[0]) && !NUMBER.test(simple[0]) ? undefined : simple[0];
  if (rest.startsWith('"')) return /^"(\\[\s\S]|[^"\\\n])*"/.exec(rest)?.[0];
  if (rest.startsWith('/') && /^(\(|,|~|!|&&|\|\||\{|;|\n|\})?$/.test(last)) return regexAt(rest);
  if (rest.startsWith('/') && !mayDivide(last, rest.slice(1))) return undefined;
  return rest.charAt(0);
}

/** A regular expression from slash to slash, read letter by letter; undefined when it does not end on its line. */
function regexAt(text: string): string | undefined {
  let inBrackets = false;
  for (let i = 1; i < text.length; i++) {
    const letter = text[i];
    if (letter === '\n') return undefined;
    if (letter === '\\') i++;
    else if (inBrackets) inBrackets = letter !== ']';
    else if (letter === '[') {
      // A `]` or `^]` right behind the bracket stands for itself; a class such as `[:alpha:]` is left to the asking side.
      if (text.startsWith('[:', i + 1) || text[i + 1] === ']' || text.startsWith('^]', i + 1)) return undefined;
      inBrackets = true;
    } else if (letter === '/') return text.slice(0, i + 1);
  }
  return undefined;
}

const NUMBER = /^(\d+(\.\d*)?([eE]\d*)?|0[xX][\da-fA-F]+)$/;

/** Names a regular expression may follow: of statements, and of functions that may stand without parentheses. */
const NO_VALUE = optionSet(
  'BEGIN END BEGINFILE ENDFILE if else while for do break continue next nextfile delete return exit function func in getline print printf switch case default ' +
    'length substr index split sub gsub gensub match sprintf sin cos atan2 exp log sqrt int rand srand tolower toupper system close fflush strftime systime mktime ' +
    'asort asorti and or xor compl lshift rshift strtonum typeof isarray patsplit mkbool intdiv bindtextdomain dcgettext dcngettext',
);

/**
 * A slash divides only behind a value: a number, an element, a variable. Behind `$` it begins a regular expression; behind `)`,
 * `++` and `--` programs read either, so nothing that a wrong guess could hide may follow.
 */
function mayDivide(last: string, rest: string): boolean {
  if (/^[A-Za-z_]/.test(last)) return !NO_VALUE.has(last);
  return /^(\d|\]$)/.test(last) || (/^(\)|\+\+|--)$/.test(last) && !/["#/]/.test(rest));
}
