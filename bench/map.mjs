// The map of 10,000 generated files: cold against universal-ctags on the same source files, warm against cold, one changed file.
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateTree } from './generate-tree.mjs';
import { asMs, inTempFolder, loadSource, MAIN, median, mustSucceed, report, reportRatio, runNode } from './lib.mjs';

const FILES = 10_000;
const COLD_ROUNDS = 3;
const WARM_ROUNDS = 7;
const COLD_LIMIT = 3;
const WARM_GAIN = 10;
/** Longer than a change may hide behind the clock of the file system, so that times alone tell that nothing changed. */
const SETTLES_MS = 3_000;

/** Grammars are found from here: it lies below `node_modules`' folder. */
const OUT = join(import.meta.dirname, '../.cache/bench-map');

/** Folders that no map looks into, and those the tree itself ignores. */
const LEFT_OUT = /^(?:\.|node_modules|vendor$|dist|build|target$|__pycache__|logs$)/;
const SOURCES = /\.(?:ts|js|py|go|rs|java|c|cs|sh)$/;

function sourcesIn(dir) {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return LEFT_OUT.test(entry.name) ? [] : sourcesIn(path);
    return SOURCES.test(entry.name) && !entry.name.endsWith('_test.go') && !entry.name.endsWith('.min.js') ? [path] : [];
  });
}

const hasCtags = () => /Universal Ctags/.test(spawnSync('ctags', ['--version'], { encoding: 'utf8' }).stdout ?? '');

function ctags(list, out, cwd) {
  const started = performance.now();
  const { status } = spawnSync('ctags', ['--options=NONE', '--quiet=yes', '-L', list, '-f', out], { cwd, stdio: 'ignore' });
  if (status !== 0) throw new Error(`ctags ended with ${status}`);
  return performance.now() - started;
}

const ours = async (cwd) => mustSucceed(await runNode([MAIN, 'tool', '@coder', 'map', '--', '{}'], { cwd }));

await inTempFolder(async (base) => {
  const [tree, empty] = ['tree', 'empty'].map((name) => join(base, name));
  for (const folder of [tree, empty]) mkdirSync(folder);
  generateTree(tree, { files: FILES, seed: 1 });
  const list = join(base, 'list');
  writeFileSync(list, `${sourcesIn(tree).join('\n')}\n`);
  await new Promise((done) => setTimeout(done, SETTLES_MS));
  // HOME is the working folder of a run; hidden folders are not looked into.
  const forget = () => rmSync(join(tree, '.chatcli', 'cache', 'map'), { recursive: true, force: true });
  const times = { cold: [], warm: [], start: [], ctags: [] };
  const outputs = new Set();
  const peer = hasCtags();
  if (!peer) console.log('map, cold against universal-ctags: skipped, no universal-ctags here (apt install universal-ctags)');
  for (let round = 0; round < COLD_ROUNDS; round++) {
    if (peer) times.ctags.push(ctags(list, join(base, 'tags'), tree));
    times.start.push((await ours(empty)).ms);
    forget();
    const run = await ours(tree);
    times.cold.push(run.ms);
    outputs.add(run.stdout);
  }
  for (let round = 0; round < WARM_ROUNDS; round++) {
    const run = await ours(tree);
    times.warm.push(run.ms);
    times.start.push((await ours(empty)).ms);
    outputs.add(run.stdout);
  }
  const start = median(times.start);
  const [cold, warm] = [median(times.cold) - start, median(times.warm) - start];
  if (peer) reportRatio('map cold, above start-up, against ctags', cold, median(times.ctags), COLD_LIMIT, asMs);
  report(
    'map warm, above start-up',
    asMs(warm),
    `${(cold / warm).toFixed(1)}x faster than cold`,
    `${WARM_GAIN}x`,
    cold / warm >= WARM_GAIN,
  );
  report('map, the same each time', `${outputs.size} output`, `of ${COLD_ROUNDS + WARM_ROUNDS} runs`, '1', outputs.size === 1);
  await oneChanged(base, tree);
});

async function oneChanged(base, tree) {
  const [{ runMap }, { openWorkspace }] = await loadSource(OUT, ['tools/shared/map-tool', 'workspace/open-workspace']);
  const state = join(base, 'state');
  const workspace = await openWorkspace({ root: tree, home: base, state, scratch: join(base, 'scratch') });
  const context = { workspace, host: { state }, signal: new AbortController().signal };
  const map = () => runMap({ dir: '.', budget: 8000, focus: [] }, context);
  const first = (await map()).counts;
  const [changed] = sourcesIn(tree);
  appendFileSync(changed, '\n');
  const second = (await map()).counts;
  const value = `${first.parsed} then ${second.parsed} parsed`;
  report('map, one file changed', value, `of ${second.files}`, '1', second.parsed === 1 && first.parsed > 1000);
}
