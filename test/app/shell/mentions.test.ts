/** What a message names with `@` reaches the model, and nothing private does. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openPlay, type Play } from './desk-play.js';

let play: Play | undefined;
afterEach(async () => {
  await play?.close();
  play = undefined;
});

describe('mentions', () => {
  it('add files, folders and words, and refuse what is private or outside', async () => {
    play = await openPlay({
      git: true,
      files: { 'src/a.ts': 'export const a = "</context>";\n', '.env': 'SECRET=abc', 'pic.bin': '\0\0\0\x01' },
      turns: [{ text: 'ok' }],
      env: { MY_TOKEN: 'tok-secret-value', PLAIN: 'visible' },
    });
    const { base, root, run, provider } = play;
    writeFileSync(join(base, 'outside.txt'), 'outside bytes');
    symlinkSync(join(base, 'outside.txt'), join(root, 'link.txt'));
    const { printed } = await run(
      'see @src/a.ts, @src @.env @link.txt @pic.bin @git @env @missing/x.ts @someone me@git.com',
      'chat',
    );
    const [sent] = provider.requests;
    const parts = sent?.messages[0]?.parts.map((part) => (part.type === 'text' ? part.text : '')) ?? [];
    const said = parts.join('');
    expect(parts.at(-1)).toMatch(/^see @src\/a\.ts/);
    expect(said).toContain('export const a = "</context>"');
    expect(said).toContain('<context_ source="@src/a.ts">');
    expect(said).toMatch(/<context source="@src">\na\.ts\n<\/context>/);
    expect(said).toContain('$ git status --short --branch');
    expect(said).toContain('PLAIN=visible');
    expect(said).toContain('MY_TOKEN=[hidden]');
    for (const hidden of ['SECRET=abc', 'outside bytes', 'tok-secret-value']) expect(said).not.toContain(hidden);
    expect(printed).toMatch(/\.env: private or outside/);
    expect(printed).toMatch(/link\.txt: private or outside/);
    expect(printed).toContain('pic.bin: no text');
    expect(printed).toContain('missing/x.ts: not found');
    expect(printed).not.toContain('someone');
  });

  it('run the command that was named, and read the history of the shell', async () => {
    play = await openPlay({ turns: [{ text: 'ok' }, { text: 'ok' }], env: { SHELL: '/bin/sh' } });
    const { home, run, provider } = play;
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, '.bash_history'), '#1700000000\nmake all\nls -l\n');
    await run('@history\n@command echo out; exit 3', 'chat');
    const said = JSON.stringify(provider.requests[0]?.messages[0]);
    expect(said).toContain('make all\\nls -l');
    expect(said).not.toContain('#1700000000');
    expect(said).toContain('exit code 3\\nout');
    await run('nothing named', 'chat');
    expect(JSON.stringify(provider.requests[1]?.messages.at(-1))).not.toContain('context source');
  });

  it('cut what is long and say so', async () => {
    play = await openPlay({ files: { 'big.txt': 'x'.repeat(100_000) }, turns: [{ text: 'ok' }] });
    const { printed } = await play.run('@big.txt', 'chat');
    expect(printed).toContain('cut at');
    expect(JSON.stringify(play.provider.requests[0]?.messages[0]).length).toBeLessThan(70_000);
  });
});
