/** The first start in a real terminal: a service is chosen, its key tried and kept; leaving, the demo and both languages. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { program } from '../../../helpers/program.js';
import { noPty, openPty, type PtyTerminal } from '../../../helpers/pty.js';
import type { Reply } from '../../../helpers/wire/script.js';
import { startWireServer, type WireServer } from '../../../helpers/wire/server.js';

const KEY = 'sk-first-run-0123456789abcdef';
const opened: { terminal: PtyTerminal; server: WireServer; base: string }[] = [];

async function start(
  replies: readonly Reply[],
  more: {
    readonly args?: string[];
    readonly env?: Record<string, string>;
    readonly config?: string;
    readonly columns?: number;
  } = {},
) {
  const main = await program();
  const base = mkdtempSync(join(tmpdir(), 'chatcli-first-'));
  const [home, root] = [join(base, 'home'), join(base, 'project')];
  for (const folder of [home, root]) mkdirSync(folder);
  const file = join(home, '.chatcli/config.json');
  if (more.config !== undefined) {
    mkdirSync(join(home, '.chatcli'));
    writeFileSync(file, more.config);
  }
  const server = await startWireServer({ format: 'chat', script: replies });
  const terminal = await openPty({
    file: process.execPath,
    args: [main, ...(more.args ?? [])],
    cwd: root,
    columns: more.columns ?? 100,
    rows: 40,
    env: { HOME: home, OPENAI_API_URL: `${server.url}/v1/chat/completions`, ...more.env },
  });
  opened.push({ terminal, server, base });
  return { terminal, server, home, file };
}

beforeEach(async (context) => {
  const without = await noPty();
  if (without) context.skip(without);
});
afterEach(async () => {
  for (const { terminal, server, base } of opened.splice(0)) {
    await terminal.close();
    await server.close();
    rmSync(base, { recursive: true, force: true });
  }
});

const MENU = 'then Enter (Esc leaves):';
const OK: Reply = { text: 'ok' };

describe('the first start', () => {
  it.each([
    ['the screen', [] as string[]],
    ['--plain', ['--plain']],
  ])('asks for a service and its key, tries it, keeps it where only the user reads it, and goes on (%s)', async (_name, args) => {
    const { terminal, server, file, home } = await start([OK, { text: 'First answer.' }], { args, config: '{ "lang": "en" }' });
    await terminal.waitFor(MENU);
    expect(terminal.screen().join('\n')).toContain('Anthropic Claude');
    terminal.send('1\r');
    await terminal.waitFor('Paste the key for OpenAI');
    terminal.send(`\x1b[200~${KEY}\n\x1b[201~\r`);
    await terminal.waitFor('The key is kept in', { all: true });
    await terminal.waitFor(/^> /m);
    terminal.send('hello');
    await terminal.waitFor('> hello');
    terminal.send('\r');
    await terminal.waitFor('First answer.');
    const [check, asked] = server.requests;
    expect(check?.headers['authorization']).toBe(`Bearer ${KEY}`);
    expect(check?.body).toMatchObject({ max_completion_tokens: 16 });
    expect(asked?.headers['authorization']).toBe(`Bearer ${KEY}`);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ lang: 'en', provider: 'OPENAI', keys: { OPENAI_API_KEY: KEY } });
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(terminal.output()).not.toContain(KEY);
    const history = join(home, '.chatcli/history');
    expect(existsSync(history) ? readFileSync(history, 'utf8') : '').not.toContain(KEY);
  });

  it('asks again for a key that is refused or odd, and keeps one that could not be checked only when told to', async () => {
    const { terminal, file } = await start([
      { status: 401, message: `Incorrect API key provided: ${KEY}x` },
      { status: 500, message: 'out of order' },
      { status: 500, message: 'out of order' },
    ]);
    await terminal.waitFor(MENU);
    terminal.send('nonsense\r');
    await terminal.waitFor('Not in the list');
    terminal.send('openai\r');
    await terminal.waitFor('Paste the key');
    terminal.send('two words\r');
    await terminal.waitFor('no key has');
    terminal.send(`${KEY}x\r`);
    await terminal.waitFor('does not take this key');
    terminal.send(`${KEY}\r`);
    await terminal.waitFor('Keep it all the same?');
    terminal.send('n\r');
    await terminal.waitUntil('the key is asked for again', () => terminal.output().split('Paste the key').length > 4);
    expect(existsSync(file)).toBe(false);
    terminal.send(`${KEY}\r`);
    await terminal.waitUntil('it is asked again', () => terminal.output().split('Keep it all').length > 2);
    terminal.send('y\r');
    await terminal.waitFor('The key is kept in', { all: true });
    expect(terminal.output()).not.toContain(KEY);
    expect(JSON.parse(readFileSync(file, 'utf8')).keys).toEqual({ OPENAI_API_KEY: KEY });
  });

  it.each([
    ['Esc', '\x1b'],
    ['Ctrl+C', '\x03'],
  ])('%s goes back from the key, then leaves with what to set, and writes nothing', async (_name, key) => {
    const { terminal, file } = await start([]);
    await terminal.waitFor(MENU);
    terminal.send('2\r');
    await terminal.waitFor('Paste the key for Anthropic Claude');
    terminal.send(key);
    await terminal.waitUntil('the list again', () => terminal.output().split(MENU).length > 2);
    terminal.send(key);
    expect(await terminal.exit).toEqual({ code: 2, signal: 0 });
    const shown = terminal.scrollback().join('\n');
    expect(shown).toContain('Set a key: OPENAI_API_KEY, ANTHROPIC_API_KEY');
    expect(shown).toContain('chatcli demo');
    expect(shown).not.toMatch(/^\s+at /m);
    expect(existsSync(file)).toBe(false);
  });

  it('asks for the key of the provider that is named', async () => {
    const { terminal, file } = await start([OK], { env: { LLM_PROVIDER: 'OPENAI' } });
    await terminal.waitFor('Paste the key for OpenAI');
    terminal.send(`${KEY}\r`);
    await terminal.waitFor('The key is kept in', { all: true });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ keys: { OPENAI_API_KEY: KEY } });
  });

  it('says what is wrong when the keychain no longer holds the key that was kept there', async () => {
    const { terminal } = await start([], { config: '{ "provider": "OPENAI", "keychain": ["OPENAI_API_KEY"] }' });
    await terminal.waitFor(/^> /m);
    terminal.send('hello');
    await terminal.waitFor('> hello');
    terminal.send('\r');
    await terminal.waitFor('gives no key for OPENAI_API_KEY');
  });

  it('speaks Portuguese, in 40 columns too', async () => {
    const { terminal } = await start([], { env: { CHATCLI_LANG: 'pt-BR' }, columns: 40 });
    await terminal.waitFor('(Esc sai):');
    expect(terminal.screen().join('\n')).toContain('Olá.');
    terminal.send('1\r');
    await terminal.waitFor('Cole a chave');
  });

  it('uses a local server that answers, and tells it by name', async (context) => {
    const model = await startWireServer({ format: 'chat', script: [{ text: 'From this machine.' }], models: ['qwen3'] });
    // The place where LM Studio is looked for.
    const front = createServer((request, response) => {
      const to = httpRequest(
        `${model.url}${request.url ?? ''}`,
        { method: request.method, headers: request.headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        },
      );
      request.pipe(to);
    });
    const isFree = await new Promise<boolean>((resolve) => {
      front.once('error', () => resolve(false));
      front.listen(1234, '127.0.0.1', () => resolve(true));
    });
    try {
      if (!isFree) context.skip('port 1234 is taken by something else');
      const { terminal } = await start([]);
      await terminal.waitFor('Using LM Studio at 127.0.0.1:1234, model qwen3.');
      await terminal.waitFor(/^> /m);
      terminal.send('hello');
      await terminal.waitFor('> hello');
      terminal.send('\r');
      await terminal.waitFor('From this machine.');
    } finally {
      front.close();
      front.closeAllConnections();
      await model.close();
    }
  });
});
