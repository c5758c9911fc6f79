// What the benchmarks share: runs in a minimal environment, a tiny model server on loopback, medians, one line of output each.
import { spawn } from 'node:child_process';
import { closeSync, fsyncSync, mkdtempSync, openSync, readFileSync, realpathSync, renameSync, rmSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { build } from 'vite';

export const MAIN = resolve(import.meta.dirname, '../dist/main.mjs');
const PEAK = resolve(import.meta.dirname, 'peak.cjs');

export const median = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** Modules of src (paths below it, without `.ts`) as this process can load them; built into `folder`. */
export async function loadSource(folder, names) {
  const input = Object.fromEntries(names.map((name, i) => [`entry${i}`, resolve(import.meta.dirname, '../src', `${name}.ts`)]));
  const output = { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' };
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: { ssr: true, outDir: folder, emptyOutDir: true, target: 'node20', rollupOptions: { input, output } },
  });
  return Promise.all(names.map((_, i) => import(join(folder, `entry${i}.mjs`))));
}

/** Runs `work(folder)` in a temporary folder that is removed afterwards. */
export async function inTempFolder(work) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'chatcli-bench-')));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs Node with nothing in its environment but PATH, HOME, TERM and `extra`: `{ms, code, stdout, stderr}`.
 * With `measure` (a file name) also `{cpuMs, peakBytes}`, told by the process itself when it ends.
 */
export function runNode(args, { cwd, extra = {}, measure } = {}) {
  const env = { PATH: process.env.PATH, HOME: cwd, TERM: 'xterm-256color', ...extra };
  if (measure) env.BENCH_PEAK_FILE = measure;
  return new Promise((done, fail) => {
    const started = performance.now();
    const child = spawn(process.execPath, measure ? ['-r', PEAK, ...args] : args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    let ms = 0;
    child.stdout.setEncoding('utf8').on('data', (part) => (stdout += part));
    child.stderr.setEncoding('utf8').on('data', (part) => (stderr += part));
    child.on('exit', () => (ms = performance.now() - started));
    child.on('error', fail);
    child.on('close', (code) => {
      const told = measure ? JSON.parse(readFileSync(measure, 'utf8')) : {};
      done({ ms, code, stdout, stderr, ...told });
    });
  });
}

/** Ends the benchmark with what the program said when it did not end with 0. */
export function mustSucceed(run) {
  if (run.code === 0) return run;
  console.error(`the program ended with ${run.code}\n${run.stdout}${run.stderr}`);
  process.exit(1);
}

/**
 * A chat-completions service on loopback. `reply(body, index)` gives `{text}` or `{calls: [{name, input}]}`, with `delayMs` later.
 * `requests` holds for each request its body, its raw bytes, and when it was whole (`at`) and answered (`answered`), in milliseconds.
 */
export async function startModel(reply) {
  const requests = [];
  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const raw = Buffer.concat(parts).toString('utf8');
      if (request.method !== 'POST') return response.writeHead(404).end();
      const entry = { at: performance.now(), raw, body: JSON.parse(raw), answered: 0 };
      requests.push(entry);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const answer = reply(entry.body, requests.length - 1);
      const send = () =>
        response.end(eventsOf(answer), () => {
          entry.answered = performance.now();
        });
      if (answer.delayMs) setTimeout(send, answer.delayMs);
      else send();
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const env = {
    LLM_PROVIDER: 'OPENAI',
    OPENAI_API_KEY: 'bench',
    OPENAI_API_URL: `http://127.0.0.1:${server.address().port}/v1/chat/completions`,
  };
  return { requests, env, close: () => server.close() };
}

function eventsOf({ text, calls = [] }) {
  const chunk = (delta, finish = null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'bench', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const last = `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'bench', choices: [], usage })}\n\n`;
  const said = text === undefined ? '' : chunk({ role: 'assistant', content: text });
  const called = calls.map(({ name, input }, index) =>
    chunk({
      tool_calls: [
        {
          index,
          id: `call_${index}_${Math.random().toString(36).slice(2)}`,
          type: 'function',
          function: { name, arguments: JSON.stringify(input) },
        },
      ],
    }),
  );
  return `${said}${called.join('')}${chunk({}, calls.length > 0 ? 'tool_calls' : 'stop')}${last}data: [DONE]\n\n`;
}

/** A file replaced by plain means so that it is on the disk, and so is its name: what our durable writes are measured against. */
export function plainWrite(path, bytes) {
  const temp = `${path}.tmp`;
  const fd = openSync(temp, 'wx');
  writeSync(fd, bytes);
  fsyncSync(fd);
  closeSync(fd);
  renameSync(temp, path);
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** Milliseconds that `work` takes. */
export const timed = async (work) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

/** Prints the one line of a measure and remembers whether it kept its budget. */
export function report(name, value, ratio, budget, keeps) {
  console.log(`${name}: ${value} ${ratio} budget ${budget} ${keeps ? 'OK' : 'OVER'}`);
  if (!keeps) process.exitCode = 1;
}

/** The line of a measure against its baseline. */
export function reportRatio(name, value, baseline, limit, show) {
  const ratio = value / baseline;
  report(name, show(value), `${ratio.toFixed(2)}x`, `${limit}x`, ratio <= limit);
}

export const asMs = (value) => `${value.toFixed(1)} ms`;
export const asMib = (value) => `${(value / 1024 / 1024).toFixed(1)} MiB`;

/**
 * The shell in a pseudo terminal of 80 x 24, in a minimal environment: what it wrote, piece by piece with its time (`at`, milliseconds
 * since the start). Ended by `close`.
 */
export async function openShell(cwd, { extra = {}, args = [] } = {}) {
  const { spawn: spawnPty } = await import('@lydell/node-pty');
  const env = { PATH: process.env.PATH, HOME: cwd, TERM: 'xterm-256color', ...extra };
  const started = performance.now();
  const child = spawnPty(process.execPath, args, { name: 'xterm-256color', cols: 80, rows: 24, cwd, env });
  const pieces = [];
  let waiting = [];
  let ended = false;
  const look = () => {
    waiting = waiting.filter(({ holds, done }) => !holds() || done(performance.now() - started));
  };
  child.onData((data) => {
    pieces.push({ at: performance.now() - started, data });
    look();
  });
  const exit = new Promise((done) =>
    child.onExit(() => {
      ended = true;
      done(performance.now() - started);
    }),
  );
  const shell = {
    pid: child.pid,
    /** When it was started, on the clock of `performance.now`. */
    started,
    pieces,
    exit,
    send: (keys) => child.write(keys),
    text: (from = 0) =>
      pieces
        .slice(from)
        .map(({ data }) => data)
        .join(''),
    /** The time at which it held; throws after half a minute. */
    until: (holds, what) =>
      new Promise((done, fail) => {
        const timer = setTimeout(() => fail(new Error(`not in time: ${what}\n${shell.text().slice(-2000)}`)), 30_000);
        waiting.push({
          holds,
          done: (at) => {
            clearTimeout(timer);
            done(at);
            return false;
          },
        });
        look();
      }),
    waitFor: (words, from = 0) => shell.until(() => shell.text(from).includes(words), words),
    async close() {
      if (!ended) child.kill('SIGKILL');
      await exit;
    },
  };
  return shell;
}

/** The arguments of the shell as the benchmarks start it. */
export const SHELL = [MAIN, '--model', 'bench'];

/** Ticks (10 ms) of CPU time of a process, all its threads, from `/proc`. */
export function ticksOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** Bytes of memory a process holds. */
export function memoryOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));
