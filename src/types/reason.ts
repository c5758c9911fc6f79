/**
 * Reasons that every language can say. To add one: because`it runs ${name}`, in English, where it is found; then its Portuguese
 * in ui/text/pt-br-reasons.ts, under the same text with {0}, {1} for the values (a test names what is missing or not used).
 */

/** An English text with places `{0}`, `{1}`, and what stands in them as it is; a reason among the values is said in its own words. */
export interface Reason {
  readonly text: string;
  readonly values: readonly (string | number | Reason)[];
}

/** A reason from a template. What varies (names, paths) must stand in `${}`. */
export function because(texts: TemplateStringsArray, ...values: readonly (string | number | Reason)[]): Reason {
  return { text: texts.reduce((all, text, index) => `${all}{${index - 1}}${text}`), values };
}

/** An Error whose message is a reason, so that people can be told it in their language. */
export class ReasonError extends Error {
  readonly why: Reason;
  constructor(why: Reason) {
    super(english(why));
    this.name = 'ReasonError';
    this.why = why;
  }
}

/** In English, as it was written. */
export function english(reason: Reason): string {
  return reason.text.replace(/\{(\d+)\}/g, (_, place: string) => {
    const value = reason.values[Number(place)];
    return typeof value === 'object' ? english(value) : String(value ?? '');
  });
}

/** Begins with a capital letter, ends with a full stop. Names of commands stand in backquotes and keep their spelling. */
export function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
