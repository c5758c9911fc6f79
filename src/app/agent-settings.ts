/** Values of `CHATCLI_AGENT_*` that do not count as they are: told once, with what counts in their place. */
import { oneLine } from '../base/one-line.js';
import type { AgentEvent } from '../types/event.js';
import { createText, type Text } from '../ui/text/index.js';
import type { AgentSettingFault } from './agent-config.js';
import type { Config } from './config.js';

/** One notice for each. */
export function tellAgentSettings({ agents }: Config, emit: (event: AgentEvent) => void): void {
  const english = createText('en');
  for (const fault of agents.faults)
    emit({
      type: 'notice',
      level: 'warn',
      code: codeOf(fault),
      text: lineOf(fault, english),
      values: valuesOf(fault),
      agent: 'main',
      time: Date.now(),
    });
}

/** The same as lines for people. */
export function agentSettingLines({ agents }: Config, text: Pick<Text, 't'>): string[] {
  return agents.faults.map((fault) => lineOf(fault, text));
}

function lineOf(fault: AgentSettingFault, { t }: Pick<Text, 't'>): string {
  return t(`notice.${codeOf(fault)}`, valuesOf(fault));
}

function codeOf({ counts }: AgentSettingFault): 'agent-setting' | 'agent-setting-none' {
  return counts === undefined ? 'agent-setting-none' : 'agent-setting';
}

function valuesOf({ name, value, counts = '' }: AgentSettingFault) {
  return { name: oneLine(name).slice(0, 100), value: oneLine(value).slice(0, 60), counts };
}
