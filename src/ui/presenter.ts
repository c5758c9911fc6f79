/** What shows a run: a sink of its events, and a last word. */
import type { RunOutcome } from '../types/agent.js';
import type { EventSink } from '../types/event.js';

export interface Presenter {
  readonly sink: EventSink;
  /** Called once, after the last event. */
  finish(outcome: RunOutcome): void;
}
