/** Keys stay out of logs on disk, and the mark that stands for them out of files that did not hold it. */
import { existsSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRedactor, KEY_MARK } from '../../../src/base/secret-text.js';
import { killAllChildren } from '../../../src/process/children.js';
import { createJobs } from '../../../src/process/jobs/create-jobs.js';
import { execTool } from '../../../src/tools/coder/exec.js';
import { patchTool } from '../../../src/tools/coder/patch.js';
import { writeTool } from '../../../src/tools/coder/write.js';
import { withHiddenKeys } from '../../../src/tools/wrap/hide-keys.js';
import type { Tool } from '../../../src/types/tool.js';
import { type Bench, makeBench } from '../context.js';

const KEY = 'key-of-nobody-0123456789abcdef';
const redact = createRedactor([KEY]);

let bench: Bench;
beforeEach(async () => {
  bench = await makeBench();
});
afterEach(async () => {
  await killAllChildren();
  bench.remove();
});
const run = (tool: Tool, args: Record<string, unknown>, context = bench.context) =>
  withHiddenKeys(tool, redact).run(args as never, context);

describe('an edit with the mark', () => {
  const DOC = `# Keys\nThey are shown as ${KEY_MARK} here.\nlast\n`;
  it('is refused where it would take the place of a key', async () => {
    const path = bench.put('settings.txt', `a=${KEY}\nb=1\n`);
    const result = await run(writeTool, { file: 'settings.txt', content: `a=${KEY_MARK}\nb=2\n` });
    expect(result).toMatchObject({ isError: true, output: expect.stringContaining('Nothing was changed') });
    expect(readFileSync(path, 'utf8')).toContain(KEY);
    expect(await run(writeTool, { file: 'new.txt', content: `x ${KEY_MARK}` })).toMatchObject({ isError: true });
    // The same words, once as they are and once for a key: nobody can tell which is meant.
    bench.put('both.txt', `a=${KEY_MARK}\na=${KEY}\n`);
    expect(await run(writeTool, { file: 'both.txt', content: `a=${KEY_MARK}\n` })).toMatchObject({ isError: true });
    expect(await run(patchTool, { file: 'both.txt', search: `a=${KEY_MARK}`, replace: 'a=' })).toMatchObject({ isError: true });
  });
  it('is carried out where the file holds these words itself', async () => {
    const path = bench.put('doc.md', DOC);
    expect((await run(writeTool, { file: 'doc.md', content: DOC.replace('last', 'end') })).isError).toBe(false);
    expect(readFileSync(path, 'utf8')).toContain('end');
    const line = `They are shown as ${KEY_MARK} here.`;
    const patched = await run(patchTool, { file: 'doc.md', search: `${line}\nend`, replace: `${line}\nmore\nend` });
    expect(patched, patched.output).toMatchObject({ isError: false });
    expect(readFileSync(path, 'utf8')).toBe(DOC.replace('last', 'more\nend'));
    expect(await run(writeTool, { file: 'doc.md', content: `other ${KEY_MARK}` })).toMatchObject({ isError: true });
  });
});

describe('a log', () => {
  const shell = (cmd: string) => run(execTool, { cmd });
  it('of a command holds no key, however long it is', async () => {
    const result = await shell(`for i in $(seq 6000); do echo "line $i ${KEY}"; done`);
    expect(result.output).not.toContain(KEY);
    const logs = readdirSync(bench.scratch).filter((name) => name.endsWith('.log'));
    expect(logs).toHaveLength(1);
    const text = readFileSync(join(bench.scratch, logs[0] ?? ''), 'utf8');
    expect(text).not.toContain(KEY);
    expect(text.split('\n')).toHaveLength(6001);
  });
  it('is never reached through a link or another name, nor is a file of the command itself', async () => {
    const victim = join(bench.base, 'victim');
    writeFileSync(victim, KEY);
    symlinkSync(victim, join(bench.scratch, 'exec-abc-00000000.log'));
    linkSync(victim, join(bench.scratch, 'exec-abc-00000001.log'));
    writeFileSync(join(bench.scratch, 'own.log'), KEY);
    await shell('true');
    expect(readFileSync(victim, 'utf8')).toBe(KEY);
    expect(lstatSync(join(bench.scratch, 'exec-abc-00000000.log')).isSymbolicLink()).toBe(true);
    expect(lstatSync(victim).nlink).toBe(2);
    expect(readFileSync(join(bench.scratch, 'own.log'), 'utf8')).toBe(KEY);
  });
  for (const keep of [false, true])
    it(`of a ${keep ? 'kept ' : ''}job holds none once it has ended, and what is new stays new`, async () => {
      const state = join(bench.base, 'jobs-state');
      mkdirSync(state);
      const jobs = createJobs({ scratch: bench.scratch, state, root: bench.workspace.root, watchMs: 50 });
      const context = { ...bench.context, host: { ...bench.context.host, jobs } };
      const command = `echo first ${KEY}; while [ ! -e go ]; do sleep 0.05; done; echo second ${KEY}`;
      const signal = new AbortController().signal;
      const cwd = bench.workspace.root;
      const { id, logFile } = await jobs.start({ command, cwd, env: bench.context.host.childEnv, keep, signal });
      for (let i = 0; i < 100 && !(existsSync(logFile) && readFileSync(logFile, 'utf8').includes('first')); i++)
        await new Promise((done) => setTimeout(done, 20));
      await jobs.look(id, { kind: 'new' }, { waitMs: 0, signal });
      await run(execTool, { cmd: 'touch go' }, context);
      for (let i = 0; i < 100 && readFileSync(logFile, 'utf8').includes(KEY); i++) {
        await new Promise((done) => setTimeout(done, 20));
        await run(execTool, { cmd: 'true' }, context);
      }
      expect(readFileSync(logFile, 'utf8')).toBe(`first ${KEY_MARK}\nsecond ${KEY_MARK}\n`);
      expect((await jobs.look(id, { kind: 'new' }, { waitMs: 0, signal })).output).toBe(`second ${KEY_MARK}\n`);
    });
});
