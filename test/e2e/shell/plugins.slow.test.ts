/** Plugins in the shell on a real terminal: the question, a call, `/plugin`, and what counts from the next message on. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROMPT, playedShells } from './input-shell.js';

const start = playedShells();
const put = (home: string, file: string, said: string): void => {
  const folder = join(home, '.chatcli/plugins');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const about = `{"name":"@${file}","description":"Says ${said}"}`;
  const text = `#!/bin/sh\n[ "$1" = --metadata ] && { echo '${about}'; exit; }\n[ "$1" = --schema ] && exit 1\necho "${said}: $*"\n`;
  writeFileSync(join(folder, file), text, { mode: 0o755 });
};

describe('plugins in the shell', () => {
  it('are asked about once, called behind a question, and come and go with /plugin', async () => {
    let turn = 0;
    const shell = await start({
      wait: false,
      columns: 110,
      rows: 40,
      prepare: ({ home }) => put(home, 'hello', 'greeting'),
      script: () => {
        turn++;
        if (turn === 1) return { calls: [{ name: 'call_tool', input: { name: '@hello', args: { argv: ['a b', 'c'] } } }] };
        return { text: `Turn ${turn} done.` };
      },
    });
    const { terminal } = shell;
    await terminal.waitFor('May it run, exactly as it is now? [y/n]', { ms: 40_000 });
    expect(shell.shown()).toContain('SHA-256');
    await new Promise((resolve) => setTimeout(resolve, 500));
    terminal.send('y');
    await terminal.waitFor(PROMPT, { ms: 40_000 });
    await shell.enter('use the plugin', /@hello/);
    await terminal.waitFor(/\[y\]|\by\b/, { ms: 40_000 });
    await new Promise((resolve) => setTimeout(resolve, 500));
    await shell.type('y', 'Turn 2 done.');
    const results = JSON.stringify(shell.server.requests.at(-1)?.conversation);
    expect(results).toContain('greeting: a b c');

    put(shell.home, 'other', 'second');
    await shell.enter('/plugin list', 'not trusted, so not used');
    expect(shell.all()).toContain('[builtin]');
    await shell.enter('/plugin trust other', 'Counts from the next message on.');
    await shell.enter('go on', 'Turn 3 done.');
    const seen = JSON.stringify(shell.server.requests.at(-1)?.body ?? {});
    expect(seen).toContain('@other: Says second');
    await shell.enter('/plugin uninstall other', 'Removed:');
    expect(existsSync(join(shell.home, '.chatcli/plugins/other'))).toBe(false);
    await shell.enter('/plugin uninstall @coder', 'is built in');
    rmSync(join(shell.home, '.chatcli/plugins/hello'));
    await shell.enter('/plugin reload', 'No plugin is in use.');
    await shell.enter('and again', 'Turn 4 done.');
    expect(JSON.stringify(shell.server.requests.at(-1)?.body ?? {})).not.toContain('Says second');
    expect(readFileSync(join(shell.home, '.chatcli/trust.json'), 'utf8')).toContain('hello');
  });
});
