import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConfigFlags } from '../../src/app/config.js';
import { CONFIG_SCHEMA } from '../../src/app/config-schema.js';
import { loadConfig } from '../../src/app/load-config.js';
import { settingsPort } from '../../src/app/settings.js';
import { createText } from '../../src/ui/text/index.js';

let base = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'chatcli-settings-')));
  mkdirSync(join(base, 'project/.chatcli'), { recursive: true });
  mkdirSync(join(base, 'state'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const text = createText('en');
const file = () => join(base, 'state/config.json');
const open = (flags: ConfigFlags = {}, env: Record<string, string> = {}) => {
  const all = { directory: join(base, 'project'), isolatedState: join(base, 'state'), ...flags };
  const loaded = loadConfig(all);
  return settingsPort({ config: { ...loaded, env: { ...loaded.env, ...env } }, flags: all, text });
};
const one = (port: ReturnType<typeof open>, name: string) => port.list().find((setting) => setting.name === name);

describe('settings', () => {
  it('name every setting there is, with where it comes from', () => {
    writeFileSync(file(), JSON.stringify({ maxTurns: 30, effort: 'low', testCmd: 'own', keys: { X_API_KEY: 'secret-value' } }), {
      mode: 0o600,
    });
    writeFileSync(join(base, 'project/.chatcli/config.json'), JSON.stringify({ testCmd: 'theirs', lintCmd: 'lint' }));
    const untrusted = open();
    expect(untrusted.list().map(({ name }) => name)).toEqual(Object.keys(CONFIG_SCHEMA.properties));
    expect(one(untrusted, 'maxTurns')).toMatchObject({ shown: '30', origin: 'own', from: file() });
    expect(one(untrusted, 'testCmd')).toMatchObject({ shown: 'own', origin: 'own' });
    expect(one(untrusted, 'lintCmd')).toMatchObject({ shown: '', origin: 'default' });
    const trusted = open({ trust: true, effort: 'max' });
    expect(one(trusted, 'testCmd')).toMatchObject({ shown: 'theirs', origin: 'project' });
    expect(one(trusted, 'effort')).toMatchObject({ shown: 'max', origin: 'flag', from: '--effort' });
    expect(one(open({}, { LLM_PROVIDER: 'XAI' }), 'provider')).toMatchObject({ origin: 'variable', from: 'LLM_PROVIDER' });
    expect(one(trusted, 'keys')?.shown).toBe('X_API_KEY');
    expect(JSON.stringify(trusted.list())).not.toContain('secret-value');
  });

  it('are written privately, only when the whole file stays valid', () => {
    const port = open();
    expect(port.set('maxTurns', '12').done).toBe(true);
    expect(port.set('allow', '@coder write, @coder exec --cmd npm test').done).toBe(true);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({
      maxTurns: 12,
      allow: ['@coder write', '@coder exec --cmd npm test'],
    });
    const before = readFileSync(file(), 'utf8');
    for (const [name, value] of [
      ['maxTurns', 'many'],
      ['maxTurns', '9999'],
      ['effort', 'huge'],
      ['nothing', '1'],
      ['__proto__', '1'],
      ['keys', 'x'],
      ['allow', '[broken'],
    ] as const)
      expect(port.set(name, value).done, name).toBe(false);
    expect(readFileSync(file(), 'utf8')).toBe(before);
    expect(loadConfig({ directory: join(base, 'project'), isolatedState: join(base, 'state') }).maxTurns).toBe(12);
    expect(port.set('maxTurns', undefined).done).toBe(true);
    expect(port.set('maxTurns', undefined).done).toBe(false);
    writeFileSync(file(), 'broken');
    expect(port.set('maxTurns', '5').done).toBe(false);
    expect(readFileSync(file(), 'utf8')).toBe('broken');
  });
});
