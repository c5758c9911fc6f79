/** The document on agents: every script and every field of it stands there. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SCRIPT_SKILLS } from '../../src/skills/registry.js';

const rows = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'));

it.each(SCRIPT_SKILLS.map((skill) => [skill.name, skill] as const))('names the fields of %s', (name, { schema }) => {
  const row = rows.find((line) => line.split('|')[1]?.includes(`\`${name}\``) && line.split('|').length === 5);
  expect(row, 'a row of its own').toBeDefined();
  const fields = Object.keys((schema as { properties?: object }).properties ?? {});
  for (const field of fields) expect(row).toContain(`\`${field}\``);
});
