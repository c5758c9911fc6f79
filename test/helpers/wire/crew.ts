/** A model that plays an orchestrator and its workers: each conversation is known by how its first message begins. */
import type { Reply, WireRequest } from './script.js';

/** What stands in for one turn: a reply, or what is done when it is asked for. */
export type Line = Reply | ((request: WireRequest) => Reply | Promise<Reply>);

/**
 * `parts.main` answers whoever was told the environment; every other key answers the conversation whose first message begins with
 * it. The turn is counted in the conversation itself, so the order of requests does not matter.
 */
export function crew(parts: Readonly<Record<string, readonly Line[]>>): (request: WireRequest) => Promise<Reply> {
  return async (request) => {
    const name = partOf(request, parts);
    const turn = request.conversation.turns.filter(({ role }) => role === 'assistant').length;
    const line = parts[name]?.[turn];
    if (line === undefined) return { status: 500, body: `the part ${name} has no line ${turn + 1}` };
    return typeof line === 'function' ? line(request) : line;
  };
}

/** Whose conversation a request belongs to. */
export function partOf(request: WireRequest, parts: Readonly<Record<string, unknown>>): string {
  const first = request.conversation.turns.find(({ role }) => role === 'user')?.text ?? '';
  if (first.startsWith('<environment>')) return 'main';
  return Object.keys(parts).find((key) => key !== 'main' && first.startsWith(key)) ?? `nobody (${first.slice(0, 60)})`;
}
