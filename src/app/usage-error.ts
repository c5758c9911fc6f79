/** A fault of the call itself (options, configuration): told on one line in the user's language, exit code 2. */
import { createText, type Text, type TextKey, type Values } from '../ui/text/index.js';

export class UsageError extends Error {
  constructor(
    readonly key: TextKey,
    readonly values: Values = {},
    /** What would work; takes the same values. */
    readonly hint?: TextKey,
  ) {
    super(createText('en').t(key, values));
    this.name = 'UsageError';
  }

  /** The lines for people. */
  lines(text: Text): string[] {
    const hint = this.hint === undefined ? [] : [`  ${text.t(this.hint, this.values)}`];
    return [text.t(this.key, this.values), ...hint];
  }
}
