// Ctrl+C while four workers run commands and one waits for its model: until the program has ended and none of their processes runs.
import { execFileSync, spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { asMs, inTempFolder, MAIN, median, report, startModel } from './lib.mjs';

const ROUNDS = 5;
const MOST_MS = 200;
/** Unlikely to be slept by anyone else. */
const MARK = `sleep 31${process.pid % 1000}.`;

const running = () =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.startsWith(MARK)).length;

async function round() {
  const model = await startModel((body) => {
    const text = JSON.stringify(body.messages);
    if (body.tools.some((tool) => tool.function.name === 'agent')) {
      const worker = (n) => ({ name: 'agent', input: { agent: n < 4 ? 'shell' : 'file', task: `task number ${n}` } });
      return { calls: Array.from({ length: 5 }, (_, n) => worker(n)) };
    }
    const number = /task number (\d)/.exec(text)?.[1];
    if (number === '4') return { text: 'late', delayMs: 60_000 };
    return { calls: [{ name: 'exec', input: { cmd: `${MARK}${number}` } }] };
  });
  const ms = await inTempFolder(async (cwd) => {
    const env = { PATH: process.env.PATH, HOME: cwd, TERM: 'dumb', CHATCLI_AGENT_MAX_WORKERS: '5', ...model.env };
    const words = [MAIN, 'coder', 'sleep', '--model', 'bench', '--permission-mode', 'auto', '--output', 'json'];
    const child = spawn(process.execPath, words, { cwd, env, stdio: 'ignore' });
    const ended = new Promise((done) => child.on('exit', done));
    for (let tries = 0; running() < 4; tries++) {
      if (tries > 600) throw new Error('the commands of the workers did not start');
      await sleep(50);
    }
    await sleep(100);
    const started = performance.now();
    child.kill('SIGINT');
    await ended;
    const took = performance.now() - started;
    if (running() > 0) throw new Error(`${running()} processes of workers still run`);
    return took;
  });
  model.close();
  return ms;
}

const runs = [];
for (let count = 0; count < ROUNDS; count++) runs.push(await round());
const ms = median(runs);
report('Ctrl+C with 5 workers', runs.map(asMs).join(', '), asMs(ms), `${MOST_MS} ms`, ms <= MOST_MS);
console.log(`  for information: load ${loadavg()[0].toFixed(1)}`);
// The model would still be thinking.
process.exit();
