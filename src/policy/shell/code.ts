/** How commands stand in reasons: in backquotes, spelled as they are. */

/** `npm test` -> "`npm test`". A backquote in the text becomes an apostrophe, so that the text cannot end the quotation. */
export function code(text: string): string {
  return `\`${text.trim().replaceAll('`', "'")}\``;
}
