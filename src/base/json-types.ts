/** JSON values, for the helpers of this folder (the same shape as in `types/json.ts`, which this floor may not import). */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/**
 * How sure it is that nothing follows a text. `closed`: something closed it (a quote, a tag, a fence);
 * `word`: one word of a command line; `open`: it just ends, and may have been cut off; `cut`: it is known not to have ended by itself.
 */
export type Ending = 'closed' | 'word' | 'open' | 'cut';

export interface JsonFault {
  readonly ok: false;
  /** `cut`: the text ends too early; `extra`: a second value follows; `unexpected`: not JSON in any way that is repaired. */
  readonly kind: 'cut' | 'duplicate' | 'deep' | 'extra' | 'unexpected' | 'ambiguous';
  /** What is wrong, without the place. */
  readonly message: string;
  /** JSON pointer of the field the fault stands in; empty for the whole. */
  readonly pointer: string;
  readonly offset: number;
}

export interface JsonRead {
  readonly ok: true;
  readonly value: Json;
  /** What was repaired, each kind once; empty for valid JSON. */
  readonly repairs: readonly string[];
  /** Offset behind the value. */
  readonly end: number;
  /** A bracket was added where more fields might have followed: the text may have been cut off. */
  readonly assumed?: true;
}

/** Sets a key as own data, whatever its name (`__proto__` too). */
export function setKey(object: JsonObject, key: string, value: Json): void {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}
