/** The first start with hostile keys, and left at each step: what is kept is right, and what is left is nothing. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, type PlayedShell, paste, playedShells, textOf } from './input-shell.js';

const start = playedShells();
const KEY = 'sk-first-run-0123456789abcdef';
const MENU = '(Esc leaves):';

async function fresh(script?: Parameters<typeof start>[0]) {
  const shell = await start({ ...script, bare: true, wait: false, columns: 100, rows: 40 });
  const { url } = shell.server;
  await shell.terminal.close();
  const next = await shell.again({ env: { OPENAI_API_URL: `${url}/v1/chat/completions` } });
  await next.terminal.waitFor(MENU, { ms: PATIENCE_MS });
  return next;
}

const fileOf = ({ home }: PlayedShell): string => join(home, '.chatcli/config.json');

describe('keys as they are pasted', () => {
  it.each([
    ['quotation marks', `"${KEY}"`],
    ['single ones and a comma', `'${KEY}',`],
    ['blanks and line ends around', `  ${KEY} \r\n`],
    ['an assignment', `export OPENAI_API_KEY="${KEY}"`],
    ['the word of a header', `Bearer ${KEY}`],
    ['an escape sequence', `\x1b[1m${KEY}\x1b[0m`],
  ])('with %s are kept bare, and never shown', async (_name, pasted) => {
    const shell = await fresh();
    shell.terminal.send('1\r');
    await shell.terminal.waitFor('Paste the key for OpenAI', { ms: PATIENCE_MS });
    shell.terminal.send(`${paste(pasted)}\r`);
    await shell.terminal.waitFor('The key is kept in', { all: true, ms: PATIENCE_MS });
    expect(JSON.parse(textOf(fileOf(shell))).keys).toEqual({ OPENAI_API_KEY: KEY });
    expect(shell.terminal.output()).not.toContain(KEY);
  });
  it.each([
    ['a blank inside', 'sk-one two'],
    ['letters no key has', 'sk-chave-ção-日本'],
    ['nothing but marks', '""'],
  ])('with %s are asked for again, and nothing is written', async (_name, pasted) => {
    const shell = await fresh();
    shell.terminal.send('1\r');
    await shell.terminal.waitFor('Paste the key for OpenAI', { ms: PATIENCE_MS });
    shell.terminal.send(`${paste(pasted)}\r`);
    await shell.terminal.waitUntil('asked again', () => shell.terminal.output().split('Paste the key').length > 2, PATIENCE_MS);
    expect(existsSync(fileOf(shell))).toBe(false);
    expect(shell.server.requests).toHaveLength(0);
  });
});

describe('Ctrl+C', () => {
  it('while the key is checked, and at the question whether to keep it, writes nothing', async () => {
    const shell = await fresh({ script: () => ({ hang: true }) });
    shell.terminal.send('1\r');
    await shell.terminal.waitFor('Paste the key for OpenAI', { ms: PATIENCE_MS });
    shell.terminal.send(`${KEY}\r`);
    await shell.terminal.waitUntil(
      'the service is asked',
      () => shell.server.requests.length > 0 || shell.shown().includes('Asking'),
      PATIENCE_MS,
    );
    shell.terminal.send('\x03');
    await shell.terminal.waitFor('Keep it all the same?', { ms: PATIENCE_MS });
    shell.terminal.send('\x03');
    await shell.terminal.waitUntil('asked again', () => shell.terminal.output().split('Paste the key').length > 2, PATIENCE_MS);
    shell.terminal.send('\x03');
    await shell.terminal.waitUntil('the list', () => shell.terminal.output().split(MENU).length > 2, PATIENCE_MS);
    shell.terminal.send('\x03');
    expect((await shell.terminal.exit).code).toBe(2);
    expect(existsSync(fileOf(shell))).toBe(false);
    const state = join(shell.home, '.chatcli');
    expect(existsSync(state) ? readdirSync(state).filter((name) => name.endsWith('.tmp')) : []).toEqual([]);
    expect(shell.terminal.terminal.modes.bracketedPasteMode).toBe(false);
  });
});
