/** A list of globs as one question about a path. */
import { compileGlob, type Glob } from '../../base/path-glob.js';
import { type GlobList, subjectFor } from './glob-list.js';

/** `path` is relative to the workspace, with `/`. Without includes every path passes that no exclude names. */
export function pathFilter({ include, exclude }: GlobList): (path: string) => boolean {
  const wanted = include.map(matcher);
  const unwanted = exclude.map(matcher);
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const hit = (test: Test) => test(path, name);
    return !unwanted.some(hit) && (wanted.length === 0 || wanted.some(hit));
  };
}

type Test = (path: string, name: string) => boolean;

function matcher(glob: string): Test {
  const compiled: Glob = compileGlob(glob.startsWith('/') ? glob.slice(1) : glob);
  return subjectFor(glob) === 'name' ? (_path, name) => compiled.test(name) : (path) => compiled.test(path);
}
