/** Where the folders of isolated agents lie. */
import { join } from 'node:path';

export function worktreesIn(state: string): string {
  return join(state, 'worktrees');
}
