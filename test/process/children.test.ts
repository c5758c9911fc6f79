/** Children end with us, also when we are killed without a word. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const source = resolve(import.meta.dirname, '../../src/process');
const folder = mkdtempSync(join(tmpdir(), 'children-'));

/** Compiles the process layer once to plain JavaScript so that a real Node parent can run it. */
async function build(): Promise<string> {
  const { build: bundle } = await import('vite');
  const entry = join(folder, 'entry.ts');
  writeFileSync(
    entry,
    `export { runCommand } from ${JSON.stringify(join(source, 'run-command.ts'))};\nexport { killAllChildren } from ${JSON.stringify(join(source, 'children.ts'))};\n`,
  );
  await bundle({
    configFile: false,
    logLevel: 'silent',
    root: folder,
    build: {
      ssr: entry,
      outDir: join(folder, 'out'),
      emptyOutDir: false,
      rollupOptions: { output: { entryFileNames: 'process.mjs' } },
    },
  });
  return join(folder, 'out', 'process.mjs');
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch {
    return false;
  }
};

async function eventually(condition: () => boolean, ms = 8000): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end && !condition(); ) await new Promise((done) => setTimeout(done, 20));
  return condition();
}

/** A Node parent that runs `body`; resolves with its first line of output, which names pids. */
async function parent(
  module: string,
  body: string,
): Promise<{ pids: number[]; kill(signal: NodeJS.Signals): void; ended: Promise<number | null> }> {
  const script = join(folder, `parent-${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(
    script,
    `import { runCommand, killAllChildren } from ${JSON.stringify(module)};
const run = (command, extra) => runCommand({ command, cwd: '/', env: { PATH: process.env.PATH }, signal: new AbortController().signal, ...extra });
const say = (pids) => process.stdout.write(pids.join(' ') + '\\n');
${body}`,
  );
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((done) => child.on('exit', (code) => done(code)));
  const line = await new Promise<string>((done) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += String(chunk);
      if (text.includes('\n')) done(text.split('\n')[0] as string);
    });
    child.stdout.on('end', () => done(text));
  });
  return { pids: line.trim().split(' ').map(Number), kill: (signal) => child.kill(signal), ended };
}

const RUNNING = `let text = '';
run('sleep 401 & setsid sleep 402 & trap "" TERM HUP; (sleep 403) & echo $! $$; while :; do sleep 0.2; done', {
  onOutput: (chunk) => { text += chunk; if (text.includes('\\n')) { say(text.trim().split(' ')); text = ''; } },
});`;

describe('children', async () => {
  const module = await build();

  it.each(['SIGKILL', 'SIGTERM'] as const)('die when we get %s', async (signal) => {
    const started = await parent(module, RUNNING);
    expect(started.pids.length).toBe(2);
    expect(started.pids.every(isAlive)).toBe(true);
    started.kill(signal);
    await started.ended;
    expect(await eventually(() => !started.pids.some(isAlive))).toBe(true);
  });

  it.skipIf(process.platform !== 'linux')('die although they left the group and the session', async () => {
    const started = await parent(
      module,
      `const o = await run('setsid sh -c "echo \\\\$\\\\$; exec sleep 404" & sleep 0.3');\nsay([Number(o.output)]);\nsetInterval(() => {}, 1000);`,
    );
    expect(started.pids.every(isAlive)).toBe(true);
    started.kill('SIGKILL');
    await started.ended;
    expect(await eventually(() => !started.pids.some(isAlive))).toBe(true);
  });

  it('do not keep us alive, and end when we end', async () => {
    const started = await parent(module, `const o = await run('sleep 405 & echo $!');\nsay([Number(o.output)]);`);
    expect(await started.ended).toBe(0);
    expect(await eventually(() => !started.pids.some(isAlive))).toBe(true);
  });

  it('are asked before they are killed', async () => {
    const note = join(folder, 'asked');
    const started = await parent(
      module,
      `const o = await run(${JSON.stringify(`(trap 'echo asked > ${note}; exit' TERM; echo up; while :; do sleep 0.05; done) & sleep 0.3`)});
say(o.leftover);
await killAllChildren({ graceMs: 5000 });`,
    );
    await started.ended;
    expect(readFileSync(note, 'utf8')).toBe('asked\n');
    expect(started.pids.some(isAlive)).toBe(false);
  });
});
