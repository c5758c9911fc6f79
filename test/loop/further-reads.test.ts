/** Places a language server names in other files, over the real gate: their text is shown only where the file may be read. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createGate } from '../../src/loop/gate.js';
import type { LoopPorts } from '../../src/loop/ports.js';
import { prepareCall, runPrepared } from '../../src/loop/run-call.js';
import { decide } from '../../src/policy/decide.js';
import { forbidsReading } from '../../src/policy/forbids-reading.js';
import { lspAtom } from '../../src/tools/atoms/lsp.js';
import { writeTool } from '../../src/tools/coder/write.js';
import { withDiagnostics } from '../../src/tools/wrap/diagnostics.js';
import type { JsonObject } from '../../src/types/json.js';
import type { Tool } from '../../src/types/tool.js';
import { type LanguageBench, languageBench } from '../helpers/language-bench.js';

let bench: LanguageBench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const rules = (patterns: readonly string[]) => patterns.map((pattern) => ({ action: 'deny' as const, pattern, origin: 'test' }));
const FILES = ['a.ts', 'b.ts', 'keys/c.ts', '.env', 'link.ts', 'gone.ts'];

const definition = (patterns: readonly string[]) => ask(patterns, { cmd: 'definition', file: 'a.ts', line: 1, symbol: 'foo' });

async function ask(
  patterns: readonly string[],
  args: JsonObject,
  how: Record<string, unknown> = {},
  tool: Tool = lspAtom,
): Promise<string> {
  const at = await languageBench({ elsewhere: FILES, ...how });
  bench = at;
  for (const name of FILES.slice(0, 4)) at.put(name, `foo('text of ${name}')\n`);
  symlinkSync(join(at.ws, 'keys/c.ts'), join(at.ws, 'link.ts'));
  const gate = createGate({
    decide: (judged) =>
      decide(judged, {
        rules: { rules: rules(patterns), broken: [] },
        mode: 'auto',
        home: at.home,
        root: at.ws,
        roots: [at.ws],
        allowUnsafe: false,
        locate: (path) => at.workspace.locate(path),
      }),
    approver: { canAsk: false, ask: async () => 'no' },
    remember: () => undefined,
    grant: () => undefined,
    hidesFiles: () => forbidsReading({ rules: rules(patterns), broken: [] }),
  });
  const checked = withDiagnostics(tool, { languages: at.languages, budgetMs: 20_000 });
  const ports = { ...at.context, gate, tools: [checked], clock: { now: () => 0 } } as unknown as LoopPorts;
  const call = { id: '1', tool: tool.name, args, source: 'native', agent: 'main' } as const;
  const input = { agentId: 'main', task: 't', plan: at.context.plan, signal: at.context.signal };
  const step = await prepareCall({ ok: true, call, tool: checked }, input, ports, () => undefined);
  const result = step.ready ? await runPrepared(step.prepared, input, ports, () => undefined) : step.result;
  return result.output;
}

const PRIVATE = '.env:1:1 (its text is not shown: a private file)';
const RULE = '(its text is not shown: a rule forbids to read the file)';

it('without a rule all but private files are shown', async () => {
  const output = await definition([]);
  for (const name of ['a.ts', 'b.ts', 'keys/c.ts']) expect(output).toContain(`${name}:1:1: foo('text of ${name}')`);
  expect(output).toContain(PRIVATE);
  expect(output).not.toContain('text of .env');
});

it.each(['@coder read --file keys/*', '@read --file keys/c.ts', '@lsp --file keys/*'])(
  'deny %s: the place is shown without its text, by a link too',
  async (pattern) => {
    const output = await definition([pattern]);
    expect(output).toContain(`keys/c.ts:1:1 ${RULE}`);
    expect(output).not.toContain('text of keys/c.ts');
    expect(output).toContain("b.ts:1:1: foo('text of b.ts')");
    expect(output).toContain(PRIVATE);
  },
);

const DENY = ['@coder read --file keys/*'];
const AT = { file: 'a.ts', line: 1, symbol: 'foo' };

describe('what others say of a file that must not be read', () => {
  it('a hover is not shown of what is declared there', async () => {
    const hover = 'const foo: "sk-very-secret"\n\npass: hunter2';
    expect(await ask([], { cmd: 'hover', ...AT }, { elsewhere: ['b.ts'], hover })).toContain('hunter2');
    const output = await ask(DENY, { cmd: 'hover', ...AT }, { elsewhere: ['keys/c.ts'], hover });
    expect(output).toBe('a.ts:1:1 is declared in keys/c.ts; what it says is not shown: a rule forbids to read the file');
    const privately = await ask([], { cmd: 'hover', ...AT }, { elsewhere: ['.env'], hover });
    expect(privately).toContain('is declared in .env; what it says is not shown: a private file');
  });

  it('a hover of something else is without the literals and comments of others', async () => {
    const hover = '```ts\nconst foo: "sk-very-secret" | 123456\n```\npass: hunter2\ntext of b.ts';
    const output = await ask(DENY, { cmd: 'hover', ...AT }, { elsewhere: ['b.ts'], hover });
    expect(output).toContain('const foo: "…" | …');
    expect(output).toContain('text of b.ts');
    expect(output).not.toMatch(/sk-very|hunter2|123456/);
  });

  it('symbols of the workspace leave it out', async () => {
    const output = await ask(DENY, { cmd: 'symbols', file: 'a.ts', query: 'x' });
    expect(output).toContain('function in b.ts');
    expect(output).not.toContain('in keys/c.ts');
    expect(output).not.toContain('in .env');
    expect(output).toContain('(3 more in files that must not be read)');
  });

  it('diagnostics, asked for or after an edit, are shown without literals that do not stand in the file', async () => {
    const message = 'Type `"sk-very-secret"` is not assignable to type `foo`';
    const args = { file: 'b.ts', content: 'BAD foo\n' };
    expect(await ask([], args, { message }, writeTool)).toContain('sk-very-secret');
    const written = await ask(DENY, args, { message }, writeTool);
    expect(written).toContain('Type `…` is not assignable to type `foo`');
    expect(written).not.toContain('sk-very');
    const asked = await ask(DENY, { cmd: 'diagnostics', file: 'a.ts' }, { message, bad: 'foo' });
    expect(asked).not.toContain('sk-very');
    expect(asked).toContain('Type `…` is not assignable to type `foo`');
  });

  it('a preview of a rename shows no line of it', async () => {
    const output = await ask(['@coder read --file b.ts'], { cmd: 'rename', ...AT, new_name: 'bar', preview: true });
    expect(output).toContain('b.ts: 1 place (its text is not shown: a rule forbids to read the file)');
    expect(output).toContain("+bar('text of a.ts')");
    expect(output).not.toContain('text of b.ts');
  });
});
