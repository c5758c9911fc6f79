/** Typed reading of a call's arguments. The schema was checked before; here the compiler learns of it, and a gap is a named fault. */
import { type DecodedBase64, decodeStrict } from '../../base/base64-strict.js';
import { loneSurrogate } from '../../base/text-encoding.js';
import type { Json, JsonObject } from '../../types/json.js';
import { type ErrorCode, ToolFault, type ToolResult } from '../../types/tool.js';
import { type Wanted, wantedBytes, wantedText } from './edit-view.js';

export function textArg(args: JsonObject, field: string): string | undefined {
  const value = present(args, field);
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw invalid(field, 'must be text');
  return value;
}

export function requiredText(args: JsonObject, field: string): string {
  const value = textArg(args, field);
  if (value === undefined) throw invalid(field, 'is missing');
  return value;
}

export function countArg(args: JsonObject, field: string, least: number, most = Number.MAX_SAFE_INTEGER): number | undefined {
  const value = present(args, field);
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least || value > most) {
    throw invalid(
      field,
      `must be a whole number ${most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`}`,
    );
  }
  return value;
}

export function flagArg(args: JsonObject, field: string): boolean | undefined {
  const value = present(args, field);
  if (value === undefined) return undefined;
  if (typeof value !== 'boolean') throw invalid(field, 'must be true or false');
  return value;
}

/** One text or a list of texts. */
export function listArg(args: JsonObject, field: string): string[] | undefined {
  const value = present(args, field);
  if (value === undefined) return undefined;
  const list = Array.isArray(value) ? value : [value];
  return list.map((entry, i) => {
    if (typeof entry !== 'string') throw invalid(Array.isArray(value) ? `${field}/${i}` : field, 'must be text');
    return entry;
  });
}

/** Search, replacement or content in the encoding the call names: text as it is, base64 strictly decoded. */
export function wantedArg(args: JsonObject, field: string, encoding: 'text' | 'base64'): Wanted {
  const value = requiredText(args, field);
  if (encoding === 'base64') return wantedBytes(decodedBase64(value, field));
  const lone = loneSurrogate(value);
  if (lone >= 0)
    throw invalid(
      field,
      `has half a character (a lone surrogate) at offset ${lone}; such text has no bytes. Send whole characters, or base64`,
    );
  return wantedText(value);
}

export function encodingArg(args: JsonObject, field = 'encoding'): 'text' | 'base64' {
  const value = textArg(args, field) ?? 'text';
  if (value !== 'text' && value !== 'base64') throw invalid(field, 'must be "text" or "base64"');
  return value;
}

function decodedBase64(text: string, field: string): Buffer {
  const decoded: DecodedBase64 = decodeStrict(text);
  if ('error' in decoded)
    throw invalid(field, `is not valid base64 at byte ${decoded.offset}: ${decoded.error}. Nothing was written`);
  return decoded.bytes;
}

function present(args: JsonObject, field: string): Json | undefined {
  const value = Object.hasOwn(args, field) ? args[field] : undefined;
  return value === null ? undefined : value;
}

export function invalid(field: string, reason: string): ToolFault {
  return new ToolFault('InvalidArgs', `invalid arguments: at /${field}: ${reason}`);
}

/** A fault as a result. */
export function failed(code: ErrorCode, message: string): ToolResult {
  return { output: `error [${code}]: ${message}`, isError: true, code };
}

/** Runs `work`; a ToolFault from deep inside becomes the result. Other errors are left to the caller. */
export async function guarded(work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolFault) return failed(error.code, error.message);
    throw error;
  }
}

/** Throws ToolFault `Aborted` once the run was stopped. */
export function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new ToolFault('Aborted', 'the run was stopped');
}
