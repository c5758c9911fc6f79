import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FolderRules, rulesFor } from '../../src/workspace/ignore-rules.js';
import { makePlace, type Place } from './temp.js';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

/** As a walk would see it: a path is left out when it or a folder above it is. */
function leftOut(path: string): boolean {
  const names = path.split('/');
  let rules: FolderRules = rulesFor(place.ws, place.ws);
  for (const [i, name] of names.entries()) {
    if (rules.ignores(name, i < names.length - 1)) return true;
    if (i < names.length - 1) rules = rules.child(name);
  }
  return false;
}

describe('ignore rules', () => {
  it('honours nested files, relative to where they stand', () => {
    place.put('.gitignore', '*.log\n/dist\nbuild/\n!keep.log\n# note\n\\#hash\n');
    place.put('sub/.gitignore', '!*.log\nlocal.txt\n/only.txt\n');
    for (const path of [
      'a.log',
      'x/a.log',
      'dist',
      'dist/a',
      'build/x',
      'x/build/y',
      '#hash',
      'sub/local.txt',
      'sub/d/local.txt',
      'sub/only.txt',
    ])
      expect([path, leftOut(path)]).toEqual([path, true]);
    for (const path of ['keep.log', 'x/keep.log', 'x/dist', 'build', 'sub/a.log', 'local.txt', 'sub/d/only.txt', 'note'])
      expect([path, leftOut(path)]).toEqual([path, false]);
  });

  it('lets .ignore overrule git, and .chatignore only add', () => {
    place.put('.gitignore', 'a.txt\nb.txt\n');
    place.put('.ignore', '!a.txt\nc.txt\n');
    place.put('.chatignore', 'd.txt\n!b.txt\n');
    expect(['a.txt', 'b.txt', 'c.txt', 'd.txt'].map(leftOut)).toEqual([false, true, true, true]);
  });

  it('stops git rules at an inner repository, and reads its exclude file', () => {
    place.put('.gitignore', '*.log\n');
    place.put('inner/.git/info/exclude', 'secret\n');
    expect(leftOut('inner/secret')).toBe(true);
    expect(leftOut('inner/a.log')).toBe(true);
    place.put('.git/HEAD', '');
    expect(leftOut('inner/a.log')).toBe(false);
    expect(leftOut('a.log')).toBe(true);
  });

  it('takes a folder that is left out as it stands when it is named', () => {
    place.put('.gitignore', 'dist/\n*.map\n');
    place.put('dist/.gitignore', 'x.tmp\n');
    const rules = rulesFor(join(place.ws, 'dist'), place.ws);
    expect([rules.ignores('a.map', false), rules.ignores('x.tmp', false)]).toEqual([false, true]);
    expect(rulesFor(join(place.ws, 'src'), place.ws).ignores('a.map', false)).toBe(true);
  });

  it('never waits on a file that is none', () => {
    if (process.platform === 'win32') return;
    execFileSync('mkfifo', [join(place.ws, '.gitignore')]);
    expect(leftOut('a')).toBe(false);
  });

  it('agrees with git on generated patterns', () => {
    execFileSync('git', ['init', '-q'], { cwd: place.ws });
    const part = fc.constantFrom('a', 'b', 'ab', 'a.b', '*', 'a*', '*b', '?', '[ab]', '[!a]', '**', '*.b', '\\a', '[a-b]*');
    const pattern = fc
      .tuple(fc.constantFrom('', '', '/', '!'), fc.array(part, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '', '/'))
      .map(([head, parts, tail]) => head + parts.join('/') + tail);
    const file = fc.array(pattern, { minLength: 1, maxLength: 4 });
    const paths = ['ab', 'x.b', 'a/a', 'a/c.b', 'a/ab', 'b/ab/a', 'b/ab/a.b', 'b/a/b', 'a.b/b/a', 'b/c', 'c/a/b/ab'];
    for (const path of paths) place.put(path, '');
    fc.assert(
      fc.property(file, file, (outer, inner) => {
        place.put('.gitignore', `${outer.join('\n')}\n`);
        place.put('b/.gitignore', `${inner.join('\n')}\n`);
        const git = listed(['ls-files', '--others', '--exclude-standard', '--', ...paths.map((path) => `:(literal)${path}`)]);
        const all = listed(['ls-files', '--others', '--', ...paths.map((path) => `:(literal)${path}`)]);
        expect(all.filter((path) => !leftOut(path))).toEqual(git);
      }),
      { numRuns: 120 },
    );
    rmSync(join(place.ws, '.git'), { recursive: true });
  });

  function listed(args: string[]): string[] {
    const out = execFileSync('git', args, { cwd: place.ws, encoding: 'utf8' });
    return out
      .split('\n')
      .filter((line) => line !== '' && !line.endsWith('.gitignore'))
      .sort();
  }
});
