/** The lines of an undo log: what they look like, and how one is read back without trusting it. */

/** Bytes of a file before a change. `kept`: they lie in the store. `sha256` is empty for a file too large to be read. */
export interface Before {
  readonly sha256: string;
  readonly size: number;
  readonly mode: number;
  readonly kept: boolean;
}

/** Bytes of a file after a change; `mode` only where the change set it. */
export interface After {
  readonly sha256: string;
  readonly size: number;
  readonly mode?: number;
}

/** One file of one change. `path` is real; null: no such file. */
export interface FileStep {
  readonly path: string;
  readonly before: Before | null;
  readonly after: After | null;
  /** Folders that did not exist before, outermost first. */
  readonly made?: readonly string[];
  /** A file of that name with `.bak` at its end was there before the file itself was. */
  readonly bak?: boolean;
}

export interface TurnLine {
  readonly type: 'turn';
  readonly id: string;
  readonly number: number;
  readonly time: number;
  readonly text: string;
}

/** A change by a tool: written before the change is made, so a killed process leaves at most one that never happened. */
export interface EditLine {
  readonly type: 'edit';
  readonly id: string;
  readonly time: number;
  readonly turn: string;
  readonly agent: string;
  readonly call: string;
  readonly tool: string;
  /** Id of the `uncovered` line of the command after which the change was found; anyone may have made it while that ran. */
  readonly during?: string;
  readonly files: readonly FileStep[];
}

/**
 * An undo or a redo, written before it is made; it counts once a `done` line follows. `steps` change their standing by it;
 * `kept` were left as they are and are passed over next time.
 */
export interface TakenLine {
  readonly type: 'taken';
  readonly id: string;
  readonly time: number;
  readonly turn: string;
  readonly kind: 'undo' | 'redo';
  /** The undo that a redo reverses. */
  readonly of?: string;
  readonly steps: readonly string[];
  readonly kept: readonly string[];
  readonly files: readonly FileStep[];
}

export type UndoLine =
  | { readonly type: 'undo'; readonly version: 1 }
  | TurnLine
  | EditLine
  | TakenLine
  /** The change with this id was refused and never happened. */
  | { readonly type: 'void'; readonly id: string }
  /** The undo or redo with this id was made. */
  | { readonly type: 'done'; readonly id: string }
  /** A command runs whose effects on files are not known, unless a `void` line follows. */
  | { readonly type: 'uncovered'; readonly id: string; readonly turn: string; readonly what: string }
  /** These turns were forgotten to keep the store within its quota. */
  | { readonly type: 'dropped'; readonly turns: readonly string[] };

type Loose = { readonly [key: string]: unknown };

/** A line as an UndoLine; undefined for anything that is not one, whole. */
export function parseLine(text: string): UndoLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { type, id, turn } = value;
  if (type === 'undo') return value['version'] === 1 ? { type, version: 1 } : undefined;
  if (type === 'dropped') return isTexts(value['turns']) ? { type, turns: value['turns'] } : undefined;
  if (!isText(id)) return undefined;
  if (type === 'uncovered') {
    return isText(turn) && isText(value['what']) ? { type, id, turn, what: value['what'] } : undefined;
  }
  if (type === 'void' || type === 'done') return { type, id };
  return type === 'turn' ? asTurn(value, id) : asChange(value, id);
}

function asTurn({ number, time, text }: Loose, id: string): TurnLine | undefined {
  return isCount(number) && isTime(time) && isText(text) ? { type: 'turn', id, number, time, text } : undefined;
}

function asChange(value: Loose, id: string): EditLine | TakenLine | undefined {
  const { type, time, turn, agent, call, tool, during, kind, of, steps, kept } = value;
  const files = asFiles(value['files']);
  if (!isTime(time) || !isText(turn) || !files) return undefined;
  if (type === 'edit') {
    if (!isText(agent) || !isText(call) || !isText(tool) || (during !== undefined && !isText(during))) return undefined;
    return { type, id, time, turn, agent, call, tool, ...(during === undefined ? {} : { during }), files };
  }
  if (type !== 'taken' || (kind !== 'undo' && kind !== 'redo') || !isTexts(steps) || !isTexts(kept)) return undefined;
  if (of !== undefined && !isText(of)) return undefined;
  return { type, id, time, turn, kind, ...(of === undefined ? {} : { of }), steps, kept, files };
}

function asFiles(value: unknown): FileStep[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const files = value.map(asFile);
  return files.every((file) => file !== undefined) ? files : undefined;
}

function asFile(value: unknown): FileStep | undefined {
  if (!isObject(value)) return undefined;
  const { path, made, bak } = value;
  const before = asBefore(value['before']);
  const after = asAfter(value['after']);
  if (!isText(path) || before === undefined || after === undefined) return undefined;
  if ((made !== undefined && !isTexts(made)) || (bak !== undefined && typeof bak !== 'boolean')) return undefined;
  return { path, before, after, ...(made ? { made } : {}), ...(bak ? { bak } : {}) };
}

function asBefore(value: unknown): Before | null | undefined {
  if (value === null) return null;
  if (!isObject(value)) return undefined;
  const { sha256, size, mode, kept } = value;
  if (!isHash(sha256) || !isCount(size) || !isMode(mode) || typeof kept !== 'boolean') return undefined;
  return kept && sha256 === '' ? undefined : { sha256, size, mode, kept };
}

function asAfter(value: unknown): After | null | undefined {
  if (value === null) return null;
  if (!isObject(value)) return undefined;
  const { sha256, size, mode } = value;
  if (!isHash(sha256) || !isCount(size) || (mode !== undefined && !isMode(mode))) return undefined;
  return { sha256, size, ...(mode === undefined ? {} : { mode }) };
}

const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isMode = (value: unknown): value is number => isCount(value) && value <= 0o7777;
const isHash = (value: unknown): value is string => isText(value) && /^(?:[0-9a-f]{64})?$/.test(value);
