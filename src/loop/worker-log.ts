/** What a worker did, one line a call: the bounded log of its report. */
import type { AgentEvent } from '../types/event.js';

const MOST_LINES = 60;
const MOST_OBJECT = 120;

export interface WorkerLog {
  take(event: AgentEvent): void;
  lines(): readonly string[];
  readonly omitted: number;
}

export function workerLog(worker: string): WorkerLog {
  const lines: { readonly id: string; readonly line: string }[] = [];
  const objects = new Map<string, string>();
  let omitted = 0;
  return {
    take(event) {
      if (event.agent !== worker) return;
      if (event.type === 'call-start') objects.set(event.call.id, event.label.object);
      if (event.type !== 'call-end') return;
      const said = (objects.get(event.call.id) ?? '').replace(/\s+/g, ' ').slice(0, MOST_OBJECT);
      const object = withoutEcho(event.call.tool, said);
      objects.delete(event.call.id);
      const { result } = event;
      const end = event.denied ? `denied (${event.reason ?? ''})` : result.isError ? `error [${result.code ?? 'Failed'}]` : 'ok';
      const line = `${event.call.tool}${object ? ` ${object}` : ''}: ${end}`;
      lines.splice(placeOf(event.call.id, lines), 0, { id: event.call.id, line });
      // The newest calls say most about how it ended.
      if (lines.length > MOST_LINES) omitted += lines.splice(0, lines.length - MOST_LINES).length;
    },
    lines: () => lines.map(({ line }) => line),
    get omitted() {
      return omitted;
    },
  };
}

/** Calls of one reply end in any order (what is denied at once); they stand as they were called. */
function placeOf(id: string, lines: readonly { readonly id: string }[]): number {
  const own = ORDER.exec(id);
  let at = lines.length;
  for (; own && at > 0; at--) {
    const before = ORDER.exec(lines[at - 1]?.id ?? '');
    if (before?.[1] !== own[1] || Number(before?.[2]) <= Number(own[2])) break;
  }
  return at;
}

/** The turn and the number in it. */
const ORDER = /^(t\d+)c(\d+)/;

/** Labels are made to stand alone: what the tool's name says already is not said twice. */
function withoutEcho(tool: string, object: string): string {
  const short = tool.split(' ').at(-1) ?? tool;
  if (object === tool || object === short || short.endsWith(`-${object}`)) return '';
  for (const name of [tool, short]) if (object.startsWith(`${name} `)) return object.slice(name.length + 1);
  return object;
}
