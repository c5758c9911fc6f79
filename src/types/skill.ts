/** Script skills: fixed sequences of calls that need no model, and what they report. */
import type { JsonObject, ObjectSchema } from './json.js';
import type { ToolResult } from './tool.js';

/** What a script may do: make calls that pass the same gate, locks and caps as a model's. It opens nothing itself. */
export interface ScriptContext {
  /** Sends one call. Never throws; a refusal is a result with `isError` and its code. Arguments go as data, never as a line. */
  call(tool: string, args: JsonObject): Promise<ToolResult>;
  readonly signal: AbortSignal;
  /** Real path of the workspace, to show paths of programs as ours; without it they stay absolute. */
  readonly root?: string;
  /** Live output for people. */
  progress(text: string): void;
}

/** `not-available`: a tool or a source of data it needs is not there; `text` says which and how to get it. */
export type ScriptStatus = 'ok' | 'failed' | 'not-available' | 'denied';

export interface ScriptOutcome {
  readonly status: ScriptStatus;
  /** What the model reads: Markdown, the answer first. */
  readonly text: string;
  /** The same as data, for screens, JSON output and tests. */
  readonly data: JsonObject;
  /** Real paths its calls changed. */
  readonly changed?: readonly string[];
}

/** A builtin script skill. */
export interface ScriptSkill {
  /** Lower case with dashes: `run-tests`. */
  readonly name: string;
  /** One line, under 80 characters. */
  readonly summary: string;
  readonly schema: ObjectSchema;
  readonly example: JsonObject;
  /** Canonical names of the tools it calls. They extend a worker's access for this script alone. */
  readonly calls: readonly string[];
  /** True: it never asks for a change of a file (its commands run without fix options). */
  readonly readOnly: boolean;
  /** Arguments are valid against the schema. Must not throw for anything a call can answer. */
  run(args: JsonObject, context: ScriptContext): Promise<ScriptOutcome>;
}
