/** Small guards for untrusted JSON. */

export type Loose = { readonly [key: string]: unknown };

const DEEPEST = 64;

/** A line that is one JSON object, not nested deeper than 64; otherwise undefined. Never throws. */
export function parseObject(text: string): Loose | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && !isDeeperThan(value, DEEPEST) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null && !Array.isArray(value);
export const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
export const isTime = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= 8.64e15;
export const isText = (value: unknown): value is string => typeof value === 'string';
export const oneOf = <T extends string>(value: unknown, list: readonly T[]): value is T =>
  typeof value === 'string' && (list as readonly string[]).includes(value);

/** Walks without recursion, so that depth itself cannot hurt. */
function isDeeperThan(value: object, depth: number): boolean {
  let level: unknown[] = [value];
  for (let i = 0; i <= depth; i++) {
    level = level.flatMap((item) => Object.values(item as object).filter((child) => typeof child === 'object' && child !== null));
    if (level.length === 0) return false;
  }
  return true;
}

/** All items pass the guard, or the whole list is refused. */
export function listOf<T>(value: unknown, guard: (item: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const out: T[] = [];
  for (const item of value) {
    const clean = guard(item);
    if (clean === undefined) return undefined;
    out.push(clean);
  }
  return out;
}
