/** What shows a run: a sink of its events, and a last word. */
import type { RunOutcome } from '../types/agent.js';
import type { EventSink } from '../types/event.js';

export interface Presenter {
  readonly sink: EventSink;
  /** Called after the last event of a run; the presenter is then ready for another run. */
  finish(outcome: RunOutcome): void;
}
