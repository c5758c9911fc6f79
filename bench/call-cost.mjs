// What the program itself costs per tool call: from the end of one model reply to the whole next request, with one read in between.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asMib, inTempFolder, MAIN, median, mustSucceed, report, runNode, startModel } from './lib.mjs';

const BUDGET_MS = 8;
const MEMORY_BUDGET = 110 * 1024 * 1024;
/** The last tenth of the calls may take this much longer than the first tenth, plus one millisecond of noise. */
const GROWTH = 1.5;

/** One run of `calls` reads; the first reply holds two of them, so that 200 calls fit into 200 turns. */
async function costs(calls) {
  let made = 0;
  const read = () => ({ name: 'read', input: { file: 'lines.txt', start: made * 3 + 1, end: made++ * 3 + 3 } });
  const model = await startModel((_body, index) => {
    if (made >= calls) return { text: 'done' };
    return { calls: index === 0 ? [read(), read()] : [read()] };
  });
  const run = await inTempFolder((cwd) => {
    writeFileSync(join(cwd, 'lines.txt'), Array.from({ length: 900 }, (_, line) => `line ${line + 1} of the file`).join('\n'));
    const extra = { ...model.env, CHATCLI_AGENT_PLUGIN_MAX_TURNS: '200', CHATCLI_CODER_AUTODIAG: 'off' };
    return runNode([MAIN, 'coder', 'read the lines', '--model', 'bench'], { cwd, extra, measure: join(cwd, 'peak.json') });
  });
  model.close();
  mustSucceed(run);
  if (model.requests.length !== calls)
    throw new Error(`${calls} calls were to take ${calls} requests, there were ${model.requests.length}`);
  const results = model.requests.at(-1).body.messages.filter((message) => message.role === 'tool');
  if (results.length !== calls) throw new Error(`the last request holds ${results.length} results of ${calls}`);
  if (!/line 1 of the file/.test(JSON.stringify(results[0]))) throw new Error(`unexpected result: ${JSON.stringify(results[0])}`);
  const gaps = model.requests.slice(1).map((request, index) => request.at - model.requests[index].answered);
  return { gaps: gaps.slice(1), peakBytes: run.peakBytes };
}

const short = await costs(20);
report(
  'call cost, 20 calls',
  `${median(short.gaps).toFixed(2)} ms`,
  'median',
  `${BUDGET_MS} ms`,
  median(short.gaps) <= BUDGET_MS,
);
report('peak memory, 20 calls', asMib(short.peakBytes), 'peak', asMib(MEMORY_BUDGET), short.peakBytes <= MEMORY_BUDGET);
const long = await costs(200);
report('call cost, 200 calls', `${median(long.gaps).toFixed(2)} ms`, 'median', `${BUDGET_MS} ms`, median(long.gaps) <= BUDGET_MS);
const [first, last] = [median(long.gaps.slice(10, 40)), median(long.gaps.slice(-30))];
report(
  'call cost growth',
  `${first.toFixed(2)} -> ${last.toFixed(2)} ms`,
  `${(last / first).toFixed(2)}x`,
  `${GROWTH}x + 1 ms`,
  last <= first * GROWTH + 1,
);
