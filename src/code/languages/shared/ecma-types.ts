/** Words the files on TypeScript and JavaScript share. */
import type { Node } from '../../parse/language.js';

/** Where a declaration stands. */
export interface Place {
  /** Everything here can be used from outside: an ambient namespace without an export list. */
  readonly open: boolean;
  readonly depth: number;
}

/** A declaration with the statement it stands in (`export`, `declare`), from which its head is taken. */
export interface Declared {
  readonly node: Node;
  readonly outer: Node;
  readonly exported: boolean;
  readonly place: Place;
}
