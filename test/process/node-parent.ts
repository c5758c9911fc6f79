/** Runs the process layer in a Node parent of its own, so that the parent can be killed or measured. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const source = resolve(import.meta.dirname, '../../src/process');
export const folder = mkdtempSync(join(tmpdir(), 'children-'));

/** Compiles the process layer once to plain JavaScript so that a real Node parent can run it. */
export async function build(): Promise<string> {
  const { build: bundle } = await import('vite');
  const entry = join(folder, 'entry.ts');
  writeFileSync(
    entry,
    `export { runCommand } from ${JSON.stringify(join(source, 'run-command.ts'))};\nexport { killAllChildren } from ${JSON.stringify(join(source, 'children.ts'))};\nexport { createJobs } from ${JSON.stringify(join(source, 'jobs/create-jobs.ts'))};\n`,
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

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch {
    return false;
  }
};

export async function eventually(condition: () => boolean, ms = 8000): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end && !condition(); ) await new Promise((done) => setTimeout(done, 20));
  return condition();
}

/** A Node parent that runs `body`; resolves with its first line of output, which names pids. */
export async function parent(
  module: string,
  body: string,
): Promise<{ line: string; pids: number[]; kill(signal: NodeJS.Signals): void; ended: Promise<number | null> }> {
  const script = join(folder, `parent-${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(
    script,
    `import { runCommand, killAllChildren, createJobs } from ${JSON.stringify(module)};
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
  return { line, pids: line.trim().split(' ').map(Number), kill: (signal) => child.kill(signal), ended };
}
