/** The demo out of the set-up at the first start, and back to its list. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { program } from '../helpers/program.js';
import { noPty, openPty } from '../helpers/pty.js';

const MENU = 'then Enter (Esc leaves):';

it('shows the demo and comes back to the list', async (context) => {
  const without = await noPty();
  if (without) context.skip(without);
  const home = mkdtempSync(join(tmpdir(), 'chatcli-first-'));
  const terminal = await openPty({ file: process.execPath, args: [await program()], cwd: home, rows: 40, env: { HOME: home } });
  try {
    await terminal.waitFor(MENU);
    terminal.send('d\r');
    await terminal.waitUntil('the list again', () => terminal.output().split(MENU).length > 2, 60_000);
    expect(terminal.scrollback().join('\n')).toMatch(/recording/i);
  } finally {
    await terminal.close();
    rmSync(home, { recursive: true, force: true });
  }
}, 90_000);
