/** Valid JSON, with what `JSON.parse` passes over in silence: a key that stands twice, and nesting without end. */
import type { Json } from './json-types.js';

/** Deepest nesting of objects and lists that is read. */
export const MOST_DEPTH = 200;

type StrictJson =
  | { readonly ok: true; readonly value: Json }
  /** `not-json` leaves the text to repair; the others are final. */
  | { readonly ok: false; readonly kind: 'not-json' }
  | { readonly ok: false; readonly kind: 'duplicate' | 'deep'; readonly message: string; readonly pointer: string };

/** Parses one JSON value. Never throws. */
export function parseStrict(text: string): StrictJson {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return { ok: false, kind: 'not-json' };
  }
  return checkKeys(text) ?? { ok: true, value };
}

interface Frame {
  /** Undefined for a list. */
  readonly keys?: Set<string>;
  key: string;
  index: number;
}

/** `text` is valid JSON. */
function checkKeys(text: string): (StrictJson & { ok: false }) | undefined {
  const frames: Frame[] = [];
  let expectsKey = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    const top = frames.at(-1);
    if (char === '"') {
      const end = stringEnd(text, at);
      if (expectsKey && top?.keys) {
        const key = JSON.parse(text.slice(at, end)) as string;
        if (top.keys.has(key))
          return {
            ok: false,
            kind: 'duplicate',
            message: `the key ${JSON.stringify(key)} stands twice`,
            pointer: pointerOf([...frames.slice(0, -1).map(stepOf), key]),
          };
        top.keys.add(key);
        top.key = key;
        expectsKey = false;
      }
      at = end - 1;
    } else if (char === '{' || char === '[') {
      if (frames.length >= MOST_DEPTH)
        return { ok: false, kind: 'deep', message: `nested deeper than ${MOST_DEPTH} levels`, pointer: '' };
      frames.push({ ...(char === '{' ? { keys: new Set<string>() } : {}), key: '', index: 0 });
      expectsKey = char === '{';
    } else if (char === '}' || char === ']') {
      frames.pop();
      expectsKey = false;
    } else if (char === ',' && top) {
      top.index++;
      expectsKey = top.keys !== undefined;
    }
  }
  return undefined;
}

function stepOf(frame: Frame): string | number {
  return frame.keys ? frame.key : frame.index;
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22) return at + 1;
  }
  return text.length;
}

/** A JSON pointer (RFC 6901) from its steps; the whole value is the empty text. */
export function pointerOf(steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
