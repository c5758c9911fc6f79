/** The short lines that say what a result was: one card per kind of display. */

import { english, type Reason } from '../types/reason.js';
import type { Display, ToolResult } from '../types/tool.js';
import { diffCard } from './cards/diff.js';
import { fileCard } from './cards/file.js';
import { matchesCard } from './cards/matches.js';
import { planCard } from './cards/plan.js';
import { processCard } from './cards/process.js';
import type { CardTools } from './cards/shared.js';
import { testReport, testsCard } from './cards/tests.js';
import { textCard } from './cards/text.js';
import { treeCard } from './cards/tree.js';
import { safeLine } from './safe-text.js';

/** The lines of a result, none of them longer than a few hundred characters and none with a control sequence. */
export function cardLines(
  result: ToolResult,
  options: CardTools & { readonly denied: boolean; readonly reason?: string | undefined; readonly why?: Reason | undefined },
): string[] {
  const { text, paint } = options;
  const message = messageOf(result);
  // The output of a denied call speaks to the model; people get the reason.
  if (options.denied) {
    const reason = safeLine(text.why(options.why, options.reason ?? '')) || message;
    return [paint.yellow(text.t('card.denied', { message: reason }))];
  }
  const lines = result.display ? displayLines(result.display, options) : [];
  if (result.display?.kind === 'tests') return [...lines, ...testReport(result.display, result.output, options)];
  if (!result.isError) return lines;
  // A failing command says by its card what happened.
  if (lines.length > 0 && result.display?.kind === 'process') return lines;
  if (result.code === 'Aborted') return [paint.red(text.t('card.notRun', { message: whyNotRun(message, options) })), ...lines];
  return [paint.red(text.t('card.failed', { code: result.code ?? 'Failed', message })), ...lines];
}

/** A reason of ours in the user's language; what a tool says stays as it is. */
function whyNotRun(message: string, { text, why }: CardTools & { readonly why?: Reason | undefined }): string {
  const said = message.replace(/^not executed: /i, '');
  return safeLine(text.why(why ?? { text: said, values: [] }, why === undefined ? said : english(why)), 200);
}

function displayLines(display: Display, tools: CardTools): string[] {
  switch (display.kind) {
    case 'text':
      return textCard(display, tools);
    case 'file':
      return fileCard(display, tools);
    case 'diff':
      return diffCard(display, tools);
    case 'tree':
      return treeCard(display, tools);
    case 'matches':
      return matchesCard(display, tools);
    case 'process':
      return processCard(display, tools);
    case 'tests':
      return testsCard(display, tools);
    case 'plan':
      return planCard(display, tools);
  }
}

/** The first line of an output, without the prefix that repeats the code. */
function messageOf({ output, code }: ToolResult): string {
  const first = output.split('\n').find((line) => line.trim() !== '') ?? '';
  const prefix = `error [${code ?? ''}]: `;
  return safeLine(first.startsWith(prefix) ? first.slice(prefix.length) : first, 200);
}
