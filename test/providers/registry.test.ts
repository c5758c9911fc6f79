/** The contract every provider entry keeps, and which one a configuration selects. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openProvider, PROVIDERS, selectProvider } from '../../src/providers/registry.js';
import type { ProviderEntry } from '../../src/providers/shared/entry.js';
import { select } from '../../src/providers/shared/select.js';
import { ask, request, user } from '../helpers/wire/converse.js';
import { envFor, TEST_KEY } from '../helpers/wire/env.js';
import { startWireServer, type WireServer } from '../helpers/wire/server.js';

const servers: WireServer[] = [];
const start = async (...args: Parameters<typeof startWireServer>) => {
  const server = await startWireServer(...args);
  servers.push(server);
  return server;
};
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('every entry', () => {
  it('has a name of its own, a model variable, and a way to be reached', () => {
    expect(new Set(PROVIDERS.map(({ name }) => name)).size).toBe(PROVIDERS.length);
    for (const entry of PROVIDERS) {
      expect(entry.name).toMatch(/^[A-Z_]+$/);
      expect(entry.modelVariable).toMatch(/_MODEL$/);
      expect(entry.urlVariables.length).toBeGreaterThan(0);
      expect(entry.keyless || entry.keyVariables.length > 0, entry.name).toBe(true);
      expect(entry.keyless || Boolean(entry.defaultModel), entry.name).toBe(true);
    }
  });

  it('makes a provider that fails with an `end`, never an exception', async () => {
    const dead = await start({ format: 'chat', script: [] });
    await dead.close();
    for (const entry of PROVIDERS) {
      const env = Object.fromEntries([
        ...entry.urlVariables.map((name) => [name, `${dead.url}/x`]),
        ...entry.keyVariables.map((name) => [name, TEST_KEY]),
      ]);
      const reply = await ask(entry.create({ env, config: {} }), request([user('x')]));
      expect(reply.fault, entry.name).toMatchObject({ kind: 'network' });
    }
  });

  it('without a key says so without asking anyone', async () => {
    for (const entry of PROVIDERS.filter(({ keyless }) => !keyless)) {
      const { fault } = await ask(entry.create({ env: {}, config: {} }), request([user('x')]));
      expect(fault).toMatchObject({ kind: 'auth', retryable: false });
      expect(fault?.message).toContain(entry.keyVariables[0]);
    }
  });

  it('sends its key and its model to the address of its variable', async () => {
    for (const entry of PROVIDERS.filter(({ name }) => !['CLAUDEAI', 'GOOGLEAI'].includes(name))) {
      const server = await start({ format: 'chat', script: [{ text: 'ok' }] });
      const variable = entry.keyVariables[0] ?? entry.namedKeyVariables?.[0] ?? '';
      const env = { [entry.urlVariables[0] ?? '']: `${server.url}/v1`, [variable]: TEST_KEY };
      expect(await ask(entry.create({ env, config: {} }), request([user('x')], { model: 'm1' })), entry.name).toMatchObject({
        text: 'ok',
      });
      expect(server.requests[0]).toMatchObject({
        path: '/v1/chat/completions',
        body: { model: 'm1', stream: true },
        headers: { authorization: `Bearer ${TEST_KEY}` },
      });
      expect(server.requests[0]?.headers['user-agent']).toBe('chatcli');
    }
  });

  it('is imported without its SDK', () => {
    const root = resolve(import.meta.dirname, '../../src/providers');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    expect(files.length).toBeGreaterThan(20);
    for (const file of files)
      expect(readFileSync(join(root, file), 'utf8'), file).not.toMatch(/^import (?!type )[^;]*'(?:@ai-sdk|undici)/m);
  });
});

describe('selection', () => {
  const chosen = async (env: Record<string, string>, config = {}) => {
    const selection = await selectProvider(env, config);
    return selection.kind === 'selected' ? `${selection.entry.name} ${selection.model} ${selection.reason}` : selection.kind;
  };

  it.each([
    [{ LLM_PROVIDER: 'claudeai', ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' }, {}, 'CLAUDEAI claude-sonnet-4-6 named'],
    [
      { LLM_PROVIDER: 'CLAUDEAI', ANTHROPIC_API_KEY: 'k' },
      { provider: 'OPENAI', keys: { OPENAI_API_KEY: 'k' } },
      'OPENAI gpt-5.4 named',
    ],
    [{ OPENAI_API_KEY: 'k', OPENAI_MODEL: 'm' }, {}, 'OPENAI m key'],
    [{ OPENAI_API_KEY: 'k', OPENAI_MODEL: 'm' }, { model: 'n' }, 'OPENAI n key'],
    [{ MOONSHOT_API_KEY: 'k', XAI_API_KEY: 'k' }, {}, 'XAI grok-4-1 key'],
    [{ OPENAI_API_KEY: ' ', GOOGLEAI_API_KEY: 'k' }, {}, 'GOOGLEAI gemini-2.5-flash key'],
    [{}, { keys: { ZAI: 'k' } }, 'ZAI glm-5 key'],
    [{}, { keyCommands: { OPENROUTER_API_KEY: ['pass', 'show'] } }, 'OPENROUTER openai/gpt-5.2 key'],
    [{ OLLAMA_ENABLED: 'true' }, {}, 'OLLAMA gpt-oss:20b address'],
    [{ VLLM_BASE_URL: 'http://gpu:8000', VLLM_MODEL: 'q' }, {}, 'VLLM q address'],
    [{ LLM_PROVIDER: 'STACKSPOT' }, {}, 'retired'],
    [{ LLM_PROVIDER: 'NOBODY' }, {}, 'unknown'],
    [{ LLM_PROVIDER: 'OPENAI' }, {}, 'no-key'],
    [{ LLM_PROVIDER: 'COMPATIBLE' }, {}, 'no-address'],
    [{ LLM_PROVIDER: 'GITHUB_MODELS', GITHUB_TOKEN: 'k' }, {}, 'GITHUB_MODELS openai/gpt-4o named'],
  ])('%j %j -> %s', async (env, config, expected) => {
    expect(await chosen(env, config)).toBe(expected);
  });

  it("a build machine's GITHUB_TOKEN selects nobody", async () => {
    const selection = await select(
      PROVIDERS.filter((entry) => !entry.localProbe),
      { GITHUB_TOKEN: 'k' },
      {},
    );
    expect(selection).toMatchObject({ kind: 'none', variables: expect.arrayContaining(['OPENAI_API_KEY', 'ANTHROPIC_API_KEY']) });
  });

  it('with no key a local server that answers, with a model it has', async () => {
    const server = await start({ format: 'chat', script: [{ text: 'hi' }], models: ['llama-x', 'other'] });
    const dead = await start({ format: 'chat', script: [] });
    await dead.close();
    const local = (name: string, url: string): ProviderEntry => ({
      ...(PROVIDERS.find((entry) => entry.name === name) as ProviderEntry),
      localProbe: `${url}/v1/models`,
    });
    const selection = await select([local('OLLAMA', dead.url), local('LMSTUDIO', server.url)], {}, {});
    expect(selection).toMatchObject({ kind: 'selected', reason: 'local', model: 'llama-x', entry: { name: 'LMSTUDIO' } });
    const none = await select([local('OLLAMA', dead.url)], {}, {});
    expect(none).toEqual({ kind: 'none', variables: [], addresses: [`${dead.url}/v1/models`] });
  });

  it("asks a server of one's own for its model, and says when it has none", async () => {
    const server = await start({ format: 'chat', script: [], models: ['loaded'] });
    expect(await chosen({ LMSTUDIO_BASE_URL: server.url })).toBe('LMSTUDIO loaded address');
    const empty = await start({ format: 'chat', script: [], models: [] });
    expect(await selectProvider({ LLM_PROVIDER: 'LLAMACPP', LLAMACPP_BASE_URL: `${empty.url}/v1` })).toMatchObject({
      kind: 'no-model',
      variable: 'LLAMACPP_MODEL',
      address: `${empty.url}/v1/models`,
    });
  });
});

describe('the provider of a run', () => {
  it('retries, then goes on to the fallback with its own model', async () => {
    const first = await start({ format: 'chat', script: () => ({ status: 503 }) });
    const second = await start({ format: 'anthropic', script: [{ text: 'from claude' }] });
    const env = { ...envFor(second), ...envFor(first), LLM_PROVIDER: 'OPENAI' };
    const selection = await selectProvider(env, { maxRetries: 2, fallback: ['CLAUDEAI:claude-x', 'NOBODY', 'XAI'] });
    if (selection.kind !== 'selected') throw new Error(selection.kind);
    const waits: number[] = [];
    const { provider, skipped } = await openProvider(selection, { sleep: async (ms) => void waits.push(ms), random: () => 0 });
    expect(skipped.map(({ kind }) => kind)).toEqual(['unknown', 'no-key']);
    expect(await ask(provider, request([user('x')]))).toMatchObject({ text: 'from claude', restarts: 3 });
    expect([first.requests.length, second.requests[0]?.body['model'], waits]).toEqual([3, 'claude-x', [200, 400]]);
  });

  it.each([
    [{ INITIAL_BACKOFF: '3' }, 3_000],
    [{ INITIAL_BACKOFF: '3s' }, 3_000],
    [{ INITIAL_BACKOFF: '250ms' }, 250],
    [{ INITIAL_BACKOFF: 'soon' }, 500],
    [{ INITIAL_BACKOFF: '0' }, 500],
  ])('%j: first wait at most %i ms', async (env, expected) => {
    const server = await start({ format: 'chat', script: [{ status: 500 }, { text: 'ok' }] });
    const selection = await selectProvider({ ...envFor(server), ...env });
    if (selection.kind !== 'selected') throw new Error(selection.kind);
    const waits: number[] = [];
    const { provider } = await openProvider(selection, { sleep: async (ms) => void waits.push(ms), random: () => 1 });
    await ask(provider, request([user('x')]));
    expect(waits).toEqual([expected]);
  });
});
