/** Fakes for tests of programs built on this library: a scripted model, a fixed clock, an event collector. Nothing else is faked. */
import type { Clock } from './base/clock.js';
import type { AgentEvent } from './types/event.js';
import type { Json } from './types/json.js';
import type { Answer, Approver, Question } from './types/policy.js';
import type { EndReason, Provider, ProviderEvent, ProviderRequest } from './types/provider.js';

/** What the model says in one turn, in short. A call is its function name and its arguments (a string is sent as it is). */
export interface ScriptedTurn {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly (readonly [name: string, input: Json])[];
  readonly reason?: EndReason;
  /** Replaces everything: the events as they are. */
  readonly events?: readonly ProviderEvent[];
}

export interface ScriptedProvider extends Provider {
  /** Every request, in order. */
  readonly requests: readonly ProviderRequest[];
}

/** A model that says its turns one after the other; past the end it says "(no more turns)". A turn may depend on the request. */
export function scriptedProvider(
  turns: readonly (ScriptedTurn | ((request: ProviderRequest) => ScriptedTurn))[],
): ScriptedProvider {
  const requests: ProviderRequest[] = [];
  return {
    name: 'SCRIPTED',
    requests,
    async *stream(request, { signal }) {
      const next = turns[requests.length];
      requests.push(request);
      const turn = typeof next === 'function' ? next(request) : (next ?? { text: '(no more turns)' });
      for (const event of turn.events ?? eventsOf(turn, requests.length)) {
        if (signal.aborted) {
          yield { type: 'end', reason: 'aborted' };
          return;
        }
        yield event;
      }
    },
  };
}

function eventsOf(turn: ScriptedTurn, n: number): ProviderEvent[] {
  const calls = turn.calls ?? [];
  return [
    ...(turn.reasoning ? [{ type: 'reasoning-delta', text: turn.reasoning } as const] : []),
    ...(turn.text ? [{ type: 'text-delta', text: turn.text } as const] : []),
    ...calls.map(
      ([name, input], index) =>
        ({
          type: 'call',
          id: `call_${n}_${index}`,
          name,
          input: typeof input === 'string' ? input : JSON.stringify(input),
        }) as const,
    ),
    { type: 'usage', usage: { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, reasoning: 0 } },
    { type: 'end', reason: turn.reason ?? (calls.length > 0 ? 'calls' : 'stop') },
  ];
}

/** A clock that stands still until it is moved (milliseconds). */
export function fixedClock(start = 1_700_000_000_000): Clock & { move(ms: number): void } {
  let now = start;
  return {
    now: () => now,
    move(ms) {
      now += ms;
    },
  };
}

/** Keeps every event. */
export function eventCollector(): {
  readonly events: AgentEvent[];
  sink(event: AgentEvent): void;
  ofType<T extends AgentEvent['type']>(type: T): Extract<AgentEvent, { type: T }>[];
} {
  const events: AgentEvent[] = [];
  return {
    events,
    sink: (event) => void events.push(event),
    ofType: (type) => events.filter((event): event is Extract<AgentEvent, { type: typeof type }> => event.type === type),
  };
}

/** Answers questions from a list, the last one again and again; keeps what was asked. */
export function scriptedApprover(answers: readonly Answer[]): Approver & { readonly questions: readonly Question[] } {
  const questions: Question[] = [];
  return {
    canAsk: true,
    questions,
    async ask(question) {
      questions.push(question);
      return answers[Math.min(questions.length, answers.length) - 1] ?? 'no';
    },
  };
}
