/** A saved conversation: an append-only log of events, and the state folded from it. */
import type { AgentEvent } from './event.js';
import type { Message } from './message.js';
import type { PlanTask } from './tool.js';

/** First line of a log file. `version` changes only with the format. */
export interface SessionHeader {
  readonly type: 'session';
  readonly version: 1;
  readonly id: string;
  readonly workspace: string;
  readonly created: number;
  readonly app: string;
}

export interface SessionState {
  readonly header: SessionHeader;
  readonly messages: readonly Message[];
  readonly plan: readonly PlanTask[];
  readonly mode?: string;
  readonly model?: string;
  readonly toolMode?: 'native' | 'text';
  readonly title: string;
  readonly updated: number;
  /** Lines that could not be read and were skipped. */
  readonly damaged: number;
}

export interface SessionLog {
  readonly id: string;
  readonly file: string;
  append(event: AgentEvent): void;
  /** Waits until all is on disk. */
  close(): Promise<void>;
}
