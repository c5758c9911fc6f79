/** The state of a session as a fold over its lines. Nothing is ever executed here; damaged lines are counted and passed over. */
import type { Message } from '../types/message.js';
import type { SessionHeader, SessionState } from '../types/session.js';
import type { PlanTask, ToolResult } from '../types/tool.js';
import { isObject, isText, isTime, type Loose, listOf, oneOf, parseObject } from './guards.js';
import { type CallTrace, pairCalls } from './pairing.js';
import { asCall, asHeader, asMessage, asResult } from './parse.js';
import { asPlanTask } from './parse-display.js';

export interface SessionFold {
  /** One line without its line feed; undefined for a line that could not be read at all. */
  add(line: string | undefined): void;
  state(): SessionState;
}

interface RunFacts {
  readonly mode?: string;
  readonly model?: string;
  readonly toolMode?: 'native' | 'text';
  readonly workspace?: string;
  readonly session?: string;
  readonly task?: string;
}

const NO_HEADER: SessionHeader = { type: 'session', version: 1, id: '', workspace: '', created: 0, app: '' };
const MAIN = 'main';

/** Folds all lines of a log. Never throws. */
export function foldSession(lines: Iterable<string>): SessionState {
  const fold = createFold();
  for (const line of lines) fold.add(line);
  return fold.state();
}

export function createFold(): SessionFold {
  let header: SessionHeader | undefined;
  let damaged = 0;
  let updated = 0;
  let plan: readonly PlanTask[] = [];
  let run: RunFacts = {};
  const messages: Message[] = [];
  let lastReply = -1;
  /** What was seen of calls after the assistant message at an index. */
  const traces = new Map<number, CallTrace>();

  const traceNow = (): CallTrace => {
    const trace = traces.get(lastReply) ?? {
      started: new Set<string>(),
      ended: new Map<string, { tool: string; result: ToolResult }>(),
    };
    traces.set(lastReply, trace);
    return trace;
  };
  /** False: the line is damaged. Unknown types come from a newer version and are no damage. */
  const take = (value: Loose): boolean => {
    if (value.type === 'session') {
      const clean = asHeader(value);
      header ??= clean;
      return clean !== undefined;
    }
    if (!isText(value.type) || !isText(value.agent) || !isTime(value.time)) return false;
    updated = Math.max(updated, value.time);
    return value.agent === MAIN ? takeMain(value) : true;
  };
  const takeMain = (value: Loose): boolean => {
    if (value.type === 'run-start') {
      const first = run.task;
      run = { ...run, ...runOf(value), ...(first ? { task: first } : {}) };
    } else if (value.type === 'message-end') {
      const message = asMessage(value.message);
      if (message && messages.push(message) && message.role === 'assistant') lastReply = messages.length - 1;
      return message !== undefined;
    } else if (value.type === 'call-start' || value.type === 'call-end') {
      const call = asCall(value.call);
      if (!call) return false;
      if (value.type === 'call-start') traceNow().started.add(call.id);
      const result = value.type === 'call-end' ? asResult(value.result) : undefined;
      if (value.type === 'call-end' && !result) return false;
      if (result) traceNow().ended.set(call.id, { tool: call.tool, result });
    } else if (value.type === 'plan') {
      const tasks = listOf(value.tasks, asPlanTask);
      if (tasks) plan = tasks;
      return tasks !== undefined;
    }
    return true;
  };
  return {
    add(line) {
      if (line !== undefined && line.trim() === '') return;
      const value = line === undefined ? undefined : parseObject(line);
      if (!value || !take(value)) damaged++;
    },
    state() {
      const known = header ?? { ...NO_HEADER, id: run.session ?? '', workspace: run.workspace ?? '' };
      return {
        header: known,
        messages: pairCalls(messages, traces),
        plan,
        ...(run.mode === undefined ? {} : { mode: run.mode }),
        ...(run.model === undefined ? {} : { model: run.model }),
        ...(run.toolMode === undefined ? {} : { toolMode: run.toolMode }),
        title: firstLine(run.task ?? '') || titleOf(messages),
        updated: Math.max(updated, known.created),
        damaged,
      };
    },
  };
}

function runOf(value: Loose): RunFacts {
  const { mode, model, toolMode, workspace, session, task } = value;
  return {
    ...(isText(mode) ? { mode } : {}),
    ...(isText(model) ? { model } : {}),
    ...(oneOf(toolMode, ['native', 'text'] as const) ? { toolMode } : {}),
    ...(isText(workspace) ? { workspace } : {}),
    ...(isText(session) ? { session } : {}),
    ...(isText(task) ? { task } : {}),
  };
}

/** The first line a person wrote, at most 80 characters. */
export function titleOf(messages: Iterable<unknown>): string {
  for (const message of messages) {
    if (!isObject(message) || message.role !== 'user' || (message.origin !== undefined && message.origin !== 'person')) continue;
    const parts: readonly unknown[] = Array.isArray(message.parts) ? message.parts : [];
    // What a person wrote stands last; facts about the surroundings may stand before it.
    for (const part of parts.toReversed()) {
      const line = isObject(part) && part.type === 'text' && isText(part.text) ? firstLine(part.text) : '';
      if (line) return line;
    }
  }
  return '';
}

/** The first line of a text, at most 80 characters. */
export function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim() ?? '';
  const letters = [...line.slice(0, 400)];
  return letters.length > 80 ? `${letters.slice(0, 79).join('')}…` : line;
}
