/** Generated changes of generated trees: a change that is made can be rolled back to the byte, one that is refused changes nothing. */
import { chmodSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FileTarget } from '../../src/types/workspace.js';
import { faultFrom, makePlace, type Place } from './temp.js';

const NAMES = ['a', 'b', 'd/c', 'd/e/f', 'g h', 'ü'] as const;
const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array));
const mode = fc.constantFrom(0o644, 0o600, 0o755);
const tree = fc.array(fc.option(fc.record({ bytes, mode }), { freq: 4 }), { minLength: NAMES.length, maxLength: NAMES.length });
const wish = fc.record({ bytes: fc.option(bytes, { freq: 4 }), mode: fc.option(mode, { freq: 2 }) });
const wishes = fc.array(fc.option(wish, { freq: 3 }), { minLength: NAMES.length, maxLength: NAMES.length });

/** Path -> mode and content of everything but backups. */
function stateOf({ ws }: Place, all = false): Record<string, string> {
  const found: Record<string, string> = {};
  for (const path of readdirSync(ws, { recursive: true }).map(String).sort()) {
    const stat = lstatSync(join(ws, path));
    if (stat.isFile() && (all || !path.endsWith('.bak')))
      found[path] = `${(stat.mode & 0o7777).toString(8)} ${readFileSync(join(ws, path)).toString('hex')}`;
  }
  return found;
}

it('made and rolled back is the identity; refused is nothing', async () => {
  const seen = { made: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(tree, wishes, fc.option(fc.nat(NAMES.length - 1)), async (files, wanted, stale) => {
      const place = makePlace();
      try {
        NAMES.forEach((name, i) => {
          const file = files[i];
          if (file) chmodSync(place.put(name, file.bytes), file.mode);
        });
        const workspace = await place.open();
        const targets: FileTarget[] = [];
        for (const [i, name] of NAMES.entries()) {
          const one = wanted[i];
          if (!one || (!files[i] && one.bytes === null)) continue;
          const expected = files[i] ? (await workspace.readFile(name)).state : ('absent' as const);
          targets.push({ path: name, bytes: one.bytes, expect: expected, ...(one.mode === null ? {} : { mode: one.mode }) });
        }
        const spoiled = stale === null ? undefined : targets.find(({ path }) => path === NAMES[stale]);
        if (spoiled) place.put(spoiled.path, 'changed by somebody else, and longer than all the others');
        const before = stateOf(place, true);
        if (spoiled) {
          seen.refused++;
          expect((await faultFrom(workspace.changeFiles(targets))).code).toBe('Stale');
          expect(stateOf(place, true)).toEqual(before);
          return;
        }
        seen.made++;
        await workspace.changeFiles(targets);
        for (const { path, bytes: now } of targets) {
          const there = stateOf(place)[path];
          expect([path, there?.split(' ')[1]]).toEqual([path, now === null ? undefined : Buffer.from(now).toString('hex')]);
        }
        const changed = new Set(
          Object.keys({ ...before, ...stateOf(place) }).filter((path) => before[path] !== stateOf(place)[path]),
        );
        for (const path of changed) {
          if (before[path] === undefined) expect((await faultFrom(workspace.rollback(path))).code).toBe('NotFound');
          else await workspace.rollback(path);
        }
        const after = stateOf(place);
        for (const path of Object.keys(after)) if (before[path] === undefined) delete after[path];
        expect(after).toEqual(before);
      } finally {
        place.remove();
      }
    }),
    { numRuns: 60 },
  );
  expect([seen.made > 10, seen.refused > 5]).toEqual([true, true]);
});
