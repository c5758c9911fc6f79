/** Caps that descriptions of tools name, apart from the code that keeps them, which is loaded by the first call. */

/** Cap of a read in characters, by either name. */
export const READ_LIMIT = 80_000;
/** Bytes of one file that a read takes where the call names no other number. */
export const DEFAULT_MAX_BYTES = 200_000;
/** Cap of a search in characters, by either name. */
export const SEARCH_LIMIT = 60_000;
/** Cap of a tree in characters, by either name. */
export const TREE_LIMIT = 50_000;
/** Entries of a tree where the call names no other number. */
export const TREE_ENTRIES = 2000;
