// Workers side by side over loopback HTTP, with a model that takes 200 ms for each reply: against the slowest of them.
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { asMs, inTempFolder, MAIN, median, mustSucceed, report, runNode, startModel } from './lib.mjs';

const LATENCY_MS = 200;
const ROUNDS = 3;
const MOST = 1.1;

/** One run: `workers` agents that make `reads` calls each, one a turn. Gives the time between the orchestrator's two requests, and what each worker took. */
async function phase(workers, reads) {
  const isMain = (body) => body.tools.some((tool) => tool.function.name === 'agent');
  const turnOf = (body) => body.messages.filter((message) => message.role === 'assistant').length;
  const model = await startModel((body) => {
    const turn = turnOf(body);
    if (isMain(body)) {
      if (turn > 0) return { text: 'done' };
      const task = (n) => ({ name: 'agent', input: { agent: 'file', task: `read the lines, number ${n}` } });
      return { calls: Array.from({ length: workers }, (_, n) => task(n)) };
    }
    if (turn >= reads) return { text: 'read', delayMs: LATENCY_MS };
    const read = { name: 'read', input: { file: 'lines.txt', start: turn * 3 + 1, end: turn * 3 + 3 } };
    return { calls: [read], delayMs: LATENCY_MS };
  });
  const run = await inTempFolder((cwd) => {
    writeFileSync(join(cwd, 'lines.txt'), Array.from({ length: 90 }, (_, line) => `line ${line + 1} of the file`).join('\n'));
    return runNode([MAIN, 'coder', 'read the lines', '--model', 'bench', '--output', 'stream-json'], { cwd, extra: model.env });
  });
  model.close();
  mustSucceed(run);
  const expected = 2 + workers * (reads + 1);
  if (model.requests.length !== expected)
    throw new Error(`${expected} requests were to come, there were ${model.requests.length}`);
  const main = model.requests.filter(({ body }) => isMain(body));
  const others = model.requests.filter(({ body }) => !isMain(body));
  const ends = run.stdout
    .split('\n')
    .filter((line) => line.includes('"worker-end"'))
    .map((line) => JSON.parse(line).ms);
  if (ends.length !== workers) throw new Error(`${workers} workers were to end, ${ends.length} did`);
  return {
    wall: main[1].at - main[0].answered,
    slowest: Math.max(...ends),
    sum: ends.reduce((all, ms) => all + ms, 0),
    most: atOnce(others),
  };
}

/** Most requests under way at the same time. */
function atOnce(requests) {
  const steps = requests.flatMap(({ at, answered }) => [
    { time: at, change: 1 },
    { time: answered, change: -1 },
  ]);
  let now = 0;
  let most = 0;
  for (const { change } of steps.sort((a, b) => a.time - b.time)) {
    now += change;
    most = Math.max(most, now);
  }
  return most;
}

for (const { name, workers, reads, slots } of [
  { name: '4 workers, 5 reads each', workers: 4, reads: 5, slots: 4 },
  { name: '12 workers on 4 slots, 2 reads each', workers: 12, reads: 2, slots: 4 },
]) {
  const rounds = workers / slots;
  const runs = [];
  const alone = [];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push((await phase(1, reads)).wall);
    runs.push(await phase(workers, reads));
  }
  // Slots that are never idle take all the workers' time between them; with a slot each that is the slowest worker's.
  const bound = (run) => (rounds === 1 ? run.slowest : run.sum / slots);
  const ratio = median(runs.map((run) => run.wall / bound(run)));
  const wall = median(runs.map((run) => run.wall));
  const what = rounds === 1 ? 'slowest worker' : 'slots never idle';
  report(name, `${asMs(wall)}, ${what} ${asMs(median(runs.map(bound)))}`, `${ratio.toFixed(2)}x`, `${MOST}x`, ratio <= MOST);
  const baseline = rounds * median(alone);
  const model = rounds * (reads + 1) * LATENCY_MS;
  const load = loadavg()[0].toFixed(1);
  console.log(
    `  for information: ${(wall / baseline).toFixed(2)}x of one worker alone (${asMs(baseline)}), ${(wall / model).toFixed(2)}x of the model's own time (${asMs(model)}), load ${load}`,
  );
  const most = Math.max(...runs.map((run) => run.most));
  report(`${name}: at once`, String(most), '=', String(slots), most === slots);
}
