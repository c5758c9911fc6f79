/** Isolated workers in a replay: nothing real is isolated; how each ended and what was brought back comes from the record. */
import { relative } from 'node:path';
import { emitterFor } from '../../loop/emit.js';
import type { Isolate } from '../../loop/isolation.js';
import { ownCalls } from '../../loop/own-calls.js';
import type { RecordedCall } from '../../session/recording.js';
import type { FileTarget } from '../../types/workspace.js';
import { bringTool } from './bring-back.js';

/** Sentences about an isolated change stand alone on a line of the report. */
const NOTE = /^(?:It worked in a worktree|Nothing was changed in the workspace:|Its change ).*$/m;

/** `calls` are those of the recording, `recordedRoot` is its workspace. */
export function recordedIsolation(calls: readonly RecordedCall[], recordedRoot: string): Isolate {
  return async (worker, task, signal, ports) => ({
    ports,
    async finish(outcome, shared) {
      let files: readonly string[] = [];
      const report = calls.find(({ call, result }) => call.tool === 'agent' && result.output.startsWith(`[${worker}] `));
      const brought = calls.find(({ agent, call }) => agent === worker && call.id.startsWith('bring'));
      if (brought) {
        const { diff } = brought.call.args;
        const tool = { ...bringTool(worker, targetsOf(typeof diff === 'string' ? diff : '')), run: async () => brought.result };
        const own = { ...shared, tools: [tool] };
        const input = { agentId: worker, task, plan: { get: () => [], set: () => undefined }, signal, parent: 'bring' };
        const result = await ownCalls(input, own, emitterFor(own, worker)).call(tool.name, brought.call.args);
        if (!result.isError) files = (result.changed ?? []).map((path) => relative(recordedRoot, path)).sort();
      }
      const note = NOTE.exec(report?.result.output ?? '')?.[0] ?? 'The recording does not say what became of its change.';
      return { outcome: { ...outcome, files }, note };
    },
  });
}

/** The files of a git diff; what they held is of no matter here. */
function targetsOf(diff: string): FileTarget[] {
  const names = [...diff.matchAll(/^diff --git a\/(.*) b\/\1$/gm)].map((match) => match[1] ?? '');
  return names.map((path) => ({ path, bytes: null, expect: 'absent' }));
}
