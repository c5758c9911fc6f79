/** Compares an outline with what a language's own parser says. */
import type { CodeSymbol } from '../../../src/types/code.js';
import type { Declared } from './reference-typescript.js';

/** One line per declaration, sorted: the same for the same declarations. */
export function linesOf(symbols: readonly (CodeSymbol | Declared)[], prefix = ''): string[] {
  return symbols
    .flatMap((one) => {
      const path = `${prefix}${one.name}`;
      return [`${path} ${one.kind} ${one.startLine}-${one.endLine}`, ...linesOf(one.children, `${path}/`)];
    })
    .sort();
}

/** What only one of two lists holds; `-` the reference, `+` ours. */
export function differences(ours: readonly string[], reference: readonly string[]): string[] {
  const count = new Map<string, number>();
  for (const line of reference) count.set(line, (count.get(line) ?? 0) - 1);
  for (const line of ours) count.set(line, (count.get(line) ?? 0) + 1);
  return [...count].filter(([, n]) => n !== 0).map(([line, n]) => `${n < 0 ? '-' : '+'} ${line}`);
}
