/** One deadline over all steps of an action. */
import { ToolFault } from '../../types/tool.js';

interface Deadline {
  /** Aborts at the deadline (reason: ToolFault `Timeout`) or with the signal it was made from. */
  readonly signal: AbortSignal;
  release(): void;
}

/** `what` begins the sentence of the fault: "the checkpoint". */
export function deadlineOf(ms: number, what: string, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const forward = () => controller.abort(new ToolFault('Aborted', `${what} was stopped`));
  if (outer?.aborted) forward();
  outer?.addEventListener('abort', forward, { once: true });
  const timer = setTimeout(
    () => controller.abort(new ToolFault('Timeout', `${what} took longer than ${Math.round(ms / 100) / 10} s and was stopped`)),
    ms,
  );
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', forward);
    },
  };
}
