/** Which calls wait for a snapshot, and that a tool runs whatever becomes of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkpointTool } from '../../../src/tools/coder/checkpoint.js';
import { execTool } from '../../../src/tools/coder/exec.js';
import { patchTool } from '../../../src/tools/coder/patch.js';
import { readTool } from '../../../src/tools/coder/read.js';
import { rollbackTool } from '../../../src/tools/coder/rollback.js';
import { testTool } from '../../../src/tools/coder/test.js';
import { writeTool } from '../../../src/tools/coder/write.js';
import { withCheckpointBefore } from '../../../src/tools/wrap/checkpoint-before.js';
import type { JsonObject } from '../../../src/types/json.js';
import type { Tool } from '../../../src/types/tool.js';
import { createAutomatic } from '../../../src/workspace/checkpoint/automatic.js';
import { openCheckpoints } from '../../../src/workspace/checkpoint/checkpoints.js';
import { type Bench, makeBench } from '../context.js';

let bench: Bench;
beforeEach(async () => {
  bench = await makeBench();
});
afterEach(() => bench.remove());

it('edits and commands wait for a snapshot; reading, testing and restoring do not', async () => {
  const asked: string[] = [];
  const before = async (label: string, paths: readonly string[]) => void asked.push(`${label} [${paths.length}]`);
  const call = (tool: Tool, args: JsonObject) => bench.run(withCheckpointBefore(tool, { before }), args);
  bench.put('a.txt', 'one\n');
  await call(writeTool, { file: 'b.txt', content: 'x' });
  await call(patchTool, { file: 'a.txt', search: 'one', replace: 'two' });
  await call(execTool, { cmd: 'true' });
  await call(readTool, { file: 'a.txt' });
  await call(rollbackTool, { file: 'a.txt' });
  await call(testTool, { cmd: 'true' });
  await call(checkpointTool, {});
  expect(asked).toEqual(['write b.txt [1]', 'patch a.txt [1]', 'exec true [0]']);
});

it('the snapshot holds the state before the edit, and a failed one does not stop it', async () => {
  const { ws, home, state, context } = bench;
  const env = context.host.childEnv;
  bench.put('a.txt', 'one\n');
  const checkpoints = openCheckpoints({ roots: [ws], home, state, env });
  const write = withCheckpointBefore(writeTool, createAutomatic(checkpoints));
  expect((await bench.run(write, { file: 'a.txt', content: 'two\n' })).isError).toBe(false);
  const [first] = await checkpoints.list(context.signal);
  await checkpoints.restore(first?.hash ?? '', { exact: true, signal: context.signal });
  expect(readFileSync(join(ws, 'a.txt'), 'utf8')).toBe('one\n');

  const broken = openCheckpoints({ roots: [ws], home, state: join(ws, 'a.txt', 'no-folder'), env });
  const again = withCheckpointBefore(writeTool, createAutomatic(broken));
  expect((await bench.run(again, { file: 'c.txt', content: 'three\n' })).isError).toBe(false);
  expect(readFileSync(join(ws, 'c.txt'), 'utf8')).toBe('three\n');
});
