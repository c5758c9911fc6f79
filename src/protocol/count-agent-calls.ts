/** Malformed agent calls of one reply: counted, so that none is lost silently. */
import type { ParsedCall } from './parsed-call.js';

/** The shapes an agent call may have. */
const AGENT_SHAPES =
  '<agent_call agent="file" task="what to do"/>, <agent_call agent="file">what to do</agent_call> and, for a script of the agent alone, <agent_call agent="shell" skill="run-tests" args=\'{"dir":"."}\'/>';

/** The first malformed agent call of a reply also says how many there are, how many were dispatched, and what would work. */
export function withAgentCount(calls: readonly ParsedCall[], isAgent: (index: number) => boolean): ParsedCall[] {
  const agents = calls.flatMap((_, index) => (isAgent(index) ? [index] : []));
  const bad = agents.filter((index) => calls[index]?.ok === false);
  const [first] = bad;
  if (first === undefined) return [...calls];
  const good = agents.length - bad.length;
  const count = `${bad.length} of ${agents.length} agent calls in this reply ${bad.length === 1 ? 'was' : 'were'} malformed and not dispatched, ${good} ${good === 1 ? 'was' : 'were'} dispatched.`;
  const advice = `Three shapes work: ${AGENT_SHAPES}. Send the malformed again; do not do their work yourself.`;
  return calls.map((call, index) =>
    index === first && !call.ok ? { ...call, message: `${call.message}. ${count} ${advice}` } : call,
  );
}
