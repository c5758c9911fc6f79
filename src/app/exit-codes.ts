/** How a run ended -> the process's exit code (product contract, documented in docs/usage.md). */
import type { RunStatus } from '../types/agent.js';

export const EXIT: Readonly<Record<RunStatus, number>> = {
  done: 0,
  failed: 1,
  denied: 3,
  turn_limit: 4,
  stagnation: 4,
  timeout: 5,
  provider: 6,
  budget: 7,
  interrupted: 130,
};

export const EXIT_USAGE = 2;
