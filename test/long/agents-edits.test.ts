/** Eight agents change the same twenty files a thousand times: no update is lost, no file torn, every conflict said; also when killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { bundle } from '../workspace/bundle.js';

const CHILD = resolve(import.meta.dirname, 'agents-edits-child.mjs');
const FILES = 20;
const LINES = 30;
const EDITS = 1000;
const SOURCES = {
  open: 'workspace/open-workspace',
  views: 'workspace/agent-view',
  wrap: 'tools/wrap/agent-view',
  read: 'tools/coder/read',
  patch: 'tools/coder/patch',
  write: 'tools/coder/write',
  multipatch: 'tools/coder/multipatch',
};

let out = '';
let base = '';
let modules: Record<string, string> = {};
beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), 'chatcli-out-'));
  const built = await bundle(out, Object.values(SOURCES));
  modules = Object.fromEntries(Object.keys(SOURCES).map((name, index) => [name, built[index] ?? '']));
});
afterAll(() => rmSync(out, { recursive: true, force: true }));
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'chatcli-edits-'));
  for (const dir of ['ws', 'home', 'state', 'scratch']) mkdirSync(join(base, dir));
  const text = Array.from({ length: LINES }, (_, n) => `line ${n}:\n`).join('');
  for (let n = 0; n < FILES; n++) writeFileSync(join(base, 'ws', `f${n}.txt`), text);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function start(seed: number, edits: number): { readonly child: ChildProcess; readonly end: Promise<number | null> } {
  const told = JSON.stringify({ modules, base, agents: 8, files: FILES, edits, seed });
  const child = spawn(process.execPath, [CHILD, told], { stdio: ['ignore', 'inherit', 'inherit'] });
  return { child, end: new Promise((done) => child.on('close', (code) => done(code))) };
}

interface Edit {
  readonly token: string;
  readonly targets: readonly string[];
  readonly result?: { readonly ok: boolean; readonly code?: string; readonly output?: string };
}

function log(): Edit[] {
  const edits = new Map<string, Edit>();
  for (const line of readFileSync(join(base, 'log.jsonl'), 'utf8').split('\n')) {
    if (line === '') continue;
    // The last line of a killed process may be half there.
    const entry = parsed(line);
    if (!entry) continue;
    if (entry['targets']) edits.set(String(entry['token']), entry as unknown as Edit);
    else {
      const known = edits.get(String(entry['token']));
      if (known) edits.set(known.token, { ...known, result: entry as unknown as NonNullable<Edit['result']> });
    }
  }
  return [...edits.values()];
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** Every told success stands exactly once in each of its files, every told failure nowhere, and all files are whole. */
function check(): { readonly done: number; readonly refused: readonly string[]; readonly open: number } {
  const texts = new Map<string, string>();
  for (let n = 0; n < FILES; n++) texts.set(`f${n}.txt`, readFileSync(join(base, 'ws', `f${n}.txt`), 'utf8'));
  for (const [name, text] of texts) {
    const lines = text.split('\n');
    expect([name, lines.length, lines.at(-1)]).toEqual([name, LINES + 1, '']);
    for (const [n, line] of lines.slice(0, -1).entries()) expect(line, name).toMatch(new RegExp(`^line ${n}:( t\\d+x\\d+)*$`));
  }
  const count = (name: string, token: string) => (texts.get(name) ?? '').split(/\s/).filter((word) => word === token).length;
  const edits = log();
  for (const { token, targets, result } of edits) {
    const counts = targets.map((name) => count(name, token));
    if (result) expect([token, ...counts]).toEqual([token, ...targets.map(() => (result.ok ? 1 : 0))]);
    // What was under way when the process was killed is there whole or not at all.
    else expect([counts.every((one) => one === 0) || counts.every((one) => one === 1), token]).toEqual([true, token]);
  }
  const refused = edits.flatMap(({ result }) => (result && !result.ok ? [result.code ?? ''] : []));
  return { done: edits.filter(({ result }) => result?.ok).length, refused, open: edits.filter(({ result }) => !result).length };
}

const KNOWN = new Set(['Conflict', 'Stale', 'NotFound']);

it('loses nothing and says every conflict', { timeout: 300_000 }, async () => {
  expect(await start(7, EDITS).end).toBe(0);
  const { done, refused, open } = check();
  expect(done + refused.length).toBe(EDITS);
  expect(open).toBe(0);
  expect(done).toBeGreaterThan(EDITS / 2);
  expect(refused.filter((code) => !KNOWN.has(code))).toEqual([]);
  // Agents are told that it was another agent.
  for (const { result } of log()) if (result?.code === 'Conflict') expect(result.output).toMatch(/agent-\d/);
});

it('loses nothing when the process is killed again and again', { timeout: 600_000 }, async () => {
  let made = 0;
  let kills = 0;
  for (let round = 1; made < EDITS && round < 60; round++) {
    const { child, end } = start(1000 + round, EDITS - made);
    const timer = setTimeout(() => child.kill('SIGKILL'), 250 + ((round * 137) % 500));
    if ((await end) === null) kills++;
    clearTimeout(timer);
    // The next start puts right what was half done; one without edits does nothing else.
    expect(await start(1, 0).end).toBe(0);
    made = check().done + check().refused.length;
  }
  expect([made >= EDITS || kills >= 59, kills > 5]).toEqual([true, true]);
  const temporary = readdirSync(join(base, 'ws')).filter((name) => !/^f\d+\.txt(\.bak)?$/.test(name));
  expect(temporary).toEqual([]);
});
