/** Sandboxed processes end when they should: with us, however we end, and not before. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupMembers, markedProcesses, signalGroup } from '../../../src/process/groups.js';
import { makeConfinement, whyNot } from './confined.js';

const reason = await whyNot();
const real = (name: string, run: () => Promise<void>) =>
  it(name, async (context) => {
    if (reason !== undefined) context.skip(`no sandbox here: ${reason}`);
    await run();
  });

const source = resolve(import.meta.dirname, '../../../src/process');
const place = makeConfinement();
const bundle = join(place.root, 'out/process.mjs');

beforeAll(async () => {
  const { build } = await import('vite');
  const entry = join(place.root, 'entry.ts');
  const from = (names: string, file: string) => `export { ${names} } from ${JSON.stringify(join(source, file))};\n`;
  writeFileSync(
    entry,
    from('guardChildren, nextMark, noteGroup', 'children.ts') +
      from('openSandbox', 'sandbox/open-sandbox.ts') +
      from('MARK', 'groups.ts'),
  );
  await build({
    configFile: false,
    logLevel: 'silent',
    root: place.root,
    build: {
      ssr: entry,
      outDir: dirname(bundle),
      emptyOutDir: false,
      rollupOptions: { output: { entryFileNames: 'process.mjs' } },
    },
  });
});
afterAll(() => place.remove());

/** Living processes of a command line, seen from outside the sandbox. */
function running(words: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `${words.replaceAll(' ', '\0')}\0`;
      } catch {
        return false;
      }
    })
    .map(Number);
}

async function eventually(condition: () => boolean, ms = 8000): Promise<boolean> {
  for (const end = Date.now() + ms; Date.now() < end && !condition(); ) await new Promise((done) => setTimeout(done, 20));
  return condition();
}

interface Parent {
  readonly pid: number;
  readonly mark: string;
  readonly group: number;
  readonly ended: Promise<number | null>;
}

/** A Node process that runs a command as our runner does, and says its mark and group. */
async function parent(command: string, options: { readonly tied?: boolean; readonly guarded?: boolean } = {}): Promise<Parent> {
  const script = join(place.root, `parent-${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(
    script,
    `import { spawn } from 'node:child_process';
import { guardChildren, nextMark, noteGroup, openSandbox, MARK } from ${JSON.stringify(bundle)};
const box = openSandbox(${JSON.stringify({ mode: 'workspace', roots: [place.workspace], home: place.home, state: place.state, temp: '/tmp', uid: process.getuid?.() ?? 0, readable: [], writable: [], env: place.env, platform: 'linux' })});
if (${options.guarded ?? true}) guardChildren();
const mark = nextMark(false);
const env = { ...${JSON.stringify(place.env)}, [MARK]: mark };
const program = { file: '/bin/sh', args: ['-c', ${JSON.stringify(command)}], cwd: ${JSON.stringify(place.workspace)}, ownSession: true, tied: ${options.tied ?? false} };
const confined = await box.confine(program, { env });
const child = spawn(confined.file, confined.args, { cwd: program.cwd, env, detached: true, stdio: ['ignore', 'ignore', 'inherit', ...confined.handles] });
confined.release();
if (${options.guarded ?? true}) noteGroup(child.pid);
process.stdout.write(mark + ' ' + child.pid + '\\n');
child.on('exit', (code, signal) => process.stdout.write('ended ' + code + ' ' + signal + '\\n'));
setInterval(() => {}, 1000);`,
  );
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((done) => child.on('exit', (code) => done(code)));
  const line = await new Promise<string>((done) => child.stdout.once('data', (chunk: Buffer) => done(String(chunk))));
  const [mark, group] = line.trim().split(/\s/);
  return { pid: child.pid as number, mark: mark as string, group: Number(group), ended };
}

describe('when we are killed', () => {
  real('nothing is left, also of what left group, session and environment', async () => {
    const up = join(place.workspace, 'up');
    rmSync(up, { force: true });
    const started = await parent(
      'sleep 511 & setsid sleep 512 & env -i setsid sleep 513 & setsid sh -c \'trap "" TERM HUP INT; touch up; while :; do sleep 0.2; done\' & wait',
    );
    expect(await eventually(() => existsSync(up) && running('sleep 513').length === 1)).toBe(true);
    expect(markedProcesses(started.mark).length).toBeGreaterThan(2);
    process.kill(started.pid, 'SIGKILL');
    await started.ended;
    const left = () => [
      ...markedProcesses(started.mark),
      ...running('sleep 511'),
      ...running('sleep 512'),
      ...running('sleep 513'),
    ];
    expect(await eventually(() => left().length === 0)).toBe(true);
  });

  real('a tied program needs no watcher', async () => {
    const started = await parent('sleep 521 & exec sleep 522', { tied: true, guarded: false });
    expect(await eventually(() => running('sleep 522').length === 1 && running('sleep 521').length === 1)).toBe(true);
    process.kill(started.pid, 'SIGKILL');
    await started.ended;
    expect(await eventually(() => running('sleep 521').length + running('sleep 522').length === 0)).toBe(true);
  });
});

describe('when the command ends', () => {
  real('what it left in the background runs on, is found by its mark and can be ended', async () => {
    const started = await parent('sleep 531 & env -i setsid sleep 532 & exit 4');
    expect(await eventually(() => running('sleep 531').length === 1 && running('sleep 532').length === 1)).toBe(true);
    await new Promise((done) => setTimeout(done, 300));
    const [left] = running('sleep 531');
    expect(groupMembers(started.group)).toContain(left);
    expect(markedProcesses(started.mark)).toContain(left);
    // The first process of the sandbox is in the group, and takes all the others with it.
    signalGroup(started.group, 'SIGKILL');
    expect(await eventually(() => running('sleep 531').length + running('sleep 532').length === 0)).toBe(true);
    process.kill(started.pid, 'SIGKILL');
  });

  real('a tied program leaves nothing', async () => {
    const started = await parent('sleep 541 & touch tied; exit 0', { tied: true });
    expect(await eventually(() => existsSync(join(place.workspace, 'tied')))).toBe(true);
    expect(await eventually(() => running('sleep 541').length === 0)).toBe(true);
    process.kill(started.pid, 'SIGKILL');
  });
});

describe('when it is asked to end', () => {
  real('it can finish its work, and one that does not listen is killed', async () => {
    const notes = join(place.workspace, 'notes');
    mkdirSync(notes, { recursive: true });
    const polite = await parent("trap 'echo cleaned > notes/cleaned; exit 9' TERM; touch notes/up; while :; do sleep 0.05; done");
    expect(await eventually(() => existsSync(join(notes, 'up')))).toBe(true);
    signalGroup(polite.group, 'SIGTERM');
    expect(await eventually(() => existsSync(join(notes, 'cleaned')) && groupMembers(polite.group).length === 0)).toBe(true);
    process.kill(polite.pid, 'SIGKILL');
    const deaf = await parent("trap '' TERM; touch notes/deaf; sleep 551");
    expect(await eventually(() => existsSync(join(notes, 'deaf')) && running('sleep 551').length === 1)).toBe(true);
    signalGroup(deaf.group, 'SIGTERM');
    await new Promise((done) => setTimeout(done, 200));
    expect(running('sleep 551')).toHaveLength(1);
    signalGroup(deaf.group, 'SIGKILL');
    expect(await eventually(() => running('sleep 551').length === 0)).toBe(true);
    process.kill(deaf.pid, 'SIGKILL');
  });
});
