/** The five entities of XML and its numeric references, decoded once. For attribute values only. */

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** What is no entity of XML (`&nbsp;`, `&&`, `&#0;`) stays as it is. */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));/g,
    (whole, name?: string, decimal?: string, hex?: string) => {
      if (name) return NAMED[name] ?? whole;
      const code = decimal ? Number.parseInt(decimal, 10) : Number.parseInt(hex ?? '', 16);
      const isText =
        (code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)) || code === 9 || code === 10 || code === 13;
      return isText ? String.fromCodePoint(code) : whole;
    },
  );
}
