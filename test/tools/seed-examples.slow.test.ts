/** Every example of the product's documents: one canonical call in every form, run by the real application in a real folder. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { planStore } from '../../src/app/conversation.js';
import { type App, createApp } from '../../src/app/create-app.js';
import { directCall, noProvider, operatorApprover, parseDirect } from '../../src/app/direct-call.js';
import { loadConfig } from '../../src/app/load-config.js';
import { callFromNative } from '../../src/protocol/native.js';
import { type ParsedCall, parseReply } from '../../src/protocol/parse-reply.js';
import { TOOLS } from '../../src/tools/registry.js';
import type { PlanStore } from '../../src/types/tool.js';
import { denyAll } from '../../src/ui/approve-none.js';
import { makePlace, type Place } from '../helpers/run-program.js';
import type { SeedCall } from './seed-call.js';
import { SEED_CALLS, SEED_NAMES } from './seed-calls.js';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const shown = (call: ParsedCall | undefined) => (call?.ok ? [call.call.tool, call.call.args] : [call?.message]);
const replied = (text: string) => {
  const { calls } = parseReply(text, { tools: TOOLS, agent: 'main', nextId: () => 't1' });
  return calls.length === 1 ? shown(calls[0]) : [`${calls.length} calls`];
};

/** Tool and arguments of a form as a person would give them to the program. */
function asDirect(seed: SeedCall, form: 'json' | 'cli'): [string, string[]] {
  if (form === 'cli') return ['@coder', [seed.cli ?? '']];
  const text = seed.json ?? '';
  return text.startsWith('<') ? ['@coder', [text]] : [seed.tool ?? '@coder', [text]];
}

async function prepared(seed: SeedCall): Promise<{ place: Place; app: App; plan: PlanStore }> {
  const place = makePlace();
  closers.push(() => place.remove());
  const put = (files: SeedCall['files']) => {
    for (const [path, content] of Object.entries(files ?? {})) {
      mkdirSync(dirname(join(place.workspace, path)), { recursive: true });
      writeFileSync(join(place.workspace, path), content);
    }
  };
  put(seed.files);
  if (seed.git) {
    const run = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', ...args], { cwd: place.workspace });
    run('init', '-q', '-b', 'trunk');
    run('add', '-A');
    run('commit', '-qm', 'first');
  }
  put(seed.changed);
  const config = { ...loadConfig({ directory: place.workspace, isolatedState: join(place.home, 'state') }), home: place.home };
  const app = await createApp({
    config,
    approver: operatorApprover(denyAll),
    id: 'seeds',
    provider: noProvider,
    emit: () => undefined,
  });
  closers.push(() => app.close());
  return { place, app, plan: planStore([]) };
}

async function runs(seed: SeedCall, form: 'json' | 'cli'): Promise<void> {
  const { place, app, plan } = await prepared(seed);
  const options = { plan, signal: new AbortController().signal };
  for (const line of seed.before ?? []) {
    const first = await directCall(app, seed.tool ?? '@coder', [line], options);
    expect(first, line).toMatchObject({ isError: false });
  }
  const result = await directCall(app, ...asDirect(seed, form), options);
  expect({ isError: result.isError, code: result.code }, result.output).toEqual({
    isError: seed.code !== undefined,
    code: seed.code,
  });
  if (seed.output) expect(result.output).toMatch(seed.output);
  for (const [path, wanted] of Object.entries(seed.after ?? {})) {
    const full = join(place.workspace, path);
    expect(existsSync(full) ? readFileSync(full, 'utf8') : null, path).toBe(wanted);
  }
}

describe.each(SEED_CALLS.map((seed) => [(seed.json ?? seed.cli ?? '').replace(/\s+/g, ' ').slice(0, 110), seed] as const))(
  '%s',
  (_name, seed) => {
    const wanted = [seed.call[0], seed.call[1]];
    it('is one canonical call in every form', () => {
      const { json, cli } = seed;
      if (json?.startsWith('<')) expect(replied(json)).toEqual(wanted);
      if (json !== undefined) expect(shown(parseDirect(TOOLS, ...asDirect(seed, 'json')))).toEqual(wanted);
      if (json !== undefined && !json.startsWith('<')) {
        expect(replied(`<tool_call name="${seed.tool}">${json}</tool_call>`)).toEqual(wanted);
        const name = (seed.tool ?? '@coder').slice(1);
        expect(shown(callFromNative({ id: 'n', name, input: json }, { tools: TOOLS, agent: 'main' }))).toEqual(wanted);
      }
      if (cli === undefined) return;
      const meant = [seed.call[0], seed.cliArgs ?? seed.call[1]];
      expect(shown(parseDirect(TOOLS, '@coder', [cli]))).toEqual(meant);
      expect(replied(`<tool_call name="@coder">${cli}</tool_call>`)).toEqual(meant);
      expect(replied(`<tool_call name="@coder">${JSON.stringify({ cmd: cli })}</tool_call>`)).toEqual(meant);
    });
    // The forms are one call, as the test above shows; the long run does each.
    const forms = (['json', 'cli'] as const).filter((form) => seed[form] !== undefined);
    for (const form of process.env['CHATCLI_TEST_LONG'] ? forms : forms.slice(0, 1)) {
      it(`does what it says (${form})`, async (context) => {
        const missing = seed.needs?.find((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
        if (missing) return context.skip(`${missing} is not installed`);
        await runs(seed, form);
      });
    }
  },
);

it('names of other agents mean what the documents say', () => {
  for (const [name, args, sub] of SEED_NAMES) {
    const call = callFromNative({ id: 'n', name, input: JSON.stringify(args) }, { tools: TOOLS, agent: 'main' });
    expect(call.ok ? call.call.tool.replace(/^@(coder )?/, '') : call.message, name).toBe(sub);
  }
});

it('names all 18 subcommands', () => {
  const names = new Set(SEED_CALLS.map((seed) => seed.call[0]).filter((name) => name.startsWith('@coder ')));
  expect(names.size).toBe(18);
});
