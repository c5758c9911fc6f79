/** The contract of every tool: checked before its author writes a test. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Validator } from '@cfworker/json-schema';
import { afterEach, describe, expect, it } from 'vitest';
import { planStore } from '../../src/app/conversation.js';
import { createApp } from '../../src/app/create-app.js';
import { noProvider, operatorApprover } from '../../src/app/direct-call.js';
import { loadConfig } from '../../src/app/load-config.js';
import { catalogueText } from '../../src/protocol/catalogue.js';
import { functionsFor } from '../../src/protocol/native.js';
import { validateArgs } from '../../src/protocol/validate.js';
import { TOOLS } from '../../src/tools/registry.js';
import { denyAll } from '../../src/ui/approve-none.js';
import { makePlace, type Place } from '../helpers/run-program.js';

const places: Place[] = [];
afterEach(() => {
  for (const place of places.splice(0)) place.remove();
});

/** Every file of a folder with its content. */
function snapshot(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => [join(entry.parentPath, entry.name), readFileSync(join(entry.parentPath, entry.name), 'latin1')]),
  );
}

describe('the list of tools', () => {
  it('has unique names, natively too', () => {
    const names = TOOLS.flatMap((tool) => [tool.name, ...(tool.native ? [`native ${tool.native}`] : [])]);
    expect(new Set(names).size).toBe(names.length);
  });
  it('offers in full what the product names', () => {
    const full = TOOLS.filter((tool) => tool.inFull).map((tool) => tool.native);
    expect(full.sort()).toEqual(['exec', 'multipatch', 'patch', 'read', 'search', 'test', 'todo', 'tree', 'write']);
    expect(functionsFor(TOOLS).map((one) => one.name)).toEqual(expect.arrayContaining(['coder', 'call_tool']));
  });
  it('keeps prompt and schemas small', () => {
    const text = catalogueText(TOOLS, 'native') + JSON.stringify(functionsFor(TOOLS));
    expect(text.length).toBeLessThan(9 * 1024);
  });
});

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  it('describes itself: a valid schema, a short summary, an example that validates', () => {
    expect(tool.summary.length).toBeLessThanOrEqual(80);
    expect(tool.schema.additionalProperties).toBe(false);
    expect(() => new Validator(tool.schema as never, '2020-12')).not.toThrow();
    for (const field of tool.schema.required ?? []) expect(tool.schema.properties).toHaveProperty(field);
    // An alias may also stand for a field of the items of a list.
    const nested = Object.values(tool.schema.properties).flatMap((property) => Object.keys(property.items?.properties ?? {}));
    const known = [...Object.keys(tool.schema.properties), ...nested];
    expect(known).toEqual(expect.arrayContaining([...Object.values(tool.fieldAliases), ...tool.positional]));
    if (tool.mainField) expect(known).toContain(tool.mainField);
    expect(validateArgs(tool, tool.example)).toBeUndefined();
    expect(tool.limit).toBeGreaterThan(0);
  });

  it('has a test of its own', () => {
    const base = name.replace(/^@(coder )?/, '').replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
    const identifier = `${base}${name.startsWith('@coder ') ? 'Tool' : 'Atom'}`;
    const root = resolve(import.meta.dirname, '..');
    const tests = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
    expect(tests.filter((file) => readFileSync(join(root, file), 'utf8').includes(identifier))).not.toEqual([]);
  });

  it('states facts that agree with a run of its example', async () => {
    const place = makePlace({ files: { 'main.go': 'package main\nfunc main() {}\nvar a = "old"\n', 'src/x.txt': 'TODO\n' } });
    places.push(place);
    execFileSync('git', ['init', '-q'], { cwd: place.workspace });
    execFileSync('git', ['commit', '-q', '--allow-empty', '-m', 'start'], { cwd: place.workspace });
    const facts = tool.facts(tool.example);
    expect(facts.writes.length > 0 && facts.readOnly).toBe(false);
    const config = { ...loadConfig({ directory: place.workspace, isolatedState: join(place.home, 'state') }), home: place.home };
    const app = await createApp({
      config,
      approver: operatorApprover(denyAll),
      id: 'contract',
      provider: noProvider,
      emit: () => undefined,
    });
    const before = snapshot(place.workspace);
    if (!facts.readOnly) {
      // What a writer touches is the matter of its own tests; here only that it says so.
      expect(facts.writes.length > 0 || facts.order === 'alone').toBe(true);
    } else {
      const context = {
        workspace: app.workspace,
        host: app.host,
        plan: planStore([]),
        agent: 'main',
        signal: new AbortController().signal,
        progress: () => undefined,
      };
      const result = await tool.run(tool.example, context);
      expect(result.output.length).toBeGreaterThan(0);
      expect(snapshot(place.workspace)).toEqual(before);
      expect(result.changed ?? []).toEqual([]);
    }
    await app.close();
  });
});
