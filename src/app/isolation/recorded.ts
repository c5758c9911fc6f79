/** Isolated workers in a replay: nothing real is isolated; how each ended and what was brought back comes from the record. */
import { relative } from 'node:path';
import { emitterFor } from '../../loop/emit.js';
import type { Isolate } from '../../loop/isolation.js';
import { ownCalls } from '../../loop/own-calls.js';
import type { RecordedCall } from '../../session/recording.js';
import type { RunOutcome } from '../../types/agent.js';
import { because, english } from '../../types/reason.js';
import { bringTool } from './bring-back.js';

/** Sentences about an isolated change stand alone on a line of the report. */
const NOTE = /^(?:It worked in a worktree|Nothing was changed in the workspace:|Its change ).*$/m;

/** `calls` are those of the recording, `recordedRoot` is its workspace. */
export function recordedIsolation(calls: readonly RecordedCall[], recordedRoot: string): Isolate {
  return async (worker, task, signal, ports) => ({
    ports,
    async finish(outcome, shared) {
      let files: readonly string[] = [];
      let denied = outcome.denied;
      const report = calls.find(({ call, result }) => call.tool === 'agent' && result.output.startsWith(`[${worker}] `));
      const said = report?.result.output ?? '';
      const brought = calls.find(({ agent, call }) => agent === worker && call.id.startsWith('bring'));
      if (brought) {
        const { diff } = brought.call.args;
        const tool = bringTool(worker, namesIn(typeof diff === 'string' ? diff : ''), async () => brought.result);
        const own = { ...shared, tools: [tool] };
        const parent = brought.call.id.replace(/s1$/, '');
        const input = { agentId: worker, task, plan: { get: () => [], set: () => undefined }, signal, parent };
        const made = ownCalls(input, own, emitterFor(own, worker));
        const result = await made.call(tool.name, brought.call.args);
        if (!result.isError) files = (result.changed ?? []).map((path) => relative(recordedRoot, path)).sort();
        denied = [...denied, ...made.denied];
      }
      const note = NOTE.exec(said)?.[0] ?? 'The recording does not say what became of its change.';
      return { outcome: { ...outcome, ...endOf(said), files, denied }, note };
    },
  });
}

/** A change that was not brought back made another end of it. */
function endOf(report: string): Partial<RunOutcome> {
  const first = report.split('\n', 1)[0] ?? '';
  const why = because`its change was not brought back`;
  if (!first.includes(`: ${english(why)} (`)) return {};
  return { status: first.includes('] failed') ? 'failed' : 'denied', reason: english(why), why };
}

/** The files of a change. */
function namesIn(diff: string): string[] {
  return [...diff.matchAll(/^diff --git a\/(.*) b\/\1$/gm)].map((match) => match[1] ?? '');
}
