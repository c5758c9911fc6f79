/** A model that makes the usual mistakes, in the wire formats and forms of calls that the short tests leave out. */
import { itRecovers } from '../e2e/repair-runs.js';

itRecovers('chat', 'text');
itRecovers('anthropic', 'native');
for (const form of ['native', 'text'] as const) {
  itRecovers('responses', form);
  itRecovers('google', form);
}
