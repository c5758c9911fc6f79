/** A fault of the call itself (options, configuration): told on one line, exit code 2. */
export class UsageError extends Error {
  constructor(
    message: string,
    /** What would work. */
    readonly hint?: string,
  ) {
    super(message);
    this.name = 'UsageError';
  }
}
