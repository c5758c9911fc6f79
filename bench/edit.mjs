// What a read and a patch cost in this process, durable, for a small file and one of 1,500 lines; beside them the same by plain means.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asMs, inTempFolder, loadSource, median, plainWrite, report, timed } from './lib.mjs';

const ROUNDS = 60;
/** Milliseconds by lines. */
const CASES = [
  { lines: 100, budget: 2 },
  { lines: 1500, budget: 5 },
];

function plainPatch(path, search, replace) {
  plainWrite(
    path,
    readFileSync(path, 'utf8').replace(search, () => replace),
  );
}

/** A disk that alone takes more than half of the budget is not our cost: then half the budget may come on top of it. */
const limitOf = (budget, plain) => Math.max(budget, plain + budget / 2);

function told(name, ours, plain, budget) {
  const limit = limitOf(budget, plain);
  const shown = limit === budget ? `${budget} ms` : `${budget} ms (disk alone ${asMs(plain)}: ${asMs(limit)})`;
  report(name, `${ours.toFixed(2)} ms`, `${(ours / plain).toFixed(2)}x plain`, shown, ours <= limit);
}

await inTempFolder(async (base) => {
  const [{ openWorkspace }, { patchTool }, { readTool }] = await loadSource(join(base, 'out'), [
    'workspace/open-workspace',
    'tools/coder/patch',
    'tools/coder/read',
  ]);
  const [root, plainRoot, home] = ['ws', 'plain', 'home'].map((name) => join(base, name));
  const state = join(home, '.chatcli');
  const scratch = join(state, 'cache', 'scratch', 's');
  for (const folder of [root, plainRoot, scratch]) mkdirSync(folder, { recursive: true });
  const workspace = await openWorkspace({ root, home, state, scratch });
  const context = { workspace, signal: new AbortController().signal, agent: 'main', progress() {} };
  const call = async (tool, args) => {
    const result = await tool.run(args, context);
    if (result.isError) throw new Error(result.output);
  };
  for (const { lines, budget } of CASES) {
    const file = `f${lines}.ts`;
    const text = Array.from({ length: lines }, (_, i) => `  const value${i} = compute(${i}, 'text of line ${i}');\n`).join('');
    const middle = lines >> 1;
    for (const folder of [root, plainRoot]) writeFileSync(join(folder, file), text);
    const times = { read: [], plainRead: [], patch: [], plainPatch: [] };
    for (let round = 0; round < ROUNDS; round++) {
      const edit = [`value${middle} = ${round === 0 ? 'compute' : `c${round - 1}`}(`, `value${middle} = c${round}(`];
      times.plainRead.push(await timed(() => readFileSync(join(root, file), 'utf8').split('\n')));
      times.read.push(await timed(() => call(readTool, { file })));
      times.plainPatch.push(await timed(() => plainPatch(join(plainRoot, file), ...edit)));
      times.patch.push(await timed(() => call(patchTool, { file, search: edit[0], replace: edit[1] })));
    }
    const of = (name) => median(times[name].slice(5));
    told(`read, ${lines} lines`, of('read'), of('plainRead'), budget);
    told(`patch, ${lines} lines`, of('patch'), of('plainPatch'), budget);
  }
});
