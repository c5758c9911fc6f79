/** Texts as numbers: what many files mention is kept once. */

export interface NameTable {
  readonly list: readonly string[];
  /** The number of a name, a new one when it was not known. */
  idOf(name: string): number;
}

/** `stored`: gives the names numbered so far; asked by the first question only. The table grows behind them. */
export function createNames(stored: () => string[] = () => []): NameTable {
  let list: string[] | undefined;
  let ids: Map<string, number> | undefined;
  const all = () => {
    list ??= stored();
    return list;
  };
  return {
    get list() {
      return all();
    },
    idOf(name) {
      ids ??= new Map(all().map((each, id) => [each, id]));
      const known = ids.get(name);
      if (known !== undefined) return known;
      ids.set(name, all().length);
      return all().push(name) - 1;
    },
  };
}
