/** The doctor's look at files of agents and skills: what of them could not be used. */
import { createAgentRegistry } from '../../agents/registry.js';
import { english } from '../../types/reason.js';
import { currentTrust } from '../current-trust.js';
import { bringAgents } from '../custom-agents.js';
import { type Finding, finding } from './finding.js';
import type { DoctorPlace } from './place.js';

const MOST = 20;

/** Remarks on files that are in force; none without a configuration. */
export async function lookAtAgents({ text, config }: DoctorPlace): Promise<readonly Finding[]> {
  if (config === undefined) return [];
  const registry = createAgentRegistry();
  const { warnings } = await bringAgents(config, currentTrust(config), registry);
  const told = warnings.slice(0, MOST).map(({ file, why }) => {
    const values = { file, why: text.why(why, english(why)) };
    return finding(text, 'agents', { status: 'warning', key: 'notice.agent-file', values });
  });
  if (warnings.length <= MOST) return told;
  const values = { count: warnings.length };
  return [...told, finding(text, 'agents', { status: 'warning', key: 'notice.agent-files', values })];
}
