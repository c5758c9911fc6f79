/** Events on their way out: every one stamped with agent and time. */
import type { Clock } from '../base/clock.js';
import type { AgentEvent, EventBody } from '../types/event.js';

export type Emit = (body: EventBody) => void;

/** Stamps events of one agent and passes them on. */
export function emitterFor(ports: { emit(event: AgentEvent): void; readonly clock: Clock }, agent: string): Emit {
  return (body) => ports.emit({ ...body, agent, time: ports.clock.now() } as AgentEvent);
}
