/** What parsing a call gives: a call that can run, or the answer that says why not. */
import type { ErrorCode, Tool, ToolCall } from '../types/tool.js';

export type ParsedCall =
  | { readonly ok: true; readonly call: ToolCall; readonly tool: Tool }
  | {
      readonly ok: false;
      readonly id: string;
      readonly name: string;
      readonly raw: string;
      readonly code: ErrorCode;
      readonly message: string;
    };

/** Where a call came from. `raw` is its text, for messages and logs. */
export interface CallOrigin {
  readonly id: string;
  readonly agent: string;
  readonly source: ToolCall['source'];
  readonly raw: string;
}
