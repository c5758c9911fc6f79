/** A new user opens a repository that is hostile in every way we know: nothing of it runs, nothing widens. */
import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hostile, plantHostile } from '../helpers/hostile-repository.js';
import { makePlace, type Place, runProgram } from '../helpers/run-program.js';
import { envFor } from '../helpers/wire/env.js';
import { startWireServer, type WireServer } from '../helpers/wire/server.js';
import { whyNot } from '../process/sandbox/confined.js';

let place: Place;
let hostile: Hostile;
let server: WireServer;
let env: Record<string, string>;

/** Everything a model looks at and does on an ordinary day. */
const CALLS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['read', { file: 'src/a.txt' }],
  ['read', { file: 'AGENTS.md' }],
  ['read', { file: 'key.txt' }],
  ['read', { file: 'zero.txt' }],
  ['read', { file: 'pipe.txt' }],
  ['search', { term: 'needle' }],
  ['search', { term: 'PRIVATE' }],
  ['tree', { dir: '.' }],
  ...['git-status', 'git-diff', 'git-log', 'git-changed', 'git-branch'].map((cmd) => ['coder', { cmd, args: {} }] as const),
  ['coder', { cmd: 'git-diff', args: { staged: true } }],
  ['coder', { cmd: 'git-status', args: { dir: 'bare' } }],
  ['coder', { cmd: 'git-status', args: { dir: 'pointer' } }],
  ['coder', { cmd: 'outline', args: { file: 'package.json' } }],
  ['coder', { cmd: 'map', args: {} }],
  ...[
    'ls -la',
    'cat src/a.txt',
    'git status',
    'git diff',
    'git log -1',
    'git -C bare status',
    'rg needle src',
    'bash -c ls',
    './ls',
    'npm test',
    'cat key.txt',
  ].map((cmd) => ['exec', { cmd }] as const),
  ['write', { file: 'new.txt', content: 'fresh\n' }],
  ['patch', { file: 'edit.txt', search: 'one', replace: 'uno' }],
  ['multipatch', { edits: [{ file: 'edit.txt', search: 'two', replace: 'dos' }] }],
  ['write', { file: '.git/config', content: 'x' }],
  ['write', { file: '.chatcli/coder_policy.json', content: '{}' }],
  ['write', { file: 'src/deep/authorized_keys', content: 'x' }],
  ['coder', { cmd: 'checkpoint', args: { create: true } }],
  ['coder', { cmd: 'checkpoint', args: { list: true } }],
  ['coder', { cmd: 'clean', args: {} }],
];

const serve = () =>
  startWireServer({
    format: 'chat',
    script: (_request, index) =>
      index === 0 ? { calls: CALLS.map(([name, input], at) => ({ name, input, id: `c${at}` })) } : { text: 'done' },
  });

function hostileEnv(where: Place, wire: WireServer): Record<string, string> {
  const bins = ['', '.', 'bin', './node_modules/.bin', join(where.workspace, 'node_modules/.bin')];
  return { ...envFor(wire), PATH: [...bins, process.env['PATH'] ?? ''].join(':') };
}

beforeAll(async () => {
  place = makePlace();
  hostile = plantHostile(place);
  server = await serve();
  // Without the sandbox, so that nothing but the program itself holds anything back.
  env = { ...hostileEnv(place, server), CHATCLI_CODER_SANDBOX: 'off' };
});
afterAll(async () => {
  await server?.close();
  place?.remove();
});

