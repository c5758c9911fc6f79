/**
 * Results as the model reads them in text mode. What stands in a result is data: user messages are never searched for calls,
 * and the lines around an output are longer than any like them inside it.
 */
import type { ErrorCode } from '../types/tool.js';

interface ResultEntry {
  /** Canonical tool name, or the name as the model wrote it. */
  readonly name: string;
  readonly id: string;
  readonly output: string;
  readonly isError: boolean;
  readonly code?: ErrorCode;
}

/** One message for the results of a batch, in its order. */
export function resultsMessage(entries: readonly ResultEntry[]): string {
  const rule = '='.repeat(Math.max(3, ...entries.map((entry) => longestRule(entry.output) + 1)));
  const blocks = entries.map((entry, index) => {
    const state = entry.isError ? `error${entry.code ? ` ${entry.code}` : ''}` : 'ok';
    return `${rule} ${index + 1}. ${entry.name.replace(/\s+/g, ' ').slice(0, 80)} (${entry.id}): ${state}\n${entry.output.replace(/\n+$/, '')}`;
  });
  return `Results of your calls, in order:\n\n${blocks.join('\n\n')}\n${rule} end`;
}

/** Longest run of `=` that begins a line. */
function longestRule(output: string): number {
  return Math.max(0, ...[...output.matchAll(/^=+/gm)].map(([run]) => run.length));
}
