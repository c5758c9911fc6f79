/** The calls of the main agent that run now: their labels, and the last lines of what a command prints. */
import type { AgentEvent } from '../../types/event.js';
import { labelLine } from '../labels.js';
import { clipped } from '../markdown/cells.js';
import { createTextFilter, safeLine } from '../safe-text.js';
import type { ScreenLine } from '../screen/port.js';
import type { Text } from '../text/index.js';
import type { Theme } from '../theme/theme.js';

const TAIL_LINES = 5;
const MOST_CALLS = 6;
/** Of the last line only so much is kept, however long it becomes. */
const LONGEST_LINE = 500;

interface Call {
  readonly label: string;
  readonly since: number;
  readonly filter: ReturnType<typeof createTextFilter>;
  tail: string[];
}

export interface Running {
  start(event: Extract<AgentEvent, { type: 'call-start' }>): void;
  progress(event: Extract<AgentEvent, { type: 'call-progress' }>): void;
  /** The label of the call that ends; undefined: it was never begun. */
  end(callId: string): string | undefined;
  clear(): void;
  readonly size: number;
  lines(options: {
    readonly columns: number;
    readonly now: number;
    readonly theme: Theme;
    readonly unicode: boolean;
    /** Calls that are shown elsewhere. */
    except?(callId: string): boolean;
  }): ScreenLine[];
}

export function createRunning(text: Text): Running {
  const calls = new Map<string, Call>();
  return {
    start({ call, label, time }) {
      calls.set(call.id, { label: labelLine(label, text, call), since: time, filter: createTextFilter(), tail: [''] });
    },
    progress({ callId, text: piece }) {
      const call = calls.get(callId);
      if (!call) return;
      const pieces = call.filter.push(piece).split('\n');
      const [first = '', ...more] = pieces.slice(-TAIL_LINES - 1);
      const last = pieces.length > TAIL_LINES + 1 ? '' : (call.tail.pop() ?? '');
      // A carriage return begins the line anew, as progress bars do.
      const kept = [`${last}${first}`, ...more].map((line) =>
        (line.split('\r').filter(Boolean).at(-1) ?? '').slice(-LONGEST_LINE),
      );
      call.tail = [...call.tail, ...kept].slice(-TAIL_LINES - 1);
    },
    end(callId) {
      const label = calls.get(callId)?.label;
      calls.delete(callId);
      return label;
    },
    clear: () => calls.clear(),
    get size() {
      return calls.size;
    },
    lines({ columns, now, theme, unicode, except }) {
      const all = [...calls].filter(([id]) => !except?.(id)).map(([, call]) => call);
      const shown = all.slice(-MOST_CALLS);
      const lines = shown.flatMap((call) => {
        const seconds = Math.floor((now - call.since) / 1000);
        const time = seconds >= 1 ? `  ${text.duration(seconds * 1000)}` : '';
        const label = clipped(call.label, columns - 2 - time.length);
        const head = `${theme.accent(unicode ? '●' : '*')} ${label}${theme.dim(time)}`;
        const tail = call.tail.map((line) => safeLine(line, LONGEST_LINE)).filter((line) => line.trim() !== '');
        return [head, ...tail.slice(-TAIL_LINES).map((line) => `  ${theme.dim(clipped(line, columns - 2))}`)];
      });
      const hidden = all.length - shown.length;
      return hidden > 0 ? [theme.dim(clipped(`  ${text.t('shell.moreCalls', { count: hidden })}`, columns)), ...lines] : lines;
    },
  };
}
