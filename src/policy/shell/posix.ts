/** What bash reads in its own way: where `sh` runs a line, such a thing may mean something else, so it asks. */
import type { Command, ParsedScript, SyntaxNode, Word, WordPart } from 'unbash';
import { forEachChild } from './parse.js';

/** Which shell reads a script that was found behind these wrappers. */
export function readBySh(via: readonly string[], shell: 'bash' | 'sh' | undefined): boolean {
  const last = via.findLast((name) => /^(ba|da|a|z|k|mk)?sh$/.test(name));
  return last === undefined ? shell === 'sh' : /^(sh|dash|ash)$/.test(last);
}

/** The first thing in a script that is no plain POSIX, as it is written or by its name; undefined when all is plain. */
export function notPosix(script: ParsedScript, source: string): string | undefined {
  return find(script, script.source ?? source);
}

function find(node: SyntaxNode, source: string): string | undefined {
  const own =
    oddNode(node, source) ??
    partsOf(node)
      .map(oddPart)
      .find((found) => found !== undefined);
  if (own !== undefined) return own;
  let found: string | undefined;
  forEachChild(node, (child) => {
    found ??= find(child, child.type === 'Script' ? (child.source ?? source) : source);
  });
  return found;
}

function oddNode(node: SyntaxNode, source: string): string | undefined {
  const text = source.slice(node.pos, node.end);
  switch (node.type) {
    case 'TestCommand':
      return '[[';
    case 'ArithmeticCommand':
    case 'ArithmeticFor':
      return '((';
    case 'Select':
      return 'select';
    case 'Coproc':
      return 'coproc';
    case 'Function':
      return /^function\b/.test(text) || !/^[A-Za-z_]\w*$/.test(node.name.text) ? 'function' : undefined;
    case 'HereString':
      return '<<<';
    case 'ArrayValue':
      return 'a=(...)';
    case 'Assignment':
      return node.index || node.append ? node.text.slice(0, 20) : undefined;
    case 'FileDescriptorVariable':
      return `{${node.name}}`;
    case 'Redirect':
      if (node.operator === '&>' || node.operator === '&>>') return node.operator;
      return node.operator === '>&' && !/^(\d+|-)$/.test(node.target?.text ?? '') ? '>&' : undefined;
    case 'Pipeline':
      return /\|&/.test(between(node.commands, source)) ? '|&' : undefined;
    case 'CaseItem':
      return node.terminator === ';;&' || node.terminator === ';&' ? node.terminator : undefined;
    case 'ArithmeticUnary':
      return node.operator === '++' || node.operator === '--' ? node.operator : undefined;
    case 'ArithmeticBinary':
      return node.operator === '**' || node.operator === ',' ? node.operator : undefined;
    case 'Command':
      return oddCommand(node);
    case 'Word':
      return /^~[+-]/.test(node.text) ? node.text.slice(0, 2) : undefined;
    default:
      return oddPart(node as WordPart);
  }
}

/** What stands between the commands of a pipeline. */
function between(commands: readonly { readonly pos: number; readonly end: number }[], source: string): string {
  return commands
    .slice(1)
    .map((command, index) => source.slice(commands[index]?.end ?? 0, command.pos))
    .join('\n');
}

const partsOf = (node: SyntaxNode): readonly WordPart[] =>
  'parts' in node && Array.isArray(node.parts) ? (node.parts as readonly WordPart[]) : [];

function oddPart(part: WordPart): string | undefined {
  switch (part.type) {
    case 'AnsiCQuoted':
      return "$'...'";
    case 'LocaleString':
      return '$"..."';
    case 'ProcessSubstitution':
      return `${part.operator}(...)`;
    case 'ExtendedGlob':
      return `${part.operator}(...)`;
    case 'BraceExpansion':
      return part.text.slice(0, 40);
    case 'Glob':
      return part.text.startsWith('[^') ? '[^...]' : undefined;
    case 'ArithmeticExpansion':
      return part.text.startsWith('$[') ? '$[...]' : undefined;
    case 'CommandExpansion':
      return /^\$\(\s*<[^<&]/.test(part.text) && part.script?.commands.length === 1 && /^\$\(\s*<\s*\S+\s*\)$/.test(part.text)
        ? '$(<...)'
        : undefined;
    case 'SimpleExpansion':
      return BASH_VARIABLE.test(part.text.slice(1)) ? part.text : undefined;
    case 'ParameterExpansion':
      if (part.prefix === '!' || part.index) return part.text.slice(0, 40);
      if (part.operation && part.operation.type !== 'Default' && part.operation.type !== 'Remove') return part.text.slice(0, 40);
      return BASH_VARIABLE.test(part.parameter) ? part.text.slice(0, 40) : undefined;
    default:
      return undefined;
  }
}

const BASH_VARIABLE =
  /^(BASH\w*|RANDOM|SRANDOM|SECONDS|EPOCH\w+|UID|EUID|GROUPS|FUNCNAME|PIPESTATUS|DIRSTACK|HOSTTYPE|OSTYPE|MACHTYPE|SHLVL|REPLY|MAPFILE|COMP_\w+)$/;
/** Commands that bash has and `sh` lacks, or that read their words differently. */
const BASH_COMMAND =
  /^(declare|typeset|shopt|mapfile|readarray|pushd|popd|dirs|source|let|builtin|enable|caller|complete|compgen|compopt|disown|suspend|bind|history|logout|help)$/;

function oddCommand(node: Command): string | undefined {
  const name = node.name?.value ?? '';
  const texts = node.args.map((word) => word.text);
  if (BASH_COMMAND.test(name)) return name;
  if (/^(export|readonly|local)$/.test(name) && node.args.some(splitsHere)) return `${name} a=$b`;
  const option = OPTIONS[name];
  const odd = option ? texts.find((text) => option.test(text)) : undefined;
  return odd === undefined ? undefined : `${name} ${odd}`.slice(0, 40);
}

/** `export A=$(cat f)`: there the value falls apart into words, each of them an assignment. */
function splitsHere(argument: Command['args'][number]): boolean {
  const value: Word | undefined =
    argument.type === 'Word' ? argument : argument.value.type === 'Word' ? argument.value : undefined;
  return value?.parts?.some((part) => /Expansion$/.test(part.type)) ?? false;
}

/** Options and operators that differ. */
const OPTIONS: Readonly<Record<string, RegExp>> = {
  echo: /^-[neE]*[eE]/,
  printf: /^-v|%[-\d]*q|%\(/,
  read: /^-[^rp]|^-[rp].*[^rp]/,
  set: /^[-+]o$|^pipefail$|^posix$/,
  test: /^(==|=~|-v|-R|-N|<|>)$/,
  '[': /^(==|=~|-v|-R|-N)$/,
  wait: /^-/,
  exec: /^-/,
  cd: /^-[e@]/,
  trap: /^(ERR|DEBUG|RETURN)$/,
  type: /^-/,
  ulimit: /^-[^aHSfcdmstvnl]/,
  unset: /^-[^fv]/,
  export: /^-[^p]/,
  hash: /^-[^r]/,
  command: /^-[^pvV]/,
};