describe('a hostile repository', () => {
  it('runs nothing in a whole run with edits approved, and changes nothing outside', async () => {
    const args = ['coder', 'look around', '--permission-mode', 'accept-edits', '--session-id', 's', '--output', 'stream-json'];
    const ran = await runProgram(args, { place, env });
    // Something was denied, nothing else was wrong.
    expect([ran.code, ran.stderr]).toEqual([3, '']);
    expect(hostile.ran()).toEqual([]);
    const results = server.requests[1]?.conversation.turns.flatMap((turn) => turn.results) ?? [];
    expect(results).toHaveLength(CALLS.length);
    const said = JSON.stringify(server.requests.map((request) => request.body));
    expect(said).not.toContain('PRIVATE-SECRET');
    expect(said).not.toContain('stolen-model');
    // The work itself was done.
    expect(readFileSync(join(place.workspace, 'edit.txt'), 'utf8')).toBe('uno\ndos\n');
    expect(readFileSync(join(place.workspace, 'new.txt'), 'utf8')).toBe('fresh\n');
    expect(results[8]?.text).toContain('src/a.txt');
    expect(results[9]?.text).toContain('needle changed');
    expect(readFileSync(join(place.root, 'outside.txt'), 'utf8')).toBe('UNTOUCHED\n');
    expect(lstatSync(join(place.workspace, 'edit.txt.bak')).isSymbolicLink()).toBe(true);
    expect(readdirSync(join(place.home, '.ssh'))).toEqual(['id_ed25519']);
    const policy = readFileSync(join(place.workspace, '.chatcli/coder_policy.json'), 'utf8');
    expect(policy).toContain('merge');
    const told = ran.lines().filter((line) => line['type'] === 'notice' && line['code'] === 'untrusted');
    expect(JSON.stringify(told)).toContain('coder_policy.json');
  });

  it('runs nothing in the sandbox either, and what it brought stays as it is', async (context) => {
    const reason = await whyNot();
    if (reason !== undefined) context.skip(`no sandbox here: ${reason}`);
    const own = makePlace();
    const ownServer = await serve();
    try {
      const brought = plantHostile(own);
      const before = readdirSync(join(own.workspace, '.git')).sort();
      const args = ['coder', 'look around', '--permission-mode', 'accept-edits', '--output', 'stream-json'];
      const confined = { ...hostileEnv(own, ownServer), CHATCLI_CODER_SANDBOX: 'workspace' };
      const ran = await runProgram(args, { place: own, env: confined });
      expect([ran.code, ran.stderr]).toEqual([3, '']);
      expect(brought.ran()).toEqual([]);
      const results = ownServer.requests[1]?.conversation.turns.flatMap((turn) => turn.results) ?? [];
      expect(results).toHaveLength(CALLS.length);
      expect(results.filter(({ text }) => text.includes('exit code: 0')).length).toBeGreaterThan(0);
      expect(results.filter(({ text }) => /was renamed|was removed/.test(text))).toEqual([]);
      expect(JSON.stringify(ownServer.requests.map((request) => request.body))).not.toContain('PRIVATE-SECRET');
      // A hooks folder is made where there is none; nothing else.
      expect(readdirSync(join(own.workspace, '.git')).sort()).toEqual(before);
      expect(readFileSync(join(own.workspace, 'edit.txt'), 'utf8')).toBe('uno\ndos\n');
      expect(readFileSync(join(own.root, 'outside.txt'), 'utf8')).toBe('UNTOUCHED\n');
    } finally {
      await ownServer.close();
      own.remove();
    }
  });

  it('runs nothing when changes are taken back, snapshots restored, rules and trust shown', async () => {
    const undone = await runProgram(['-p', '/undo', '--resume', 's'], { place, env });
    expect(undone.code, undone.stderr + undone.stdout).toBe(0);
    expect(readFileSync(join(place.workspace, 'edit.txt'), 'utf8')).toBe('one\ntwo\n');
    const restored = await runProgram(['tool', '@coder', 'checkpoint', '--', '{"restore":"last"}'], { place, env });
    expect(restored.stdout + restored.stderr).not.toBe('');
    for (const args of [
      ['trust', '--list'],
      ['tool', '@coder', 'git-diff'],
      ['tool', '@coder', 'git-changed', '--', '{"dir":"pointer"}'],
    ])
      await runProgram(args, { place, env });
    const listed = await runProgram(['policy', 'list', '--lang', 'en'], { place, env });
    for (const line of listed.stdout.trim().split('\n')) expect(line).toMatch(/\[not in force: untrusted\]$/);
    expect(listed.stdout).toContain(join(place.workspace, '.chatcli/config.json'));
    expect(hostile.ran()).toEqual([]);
  });

  it('is judged no milder than an empty folder', async () => {
    const commands = [
      'ls',
      'cat a.txt',
      'git status',
      'git push',
      'make',
      'rm x',
      'rm -rf /',
      'npm test',
      'sudo ls',
      'touch x',
      'curl x | sh',
    ];
    const verdicts = async (where: Place): Promise<string[]> => {
      writeFileSync(join(where.root, 'wanted.txt'), commands.map((one) => `deny ${one}\n`).join(''));
      const ran = await runProgram(['policy', 'test', '../wanted.txt', '--lang', 'en'], { place: where, env });
      const got = new Map([...ran.stdout.matchAll(/line (\d+): wanted deny, got (\w+)/g)].map((m) => [Number(m[1]), m[2] ?? '']));
      return commands.map((_, at) => got.get(at + 1) ?? 'deny');
    };
    const empty = makePlace();
    try {
      const [there, here] = [await verdicts(empty), await verdicts(place)];
      const order = ['allow', 'ask', 'immune', 'deny'];
      expect(new Set(there).size).toBeGreaterThan(2);
      for (const [at, command] of commands.entries())
        expect([command, order.indexOf(here[at] ?? '') >= order.indexOf(there[at] ?? '')]).toEqual([command, true]);
    } finally {
      empty.remove();
    }
    expect(hostile.ran()).toEqual([]);
  });

  it('would have run its programs under plain git', () => {
    hostile.plainGit('status');
    hostile.plainGit('diff');
    hostile.plainGit('log', '-1');
    expect(hostile.ran().length).toBeGreaterThan(2);
  });
});
