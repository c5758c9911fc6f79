/** `Bash(git log:*)` in an agent's tools: the only commands it may run, judged by the same parser as rules. */
import { decide } from '../policy/decide.js';
import type { Judged, PolicyContext, Rule } from '../types/policy.js';
import { because, type Reason } from '../types/reason.js';
import type { WorkerAgent } from '../types/worker.js';

/** Why the agent's own list forbids the call; undefined when it does not. What it allows still has to pass the rules. */
export function refusedByList(agent: WorkerAgent, judged: Judged, context: PolicyContext): Reason | undefined {
  const { commands, name } = agent;
  if (commands === undefined || judged.facts.command === undefined) return undefined;
  const rules = commands.map(
    (command): Rule => ({ pattern: `@coder exec --cmd ${patternOf(command)}`, action: 'allow', origin: `agent ${name}` }),
  );
  const call = { ...judged.call, tool: '@coder exec' };
  const verdict = decide({ ...judged, call }, { ...context, rules: { rules, broken: [] }, mode: 'default' });
  if (verdict.verdict === 'allow') return undefined;
  return because`the agent ${name} may only run: ${commands.join(', ')}`;
}

/** `npm run test:*` and `npm run test *` mean everything that begins with these words. */
function patternOf(command: string): string {
  return command.replace(/(?::|\s+)\*$/, '').trim();
}
