/** Runs a recording again through the same loop: the model's side from the record, the calls from the record or for real. */
import { MODE_AGENTS, type ModeName } from '../agents/registry.js';
import { stableJson } from '../base/stable-json.js';
import type { Gate } from '../loop/gate.js';
import { createReplayProvider } from '../providers/replay.js';
import { type Comparison, compareResults } from '../session/compare.js';
import type { Places } from '../session/normalise.js';
import type { RecordedCall, Recording } from '../session/recording.js';
import type { AgentEvent } from '../types/event.js';
import type { ChangedCall } from '../types/policy.js';
import { because, english } from '../types/reason.js';
import type { Tool, ToolResult } from '../types/tool.js';
import type { ChosenModel } from './chosen-model.js';

/** The model's side of a recording as a model. */
export function recordedModel(recording: Recording): ChosenModel {
  const { provider, model, toolMode } = recording.header;
  return {
    provider: createReplayProvider(recording.turns, recording.agents),
    service: provider,
    model,
    info: { id: model, contextWindow: 200_000, tools: toolMode === 'native' },
    priceOf: () => undefined,
  };
}

export function recordedMode(recording: Recording): ModeName {
  return recording.header.mode in MODE_AGENTS ? (recording.header.mode as ModeName) : 'agent';
}

/** The same tools, answered from the record: equal calls take their results in recorded order. Nothing real runs. */
export function recordedTools(
  tools: readonly Tool[],
  calls: readonly RecordedCall[],
  /** Roots of the recorded workspace and of this one: changed files are named as they would be here. */
  roots: { readonly recorded: string; readonly replayed: string },
): Tool[] {
  const queues = new Map<string, ToolResult[]>();
  for (const { agent, call, result } of calls) {
    const key = `${agent} ${keyOf(call.tool, call.args)}`;
    queues.set(key, [...(queues.get(key) ?? []), moved(result, roots)]);
  }
  return tools.map((tool) => ({
    ...tool,
    async run(args, { agent }) {
      const result = queues.get(`${agent} ${keyOf(tool.name, args)}`)?.shift();
      return (
        result ?? { output: 'error [NotFound]: the recording holds no answer to this call', isError: true, code: 'NotFound' }
      );
    },
  }));
}

function moved(result: ToolResult, { recorded, replayed }: { readonly recorded: string; readonly replayed: string }): ToolResult {
  if (!result.changed || recorded === replayed) return result;
  const near = (path: string) => (path.startsWith(`${recorded}/`) ? `${replayed}${path.slice(recorded.length)}` : path);
  return { ...result, changed: result.changed.map(near) };
}

/** Whether agents were called: only then may they be called again. */
export function usedAgents({ agents, calls }: Recording): boolean {
  return agents.size > 1 || calls.some(({ call }) => call.tool === 'agent' || call.tool === 'skill' || call.tool === '@agents');
}

/** Refuses what was refused when the recording was made, lets everything else through to the recorded answers, as people changed it. */
export function recordedGate(calls: readonly RecordedCall[]): Gate {
  const refused = new Map(
    calls.filter((entry) => entry.denied).map(({ agent, call, result }) => [`${agent} ${call.id}`, result]),
  );
  const changes = changesIn(calls);
  return {
    async pass({ call }, { agent, change }) {
      const result = refused.get(`${agent} ${call.id}`);
      const changed = changes.get(`${agent} ${call.id}`);
      const next = changed && change?.(changed);
      // The recorded answer holds the note already.
      if (!result && next) return { run: true, changed: { ...next, call: { ...next.call, notes: call.notes ?? [] } } };
      if (!result) return { run: true };
      const code = result.code ?? 'Denied';
      const why = because`refused in the recording`;
      return {
        run: false,
        denied: true,
        code,
        reason: english(why),
        why,
        message: result.output.replace(`error [${code}]: `, ''),
      };
    },
  };
}

/** The normal gate, before which calls become what people made of them when the recording was made. */
export function withChanges(calls: readonly RecordedCall[]): (gate: Gate) => Gate {
  const changes = changesIn(calls);
  return (gate) => ({
    ...gate,
    async pass(judged, asker) {
      const changed = changes.get(`${asker.agent} ${judged.call.id}`);
      const next = changed && asker.change?.(changed);
      if (!next) return gate.pass(judged, asker);
      const passage = await gate.pass(next, asker);
      return passage.run ? { run: true, changed: passage.changed ?? next } : passage;
    },
  });
}

function changesIn(calls: readonly RecordedCall[]): Map<string, ChangedCall> {
  return new Map(calls.flatMap(({ agent, call, changed }) => (changed ? [[`${agent} ${call.id}`, changed] as const] : [])));
}

/** One call whose result is not the recorded one. */
export interface Difference {
  readonly call: string;
  readonly diff: string;
}

/** Collects the calls of a replay and compares them with the record, call by call, by id. */
export function callComparer(recording: Recording, places: { readonly recorded: Places; readonly replayed: Places }) {
  const replayed = new Map<string, { result: ToolResult; name: string }>();
  return {
    sink(event: AgentEvent): void {
      if (event.type === 'call-end')
        replayed.set(`${event.agent} ${event.call.id}`, { result: event.result, name: event.call.tool });
    },
    async differences(): Promise<{ differences: Difference[]; compared: number }> {
      const differences: Difference[] = [];
      for (const { agent, call, result } of recording.calls) {
        const key = `${agent} ${call.id}`;
        const again = replayed.get(key);
        replayed.delete(key);
        const name = `${call.tool} (${call.id})`;
        if (!again) {
          differences.push({ call: name, diff: 'was not made again' });
          continue;
        }
        const comparison: Comparison = await compareResults(result, again.result, places);
        if (!comparison.same) differences.push({ call: name, diff: comparison.diff });
      }
      for (const [key, { name }] of replayed)
        differences.push({ call: `${name} (${key.split(' ')[1]})`, diff: 'is not in the recording' });
      return { differences, compared: recording.calls.length };
    },
  };
}

const keyOf = (tool: string, args: unknown): string => `${tool} ${stableJson(args)}`;
