/** Events the SDK does not know but that carry nothing of the reply: passed over, not faults. */
import type { DialectId } from './sdk-types.js';
import { isRecord } from './well-formed.js';

const ANTHROPIC_EVENTS =
  /^(?:message_start|message_delta|message_stop|content_block_start|content_block_delta|content_block_stop|error|ping)$/;
const ANTHROPIC_PARTS =
  /^(?:text|thinking|redacted_thinking|tool_use|text_delta|thinking_delta|signature_delta|input_json_delta)$/;

/** True for an error part that only says "unknown event" (or, in chat, "no finish reason": the end mark decides then). */
export function isStrayEvent(error: unknown, dialect: DialectId): boolean {
  if (!isRecord(error)) return false;
  if (dialect === 'chat' && error['name'] === 'AI_InvalidResponseDataError') return true;
  const value = error['name'] === 'AI_TypeValidationError' ? error['value'] : undefined;
  if (!isRecord(value) || 'error' in value) return false;
  if (dialect === 'chat') return !('choices' in value) && !('message' in value);
  return dialect === 'anthropic' && isNewAnthropicEvent(value);
}

/** The service says that new kinds of events may appear at any time. */
function isNewAnthropicEvent(value: Record<string, unknown>): boolean {
  const type = value['type'];
  if (typeof type !== 'string') return false;
  if (!ANTHROPIC_EVENTS.test(type)) return true;
  const part = value['content_block'] ?? value['delta'];
  const kind = isRecord(part) ? part['type'] : undefined;
  return type.startsWith('content_block') && typeof kind === 'string' && !ANTHROPIC_PARTS.test(kind);
}
