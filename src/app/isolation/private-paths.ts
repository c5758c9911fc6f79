/** What of a repository never goes into an isolated agent's folder by itself, nor out of it: private files, our settings, repositories. */
import { join } from 'node:path';
import { isGitName, isOwnProjectPath, isPersonalPath, personalPaths } from '../../base/sensitive-paths.js';

/** Tells it of a path relative to `top` (a real folder), written with slashes. */
export function privatePaths(top: string, home: string): (path: string) => boolean {
  const personal = personalPaths(home);
  return (path) =>
    isOwnProjectPath(path) || path.split('/').some((part) => isGitName(part)) || isPersonalPath(join(top, path), personal);
}
