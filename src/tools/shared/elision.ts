/** Finds lines that stand for text the writer left out ("... rest unchanged"), so that they never replace that text. */

const PROSE = /\.(md|mdx|markdown|txt|rst|adoc|html?|tex)$/i;
const DOTS = String.raw`(?:\.{3,}|…)`;
const WORDS = String.raw`(?:the |all |your )?(?:rest|remaining|remainder|existing|previous|other|same|unchanged|original|omitted|keep)\b[^.…]*`;
const SAYS_SO = new RegExp(String.raw`^(?:${DOTS}\s*\(?${WORDS}\)?\s*${DOTS}?|\(?${WORDS}\)?\s*${DOTS})$`, 'i');
const REST =
  /^\(?(the )?rest of (the |this )?(file|code|class|function|method|component|module|content|implementation)s?\b[\w\s]{0,30}\b(unchanged|the same|as before|as is|stays|remains)[\w\s]{0,20}\)?\.?$/i;
const COMMENT = /^\s*(?:\/\/+|#+|\/\*+|<!--|--+|;+|%+|\{\/\*+|"""|''')\s*(.*?)\s*(?:\*+\/\}?|-->|"""|''')?\s*$/;

/** 1-based number of the first such line that the old text does not have, or undefined. Prose files are left alone. */
export function elidedLine(
  content: string,
  old: string,
  path: string,
): { readonly line: number; readonly text: string } | undefined {
  if (PROSE.test(path)) return undefined;
  let known: Set<string> | undefined;
  for (const [i, line] of content.split('\n').entries()) {
    if (line.length > 200 || !isPlaceholder(line)) continue;
    known ??= new Set(old.split('\n').map((entry) => entry.trim()));
    if (!known.has(line.trim())) return { line: i + 1, text: line.trim() };
  }
  return undefined;
}

function isPlaceholder(line: string): boolean {
  const comment = COMMENT.exec(line)?.[1];
  if (comment !== undefined) return SAYS_SO.test(comment) || REST.test(comment);
  const bare = line.trim();
  return /^(\.{3}|…)/.test(bare) && SAYS_SO.test(bare);
}
