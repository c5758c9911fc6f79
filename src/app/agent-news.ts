/** What is wrong with files of agents and skills, told in a run: one line in all, and the details when such an agent is called. */
import type { AgentRegistry } from '../agents/registry.js';
import type { FileWarning } from '../agents/shared/load.js';
import type { Emit } from '../loop/emit.js';
import type { AgentEvent } from '../types/event.js';
import type { Json } from '../types/json.js';
import { createText } from '../ui/text/index.js';
import { warningText } from './custom-agents.js';

export interface AgentNews {
  /** What there is now; only what was not there before counts. */
  tell(warnings: readonly FileWarning[], say: Emit): void;
  /** Sees the events: an agent that starts has its remarks told, once. */
  take(event: AgentEvent, say: () => Emit): void;
}

/** Of one conversation. */
export function agentNews(registry: () => AgentRegistry | undefined): AgentNews {
  let known: readonly FileWarning[] = [];
  const counted = new Set<string>();
  const told = new Set<string>();
  return {
    tell(warnings, say) {
      known = warnings;
      const fresh = warnings.filter((warning) => !counted.has(warningText(warning)));
      for (const warning of fresh) counted.add(warningText(warning));
      if (fresh.length === 0) return;
      const values = { count: fresh.length };
      say({ type: 'notice', level: 'warn', code: 'agent-files', text: createText('en').t('notice.agent-files', values), values });
    },
    take(event, say) {
      if (event.type !== 'worker-start' || known.length === 0) return;
      const origin = registry()?.get(event.kind)?.origin;
      for (const warning of origin === undefined ? [] : known.filter(({ file }) => file === origin)) {
        const text = warningText(warning);
        if (told.has(text)) continue;
        told.add(text);
        const { file, why } = warning;
        const values = { file, why: { ...why, values: why.values as Json } };
        say()({ type: 'notice', level: 'warn', code: 'agent-file', text, values });
      }
    },
  };
}
