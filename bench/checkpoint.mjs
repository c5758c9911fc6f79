// What a checkpoint of an unchanged tree costs against `git status` on it, and the first one of 10,000 files against `git add`.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { generateTree } from './generate-tree.mjs';
import { asMs, inTempFolder, median, report, reportRatio } from './lib.mjs';

const FILES = 10_000;
const ROUNDS = 15;
const BUDGET = 2;
/** The first snapshot against `git add` of the same tree. */
const COLD_BUDGET = 1.5;

/** The module of src as Node can load it. */
async function load(folder) {
  const entry = resolve(import.meta.dirname, '../src/workspace/checkpoint/checkpoints.ts');
  const output = { entryFileNames: '[name].mjs' };
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: { ssr: true, outDir: folder, emptyOutDir: true, target: 'node20', rollupOptions: { input: { main: entry }, output } },
  });
  return import(join(folder, 'main.mjs'));
}

const timed = async (work) => {
  const start = performance.now();
  const result = await work();
  return { ms: performance.now() - start, result };
};

await inTempFolder(async (base) => {
  const [ws, home, out] = ['ws', 'home', 'out'].map((name) => join(base, name));
  mkdirSync(home);
  const env = { PATH: process.env.PATH, HOME: home, TERM: 'xterm-256color' };
  const git = (...words) => {
    const done = spawnSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@b', ...words], { cwd: ws, env });
    if (done.status !== 0) throw new Error(`git ${words.join(' ')}: ${done.stderr}`);
  };
  const status = () =>
    new Promise((done, fail) => {
      const child = spawn('git', ['status', '--porcelain'], { cwd: ws, env, stdio: ['ignore', 'pipe', 'ignore'] });
      child.stdout.resume();
      child.on('error', fail).on('close', (code) => (code === 0 ? done() : fail(new Error(`git status ended with ${code}`))));
    });
  const { openCheckpoints } = await load(out);
  const made = generateTree(ws, { files: FILES, seed: 1 });
  git('init', '-q');
  const adding = await timed(() => git('add', '-A'));
  git('commit', '-q', '-m', 'base');
  const signal = new AbortController().signal;
  const checkpoints = openCheckpoints({ roots: [ws], home, state: join(home, '.chatcli'), env });
  const create = () => checkpoints.create(ws, 'bench', signal);

  const cold = await timed(create);
  if (!cold.result.fresh) throw new Error('the first snapshot recorded nothing');
  reportRatio(`first checkpoint, ${made.files} files`, cold.ms, adding.ms, COLD_BUDGET, asMs);
  // Both look twice at files written in the second of their index; not so once it is renewed.
  await new Promise((done) => setTimeout(done, 1500));
  for (let i = 0; i < 2; i++) {
    git('status');
    await create();
  }
  const [ours, theirs] = [[], []];
  for (let i = 0; i < ROUNDS; i++) {
    theirs.push((await timed(status)).ms);
    const { ms, result } = await timed(create);
    if (result.fresh) throw new Error('the tree was to stay unchanged');
    ours.push(ms);
  }
  reportRatio('checkpoint, unchanged tree', median(ours), median(theirs), BUDGET, asMs);

  const one = [];
  for (let i = 0; i < 5; i++) {
    writeFileSync(join(ws, 'changed.txt'), `change ${i}\n`);
    one.push((await timed(create)).ms);
  }
  report('checkpoint, one file changed', asMs(median(one)), 'median', 'none', true);
  const first = (await checkpoints.list(signal)).at(-1);
  rmSync(join(ws, 'changed.txt'));
  writeFileSync(join(ws, 'more.txt'), 'more\n');
  const restore = await timed(() => checkpoints.restore(first.hash, { exact: true, signal }));
  report('restore of one file', asMs(restore.ms), 'once', 'none', true);
});
