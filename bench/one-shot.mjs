// One answer over loopback HTTP, from the start of the process to its end, against an empty Node.
import { join } from 'node:path';
import { asMs, inTempFolder, MAIN, median, mustSucceed, reportRatio, runNode, startModel } from './lib.mjs';

const ROUNDS = 15;
const model = await startModel(() => ({ text: 'hello' }));

await inTempFolder(async (cwd) => {
  const calls = { empty: ['-e', '0'], shot: [MAIN, '-p', 'say hello', '--model', 'bench'] };
  const times = { empty: [], shot: [] };
  const cpu = { empty: [], shot: [] };
  for (let round = -2; round < ROUNDS; round++) {
    for (const [name, args] of Object.entries(calls)) {
      const timed = mustSucceed(await runNode(args, { cwd, extra: model.env }));
      const measured = mustSucceed(await runNode(args, { cwd, extra: model.env, measure: join(cwd, 'peak.json') }));
      if (name === 'shot' && timed.stdout.trim() !== 'hello') throw new Error(`unexpected answer: ${timed.stdout}`);
      if (round < 0) continue;
      times[name].push(timed.ms);
      cpu[name].push(measured.cpuMs);
    }
  }
  reportRatio('one-shot wall', median(times.shot), median(times.empty), 8, asMs);
  reportRatio('one-shot cpu', median(cpu.shot), median(cpu.empty), 9, asMs);
});
model.close();
