/** A run as one JSON object at its end; nothing else on the output. */
import type { RunOutcome } from '../types/agent.js';
import { createOutput, type OutputStream } from './output.js';
import type { Presenter } from './presenter.js';
import { safeText } from './safe-text.js';

export interface JsonPresenterOptions {
  readonly out: OutputStream;
  /** For warnings only. */
  readonly err: OutputStream;
  readonly session: string;
  readonly onClosed?: () => void;
}

/** Warnings go to the error output as they come. */
export function createJsonPresenter(options: JsonPresenterOptions): Presenter {
  const out = createOutput(options.out, options.onClosed);
  const err = createOutput(options.err);
  return {
    sink(event) {
      if (event.type === 'notice' && event.level !== 'info') err.write(`${event.level}: ${safeText(event.text).trim()}\n`);
    },
    finish(outcome) {
      out.write(`${JSON.stringify(resultObject(outcome, options.session))}\n`);
    },
  };
}

/** The object of `--output json`; `cost` is null when a price is not known. */
export function resultObject(outcome: RunOutcome, session: string) {
  return {
    result: outcome.result,
    status: outcome.status,
    ...(outcome.reason === undefined ? {} : { reason: outcome.reason }),
    turns: outcome.turns,
    usage: outcome.usage,
    cost: outcome.cost ?? null,
    denied: outcome.denied.map(({ why: _, key: __, ...call }) => call),
    files: outcome.files,
    session,
  };
}
