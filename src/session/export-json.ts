/** A session as one JSON document for programs: header, what is known of it, all messages. */
import type { SessionState } from '../types/session.js';

/** Pretty-printed, with a line feed at its end. */
export function exportJson(state: SessionState): string {
  const { header, title, mode, model, toolMode, updated, damaged, plan, messages } = state;
  const { id, workspace, created, app } = header;
  const facts = { id, title, workspace, created: isoOf(created), updated: isoOf(updated), app, mode, model, toolMode, damaged };
  return `${JSON.stringify({ format: 'chatcli-session', version: 1, ...facts, plan, messages }, null, 2)}\n`;
}

const isoOf = (time: number): string | null => (time > 0 && time < 8.64e15 ? new Date(time).toISOString() : null);
