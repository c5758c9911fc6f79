/** The shape of the corpus: commands with the verdict they must get, and why. */
import type { Verdict } from '../../../src/types/policy.js';

export interface CorpusGroup {
  readonly verdict: Verdict;
  readonly why: string;
  readonly commands: readonly string[];
}
