/** Styled text as data: pieces with a role and marks, painted only when a line is finished. */
import type { Role, Theme } from '../theme/theme.js';

export interface Span {
  readonly text: string;
  readonly role?: Role | undefined;
  readonly strong?: boolean;
  readonly emphasis?: boolean;
  readonly struck?: boolean;
}

export const sameLook = (a: Span, b: Span): boolean =>
  a.role === b.role && a.strong === b.strong && a.emphasis === b.emphasis && a.struck === b.struck;

/** One line of the screen. Neighbours that look the same share their codes. */
export function paintSpans(spans: readonly Span[], theme: Theme): string {
  let out = '';
  let held: Span | undefined;
  for (const span of spans) {
    if (held && sameLook(held, span)) held = { ...held, text: held.text + span.text };
    else {
      if (held) out += paintSpan(held, theme);
      held = span;
    }
  }
  return held ? out + paintSpan(held, theme) : out;
}

function paintSpan(span: Span, theme: Theme): string {
  let text = span.text;
  if (span.role) text = theme[span.role](text);
  if (span.struck) text = theme.struck(text);
  if (span.emphasis) text = theme.emphasis(text);
  return span.strong ? theme.strong(text) : text;
}
