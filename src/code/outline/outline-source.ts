/** A text becomes an outline, or what ranking needs of it. Size, time, broken syntax and files no person wrote are taken care of here. */
import type { CodeSymbol, FileLinks, Outline } from '../../types/code.js';
import { identifierCounts } from '../parse/identifiers.js';
import type { Language } from '../parse/language.js';
import { firstErrorLine } from '../parse/nodes.js';
import { type ParseLimits, parseText, withLineFeeds } from '../parse/parse-text.js';
import { eachRoot, symbolsOf } from '../parse/parts.js';
import { formOf } from './file-form.js';

/** The outline of a text, or undefined when not even its beginning could be parsed in time. */
export async function outlineSource(language: Language, text: string, limits?: ParseLimits): Promise<Outline | undefined> {
  return (await readSource(language, text, { limits, links: false }))?.outline;
}

/** Outline and links of a text from one parse. */
export async function readSource(
  language: Language,
  text: string,
  options: { readonly limits?: ParseLimits | undefined; readonly links: boolean },
): Promise<{ readonly outline: Outline; readonly links?: FileLinks } | undefined> {
  const parsed = await parseText(
    language,
    text,
    (source, grammar) => ({
      symbols: symbolsOf(language, source),
      errorLine: firstErrorLine(source.root),
      lastLine: source.root.endPosition.row + 1,
      links: options.links
        ? {
            references: identifierCounts(grammar, language.references, source.root, source.text),
            imports: eachRoot(source, (one) => language.imports(one)),
          }
        : undefined,
    }),
    { ...options.limits, parts: true },
  );
  if (!parsed.ok) return undefined;
  const { symbols, errorLine, lastLine, links } = parsed.value;
  const form = formOf(withLineFeeds(text));
  const cut = parsed.cutAt !== undefined;
  return {
    outline: {
      language: language.id,
      languageName: language.name,
      symbols: inOrder(symbols),
      ...(errorLine === undefined ? {} : { errorLine }),
      ...(cut ? { cutAtLine: lastLine } : {}),
      ...(form ? { form } : {}),
    },
    ...(links ? { links } : {}),
  };
}

function inOrder(symbols: readonly CodeSymbol[]): CodeSymbol[] {
  return [...symbols].sort((a, b) => a.startLine - b.startLine);
}
