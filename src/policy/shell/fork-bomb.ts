/** Finds functions that multiply: each call starts more than one further call of itself. */
import type { SyntaxNode } from 'unbash';
import { forEachChild } from './parse.js';

interface Calls {
  /** Functions or commands named in the body. */
  readonly names: Set<string>;
  /** Named inside a pipeline or in the background, so both run at once. */
  readonly multiplied: Set<string>;
}

/** The name of a function that multiplies when called, or undefined. */
export function findForkBomb(script: SyntaxNode): string | undefined {
  const functions = new Map<string, Calls>();
  collect(script, functions);
  for (const [name, calls] of functions) {
    for (const next of calls.multiplied) if (next === name || reaches(next, name, functions, new Set())) return name;
  }
  return undefined;
}

function reaches(from: string, to: string, functions: ReadonlyMap<string, Calls>, seen: Set<string>): boolean {
  if (seen.has(from)) return false;
  seen.add(from);
  const calls = functions.get(from);
  if (!calls) return false;
  return calls.names.has(to) || [...calls.names].some((next) => reaches(next, to, functions, seen));
}

function collect(node: SyntaxNode, functions: Map<string, Calls>): void {
  if (node.type === 'Function') {
    const calls: Calls = { names: new Set(), multiplied: new Set() };
    functions.set(node.name.value, calls);
    readBody(node.body, calls, false);
  }
  forEachChild(node, (child) => collect(child, functions));
}

function readBody(node: SyntaxNode, calls: Calls, multiplied: boolean): void {
  if (node.type === 'Command') {
    const name = node.name?.value;
    if (name !== undefined) {
      calls.names.add(name);
      if (multiplied) calls.multiplied.add(name);
    }
  }
  const many =
    multiplied ||
    (node.type === 'Pipeline' && node.commands.length > 1) ||
    (node.type === 'Statement' && node.background === true) ||
    node.type === 'Coproc';
  forEachChild(node, (child) => readBody(child, calls, many));
}
