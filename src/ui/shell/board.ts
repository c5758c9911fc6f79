/** The worker board: one line for each agent that works, and what it is at. */
import type { AgentEvent } from '../../types/event.js';
import { labelLine } from '../labels.js';
import { clipped } from '../markdown/cells.js';
import { safeLine } from '../safe-text.js';
import type { ScreenLine } from '../screen/port.js';
import type { Text } from '../text/index.js';
import type { Theme } from '../theme/theme.js';
import { textWidth } from '../width.js';

interface Worker {
  readonly id: string;
  readonly kind: string;
  readonly task: string;
  readonly since: number;
  readonly callId: string;
  calls: number;
  /** What it does at the moment. */
  doing: string;
  waits: boolean;
}

export interface Board {
  /** True: the event changed what is shown. */
  take(event: AgentEvent): boolean;
  readonly size: number;
  /** A worker of that call is on the board. */
  has(callId: string): boolean;
  clear(): void;
  lines(options: BoardView): ScreenLine[];
}

export interface BoardView {
  readonly columns: number;
  readonly now: number;
  readonly theme: Theme;
  readonly unicode: boolean;
  /** Most lines of the board. */
  readonly most: number;
}

export function createBoard(text: Text): Board {
  const workers = new Map<string, Worker>();
  const take = (event: AgentEvent): boolean => {
    if (event.type === 'worker-start') {
      const { worker: id, kind, task, callId, time: since } = event;
      workers.set(id, { id, kind, task: safeLine(task, 200), since, callId, calls: 0, doing: '', waits: false });
      return true;
    }
    if (event.type === 'worker-end') return workers.delete(event.worker);
    const worker = workers.get(event.agent);
    if (!worker) return false;
    if (event.type === 'call-start') {
      worker.calls++;
      worker.doing = labelLine(event.label, text, event.call);
    } else if (event.type === 'approval-request') worker.waits = true;
    else if (event.type === 'approval-response') worker.waits = false;
    else if (event.type === 'turn-start') worker.doing = '';
    else return false;
    return true;
  };
  return {
    take,
    get size() {
      return workers.size;
    },
    has: (callId) => [...workers.values()].some((worker) => worker.callId === callId),
    clear: () => workers.clear(),
    lines(options) {
      const all = [...workers.values()];
      const shown = all.length <= options.most ? all : all.slice(0, options.most - 1);
      // The figures of all stand in one column.
      const wide = Math.max(0, ...shown.map((worker) => textWidth(doingOf(worker, text))));
      const lines = shown.map((worker) => workerLine(worker, options, text, wide));
      const rest = all.length - shown.length;
      return rest > 0
        ? [...lines, options.theme.dim(clipped(`  ${text.t('shell.moreWorkers', { count: rest })}`, options.columns))]
        : lines;
    },
  };
}

const doingOf = (worker: Worker, text: Text): string =>
  worker.waits ? text.t('shell.waitsForYou') : worker.doing || worker.task;

function workerLine(worker: Worker, { columns, now, theme, unicode }: BoardView, text: Text, wide: number): ScreenLine {
  const mark = unicode ? '◆' : '*';
  const name = clipped(safeLine(worker.id, 40), 18);
  const tail = [
    worker.calls > 0 ? text.t('run.calls', { count: worker.calls }) : '',
    now - worker.since >= 1000 ? text.duration(Math.floor((now - worker.since) / 1000) * 1000) : '',
  ].filter(Boolean);
  const facts = tail.length > 0 ? `  ${tail.join(' · ')}` : '';
  const doing = doingOf(worker, text);
  const room = columns - 4 - Math.max(10, textWidth(name)) - textWidth(facts);
  if (room < 8) return `${theme.accent(mark)} ${clipped(`${name}  ${doing}`, columns - 2)}`;
  const padded = name + ' '.repeat(Math.max(0, 10 - textWidth(name)));
  const cut = clipped(doing, room);
  const said = facts === '' ? cut : cut + ' '.repeat(Math.max(0, Math.min(wide, room) - textWidth(cut)));
  return `${theme.accent(mark)} ${theme.strong(padded)}  ${worker.waits ? theme.warn(said) : said}${theme.dim(facts)}`;
}
