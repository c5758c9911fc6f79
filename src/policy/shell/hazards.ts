/** Expansions that can run commands or change variables although they look like values. */

import type { ParameterExpansionPart, SyntaxNode, TestExpression, Word } from 'unbash';
import type { Reason } from '../../types/policy.js';
import { because } from '../reasons.js';
import type { Scope } from './scope.js';

const EXPANSION = because`has an expansion that could not be parsed`;
const CALCULATION = because`has a calculation that could not be parsed`;

/** Does this reason of `hazardOf` say that commands may hide there unseen? Then no rule and no mode lets it pass. */
export function hidesCommands(hazard: Reason): boolean {
  return hazard === EXPANSION || hazard === CALCULATION;
}

/** Why an expansion is more than a value; undefined when it is not. Looks at this node alone, not at its children. */
export function hazardOf(node: SyntaxNode, scope: Scope): Reason | undefined {
  switch (node.type) {
    case 'ParameterExpansion':
      return parameterHazard(node, scope);
    case 'ArithmeticWord':
      return isPlainNumber(node.value, scope)
        ? undefined
        : because`calculates with a variable whose content may itself run commands`;
    case 'ArithmeticExpansion':
      return node.expression === undefined && /[^$()[\]\s]/.test(node.text) ? CALCULATION : undefined;
    case 'ArithmeticCommandExpansion':
      return because`calculates with the output of a command, which may itself run commands`;
    case 'ExtendedGlob':
      return because`uses an extended pattern, which not every shell reads alike`;
    default:
      return undefined;
  }
}

function parameterHazard(part: ParameterExpansionPart, scope: Scope): Reason | undefined {
  const { operation, prefix, index } = part;
  if (prefix === '!' && operation?.type !== 'Names') return because`reads a variable through another one`;
  if (index && !/^(\d+|[@*])$/.test(index.text) && !isPlainNumber(index.text, scope))
    return because`has an index that is calculated when it runs`;
  switch (operation?.type) {
    case 'Transform':
      return /^[QUuLKkAa]$/.test(operation.operand.text) ? undefined : because`has an expansion that is evaluated again`;
    case 'Default':
      return operation.operator.includes('=') ? because`sets a variable inside an expansion` : undefined;
    case 'Slice': {
      const plain = (word: Word | undefined) =>
        word === undefined || /^\s*-?\d+\s*$/.test(word.text) || isPlainNumber(word.text.trim(), scope);
      return plain(operation.offset) && plain(operation.length)
        ? undefined
        : because`has an offset that is calculated when it runs`;
    }
    case 'Replace':
      // The parser ends the pattern at a slash inside a substitution, which shells do not.
      return /\$\(|`/.test(part.text) ? EXPANSION : undefined;
    case 'Unknown':
      return EXPANSION;
    default:
      return undefined;
  }
}

/** A literal number, or a variable that holds nothing but numbers. */
export function isPlainNumber(text: string, scope: Scope): boolean {
  if (/^(0x[0-9a-fA-F]+|\d+(#[0-9a-zA-Z]+)?)$/.test(text) || /^\$\{#\w+(\[[@*]\])?\}$/.test(text)) return true;
  const name = /^\$?\{?([a-z_][a-z0-9_]*|[#?$])\}?$/.exec(text)?.[1];
  if (name === undefined) return false;
  if (/^[#?$]$/.test(name)) return text.startsWith('$');
  const info = scope.vars.get(name);
  return info?.numeric === true;
}

const CALCULATING = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);

/** Why a `[[ ]]` is more than a test. `[[` is an ordinary command in shells that do not know it: then `&&` and `>` act. */
export function testHazard(test: TestExpression, scope: Scope): Reason | undefined {
  switch (test.type) {
    case 'TestUnary':
      return test.operator === '-v' || test.operator === '-R' ? because`tests a variable by a name that is evaluated` : undefined;
    case 'TestBinary':
      if (test.operator === '<' || test.operator === '>')
        return because`compares with a sign that is a redirection in other shells`;
      if (!CALCULATING.has(test.operator)) return undefined;
      return isPlainNumber(test.left.value, scope) && isPlainNumber(test.right.value, scope)
        ? undefined
        : because`calculates with a variable whose content may itself run commands`;
    case 'TestLogical':
      for (const operand of test.operands) {
        const found =
          testHazard(operand, scope) ??
          (startsWithOption(operand) ? undefined : because`joins tests in a way other shells read as commands`);
        if (found) return found;
      }
      return undefined;
    case 'TestNot':
      return testHazard(test.operand, scope);
    case 'TestGroup':
      return because`groups tests in a way other shells read as a command`;
  }
}

/** Read as a command, such an operand names no program. */
function startsWithOption(test: TestExpression): boolean {
  if (test.type === 'TestNot') return startsWithOption(test.operand);
  if (test.type === 'TestLogical') return test.operands.every(startsWithOption);
  return test.type === 'TestUnary' && test.operator.startsWith('-');
}
