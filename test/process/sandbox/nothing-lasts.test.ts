/** Real commands in a real bubblewrap where nothing they write may last: for agents that only read. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makeConfinement, runIn, whyNot } from './confined.js';

const reason = await whyNot();
const left: (() => void)[] = [];
afterEach(() => {
  for (const remove of left.splice(0)) remove();
});

/** Skips where there is nothing to try. */
const real = (name: string, run: () => Promise<void>) =>
  it(name, async (context) => {
    if (reason !== undefined) context.skip(`no sandbox here: ${reason}`);
    await run();
  });

function confinement(temporary: boolean) {
  const place = makeConfinement({ temporary });
  left.push(place.remove);
  mkdirSync(join(place.home, '.npm'));
  mkdirSync(join(place.home, '.cache'));
  place.write('seen.txt', 'seen\n');
  return place;
}

describe('where nothing lasts', () => {
  for (const temporary of [false, true])
    real(
      `workspace, home and caches are read-only, temporary folders are its own${temporary ? ', the workspace in one too' : ''}`,
      async () => {
        const place = confinement(temporary);
        const mark = `nothing-lasts-${process.pid}`;
        const box = place.sandbox();
        const command = `cat seen.txt; for f in here "$HOME/x" "$HOME/.npm/x" "$HOME/.cache/x"; do { echo y > "$f"; } 2>/dev/null && echo "wrote $f"; done; echo t > /tmp/${mark} && cat /tmp/${mark}`;
        const ran = await runIn(place, box, command, { readOnly: true, nothingLasts: true });
        expect(ran.output).toBe('seen\nt\n');
        expect(existsSync(`/tmp/${mark}`)).toBe(false);
        // The same without it: what makes the difference.
        const open = await runIn(place, box, 'echo y > "$HOME/.npm/x" && echo wrote', { readOnly: true });
        expect(open.output).toBe('wrote\n');
      },
    );

  real('programs of PATH in a temporary folder can still be run', async () => {
    const place = confinement(false);
    const bin = realpathSync(mkdtempSync(join(tmpdir(), 'bin-')));
    left.push(() => rmSync(bin, { recursive: true, force: true }));
    const { writeFileSync, chmodSync } = await import('node:fs');
    writeFileSync(join(bin, 'own-linter'), '#!/bin/sh\necho linted; { echo x > "$0.out"; } 2>/dev/null || echo kept\n');
    chmodSync(join(bin, 'own-linter'), 0o755);
    const env = { PATH: `${bin}:${place.env['PATH']}` };
    const ran = await runIn(place, place.sandbox({ env: { ...place.env, ...env } }), 'own-linter', {
      readOnly: true,
      nothingLasts: true,
      env,
    });
    expect(ran.output).toBe('linted\nkept\n');
  });
});
