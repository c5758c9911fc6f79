/** Tells an edit that would write the mark of a hidden key over the key from one that keeps the same words where they stood. */
import { KEY_MARK, type Redact } from '../../base/secret-text.js';

/** All texts of the arguments that hold the mark, base64 included. */
export function markedTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value, decoded(value)].filter((text) => text.includes(KEY_MARK));
  if (Array.isArray(value)) return value.flatMap(markedTexts);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(markedTexts) : [];
}

function decoded(text: string): string {
  return text.length >= KEY_MARK.length && /^[A-Za-z0-9+/_=\s-]+$/.test(text) ? Buffer.from(text, 'base64').toString('utf8') : '';
}

/**
 * Does every line of `text` with the mark stand in the files an edit is about as it is, and is none of them what a hidden key
 * looks like there? Then the mark is the file's own text, and no key can be meant.
 */
export function standsIn(text: string, contents: readonly string[], redact: Redact): boolean {
  const shown = contents.map((content) => ({ content, safe: redact(content) }));
  return text
    .split(/\r?\n/)
    .filter((line) => line.includes(KEY_MARK))
    .every((line) => {
      // A line of a patch begins with the patch's sign.
      const ways = /^[-+ ]/.test(line) ? [line, line.slice(1)] : [line];
      return ways.some(
        (way) =>
          shown.some(({ content }) => content.includes(way)) &&
          shown.every(({ content, safe }) => count(safe, way) === count(content, way)),
      );
    });
}

const count = (text: string, part: string): number => text.split(part).length - 1;
