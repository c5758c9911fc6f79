/** Texts as numbers: what many files mention is kept once. */

export interface NameTable {
  readonly list: readonly string[];
  /** The number of a name, a new one when it was not known. */
  idOf(name: string): number;
  /** The number of a name that is known. */
  find(name: string): number | undefined;
}

/** `list`: the names numbered so far; the table grows behind them. The lookup is built by the first question. */
export function createNames(list: string[] = []): NameTable {
  let ids: Map<string, number> | undefined;
  const lookup = () => (ids ??= new Map(list.map((name, id) => [name, id])));
  return {
    list,
    find: (name) => lookup().get(name),
    idOf(name) {
      const known = lookup().get(name);
      if (known !== undefined) return known;
      lookup().set(name, list.length);
      return list.push(name) - 1;
    },
  };
}
