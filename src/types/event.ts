/** The closed union of events: the only way out of the engine. Screens, logs, tests and remote clients read the same stream. */
import type { RunOutcome } from './agent.js';
import type { JsonObject } from './json.js';
import type { Message } from './message.js';
import type { Answer, ChangedCall, Decision } from './policy.js';
import type { EndReason, ProviderEvent, Usage } from './provider.js';
import type { Reason } from './reason.js';
import type { Facts, PlanTask, ToolCall, ToolResult } from './tool.js';

export type EventBody =
  | {
      readonly type: 'run-start';
      readonly mode: string;
      readonly task: string;
      readonly provider: string;
      readonly model: string;
      readonly toolMode: 'native' | 'text';
      readonly permissionMode: string;
      readonly workspace: string;
      readonly session: string;
    }
  | { readonly type: 'turn-start'; readonly turn: number }
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** The reply so far is void; it is asked for again. */
  | {
      readonly type: 'turn-restart';
      readonly reason: string;
      readonly why?: Reason;
      readonly waitMs: number;
      readonly attempt: number;
    }
  /** Any message that entered the history, whoever wrote it. */
  | { readonly type: 'message-end'; readonly message: Message; readonly reason?: EndReason }
  | { readonly type: 'call-start'; readonly call: ToolCall; readonly label: Facts['label'] }
  | { readonly type: 'call-progress'; readonly callId: string; readonly text: string }
  | { readonly type: 'approval-request'; readonly call: ToolCall; readonly decision: Decision }
  /** `changed`: the person said yes to this in place of what was asked. */
  | {
      readonly type: 'approval-response';
      readonly callId: string;
      readonly answer: Answer;
      readonly changed?: ChangedCall;
    }
  | {
      readonly type: 'call-end';
      readonly call: ToolCall;
      readonly result: ToolResult;
      readonly denied: boolean;
      readonly reason?: string;
      /** The reason for people. */
      readonly why?: Reason;
    }
  | { readonly type: 'plan'; readonly tasks: readonly PlanTask[] }
  /** `worker` is the id its own events bear; `callId` the call that asked for it; `agent` in the stamp is who called. */
  | {
      readonly type: 'worker-start';
      readonly worker: string;
      readonly kind: string;
      readonly task: string;
      readonly callId: string;
      readonly model?: string;
    }
  | { readonly type: 'worker-end'; readonly worker: string; readonly outcome: RunOutcome; readonly ms: number }
  | { readonly type: 'usage'; readonly usage: Usage; readonly cost?: number }
  /** Something people should know. `code` is a catalogue key, `values` fill it; `text` is the English sentence. */
  | {
      readonly type: 'notice';
      readonly level: 'info' | 'warn' | 'error';
      readonly code: string;
      readonly text: string;
      readonly values?: JsonObject;
    }
  | { readonly type: 'turn-end'; readonly turn: number }
  | { readonly type: 'run-end'; readonly outcome: RunOutcome }
  /** Only in recordings: one event of the provider's stream. */
  | { readonly type: 'provider-event'; readonly turn: number; readonly event: ProviderEvent };

/** `agent` is the agent's id (`main` for the first), `time` milliseconds since 1970. */
export type AgentEvent = EventBody & { readonly agent: string; readonly time: number };

export type EventSink = (event: AgentEvent) => void;
