/** A number with its noun, as English has it. */

/** `1 byte`, `2 bytes`; `many` where the plural is not the noun with an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
