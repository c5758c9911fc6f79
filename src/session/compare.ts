/** Says whether a replayed result is the recorded one, and shows the difference. */
import type { ToolResult } from '../types/tool.js';
import { normalise, type Places } from './normalise.js';

export interface Comparison {
  readonly same: boolean;
  /** A unified diff, recorded to replayed; empty when they are the same. */
  readonly diff: string;
}

const LONGEST_DIFF_MS = 2000;

/** Compares what the model would have read: error code and output, with `places` of each side marked out. Never throws. */
export async function compareResults(
  recorded: ToolResult,
  replayed: ToolResult,
  places: { readonly recorded: Places; readonly replayed: Places },
): Promise<Comparison> {
  const before = textOf(recorded, places.recorded);
  const after = textOf(replayed, places.replayed);
  if (before === after) return { same: true, diff: '' };
  return { same: false, diff: await unifiedDiff(before, after, 'recorded', 'replayed') };
}

/** A unified diff of two texts; when it would take too long, the first lines that differ. */
export async function unifiedDiff(before: string, after: string, fromName: string, toName: string): Promise<string> {
  const { createTwoFilesPatch } = await import('diff');
  const patch = createTwoFilesPatch(fromName, toName, withEnd(before), withEnd(after), undefined, undefined, {
    context: 3,
    timeout: LONGEST_DIFF_MS,
  });
  if (patch !== undefined) return patch.replace(/^=+\n/, '');
  return firstDifference(before, after, fromName, toName);
}

function textOf(result: ToolResult, places: Places): string {
  return `${result.isError ? `error ${result.code ?? ''}` : 'ok'}\n${normalise(result.output, places).trimEnd()}`;
}

const withEnd = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

function firstDifference(before: string, after: string, fromName: string, toName: string): string {
  const old = before.split('\n');
  const now = after.split('\n');
  let at = 0;
  while (at < old.length && old[at] === now[at]) at++;
  const some = (lines: readonly string[], sign: string) => lines.slice(at, at + 20).map((line) => `${sign}${line}`);
  return [
    `--- ${fromName}`,
    `+++ ${toName}`,
    `@@ from line ${at + 1}; too different to compare in full @@`,
    ...some(old, '-'),
    ...some(now, '+'),
    '',
  ].join('\n');
}
