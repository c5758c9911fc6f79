/** The main job in every wire format; the mistakes in all of them are a long test. */
import { itRecovers, itRepairs } from './repair-runs.js';

for (const format of ['chat', 'responses', 'anthropic', 'google'] as const)
  for (const form of ['native', 'text'] as const) itRepairs(format, form);

itRecovers('chat', 'native');
itRecovers('anthropic', 'text');
