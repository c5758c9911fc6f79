/** Whether a sandbox works on this machine, and how to run a program as if none did. */
import { existsSync } from 'node:fs';
import { whyNot } from '../process/sandbox/confined.js';

/** Why no sandbox works here; undefined: it does. */
export const sandboxMissing = await whyNot();

/** Words before a program that hide bubblewrap from it; none where no sandbox works anyway. */
export function withoutBubblewrap(): string[] {
  if (sandboxMissing !== undefined) return [];
  const hidden = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap'].filter((file) => existsSync(file));
  return ['bwrap', '--dev-bind', '/', '/', ...hidden.flatMap((file) => ['--ro-bind', '/dev/null', file]), '--'];
}
