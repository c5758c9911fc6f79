/** What commands and jobs leave for git outside, in a real bubblewrap: found however it is written, wherever it lies, whenever it came. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { killAllChildren } from '../../../src/process/children.js';
import type { CommandOutcome } from '../../../src/process/command-types.js';
import { createJobs } from '../../../src/process/jobs/create-jobs.js';
import { runCommand } from '../../../src/process/run-command.js';
import { settleNewcomers } from '../../../src/process/sandbox/newcomers.js';
import { createScanner } from '../../../src/process/sandbox/scan-workspace.js';
import { openSessionSandbox, type SessionSandbox } from '../../../src/process/sandbox/session-sandbox.js';
import { type Confinement, makeConfinement, whyNot } from './confined.js';

const reason = await whyNot();
const places: Confinement[] = [];
afterAll(async () => {
  await killAllChildren();
  for (const place of places) place.remove();
});

const real = (name: string, run: () => Promise<void>) =>
  it(name, async (context) => {
    if (reason !== undefined) context.skip(`no sandbox here: ${reason}`);
    await run();
  });

interface Session {
  readonly place: Confinement;
  readonly box: SessionSandbox;
  readonly notes: string[];
  run(command: string): Promise<CommandOutcome>;
  planted(command: string): Promise<string>;
}

function make(): Confinement {
  const place = makeConfinement();
  places.push(place);
  return place;
}

function session(place: Confinement = make()): Session {
  const notes: string[] = [];
  const box = openSessionSandbox({
    mode: 'auto',
    roots: [place.workspace],
    home: place.home,
    state: place.state,
    temp: tmpdir(),
    uid: process.getuid?.() ?? -1,
    readable: [],
    writable: [],
    env: place.env,
    platform: process.platform,
    canOffer: false,
    onMissing: () => undefined,
    onNote: (note) => notes.push(note),
  });
  const base = { cwd: place.workspace, env: place.env, timeoutMs: 30_000, sandbox: box };
  const run = (command: string) => runCommand({ ...base, command, signal: new AbortController().signal });
  const planted = async (command: string) => {
    const { sandbox, exitCode, output } = await run(command);
    expect(exitCode, output).toBe(0);
    return (sandbox?.planted ?? []).join('\n');
  };
  return { place, box, notes, run, planted };
}

const git = (place: Confinement, ...words: string[]) =>
  execFileSync('git', words, { cwd: place.workspace, env: place.env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

async function eventually(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 400 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(condition()).toBe(true);
}

const tracesOf = ({ state }: Confinement) => {
  const folder = join(state, 'cache/sandbox/traces');
  return existsSync(folder) ? readdirSync(folder) : [];
};

describe('steps of a rebase', () => {
  real('that a command wrote are told of, once; those that stood there are not', async () => {
    const { place, planted } = session();
    git(place, 'init', '-q', '.');
    git(place, 'commit', '-q', '--allow-empty', '-m', 'x');
    mkdirSync(join(place.workspace, '.git/rebase-merge'));
    writeFileSync(join(place.workspace, '.git/rebase-merge/git-rebase-todo'), 'pick abc\nexec npm test\n');
    expect(await planted('true')).toBe('');
    const said = await planted('echo "x touch ran" >> .git/rebase-merge/git-rebase-todo');
    expect(said).toContain('"git rebase --continue" would run "touch ran": it is a new step in');
    expect(said).not.toContain('npm test');
    expect(await planted('true')).toBe('');
  });
});

describe('files of settings that were not there', () => {
  real('are put aside when they run programs, in the repository, its linked trees and its submodules', async () => {
    const { place, planted } = session();
    git(place, 'init', '-q', '.');
    git(place, 'commit', '-q', '--allow-empty', '-m', 'x');
    git(place, 'worktree', 'add', '-q', join(place.root, 'linked'));
    git(place, 'config', 'extensions.worktreeConfig', 'true');
    git(place, 'config', 'include.path', '../shared.gitconfig');
    for (const file of ['.git/config.worktree', '.git/worktrees/linked/config.worktree', 'shared.gitconfig']) {
      const said = await planted(`printf '[core]\\n\\tfsmonitor = touch ran; false\\n' > '${file}'`);
      expect(said).toContain(`${file} would make git run programs (core.fsmonitor)`);
      expect(existsSync(join(place.workspace, file))).toBe(false);
      expect(existsSync(join(place.workspace, `${file}-blocked`))).toBe(true);
    }
    expect(await planted('ln -s /tmp/later .git/config.worktree')).toContain('config.worktree was renamed to');
    const module = 'git init -q --bare .git/modules/sub && git --git-dir .git/modules/sub config core.editor x';
    expect(await planted(module)).toContain('.git/modules/sub would make git run programs (core.editor)');
    git(place, 'status');
    expect(existsSync(join(place.workspace, 'ran'))).toBe(false);
  });

  real('stay when they run nothing, and cannot be changed to do so afterwards', async () => {
    const { place, planted, run } = session();
    git(place, 'init', '-q', '.');
    git(place, 'config', 'extensions.worktreeConfig', 'true');
    const file = join(place.workspace, '.git/config.worktree');
    expect(await planted('git config --worktree core.sparseCheckout true')).toBe('');
    expect(readFileSync(file, 'utf8')).toContain('sparseCheckout');
    expect((await run('echo "[core] fsmonitor = x" >> .git/config.worktree')).exitCode).not.toBe(0);
  });

  real('are compared where they cannot be kept: a pointer that led nowhere, a link', async () => {
    const { place, planted } = session();
    const out = join(place.home, '.cache/elsewhere');
    mkdirSync(join(place.home, '.cache'), { recursive: true });
    place.write('dangling/.git', `gitdir: ${out}/.git\n`);
    execFileSync('git', ['init', '-q', join(place.home, '.cache/linked')], { env: place.env });
    mkdirSync(join(place.workspace, 'link'));
    symlinkSync(join(place.home, '.cache/linked/.git'), join(place.workspace, 'link/.git'));
    expect(await planted('true')).toBe('');
    expect(await planted(`git init -q '${out}' && git -C '${out}' config core.fsmonitor x`)).toContain(
      'dangling/.git was renamed',
    );
    expect(await planted(`git -C ~/.cache/linked config core.fsmonitor x`)).toContain('link/.git was renamed');
  });
});

describe('repositories that are new', () => {
  real('are understood as git understands them', async () => {
    const { place, planted } = session();
    const texts = ['[user] [core] fsmonitor = touch x', '[user] [include] path = ../x', '[filter "]"] clean = touch x'];
    for (const [at, text] of texts.entries()) {
      place.write('text', `${text}\n`);
      expect(await planted(`git init -q n${at} && cat text >> n${at}/.git/config`), text).toContain(`n${at}/.git was renamed`);
    }
  });

  real('are all named, however many they are', async () => {
    const { planted, place } = session();
    const said = await planted('for i in 1 2 3 4 5 6 7 8 9 10 11; do git init -q r$i; git -C r$i config core.editor x; done');
    for (let i = 1; i <= 11; i++) {
      expect(said).toContain(`${place.workspace}/r${i}/.git`);
      expect(existsSync(join(place.workspace, `r${i}/.git`))).toBe(false);
    }
    expect(said.split('\n')).toHaveLength(8);
  });

  real('are found, and secrets stay hidden, behind thousands of new folders', async () => {
    const { place, run, planted } = session();
    place.write('packages/api/.env', 'A=topsecret\n');
    expect((await run('cat packages/api/.env')).output).not.toContain('topsecret');
    const many =
      'for i in $(seq 70); do mkdir -p a$i/{1..60}; done; mkdir -p a1/1/z; cd a1/1/z; git init -q .; git config core.fsmonitor x';
    expect(await planted(`bash -c '${many}'`)).toContain('a1/1/z/.git was renamed');
    expect((await run('cat packages/api/.env')).output).not.toContain('topsecret');
  });
});

describe('a workspace that is too large', () => {
  it('folders that are known come first, and it is said what was not looked at', () => {
    const { workspace, write } = make();
    write('known/deep/.env', '');
    const scan = createScanner({ mostNew: 10, mostFolders: 12 });
    expect(scan.now(workspace)).toMatchObject({ complete: true, secrets: [join(workspace, 'known/deep/.env')] });
    for (let i = 0; i < 20; i++) write(`a${i}/b/file`, '');
    write('known/deep/.env.more', '');
    const seen = scan.now(workspace);
    expect(seen.complete).toBe(false);
    expect(seen.secrets.map((path) => path.slice(workspace.length + 1)).sort()).toEqual([
      'known/deep/.env',
      'known/deep/.env.more',
    ]);
    const trace = {
      watched: [],
      awaited: [],
      loose: [],
      steps: [],
      repositories: [],
      present: [],
      scanned: [workspace],
      writable: [],
    };
    const told = new Set<string>();
    expect(settleNewcomers(trace, scan.now, told).join()).toContain(`${workspace} has become too large`);
    expect(settleNewcomers(trace, scan.now, told)).toEqual([]);
    rmSync(join(workspace, 'a1'), { recursive: true });
  });
});

describe('a hidden file', () => {
  real('stays hidden when its folder is moved out of sight or the link to it is taken away', async () => {
    const { place, run } = session();
    place.write('packages/api/.env', 'A=topsecret\n');
    place.write('config/production', 'B=topsecret\n');
    symlinkSync('config/production', join(place.workspace, '.env'));
    const all = 'grep -rhs topsecret . || true; cat config/production 2>&1';
    expect((await run(all)).output).not.toContain('topsecret');
    expect((await run('mkdir -p node_modules/x && mv packages/api node_modules/x/ && rm .env')).exitCode).toBe(0);
    expect((await run(all)).output).not.toContain('topsecret');
    // What the user replaces is judged anew.
    rmSync(join(place.workspace, 'node_modules/x/api/.env'));
    writeFileSync(join(place.workspace, 'node_modules/x/api/other'), 'C=visible\n');
    expect((await run('cat node_modules/x/api/other')).output).toBe('C=visible\n');
  });
});

describe('what comes later', () => {
  const signal = new AbortController().signal;
  const jobsOf = (place: Confinement) => {
    const scratch = join(place.state, 'scratch');
    mkdirSync(scratch, { recursive: true });
    return createJobs({ scratch, state: place.state, root: place.workspace, watchMs: 100 });
  };
  const PLANT = 'while [ ! -e go ]; do sleep 0.05; done; git init -q n; git -C n config core.fsmonitor x; touch done';
  const start = ({ place, box }: Session, keep: boolean) => {
    const jobs = jobsOf(place);
    const info = jobs.start({ command: PLANT, cwd: place.workspace, env: place.env, keep, signal, sandbox: box });
    return info.then((job) => ({ jobs, job }));
  };

  real('from a kept job is found by the next run', async () => {
    const first = session();
    const { place } = first;
    await start(first, true);
    first.box.close();
    expect(tracesOf(place)).toHaveLength(1);
    writeFileSync(join(place.workspace, 'go'), '');
    await eventually(() => existsSync(join(place.workspace, 'done')));
    expect(existsSync(join(place.workspace, 'n/.git'))).toBe(true);
    // As if the process that started it were gone.
    const folder = join(place.state, 'cache/sandbox/traces');
    const file = join(folder, tracesOf(place)[0] ?? '');
    const stored = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...stored, owner: { ...stored.owner, pid: 2 ** 22 + 1 } }));
    const next = session(place);
    expect(await next.planted('true')).toContain('n/.git was renamed');
    await eventually(() => existsSync(join(place.workspace, 'n/.git-blocked')));
    next.box.close();
    expect(tracesOf(place)).toEqual([]);
  });

  real('from a job of the run is found when it is listed, and said with the next command', async () => {
    const at = session();
    const { jobs } = await start(at, false);
    writeFileSync(join(at.place.workspace, 'go'), '');
    await eventually(() => existsSync(join(at.place.workspace, 'done')));
    let left = tracesOf(at.place);
    for (let i = 0; i < 200 && left.length > 0; i++) {
      await jobs.list();
      left = tracesOf(at.place);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(left).toEqual([]);
    expect(existsSync(join(at.place.workspace, 'n/.git'))).toBe(false);
    expect(await at.planted('true')).toContain('n/.git was renamed');
  });

  real('is told at the end of the run', async () => {
    const at = session();
    const { place, notes } = at;
    await at.run(`(${PLANT}; sleep 661) & true`);
    writeFileSync(join(place.workspace, 'go'), '');
    await eventually(() => existsSync(join(place.workspace, 'done')));
    await killAllChildren();
    at.box.close();
    expect(notes.join()).toContain('n/.git was renamed');
    expect(tracesOf(place)).toEqual([]);
  });

  real('a start that fails leaves nothing to look after', async () => {
    const { place, box } = session();
    const options = { cwd: place.workspace, env: place.env, signal, sandbox: box };
    await expect(runCommand({ ...options, file: join(place.root, 'nothing'), args: [] })).rejects.toMatchObject({
      code: 'ENOENT',
    });
    const long = { ...place.env, LONG: 'x'.repeat(300_000) };
    await expect(runCommand({ ...options, env: long, file: '/bin/true', args: [] })).rejects.toMatchObject({ code: 'E2BIG' });
    expect(tracesOf(place)).toEqual([]);
  });
});

describe('many repositories', () => {
  real('not all of which can be held where they are: it is said', async () => {
    const { place, run, notes } = session();
    for (let i = 0; i < 90; i++) {
      const data = join(place.workspace, `r${i}/.git`);
      for (const name of ['objects', 'refs', 'hooks']) mkdirSync(join(data, name), { recursive: true });
      for (const name of ['HEAD', 'config']) writeFileSync(join(data, name), name === 'HEAD' ? 'ref: refs/heads/main\n' : '');
    }
    expect((await run('true')).exitCode).toBe(0);
    expect(notes.join()).toContain('can be moved away');
  });
});
