/** Asks the rules about files whose text a running call would show though it did not name them: a reference may lie anywhere. */
import type { Judged } from '../types/policy.js';
import type { LoopPorts, PreparedCall } from './ports.js';

/** As what else such a text would have come: a rule against these tools speaks of it too. */
const SAME_AS: readonly string[] = ['@coder read', '@read'];

/** Those of the real paths of which a rule denies to this very call, or to a read, that they are read. What cannot be judged is among them. */
export async function unreadable(
  { call, facts }: PreparedCall,
  paths: readonly string[],
  { gate, workspace }: Pick<LoopPorts, 'gate' | 'workspace'>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const path of new Set(paths)) {
    try {
      const reads = [workspace.locate(path)];
      const as = { ...facts, readOnly: true, reads: [path], writes: [] };
      for (const tool of [call.tool, ...SAME_AS]) {
        const args = tool === call.tool ? call.args : {};
        const judged: Judged = { call: { ...call, tool, args }, facts: as, reads, writes: [] };
        if (await gate.denial?.(judged, call.agent)) found.add(path);
      }
    } catch {
      found.add(path);
    }
  }
  return found;
}
