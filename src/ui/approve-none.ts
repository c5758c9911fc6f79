/** Nobody to ask: every question is answered no, and the gate knows beforehand. */
import type { Approver } from '../types/policy.js';

export const denyAll: Approver = { canAsk: false, ask: async () => 'no' };
