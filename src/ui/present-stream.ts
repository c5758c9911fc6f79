/** A run as one JSON object a line, event by event, and the result as the last line. */
import { createOutput, type OutputStream } from './output.js';
import { resultObject } from './present-json.js';
import type { Presenter } from './presenter.js';
import { safeText } from './safe-text.js';

export interface StreamPresenterOptions {
  readonly out: OutputStream;
  /** Hears of what cannot be written as JSON; otherwise silent. */
  readonly err: OutputStream;
  readonly session: string;
  readonly onClosed?: () => void;
}

/** The schema of the lines is `streamSchema`. The provider's raw stream is left out. */
export function createStreamPresenter(options: StreamPresenterOptions): Presenter {
  const out = createOutput(options.out, options.onClosed);
  const err = createOutput(options.err);
  const put = (value: object): void => {
    try {
      out.write(`${JSON.stringify(value)}\n`);
    } catch (error) {
      err.write(`error: ${safeText(error instanceof Error ? error.message : String(error))}\n`);
    }
  };
  return {
    sink(event) {
      if (event.type !== 'provider-event') put(event);
    },
    finish(outcome) {
      put({ type: 'result', ...resultObject(outcome, options.session) });
    },
  };
}
