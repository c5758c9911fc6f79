/** The opposite of `decodeEntities`, for the calls the tests write. */

/** Escapes a text so that it stands unchanged in an attribute with either quote. */
export function encodeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');
}
