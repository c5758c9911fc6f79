/** `chatcli agents list`: the agents a run here could call. */
import { safeText } from '../../ui/safe-text.js';
import { agentData, agentLines, agentsOf } from '../agents-view.js';
import type { ConfigFlags } from '../config.js';
import type { Translate } from '../flags.js';
import { loadConfig } from '../load-config.js';

/** Prints them; with `json` one object on standard output. Gives the exit code. */
export async function agentsList(flags: ConfigFlags & { readonly json?: boolean }, t: Translate): Promise<number> {
  const config = loadConfig(flags);
  const { agents, warnings } = await agentsOf(config);
  if (flags.json) {
    const data = { parallel: config.agents.parallel, agents: agents.map((agent) => agentData(agent, config)), warnings };
    process.stdout.write(`${JSON.stringify(data)}\n`);
    return 0;
  }
  if (!config.agents.parallel) process.stdout.write(`${t('agents.off')}\n`);
  for (const line of agentLines(agents, config, t)) process.stdout.write(`${safeText(line)}\n`);
  for (const warning of warnings) process.stderr.write(`chatcli: ${safeText(warning)}\n`);
  return 0;
}
