/** What a model can say to checkpoint, and what it is told. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkpointTool } from '../../../src/tools/coder/checkpoint.js';
import { readTool } from '../../../src/tools/coder/read.js';
import { writeTool } from '../../../src/tools/coder/write.js';
import type { JsonObject } from '../../../src/types/json.js';
import { type Bench, makeBench } from '../context.js';

let bench: Bench;
beforeEach(async () => {
  bench = await makeBench();
});
afterEach(() => bench.remove());

const call = (args: JsonObject) => bench.run(checkpointTool, args);
/** As the handed cases find a hash in an output. */
const hashIn = (output: string) => /(?<![\w.-]|\d:)([0-9a-f]{7,40})(?![\w-]|\.\d)/.exec(output)?.[1] ?? '';

describe('checkpoint', () => {
  it('lists by default, creates with a label, and restores', async () => {
    bench.put('a.txt', 'v1\n');
    expect((await call({})).output).toBe('No checkpoints yet. create: true records one.\n');
    const made = await call({ create: true, label: 'before refactor' });
    expect(made.output).toMatch(
      /^Created checkpoint [0-9a-f]{10}: checkpoint before refactor \(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\)\n$/,
    );
    bench.put('a.txt', 'v2\n');
    bench.put('new.txt', 'new\n');
    await call({ create: true });
    const { output } = await call({ list: true });
    expect(output).toMatch(
      /^[0-9a-f]{7} {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}checkpoint before manual \(.*\)\n[0-9a-f]{7} {2}.*before refactor \(.*\)\n$/,
    );
    const hash = hashIn(output.split('\n')[1] ?? '');
    const done = await call({ restore: hash });
    expect(done.isError).toBe(false);
    expect(done.output).toMatch(
      /^Restored checkpoint [0-9a-f]{10} \(.*\): 1 file brought back, 0 removed\.\nThe state before is checkpoint [0-9a-f]{10}; restore that one to undo this\.\nBrought back:\n {2}a\.txt\nAdded later and still there \(exact: true removes such files\):\n {2}new\.txt\n$/,
    );
    expect(done.changed).toEqual([join(bench.ws, 'a.txt')]);
    const exact = await call({ restore: hash, exact: true });
    expect(exact.output).toContain('Removed (kept in the checkpoint of the state before):\n  new.txt\n');
  });

  it('takes the words list, create and restore HASH', async () => {
    bench.put('a.txt', 'v1\n');
    const made = await call({ action: 'create', label: 'words' });
    bench.put('a.txt', 'v2\n');
    expect(hashIn((await call({ action: 'list' })).output)).not.toBe('');
    expect((await call({ action: 'restore', hash: hashIn(made.output) })).isError).toBe(false);
  });

  it('refuses what contradicts itself or means nothing', async () => {
    for (const args of [
      { list: true, create: true },
      { create: true, restore: 'abcdef0' },
      { action: 'list', restore: 'abcdef0' },
      { restore: '' },
      { restore: '--help' },
      { action: 'restore' },
      { action: 'delete' },
      { exact: true },
      { list: true, label: 'x' },
      { restore: 'abcdef0', hash: '1234567' },
      { hash: 'abcdef0' },
      { keep: true },
    ] as JsonObject[])
      expect((await call(args)).code, JSON.stringify(args)).toBe('InvalidArgs');
    expect((await call({ restore: 'abcdef0' })).code).toBe('NotFound');
    // Fields a model fills in for completeness.
    expect((await call({ create: true, list: false, restore: '', label: 'x', exact: false })).isError).toBe(false);
    expect((await call({ list: true, restore: '', label: 'manual' })).isError).toBe(false);
  });

  it('states that only restoring changes anything', () => {
    expect(checkpointTool.facts({})).toMatchObject({ readOnly: true });
    expect(checkpointTool.facts({ create: true })).toMatchObject({ readOnly: true, order: 'tree' });
    for (const args of [
      { restore: 'abc1234' },
      { action: 'restore', hash: 'abc1234' },
      { create: true, restore: 'abc1234' },
    ] as JsonObject[])
      expect(checkpointTool.facts(args)).toMatchObject({ readOnly: false, order: 'alone', edits: true });
  });

  it('lets a session write what it restored, as after a rollback', async () => {
    bench.put('a.txt', 'v1\n');
    const hash = hashIn((await call({ create: true })).output);
    bench.put('a.txt', 'v2\n');
    await bench.run(readTool, { file: 'a.txt' });
    await call({ restore: hash });
    expect((await bench.run(writeTool, { file: 'a.txt', content: 'v3\n' })).isError).toBe(false);
    bench.put('a.txt', 'from outside, and longer\n');
    expect((await bench.run(writeTool, { file: 'a.txt', content: 'v4\n' })).code).toBe('Stale');
  });

  it('names what could not be restored, as an error', async () => {
    bench.put('a.txt', 'v1\n');
    bench.put('.env', 'KEY=1\n');
    const hash = hashIn((await call({ create: true })).output);
    bench.put('.env', 'KEY=2\n');
    rmSync(join(bench.ws, 'a.txt'));
    const done = await call({ restore: hash });
    expect([done.isError, done.code]).toEqual([true, 'Failed']);
    expect(done.output).toContain('1 file brought back');
    expect(done.output).toContain('Not restored:\n  .env: it may hold credentials');
  });
});
