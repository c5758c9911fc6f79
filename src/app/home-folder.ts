/** Where the user's home is. */
import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';

/** Never a relative path, which would make a folder's own files the user's. Undefined when none is known. */
export function homeFolder(): string | undefined {
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      const home = find();
      if (isAbsolute(home)) return home;
    } catch {
      // No entry for this user.
    }
  }
  return undefined;
}
