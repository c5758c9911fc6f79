/** What the sandbox did to a command, in the words of results. */
import type { SandboxPort, SandboxReport } from '../../types/sandbox.js';

/** Refusals no other way of running it is offered for: our own settings, and a sandbox that did not come about. */
const FINAL: ReadonlySet<string> = new Set(['own', 'setup']);

/** Lines for the end of a result, each with its line break; empty when there is nothing to say. `offer` undefined: no other way. */
export function sandboxText(report: SandboxReport | undefined, offer?: Pick<SandboxPort, 'canOffer'>): string {
  if (report === undefined) return '';
  const { refusal, planted } = report;
  const lines = refusal === undefined ? [...planted] : [refusal.text, ...planted];
  if (refusal !== undefined && offer?.canOffer === true && !FINAL.has(refusal.kind)) lines.push(offerFor(refusal.kind));
  return lines.map((line) => `${line}\n`).join('');
}

function offerFor(kind: string): string {
  const agent = kind === 'keys' ? 'agent: true passes the SSH agent, ' : '';
  return `If it must be: exec with ${agent}outside: true runs it without the sandbox; the user is asked first.`;
}
