/** The main job: a real package of the registry, a planted bug, a scripted model over HTTP in every wire format. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { makePlace, type Place, type Ran, runProgram } from '../helpers/run-program.js';
import { envFor } from '../helpers/wire/env.js';
import type { Answer, WireFormat } from '../helpers/wire/script.js';
import { startWireServer, type WireServer } from '../helpers/wire/server.js';

const GOOD = 'name: allParts[2].slice(0, allParts[2].length - allParts[3].length)';
const BUG = 'name: allParts[2].slice(0, allParts[2].length - allParts[2].lastIndexOf(allParts[3]))';

type Call = readonly [name: string, args: Record<string, unknown> | string];
type Step = { readonly text?: string; readonly calls?: readonly Call[] };

const REPAIR: readonly Step[] = [
  { text: '1. Run the tests. 2. Find the cause. 3. Repair.', calls: [['test', { timeout: 60 }]] },
  {
    calls: [
      ['search', { term: 'posixSplitPath', regex: false }],
      ['read', { file: 'index.js', start: 60, end: 90 }],
    ],
  },
  { calls: [['patch', { file: 'index.js', search: BUG, replace: GOOD }]] },
  { calls: [['test', { timeout: 60 }]] },
  { text: 'The name was cut at the wrong end; repaired in index.js, tests pass.' },
];

/** The same calls as native functions or as text tags. */
function answer(step: Step, form: 'native' | 'text'): Answer {
  if (form === 'native') return { text: step.text, calls: step.calls?.map(([name, input]) => ({ name, input })) };
  const tags = (step.calls ?? []).map(([name, args]) => {
    const inner = typeof args === 'string' ? args : JSON.stringify(args);
    const escaped = inner.replaceAll('&', '&amp;').replaceAll("'", '&apos;').replaceAll('<', '&lt;');
    return `<tool_call name="@coder" args='{"cmd":"${name}","args":${escaped}}'/>`;
  });
  return { text: [step.text ?? '', ...tags].join('\n') };
}

const open: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

function brokenPackage(): Place {
  const from = dirname(createRequire(import.meta.url).resolve('path-parse/package.json'));
  const place = makePlace({ from });
  open.push({ close: place.remove });
  const file = join(place.workspace, 'index.js');
  const source = readFileSync(file, 'utf8');
  const at = source.lastIndexOf(GOOD);
  writeFileSync(file, source.slice(0, at) + BUG + source.slice(at + GOOD.length));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: place.workspace });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'as found');
  expect(() => execFileSync(process.execPath, ['test.js'], { cwd: place.workspace, stdio: 'ignore' })).toThrow();
  return place;
}

async function repair(
  format: WireFormat,
  form: 'native' | 'text',
  steps: readonly Step[],
): Promise<{ ran: Ran; place: Place; server: WireServer }> {
  const server = await startWireServer({ format, script: steps.map((step) => answer(step, form)) });
  open.push(server);
  const place = brokenPackage();
  const args = ['coder', 'The tests of this package fail. Repair it.', '--output', 'json', '--permission-mode', 'auto'];
  const ran = await runProgram(args, { place, env: { ...envFor(server), CHATCLI_TOOL_MODE: form === 'text' ? 'text' : 'auto' } });
  return { ran, place, server };
}

function expectRepaired(place: Place): void {
  expect(readFileSync(join(place.workspace, 'index.js'), 'utf8')).not.toContain(BUG);
  execFileSync(process.execPath, ['test.js'], { cwd: place.workspace });
  const status = execFileSync('git', ['status', '--porcelain'], { cwd: place.workspace, encoding: 'utf8' });
  expect(status.split('\n').filter((line) => line && !line.endsWith('.bak'))).toEqual([' M index.js']);
}

/** A whole run without a fault. */
export function itRepairs(format: WireFormat, form: 'native' | 'text'): void {
  it(`repairs a real package over ${format}, ${form} calls`, async () => {
    const { ran, place, server } = await repair(format, form, REPAIR);
    expect(ran.stderr).toBe('');
    expect(ran.json()).toMatchObject({ status: 'done', turns: 5, files: ['index.js'], denied: [] });
    expect(ran.code).toBe(0);
    expectRepaired(place);
    expect(server.requests).toHaveLength(5);
    const offered = server.requests[0]?.conversation.functions.length ?? 0;
    if (form === 'native') expect(offered).toBeGreaterThan(5);
    else expect(offered).toBe(0);
    for (const [i, request] of server.requests.entries()) {
      const before = server.requests[i - 1];
      if (!before) continue;
      expect(request.conversation.system).toBe(before.conversation.system);
      expect(request.conversation.turns.slice(0, before.conversation.turns.length)).toEqual(before.conversation.turns);
    }
  });
}

/** A run of a model that makes the usual mistakes. */
export function itRecovers(format: WireFormat, form: 'native' | 'text'): void {
  it(`recovers from an unknown tool, broken JSON, a wrong search text and a refused command over ${format}, ${form} calls`, async () => {
    const [first, look, patch, ...rest] = REPAIR as [Step, Step, Step, ...Step[]];
    const mistakes: Step[] = [
      { calls: [['serch_everything', { term: 'x' }]] },
      first,
      { calls: [['read', '{"file":"index.js","start":']] },
      look,
      { calls: [['patch', { file: 'index.js', search: 'name: allParts[2].slice(0, 1)', replace: GOOD }]] },
      { calls: [['exec', { cmd: 'rm -rf /' }]] },
      patch,
      ...rest,
    ];
    const { ran, place, server } = await repair(format, form, mistakes);
    const result = ran.json();
    expect(result).toMatchObject({ status: 'denied', turns: 9, files: ['index.js'] });
    expect(result['denied']).toMatchObject([{ tool: '@coder exec' }]);
    expect(ran.code).toBe(3);
    expectRepaired(place);
    const told = (index: number) => JSON.stringify(server.requests[index]?.conversation.turns.at(-1));
    expect(told(1)).toContain('serch_everything');
    expect(told(3)).toContain('InvalidArgs');
    expect(told(5)).toMatch(/not found/i);
    expect(told(6)).toContain('BLOCKED');
  });
}
