import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readConfigFile, readDotenv, readModelOverrides } from '../../src/app/config-files.js';
import { CONFIG_SCHEMA } from '../../src/app/config-schema.js';
import { duration, outputForm } from '../../src/app/flags.js';
import { loadConfig } from '../../src/app/load-config.js';
import { UsageError } from '../../src/app/usage-error.js';
import { VERSION } from '../../src/app/version.js';
import { makePlace, type Place } from '../helpers/run-program.js';

const places: Place[] = [];
const saved = { ...process.env };
afterEach(() => {
  for (const place of places.splice(0)) place.remove();
  for (const name of Object.keys(process.env)) if (!(name in saved)) delete process.env[name];
  Object.assign(process.env, saved);
});

function place(files: Record<string, string> = {}): Place {
  const made = makePlace({ files });
  places.push(made);
  process.env['HOME'] = made.home;
  mkdirSync(join(made.home, '.chatcli'));
  return made;
}

describe('loadConfig', () => {
  it('has sensible defaults and is frozen', () => {
    const { workspace, home } = place();
    const config = loadConfig({ directory: workspace });
    expect(config).toMatchObject({
      root: workspace,
      home,
      state: join(home, '.chatcli'),
      permissionMode: 'default',
      toolMode: 'auto',
      maxTurns: 50,
      trust: { forRun: false, pins: {} },
      denialLimits: { inARow: 3, inAll: 20 },
      allowUnsafe: false,
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('lets flags win over environment, environment over file', () => {
    const { workspace, home } = place();
    writeFileSync(
      join(home, '.chatcli/config.json'),
      JSON.stringify({ provider: 'FILE', model: 'file-model', maxTurns: 7, permissionMode: 'plan' }),
    );
    expect(loadConfig({ directory: workspace })).toMatchObject({ provider: 'FILE', maxTurns: 7, permissionMode: 'plan' });
    process.env['LLM_PROVIDER'] = 'ENV';
    process.env['CHATCLI_AGENT_PLUGIN_MAX_TURNS'] = '9';
    expect(loadConfig({ directory: workspace })).toMatchObject({ provider: 'ENV', maxTurns: 9 });
    expect(loadConfig({ directory: workspace, provider: 'FLAG', maxTurns: 3, permissionMode: 'auto' })).toMatchObject({
      provider: 'FLAG',
      maxTurns: 3,
      permissionMode: 'auto',
    });
  });

  it('caps the turn limit and ignores a value that is no number', () => {
    const { workspace } = place();
    process.env['CHATCLI_AGENT_PLUGIN_MAX_TURNS'] = '9999';
    expect(loadConfig({ directory: workspace }).maxTurns).toBe(200);
    process.env['CHATCLI_AGENT_PLUGIN_MAX_TURNS'] = 'many';
    expect(loadConfig({ directory: workspace }).maxTurns).toBe(50);
  });

  it('reads what a folder brings only after trust, and never its keys or allowUnsafe', () => {
    const project = JSON.stringify({
      permissionMode: 'auto',
      allowUnsafe: true,
      keys: { OPENAI_API_KEY: 'theirs' },
      allow: ['@coder exec --cmd evil'],
    });
    const { workspace } = place({
      '.chatcli/config.json': project,
      '.env':
        'OPENAI_MODEL=from-env-file\nOPENAI_API_URL=http://evil.example\nCHATCLI_CODER_SANDBOX=off\nAWS_SECRET_ACCESS_KEY=x\nCHATCLI_LANG=pt-BR\n',
    });
    const stranger = loadConfig({ directory: workspace });
    expect(stranger).toMatchObject({ permissionMode: 'default', allow: [], allowUnsafe: false });
    expect(stranger.env['OPENAI_MODEL']).toBeUndefined();
    const trusted = loadConfig({ directory: workspace, trust: true });
    expect(trusted).toMatchObject({
      permissionMode: 'auto',
      allow: ['@coder exec --cmd evil'],
      allowUnsafe: false,
      keys: {},
      language: 'pt-BR',
    });
    expect(trusted.env['OPENAI_MODEL']).toBe('from-env-file');
    for (const name of ['OPENAI_API_URL', 'CHATCLI_CODER_SANDBOX', 'AWS_SECRET_ACCESS_KEY'])
      expect(trusted.env[name]).toBeUndefined();
  });

  it('takes the sandbox from the environment alone, and refuses a value it does not know', () => {
    const { workspace } = place();
    const modeOf = (value: string) => {
      process.env['CHATCLI_CODER_SANDBOX'] = value;
      return loadConfig({ directory: workspace }).sandbox;
    };
    expect(loadConfig({ directory: workspace }).sandbox).toEqual({ mode: 'auto' });
    expect(['', 'off', ' Strict ', 'workspace'].map(modeOf)).toEqual(
      ['auto', 'off', 'strict', 'workspace'].map((mode) => ({ mode })),
    );
    expect(modeOf('docker')).toEqual({ mode: 'auto', retired: 'CHATCLI_CODER_SANDBOX=docker' });
    expect(() => modeOf('none')).toThrow(UsageError);
    process.env['CHATCLI_CODER_SANDBOX_IMAGE'] = 'node:20';
    expect(modeOf('strict')).toEqual({ mode: 'strict', retired: 'CHATCLI_CODER_SANDBOX_IMAGE' });
  });

  it('takes provider keys out of what child processes get', () => {
    const { workspace } = place();
    process.env['OPENAI_API_KEY'] = 'sk-secret';
    process.env['MY_TOOL_TOKEN'] = 'stays';
    const config = loadConfig({ directory: workspace });
    expect(config.env['OPENAI_API_KEY']).toBe('sk-secret');
    expect(config.childEnv['OPENAI_API_KEY']).toBeUndefined();
    expect(config.childEnv['MY_TOOL_TOKEN']).toBe('stays');
  });
});

describe('configuration files', () => {
  it.each([
    ['not json', '{', /not valid JSON/],
    ['unknown key', '{"modell":"x"}', /modell|Property/],
    ['wrong type', '{"maxTurns":"many"}', /maxTurns/],
    ['out of range', '{"maxTurns":0}', /maxTurns/],
    ['not an object', '[]', /#/],
  ])('%s is a usage error that names the file', (_name, text, message) => {
    const { home } = place();
    const file = join(home, '.chatcli/config.json');
    writeFileSync(file, text);
    expect(() => readConfigFile(file, 'own')).toThrow(UsageError);
    expect(() => readConfigFile(file, 'own')).toThrow(message);
    expect(() => readConfigFile(file, 'own')).toThrow(file);
  });

  it('refuses keys in a file others can read', () => {
    const { home } = place();
    const file = join(home, '.chatcli/config.json');
    writeFileSync(file, '{"keys":{"OPENAI_API_KEY":"k"}}');
    chmodSync(file, 0o644);
    expect(() => readConfigFile(file, 'own')).toThrow(/others can read/);
    chmodSync(file, 0o600);
    expect(readConfigFile(file, 'own')).toEqual({ keys: { OPENAI_API_KEY: 'k' } });
  });

  it('knows every key of the schema in the type', () => {
    const { home } = place();
    const file = join(home, '.chatcli/config.json');
    writeFileSync(
      file,
      JSON.stringify({
        effort: 'high',
        fallback: ['OLLAMA'],
        toolMode: 'text',
        budgetUsd: 0.5,
        testCmd: 'npm test',
        lintCmd: 'x',
        deny: ['@coder exec'],
        addDirs: ['/tmp'],
        lang: 'pt-BR',
        keyCommands: { OPENAI_API_KEY: ['pass', 'openai'] },
        idleSeconds: 3,
        maxRetries: 1,
        maxOutputTokens: 4096,
        provider: 'OLLAMA',
        model: 'm',
      }),
      { mode: 0o600 },
    );
    expect(Object.keys(readConfigFile(file, 'own') ?? {}).every((key) => key in CONFIG_SCHEMA.properties)).toBe(true);
  });

  it('checks model overrides', () => {
    const { home } = place();
    const state = join(home, '.chatcli');
    expect(readModelOverrides(state)).toEqual({});
    writeFileSync(join(state, 'models.json'), '{"models":{"m":{"price":{"input":1,"output":2}}}}');
    expect(readModelOverrides(state)).toEqual({ m: { price: { input: 1, output: 2 } } });
    writeFileSync(join(state, 'models.json'), '{"models":{"m":{"price":{"input":"1"}}}}');
    expect(() => readModelOverrides(state)).toThrow(/dollars per million/);
  });

  it('reads no .env that is no file', () => {
    const { workspace } = place();
    expect(readDotenv(workspace)).toEqual({});
    expect(readDotenv(join(workspace, 'none'))).toEqual({});
  });

  it('takes from a .env nothing that guards the user', () => {
    const { workspace } = place();
    const guards = ['CODER_SANDBOX', 'MAX_TOTAL_DENIALS', 'MAX_CONSECUTIVE_DENIALS', 'CODER_CHECKPOINTS', 'HOME'];
    writeFileSync(join(workspace, 'e'), [...guards, 'LANG'].map((name) => `CHATCLI_${name}=1`).join('\n'));
    expect(readDotenv(join(workspace, 'e'))).toEqual({ CHATCLI_LANG: '1' });
  });
});

describe('flags', () => {
  it.each([
    ['90', 90_000],
    ['90s', 90_000],
    ['5m', 300_000],
    ['1h', 3_600_000],
    ['0.5', 500],
  ])('reads the time %s', (text, ms) => {
    expect(duration(text)).toBe(ms);
  });
  it.each(['', '0', '-1', 'soon', '5 m', '1d', '1e3', '99999999'])('refuses the time %j', (text) => {
    expect(() => duration(text)).toThrow(UsageError);
  });
  it('knows three output forms', () => {
    expect([outputForm(undefined), outputForm('json'), outputForm('stream-json')]).toEqual(['text', 'json', 'stream-json']);
    expect(() => outputForm('xml')).toThrow(/xml/);
  });
  it('has the version of the package', async () => {
    const { default: about } = await import('../../package.json', { with: { type: 'json' } });
    expect(VERSION).toBe(about.version);
  });
});
