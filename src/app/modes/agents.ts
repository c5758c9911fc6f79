/** `chatcli agents list`: the agents a run here could call. */
import { english } from '../../types/reason.js';
import { safeText } from '../../ui/safe-text.js';
import { createText } from '../../ui/text/index.js';
import { agentSettingLines } from '../agent-settings.js';
import { agentData, agentLines, agentsOf } from '../agents-view.js';
import type { ConfigFlags } from '../config.js';
import { warningText } from '../custom-agents.js';
import type { Translate } from '../flags.js';
import { loadConfig } from '../load-config.js';
import { idleAgentLines } from '../trust-port.js';

/** Prints them; with `json` one object on standard output. Gives the exit code. */
export async function agentsList(flags: ConfigFlags & { readonly json?: boolean }, t: Translate): Promise<number> {
  const config = loadConfig(flags);
  const { agents, warnings } = await agentsOf(config);
  if (flags.json) {
    const data = {
      parallel: config.agents.parallel,
      agents: agents.map((agent) => agentData(agent, config)),
      warnings: warnings.map(warningText),
    };
    process.stdout.write(`${JSON.stringify(data)}\n`);
    return 0;
  }
  if (!config.agents.parallel) process.stdout.write(`${t('agents.off')}\n`);
  for (const line of agentLines(agents, config, t)) process.stdout.write(`${safeText(line)}\n`);
  for (const line of idleAgentLines(config, t)) process.stdout.write(`${line}\n`);
  const { why: said } = createText(config.language);
  for (const line of agentSettingLines(config, createText(config.language))) process.stderr.write(`chatcli: ${safeText(line)}\n`);
  for (const { file, why } of warnings) process.stderr.write(`chatcli: ${safeText(`${file}: ${said(why, english(why))}`)}\n`);
  return 0;
}
