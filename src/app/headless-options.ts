/** Options that a conversation has no use for. */
import type { RunFlags } from './flags.js';
import { UsageError } from './usage-error.js';

/** Options that only mean something for a run without a person. Throws UsageError for the first one given. */
export function refuseHeadlessOptions(flags: RunFlags): void {
  const given = { '--output': flags.output, '--replay': flags.replay, '--record': flags.record, '--timeout': flags.timeout };
  const [name] = Object.entries(given).find(([, value]) => value !== undefined && value !== 'text') ?? [];
  if (name) throw new UsageError('usage.notInteractive', { name });
}
