/** A rename over the real gate: every file it would change is judged before anything is written. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createGate } from '../../src/loop/gate.js';
import type { LoopPorts } from '../../src/loop/ports.js';
import { prepareCall, runPrepared } from '../../src/loop/run-call.js';
import { decide } from '../../src/policy/decide.js';
import { lspAtom } from '../../src/tools/atoms/lsp.js';
import type { PermissionMode, Question, Rule } from '../../src/types/policy.js';
import { type LanguageBench, languageBench } from '../helpers/language-bench.js';

let bench: LanguageBench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

async function rename(rules: readonly string[], mode: PermissionMode, answers: readonly ('yes' | 'no')[] = []) {
  const at = await languageBench();
  bench = at;
  at.put('a.ts', 'foo\n');
  at.put('locked/keep', '');
  at.put('b.ts', 'foo\n');
  const asked: Question[] = [];
  const left = [...answers];
  const gate = createGate({
    decide: (judged) =>
      decide(judged, {
        rules: { rules: rules.map((text) => ruleOf(text)), broken: [] },
        mode,
        home: at.home,
        root: at.ws,
        roots: [at.ws],
        allowUnsafe: false,
        locate: (path) => at.workspace.locate(path),
      }),
    approver: {
      canAsk: answers.length > 0,
      async ask(question) {
        asked.push(question);
        return left.shift() ?? 'no';
      },
    },
    remember: () => undefined,
    grant: () => undefined,
  });
  const ports = { ...at.context, gate, tools: [lspAtom], clock: { now: () => 0 } } as unknown as LoopPorts;
  const args = { cmd: 'rename', file: 'a.ts', line: 1, symbol: 'foo', new_name: 'bar' };
  const call = { id: '1', tool: '@lsp', args, source: 'native', agent: 'main' } as const;
  const input = { agentId: 'main', task: 't', plan: at.context.plan, signal: at.context.signal };
  const step = await prepareCall({ ok: true, call, tool: lspAtom }, input, ports, () => undefined);
  const result = step.ready ? await runPrepared(step.prepared, input, ports, () => undefined) : step.result;
  const text = (name: string) => readFileSync(join(at.ws, name), 'utf8');
  return { result, asked, texts: [text('a.ts'), text('b.ts')], backups: existsSync(join(at.ws, 'a.ts.bak')) };
}

function ruleOf(text: string): Rule {
  const [action = '', ...words] = text.split(' ');
  return { action: action as Rule['action'], pattern: words.join(' '), origin: 'test' };
}

it.each(['deny @lsp --file b.ts', 'deny @coder patch --file b.*', 'deny @coder patch', 'deny @coder patch --file a.ts'])(
  '%s: nothing at all is written, whatever the mode',
  async (rule) => {
    const { result, texts, backups } = await rename([rule], 'auto');
    // A rule about the file the call names stops the call itself; one about the others stops the change.
    expect(result).toMatchObject({
      isError: true,
      code: 'Blocked',
      output: expect.stringMatching(/was not made at all|Nothing was run/),
    });
    expect(texts).toEqual(['foo\n', 'foo\n']);
    expect(backups).toBe(false);
  },
);

it('the other files are asked about by name; no means none, yes means all', async () => {
  const no = await rename([], 'default', ['yes', 'no']);
  expect(no.asked.map(({ facts }) => facts.writes)).toEqual([['a.ts'], ['b.ts']]);
  expect(no.result).toMatchObject({ isError: true, code: 'Denied' });
  expect(no.texts).toEqual(['foo\n', 'foo\n']);
  await bench?.close();
  const yes = await rename([], 'default', ['yes', 'yes']);
  expect(yes.texts).toEqual(['bar\n', 'bar\n']);
});

it('a rule for the named file alone does not stretch to others; one for the tool does', async () => {
  const one = await rename(['allow @lsp --file a.ts'], 'default');
  expect(one.result).toMatchObject({ isError: true, code: 'Denied' });
  expect(one.texts).toEqual(['foo\n', 'foo\n']);
  await bench?.close();
  expect((await rename(['allow @lsp'], 'default')).texts).toEqual(['bar\n', 'bar\n']);
  await bench?.close();
  expect((await rename([], 'accept-edits')).texts).toEqual(['bar\n', 'bar\n']);
});
