/** One isolated worker, as the parts of its beginning and its end know it. */
import type { Mutex } from '../../base/mutex.js';
import type { App } from '../create-app.js';
import type { Worktree } from './worktree.js';

/** What happened in a place, as far as its end must know. */
export interface Seen {
  /** It made calls. */
  acted: boolean;
  /** The disk was full at some time. */
  full: boolean;
}

/** One worker's place while it is at work. */
export interface Work {
  readonly tree: Worktree;
  readonly worker: string;
  readonly task: string;
  readonly app: App;
  readonly signal: AbortSignal;
  readonly seen: Seen;
  /** Names the folder and the branch. */
  readonly name: string;
  /** For files in between; out of the worker's reach. */
  readonly desk: string;
  /** One change after the other comes back. */
  readonly turn: Mutex;
  /** Removes the folder, or leaves it to the user, who is told. */
  drop(): Promise<void>;
  leave(state: 'left' | 'empty'): void;
}
