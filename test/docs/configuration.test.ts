/** docs/configuration.md names every variable, provider and key of the configuration file, and nothing that does not exist. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONFIG_SCHEMA } from '../../src/app/config-schema.js';
import { PROVIDERS } from '../../src/providers/registry.js';

const ROOT = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
const named = (name: string) => page.includes(`\`${name}\``);

/** Names of ours that the program reads from its environment. */
function variablesRead(): string[] {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.name.endsWith('.ts'),
  );
  const text = sources.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join('\n');
  return [...new Set([...text.matchAll(/env\['((?:CHATCLI|LLM)_[A-Z_]+)'\]/g)].map((match) => match[1] as string))];
}

describe('docs/configuration.md', () => {
  it('names every variable the program reads', () => {
    expect(variablesRead().length).toBeGreaterThan(5);
    expect(variablesRead().filter((name) => !named(name))).toEqual([]);
  });
  it('names every key of the configuration file', () => {
    expect(Object.keys(CONFIG_SCHEMA.properties).filter((key) => !named(key))).toEqual([]);
  });
  it('has a row for every provider, with its variables, and none for others', () => {
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` \|.*_MODEL.*$/gm)];
    expect(rows.map((row) => row[1]).sort()).toEqual(PROVIDERS.map((entry) => entry.name).sort());
    for (const entry of PROVIDERS) {
      const row = rows.find((found) => found[1] === entry.name)?.[0] ?? '';
      for (const variable of [
        ...entry.keyVariables,
        ...(entry.namedKeyVariables ?? []),
        entry.modelVariable,
        ...entry.urlVariables,
      ])
        expect(row, `${entry.name}: ${variable}`).toContain(`\`${variable}\``);
    }
  });
});
