/** Real violations of the call contract: one precise correction each, and an end when they repeat. */
import type { TurnReply } from './turn.js';

/** How many corrections in a row for the same fault are given before the run ends as failed. */
const MOST_CORRECTIONS = 2;

export class Corrections {
  private last = '';
  private given = 0;

  /** Takes note of a reply; true when the same fault came again after two corrections. */
  exhausted(reply: TurnReply): boolean {
    const signature = faultSignature(reply);
    if (!signature) {
      this.last = '';
      this.given = 0;
      return false;
    }
    this.given = signature === this.last ? this.given + 1 : 1;
    this.last = signature;
    return this.given > MOST_CORRECTIONS;
  }
}

/** Equal for equal kinds of faults; empty when the reply breaks nothing. */
function faultSignature(reply: TurnReply): string {
  const bad = reply.calls.flatMap((call) => (call.ok ? [] : [`${call.code} ${call.name}`]));
  if (bad.length > 0 && bad.length === reply.calls.length) return bad.join('|');
  if (reply.calls.length === 0 && reply.problems.length > 0) return `text ${reply.problems.join('|')}`;
  if (reply.calls.length === 0 && !reply.visible.trim()) return 'empty';
  if (reply.calls.length === 0 && reply.reason === 'length') return 'length';
  return '';
}

/** What the model is told when a reply has no calls but cannot be the end; undefined: it is the final answer. */
export function textCorrection(reply: TurnReply): string | undefined {
  if (reply.calls.length > 0) return undefined;
  if (reply.problems.length > 0) return reply.problems.join('\n');
  if (reply.reason === 'length')
    return 'Your reply was cut off by the output limit. Go on where it ended, in shorter pieces; nothing of a cut-off call was run.';
  if (!reply.visible.trim()) return 'Your reply was empty. Send a call, or the final answer as text.';
  return undefined;
}
