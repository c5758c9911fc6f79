/** The runner: version check, usage, exit codes and signals of what it runs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runQuiet } from '../../scripts/lib/spawn.mjs';

const RUN = resolve(import.meta.dirname, '../../scripts/run.mjs');
const SPAWN = pathToFileURL(resolve(import.meta.dirname, '../../scripts/lib/spawn.mjs')).href;
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chatcli-run-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the runner in a Node that says it is another version. */
function asVersion(version: string, ...args: string[]) {
  const preload = join(folder, `v${version}.cjs`);
  writeFileSync(preload, `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`);
  return runQuiet(process.execPath, ['-r', preload, RUN, ...args]);
}

describe('run.mjs', () => {
  it.each(['18.20.4', '20.18.3', '21.7.3', '22.11.0'])('refuses Node %s with a sentence', async (version) => {
    const { code, output } = await asVersion(version, 'demo');
    expect(code).toBe(1);
    expect(output).toContain(`ChatCLI needs Node.js 20.19 or newer (of 22: 22.12 or newer); this is ${version}`);
    expect(output).not.toContain('    at ');
  });
  it.each(['20.19.0', '22.12.0', '23.0.0', '24.1.0', '26.0.0'])('accepts Node %s', async (version) => {
    expect((await asVersion(version)).output).toContain('usage: node scripts/run.mjs TASK');
  });
  it('lists the tasks for an unknown one and ends with 2', async () => {
    for (const args of [[], ['toString'], ['nonsense']]) {
      const { code, output } = await runQuiet(process.execPath, [RUN, ...args]);
      expect(code).toBe(2);
      expect(output).toContain('tasks: demo, start, test,');
    }
  });
});

describe('runThrough and endLike', () => {
  const through = (child: string) =>
    spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { endLike, runThrough } from ${JSON.stringify(SPAWN)}; endLike(await runThrough(process.execPath, ['-e', ${JSON.stringify(child)}]));`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
  it('passes the exit code on', async () => {
    expect(await once(through('process.exit(3)'), 'exit')).toEqual([3, null]);
  });
  it('ends by the signal that ended the child', async () => {
    expect(await once(through("process.kill(process.pid, 'SIGKILL')"), 'exit')).toEqual([null, 'SIGKILL']);
  });
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('passes %s to the child and waits for its own end', async (signal) => {
    const parent = through(
      `process.on('${signal}', () => { console.log('got it'); process.exit(7); }); console.log('ready'); setInterval(() => {}, 1000);`,
    );
    let output = '';
    parent.stdout.on('data', (part) => {
      output += part;
      if (String(part).includes('ready')) parent.kill(signal);
    });
    expect(await once(parent, 'close')).toEqual([7, null]);
    expect(output).toBe('ready\ngot it\n');
  });
});
