/** From untrusted JSON to our own values: each guard gives a clean value with known fields only, or undefined. */
import type { Json, JsonObject } from '../types/json.js';
import type { Message, Part } from '../types/message.js';
import type { ChangedCall } from '../types/policy.js';
import type { SessionHeader } from '../types/session.js';
import type { ErrorCode, ToolCall, ToolResult } from '../types/tool.js';
import type { FileState } from '../types/workspace.js';
import { SessionFault } from './fault.js';
import { isCount, isObject, isText, isTime, type Loose, listOf, oneOf, parseObject } from './guards.js';
import { asDisplay } from './parse-display.js';

export function asHeader(value: Loose): SessionHeader | undefined {
  const { type, version, id, workspace, created, app } = value;
  if (type !== 'session' || version !== 1 || !isText(id) || !isText(workspace) || !isTime(created) || !isText(app))
    return undefined;
  return { type, version, id, workspace, created, app };
}

/** Throws SessionFault `newer` for the header of a later format. */
export function refuseNewer(firstLine: string | undefined, id: string): void {
  const value = firstLine === undefined ? undefined : parseObject(firstLine);
  if (value?.type !== 'session' || typeof value.version !== 'number' || value.version <= 1) return;
  throw new SessionFault('newer', `session ${id} was written by a newer version of this program (format ${value.version})`, {
    id,
  });
}

const ROLES = ['user', 'assistant', 'tool'] as const;
const ORIGINS = ['person', 'tool-results', 'correction', 'note'] as const;

export function asMessage(value: unknown): Message | undefined {
  if (!isObject(value)) return undefined;
  const { id, role, time, origin } = value;
  const parts = listOf(value.parts, asPart);
  if (!isText(id) || !oneOf(role, ROLES) || !isTime(time) || !parts) return undefined;
  if (origin !== undefined && !oneOf(origin, ORIGINS)) return undefined;
  return { id, role, parts, time, ...(origin === undefined ? {} : { origin }) };
}

function asPart(value: unknown): Part | undefined {
  if (!isObject(value)) return undefined;
  const { type, text, id, name, input, isError, mediaType, data } = value;
  const meta = value.meta === undefined ? {} : { meta: value.meta as Json };
  if ((type === 'text' || type === 'reasoning') && isText(text)) return { type, text, ...meta };
  if (type === 'image' && isText(mediaType) && isText(data)) return { type, mediaType, data };
  if (type === 'call' && isText(id) && isText(name) && isText(input)) return { type, id, name, input, ...meta };
  if (type === 'result' && isText(id) && isText(name) && isText(text) && typeof isError === 'boolean')
    return { type, id, name, text, isError };
  return undefined;
}

export function asFileState(value: unknown): FileState | undefined {
  if (!isObject(value)) return undefined;
  const { mtimeMs, size, sha256 } = value;
  if (typeof mtimeMs !== 'number' || !Number.isFinite(mtimeMs) || !isCount(size)) return undefined;
  return isText(sha256) && /^[0-9a-f]{64}$/.test(sha256) ? { mtimeMs, size, sha256 } : undefined;
}

const SOURCES = ['tag', 'native', 'user'] as const;

export function asCall(value: unknown): ToolCall | undefined {
  if (!isObject(value)) return undefined;
  const { id, tool, args, source, agent } = value;
  const notes = value.notes === undefined ? undefined : listOf(value.notes, (note) => (isText(note) ? note : undefined));
  if (!isText(id) || !isText(tool) || !isObject(args) || !oneOf(source, SOURCES) || !isText(agent)) return undefined;
  if ((value.notes !== undefined && !notes) || Object.hasOwn(args, '__proto__')) return undefined;
  return { id, tool, args: args as JsonObject, source, agent, ...(notes ? { notes } : {}) };
}

const CODES = [
  'InvalidArgs',
  'NotFound',
  'OutsideWorkspace',
  'Sensitive',
  'Stale',
  'Conflict',
  'Blocked',
  'Denied',
  'Timeout',
  'Aborted',
  'Failed',
];

const isCode = (value: unknown): value is ErrorCode =>
  isText(value) && (CODES.includes(value) || /^ExitCode:-?\d{1,10}$|^E[A-Z0-9]{1,30}$/.test(value));

/** What a person made of a call at its question. */
export function asChanged(value: unknown): ChangedCall | undefined {
  if (!isObject(value)) return undefined;
  const { args, note } = value;
  if (!isObject(args) || Object.hasOwn(args, '__proto__') || !isText(note)) return undefined;
  return { args: args as JsonObject, note };
}

/** A display that is not understood is left out: it is only for screens. */
export function asResult(value: unknown): ToolResult | undefined {
  if (!isObject(value)) return undefined;
  const { output, isError, code, ms } = value;
  const changed = value.changed === undefined ? undefined : listOf(value.changed, (path) => (isText(path) ? path : undefined));
  if (!isText(output) || typeof isError !== 'boolean' || (value.changed !== undefined && !changed)) return undefined;
  if (code !== undefined && !isCode(code)) return undefined;
  const display = asDisplay(value.display);
  const attachment = asAttachment(value.attachment);
  return {
    output,
    isError,
    ...(code === undefined ? {} : { code }),
    ...(display ? { display } : {}),
    ...(changed ? { changed } : {}),
    ...(typeof ms === 'number' && Number.isFinite(ms) ? { ms } : {}),
    ...(attachment ? { attachment } : {}),
  };
}

function asAttachment(value: unknown): ToolResult['attachment'] {
  if (!isObject(value)) return undefined;
  const { mediaType, data } = value;
  return isText(mediaType) && isText(data) ? { mediaType, data } : undefined;
}
