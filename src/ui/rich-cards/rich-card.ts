/** What a result was, for the interactive screen: one rich card per kind of display. */
import { english, type Reason } from '../../types/reason.js';
import type { Display, ToolResult } from '../../types/tool.js';
import { safeLine } from '../safe-text.js';
import type { ScreenLine } from '../screen/port.js';
import { diagnosticsLines } from './diagnostics.js';
import { diffCard } from './diff.js';
import { fileCard } from './file.js';
import { matchesCard } from './matches.js';
import { planCard } from './plan.js';
import { processCard } from './process.js';
import { type CardRoom, codeLines, folded, MOST_LINES, piece, plainLines, sentence } from './shared.js';
import { testsCard } from './tests.js';
import { textCard } from './text.js';
import { treeCard } from './tree.js';

export interface RichCardOptions extends CardRoom {
  readonly denied?: boolean;
  readonly reason?: string | undefined;
  /** The reason for people. */
  readonly why?: Reason | undefined;
}

/** Lines no wider than the columns, without controls but SGR. Folded by itself; `open` shows more, bounded too. */
export function richCard(result: ToolResult, options: RichCardOptions): ScreenLine[] {
  const room: RichCardOptions = { ...options, columns: Math.max(8, options.columns) };
  if (room.denied) return deniedLines(result, room);
  const { display, output } = result;
  const lines = display ? displayLines(display, room, output) : [];
  const own = [...lines, ...diagnosticsLines(output, room), ...attachmentLines(result, room)];
  if (!result.isError || display?.kind === 'tests') return own;
  // A failing command says by its card what happened.
  if (lines.length > 0 && display?.kind === 'process') return own;
  return [...failureLines(result, room), ...own];
}

/** The closed list of kinds: a new one does not compile until it has its card. */
function displayLines(display: Display, room: CardRoom, output: string): ScreenLine[] {
  switch (display.kind) {
    case 'text':
      return textCard(display, room);
    case 'file':
      return fileCard(display, room, output);
    case 'diff':
      return diffCard(display, room);
    case 'tree':
      return treeCard(display, room, output);
    case 'matches':
      return matchesCard(display, room);
    case 'process':
      return processCard(display, room, output);
    case 'tests':
      return testsCard(display, room, output);
    case 'plan':
      return planCard(display, room);
  }
}

/** The output of a denied call speaks to the model; people get the reason. */
function deniedLines(result: ToolResult, room: RichCardOptions): ScreenLine[] {
  const reason = safeLine(room.text.why(room.why, room.reason ?? ''), 600) || messageOf(result);
  return sentence(room.text.t('card.denied', { message: reason }), room, 'warn');
}

function failureLines(result: ToolResult, room: RichCardOptions): ScreenLine[] {
  const { text } = room;
  const message = messageOf(result);
  if (result.code === 'Aborted') {
    const said = message.replace(/^not executed: /i, '');
    const why = text.why(room.why ?? { text: said, values: [] }, room.why === undefined ? said : english(room.why));
    return sentence(text.t('card.notRun', { message: safeLine(why, 400) }), room, 'warn');
  }
  const head = sentence(text.t('card.failed', { code: result.code ?? 'Failed', message }), room, 'bad');
  if (!room.open) return folded(head, 4, room);
  const rest = plainLines(result.output).slice(1);
  return folded([...head, ...rest.flatMap((line) => codeLines([], [piece(line, 'dim')], room))], MOST_LINES, room);
}

function attachmentLines({ attachment }: ToolResult, room: CardRoom): ScreenLine[] {
  if (!attachment) return [];
  const size = room.text.number((attachment.data.length * 3) / 4 / 1024, 1);
  return sentence(room.text.t('card.attached', { type: safeLine(attachment.mediaType, 60), size }), room, 'dim');
}

/** The first line of an output, without the prefix that repeats the code. */
function messageOf({ output, code }: ToolResult): string {
  const first = output.split('\n', 50).find((line) => line.trim() !== '') ?? '';
  const prefix = `error [${code ?? ''}]: `;
  return safeLine(first.startsWith(prefix) ? first.slice(prefix.length) : first, 400);
}
