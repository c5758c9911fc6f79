// How long `--version` and `--help` take, and how much memory, against an empty Node.
import { join } from 'node:path';
import { asMib, asMs, inTempFolder, MAIN, median, mustSucceed, reportRatio, runNode } from './lib.mjs';

const ROUNDS = 21;
const PEAK_ROUNDS = 5;
const EMPTY = ['-e', '0'];
const CALLS = { empty: EMPTY, version: [MAIN, '--version'], help: [MAIN, '--help'] };

await inTempFolder(async (cwd) => {
  const times = { empty: [], version: [], help: [] };
  const peaks = { empty: [], version: [], help: [] };
  for (let round = -2; round < ROUNDS; round++) {
    for (const [name, args] of Object.entries(CALLS)) {
      const { ms } = mustSucceed(await runNode(args, { cwd }));
      if (round >= 0) times[name].push(ms);
    }
  }
  for (let round = 0; round < PEAK_ROUNDS; round++) {
    for (const [name, args] of Object.entries(CALLS)) {
      peaks[name].push(mustSucceed(await runNode(args, { cwd, measure: join(cwd, 'peak.json') })).peakBytes);
    }
  }
  reportRatio('start --version', median(times.version), median(times.empty), 2.0, asMs);
  reportRatio('start --help', median(times.help), median(times.empty), 2.6, asMs);
  reportRatio('peak memory --version', median(peaks.version), median(peaks.empty), 1.6, asMib);
  reportRatio('peak memory --help', median(peaks.help), median(peaks.empty), 1.6, asMib);
});
