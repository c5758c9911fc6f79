/** One ordinary write, killed at every system call: the file is old or new, and its backup generation fits. */
import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from './bundle.js';
import { type FaultPoint, runWithFault } from './faults.js';
import { makePlace } from './temp.js';

let out = '';
let module = '';
beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), 'chatcli-out-'));
  [module = ''] = await bundle(out, ['workspace/open-workspace']);
});
afterAll(() => rmSync(out, { recursive: true, force: true }));

/** v1 was replaced by v2; the write of v3 meets the point. Then a new start, and what there is. */
async function writeAndDie(links: number, point?: FaultPoint) {
  const place = makePlace();
  try {
    place.put('f', 'v1');
    if (links > 1) linkSync(join(place.ws, 'f'), join(place.ws, 'other'));
    const run = await runWithFault(
      `const { openWorkspace } = await import(${JSON.stringify(module)});
       const w = await openWorkspace(${JSON.stringify({ root: place.ws, home: place.home, state: place.state, scratch: place.scratch })});
       await w.writeFile('f', Buffer.from('v2'));
       arm();
       await w.writeFile('f', Buffer.from('v3'));`,
      point,
    );
    const again = await place.open();
    const text = (name: string) => readFileSync(join(place.ws, name), 'utf8');
    const found = { file: text('f'), backup: text('f.bak') };
    const rolled = await again.rollback('f');
    return { run, ...found, rolled: text('f'), notes: rolled.notes.join(' '), names: readdirSync(place.ws) };
  } finally {
    place.remove();
  }
}

describe.each([1, 2])('a file of %d names', (links) => {
  it('keeps or changes both the file and its backup', { timeout: 120_000 }, async () => {
    const { run } = await writeAndDie(links);
    const { calls } = run;
    expect(calls.length).toBeGreaterThan(5);
    const seen = new Set<string>();
    for (let at = 1; at <= calls.length; at++) {
      const { file, backup, rolled, notes, names } = await writeAndDie(links, { at, how: 'before' });
      const where = `killed before ${calls[at - 1]}`;
      seen.add(file);
      expect([file, backup], where).toEqual(file === 'v3' ? ['v3', 'v2'] : ['v2', 'v1']);
      expect([rolled, notes.includes('unknown')], where).toEqual([backup, false]);
      expect(names.sort(), where).toEqual(links > 1 ? ['f', 'f.bak', 'other'] : ['f', 'f.bak']);
    }
    expect([...seen].sort()).toEqual(['v2', 'v3']);
  });
});
