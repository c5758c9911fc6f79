/** File names for a model: one line each, whatever they hold. */

/** Control characters as escapes. */
export function printable(name: string): string {
  return name.replace(/[\u0000-\u001f\u007f\u2028\u2029]/g, (char) => {
    const code = char.charCodeAt(0);
    return char === '\n'
      ? '\\n'
      : char === '\t'
        ? '\\t'
        : code > 0xff
          ? `\\u${code.toString(16)}`
          : `\\x${code.toString(16).padStart(2, '0')}`;
  });
}
