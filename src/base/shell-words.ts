/** A list of words -> one line of POSIX shell that means exactly these words: nothing expands, nothing ends early. */

/** Safe without quotes, wherever it stands but for the words below. */
const PLAIN = /^[A-Za-z0-9_@%+:,./-]+$/;
/** `--name=value`: no assignment, since it begins with a dash. */
const OPTION = /^-[A-Za-z0-9_@%+:,./=-]*$/;
/** Words a shell reads as its own grammar when they stand first. */
const RESERVED = new Set('case coproc do done elif else esac fi for function if in select then time until while'.split(' '));

/** One word for a shell. Throws RangeError for a NUL character, which no argument can hold. */
export function shellWord(word: string): string {
  if (word.includes('\0')) throw new RangeError(`a word holds a NUL character at offset ${word.indexOf('\0')}`);
  if ((PLAIN.test(word) || OPTION.test(word)) && !RESERVED.has(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** The whole line. Throws RangeError for an empty list or program, and for NUL characters. */
export function shellLine(words: readonly string[]): string {
  if (words.length === 0 || words[0] === '') throw new RangeError('a command needs a program');
  return words.map(shellWord).join(' ');
}

/** A path that no program takes for an option: `-x` becomes `./-x`. */
export function pathWord(path: string): string {
  return path.startsWith('-') ? `./${path}` : path;
}
