/** What a command line says about its own variables, gathered before it is walked: which values each may have. */
import type { ArrayValue, Assignment, Command, SyntaxNode, Word } from 'unbash';
import { forEachChild } from './parse.js';

/** One place where a variable gets a value. */
export interface VarSource {
  readonly word: Word;
  readonly pos: number;
  /** `choice`: one of the words of a loop, where file name patterns open. */
  readonly kind: 'plain' | 'choice';
}

export interface VarInfo {
  readonly sources: VarSource[];
  /** Also set in a way that cannot be read here. */
  unknown: boolean;
  /** Every value it gets is a whole number. */
  numeric: boolean;
}

/** What a variable may hold, worked out once. */
export interface Held {
  readonly options: readonly { readonly text: string; readonly pattern: boolean }[];
  readonly guesses: readonly string[];
  readonly unknown: boolean;
  /** Where it is first set. */
  readonly from: number;
}

export interface Scope {
  readonly home: string;
  /** Where the line starts, for `$PWD`. */
  readonly cwd: string | undefined;
  readonly vars: Map<string, VarInfo>;
  /** `$0`, `$1`, ... of a script given as text, and `@`. */
  readonly positional: ReadonlyMap<string, readonly string[]>;
  /** Filled as variables are looked up. */
  readonly held: Map<string, Held>;
}

const SETTERS = new Set([
  'read',
  'mapfile',
  'readarray',
  'getopts',
  'unset',
  'let',
  'printf',
  'wait',
  'eval',
  'source',
  '.',
  'select',
]);
const ASSIGNING = new Set(['=', '+=', '-=', '*=', '/=', '%=', '<<=', '>>=', '&=', '^=', '|=']);

/** Collects every assignment of a script, nested ones included. */
export function collectVars(script: SyntaxNode): Map<string, VarInfo> {
  const vars = new Map<string, VarInfo>();
  visit(script, vars);
  return vars;
}

function visit(node: SyntaxNode, vars: Map<string, VarInfo>): void {
  switch (node.type) {
    case 'Command':
      visitCommand(node, vars);
      break;
    case 'For':
    case 'Select': {
      const info = infoOf(vars, node.name.text);
      if (node.type === 'Select' || !node.wordlist) info.unknown = true;
      for (const word of node.wordlist ?? []) info.sources.push({ word, pos: node.pos, kind: 'choice' });
      info.numeric &&= (node.wordlist ?? []).every((word) => isNumberWord(word));
      break;
    }
    case 'Redirect':
    case 'HereString':
    case 'HereDoc':
      if (node.descriptor?.type === 'FileDescriptorVariable') markUnknown(vars, node.descriptor.name);
      break;
    case 'ParameterExpansion':
      if (node.operation?.type === 'Default' && node.operation.operator.includes('=')) markUnknown(vars, node.parameter);
      break;
    case 'ArithmeticBinary':
      if (ASSIGNING.has(node.operator) && node.left.type === 'ArithmeticWord') setNumber(vars, node.left.value);
      break;
    case 'ArithmeticUnary':
      if ((node.operator === '++' || node.operator === '--') && node.operand.type === 'ArithmeticWord')
        setNumber(vars, node.operand.value);
      break;
    default:
  }
  forEachChild(node, (child) => visit(child, vars));
}

function visitCommand(node: Command, vars: Map<string, VarInfo>): void {
  const bare = node.name === undefined;
  for (const child of node.prefix) if (child.type === 'Assignment') addAssignment(child, vars, bare);
  for (const child of node.suffix) if (child.type === 'Assignment') addAssignment(child, vars, true);
  const name = node.name?.value ?? '';
  if (!SETTERS.has(name)) return;
  for (const child of node.args) {
    const text = child.type === 'Word' ? child.value : child.name;
    for (const piece of text.split(/[^A-Za-z0-9_]+/)) if (/^[A-Za-z_]/.test(piece)) markUnknown(vars, piece);
  }
  if (name === 'read') markUnknown(vars, 'REPLY');
  if (name === 'mapfile' || name === 'readarray') markUnknown(vars, 'MAPFILE');
}

/** `sure` false: a prefix of a command, which only the command's own environment gets. */
function addAssignment(node: Assignment, vars: Map<string, VarInfo>, sure: boolean): void {
  const info = infoOf(vars, node.name);
  if (!sure || node.append || node.index || node.value.type === 'ArrayValue') info.unknown = true;
  for (const word of wordsOf(node.value)) info.sources.push({ word, pos: node.pos, kind: 'plain' });
  info.numeric &&= sure && !node.append && !node.index && node.value.type === 'Word' && isNumberWord(node.value);
}

function wordsOf(value: Word | ArrayValue): readonly Word[] {
  return value.type === 'ArrayValue' ? value.elements : [value];
}

/** A whole number, or the result of a calculation. */
function isNumberWord(word: Word): boolean {
  if (/^\d{1,18}$/.test(word.text) || /^\{\d+\.\.\d+\}$/.test(word.text)) return true;
  const parts = word.parts;
  return parts?.length === 1 && parts[0]?.type === 'ArithmeticExpansion';
}

function setNumber(vars: Map<string, VarInfo>, name: string): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return;
  infoOf(vars, name).unknown = true;
}

function markUnknown(vars: Map<string, VarInfo>, name: string): void {
  const info = infoOf(vars, name);
  info.unknown = true;
  info.numeric = false;
}

function infoOf(vars: Map<string, VarInfo>, name: string): VarInfo {
  let info = vars.get(name);
  if (!info) {
    info = { sources: [], unknown: false, numeric: true };
    vars.set(name, info);
  }
  return info;
}
