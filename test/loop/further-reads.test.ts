/** Places a language server names in other files, over the real gate: their text is shown only where the file may be read. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createGate } from '../../src/loop/gate.js';
import type { LoopPorts } from '../../src/loop/ports.js';
import { prepareCall, runPrepared } from '../../src/loop/run-call.js';
import { decide } from '../../src/policy/decide.js';
import { lspAtom } from '../../src/tools/atoms/lsp.js';
import { type LanguageBench, languageBench } from '../helpers/language-bench.js';

let bench: LanguageBench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const FILES = ['a.ts', 'b.ts', 'keys/c.ts', '.env', 'link.ts', 'gone.ts'];

async function definition(patterns: readonly string[]): Promise<string> {
  const at = await languageBench({ elsewhere: FILES });
  bench = at;
  for (const name of FILES.slice(0, 4)) at.put(name, `foo('text of ${name}')\n`);
  symlinkSync(join(at.ws, 'keys/c.ts'), join(at.ws, 'link.ts'));
  const gate = createGate({
    decide: (judged) =>
      decide(judged, {
        rules: { rules: patterns.map((pattern) => ({ action: 'deny' as const, pattern, origin: 'test' })), broken: [] },
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
  });
  const ports = { ...at.context, gate, tools: [lspAtom], clock: { now: () => 0 } } as unknown as LoopPorts;
  const args = { cmd: 'definition', file: 'a.ts', line: 1, symbol: 'foo' };
  const call = { id: '1', tool: '@lsp', args, source: 'native', agent: 'main' } as const;
  const input = { agentId: 'main', task: 't', plan: at.context.plan, signal: at.context.signal };
  const step = await prepareCall({ ok: true, call, tool: lspAtom }, input, ports, () => undefined);
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
