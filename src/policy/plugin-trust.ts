/** Which executables of the user's own plugins folder the user trusts: exactly the bytes that were there then. */
import { changeTrustPart, trustPart } from './trust.js';

/** `sha256` hex: of what the answer was given about. */
export interface PluginAnswer {
  readonly answer: 'trusted' | 'declined';
  readonly sha256: string;
}

const PART = 'plugins';

/** Answers by file name. A broken or missing store has none. */
export function pluginAnswers(stateDir: string): ReadonlyMap<string, PluginAnswer> {
  return new Map(
    entriesOf(trustPart(stateDir, PART)).flatMap(([file, value]) => {
      const answer = asAnswer(value);
      return answer === undefined ? [] : [[file, answer] as const];
    }),
  );
}

/** Were exactly these bytes trusted under this name? */
export function trustsPlugin(stateDir: string, file: string, sha256: string): boolean {
  const answer = pluginAnswers(stateDir).get(file);
  return answer?.answer === 'trusted' && answer.sha256 === sha256;
}

/** Keeps an answer; `time` in milliseconds since 1970. Throws errno errors. */
export function recordPlugin(stateDir: string, file: string, { answer, sha256 }: PluginAnswer, time: number): void {
  changeTrustPart(stateDir, PART, (now) => without(now, file, [[file, { [answer]: time, sha256 }]]));
}

/** Takes an answer back; false when there was none. Throws errno errors. */
export function forgetPlugin(stateDir: string, file: string): boolean {
  if (!pluginAnswers(stateDir).has(file)) return false;
  changeTrustPart(stateDir, PART, (now) => without(now, file, []));
  return true;
}

function without(now: unknown, file: string, further: readonly [string, unknown][]): Record<string, unknown> {
  return Object.fromEntries([...entriesOf(now).filter(([name]) => name !== file), ...further]);
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function asAnswer(value: unknown): PluginAnswer | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { trusted, declined, sha256 } = value as { trusted?: unknown; declined?: unknown; sha256?: unknown };
  if (typeof sha256 !== 'string') return undefined;
  if (typeof trusted === 'number') return { answer: 'trusted', sha256 };
  return typeof declined === 'number' ? { answer: 'declined', sha256 } : undefined;
}
