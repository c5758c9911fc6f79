// What a transaction of 50 files costs against 50 plain durable writes: temporary file, fsync, rename, fsync of the folder, each.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asMs, inTempFolder, loadSource, median, plainWrite, reportRatio, timed } from './lib.mjs';

const FILES = 50;
const ROUNDS = 15;
const LIMIT = 2;
const SIZE = 4000;

const bytesOf = (round, index) => Buffer.from(`${round} ${index}\n`.repeat(SIZE).slice(0, SIZE));

/** Ratio of one layout: `folders` of equal size. */
async function compare(openWorkspace, base, folders) {
  const ours = join(base, `ours${folders}`);
  const plain = join(base, `plain${folders}`);
  const paths = Array.from({ length: FILES }, (_, i) => `d${i % folders}/f${i}.txt`);
  for (const root of [ours, plain]) {
    for (const path of paths) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), bytesOf(-1, 0));
    }
  }
  const home = join(base, `home${folders}`);
  const state = join(home, '.chatcli');
  const scratch = join(state, 'cache', 'scratch', 's');
  mkdirSync(scratch, { recursive: true });
  const workspace = await openWorkspace({ root: ours, home, state, scratch });
  const times = { ours: [], plain: [] };
  for (let round = 0; round < ROUNDS + 2; round++) {
    const baseline = await timed(() => paths.forEach((path, i) => void plainWrite(join(plain, path), bytesOf(round, i))));
    const reads = await Promise.all(paths.map((path) => workspace.readFile(path)));
    const targets = paths.map((path, i) => ({ path, bytes: bytesOf(round, i), expect: reads[i].state }));
    const transaction = await timed(() => workspace.changeFiles(targets));
    // The first rounds fill caches.
    if (round < 2) continue;
    times.ours.push(transaction);
    times.plain.push(baseline);
  }
  const names = readdirSync(ours, { recursive: true }).filter((name) => !/^d\d+(\/f\d+\.txt(\.bak)?)?$/.test(name));
  if (names.length > 0) throw new Error(`left behind: ${names.join(', ')}`);
  const name = `transaction, ${FILES} files in ${folders === 1 ? 'one folder' : `${folders} folders`}`;
  reportRatio(name, median(times.ours), median(times.plain), LIMIT, asMs);
}

await inTempFolder(async (base) => {
  const [{ openWorkspace }] = await loadSource(join(base, 'out'), ['workspace/open-workspace']);
  for (const folders of [1, 10, FILES]) await compare(openWorkspace, base, folders);
});
