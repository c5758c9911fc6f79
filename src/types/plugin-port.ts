/** What `/plugin` works on. */
import type { Changed } from './command-ports.js';

/** The plugins of the session; what changes counts from the next message on. Nothing here runs a file that is not trusted. */
export interface PluginsPort {
  list(): Promise<readonly string[]>;
  /** File names and names, for completion; from the last look into the folders. */
  names(): readonly string[];
  inspect(name: string): Promise<Changed>;
  /** Trusts the file as it is now; not done when it is not what `inspect` or `list` showed last. */
  trust(name: string): Promise<Changed>;
  untrust(name: string): Promise<Changed>;
  /** Removes the file; never what a link leads to, never what is built in. */
  uninstall(name: string): Promise<Changed>;
  reload(): Promise<Changed>;
}
