/** What stands between a worker's calls and the gate of all: its own list, its clock, and what a read-only agent may not do. */
import type { Judged } from '../types/policy.js';
import { because, english, type Reason, sentence } from '../types/reason.js';
import type { Host } from '../types/tool.js';
import { ToolFault } from '../types/tool.js';
import type { WorkerAgent } from '../types/worker.js';
import type { Gate, Passage } from './gate.js';
import type { WorkerRun } from './worker-options.js';

type Hold = <T>(work: () => Promise<T>) => Promise<T>;
type Refusal = Extract<Passage, { readonly run: false }>;

/** The gate behind the agent's own list; questions stop the worker's clock. */
export function heldGate(gate: Gate, agent: WorkerAgent, run: Pick<WorkerRun, 'refuses' | 'asking'>, hold: Hold): Gate {
  return {
    ...gate,
    pass: (judged, asker) =>
      hold(async () => {
        const why = run.refuses?.(agent, judged);
        if (why !== undefined) return blocked(why);
        const asks = (event: Parameters<typeof asker.emit>[0]): void => {
          if (event.type === 'approval-request') run.asking(true);
          if (event.type === 'approval-response') run.asking(false);
          asker.emit(event);
        };
        return gate.pass(judged, { ...asker, emit: asks });
      }),
  };
}

/** Whatever tools a read-only agent was given, what changes something is refused; its scripts have a gate of their own. */
export function readOnlyGate(gate: Gate, agent: WorkerAgent): Gate {
  return {
    ...gate,
    async pass(judged, asker) {
      return judged.facts.readOnly ? gate.pass(judged, asker) : blocked(changes(agent));
    },
  };
}

/**
 * For the scripts of a read-only agent: their commands run where a sandbox keeps everything as it is. Without one each is what
 * running outside of the sandbox is, a question that only a person answers. `host` is what the calls are to be run with.
 */
export function confinedScripts(gate: Gate, host: Host, agent: WorkerAgent): { readonly gate: Gate; readonly host: Host } {
  let isAgreed = false;
  const { sandbox } = host;
  const scripts: Gate = {
    ...gate,
    async pass(judged, asker) {
      if (judged.facts.readOnly) return gate.pass(judged, asker);
      if (judged.facts.command === undefined) return blocked(changes(agent));
      if ((await sandbox?.inForce?.()) === true) return gate.pass(judged, asker);
      const passage = await gate.pass(outside(judged), asker);
      if (passage.run) isAgreed = true;
      return passage.run || !passage.denied ? passage : unconfined(passage, agent);
    },
  };
  if (!sandbox) return { gate: scripts, host };
  const confined: Host = {
    ...host,
    sandbox: {
      ...sandbox,
      async confine(program, use) {
        const start = await sandbox.confine(program, { ...use, readOnly: true, nothingLasts: true });
        if (start === undefined && !isAgreed) throw new ToolFault('Denied', english(noSandbox(agent)));
        return start;
      },
    },
  };
  return { gate: scripts, host: confined };
}

function outside(judged: Judged): Judged {
  return { ...judged, call: { ...judged.call, args: { ...judged.call.args, outside: true } } };
}

function unconfined(passage: Refusal, agent: WorkerAgent): Refusal {
  const why = passage.why ? because`${noSandbox(agent)} (${passage.why})` : noSandbox(agent);
  return { ...passage, why, reason: english(why), message: `${passage.message} ${sentence(english(noSandbox(agent)))}` };
}

function noSandbox({ name }: WorkerAgent): Reason {
  return because`the agent ${name} is read-only, and no sandbox is in force that would keep this command from writing`;
}

function changes({ name }: WorkerAgent): Reason {
  return because`the agent ${name} is read-only, and this call may change something`;
}

function blocked(why: Reason): Passage {
  const reason = sentence(english(why));
  const message = `[BLOCKED BY POLICY] ${reason} Nothing was run. Repeating the call will not help.`;
  return { run: false, denied: true, code: 'Blocked', reason, why, message };
}
