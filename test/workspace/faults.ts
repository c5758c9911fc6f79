/** A program of its own whose system calls on files can be counted, made fatal, or made to fail, one at a time. */
import { spawn } from 'node:child_process';

/**
 * What happens at the system call of this number (from 1), counting only those whose name and paths fit `only` (source of a
 * pattern): the process dies before, after or in the middle of it, or the call fails.
 */
export interface FaultPoint {
  readonly at: number;
  readonly how: 'before' | 'after' | 'half' | `E${string}`;
  readonly only?: string;
}

export interface FaultRun {
  /** The system calls that change something there were while armed; empty after a kill. */
  readonly calls: readonly string[];
  readonly killed: boolean;
  /** What the script printed as JSON. */
  readonly told: unknown;
  /** Name of the call at the point. */
  readonly name: string;
}

/**
 * Runs `script` (a module body that may use `arm()` and `tell(value)`). From `arm()` on every call of node:fs that changes
 * the disk counts.
 */
export async function runWithFault(script: string, point?: FaultPoint): Promise<FaultRun> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', `${HARNESS(point)}\n${script}\nfinish();`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk;
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((done) =>
    child.once('close', (status, name) => done([status, name])),
  );
  const last = out.trimEnd().split('\n').at(-1) ?? '';
  if (signal === 'SIGKILL') return { calls: [], killed: true, told: undefined, name: last };
  if (code !== 0) throw new Error(`the program ended with ${code}: ${err}`);
  return { killed: false, ...(JSON.parse(last) as { calls: string[]; told: unknown; name: string }) };
}

/** Replaces the functions of node:fs before anything imports them. */
const HARNESS = (point: FaultPoint | undefined) => `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const point = ${JSON.stringify(point ?? null)};
const own = { writeSync: fs.writeSync };
let armed = false, told, hit = '';
const calls = [];
function arm() { armed = true; }
function tell(value) { told = value; }
function finish() { own.writeSync(1, JSON.stringify({ calls, told, name: hit }) + '\\n'); process.exit(0); }
function die() { own.writeSync(1, hit + '\\n'); process.kill(process.pid, 'SIGKILL'); for (;;); }
const changes = (name, args) => name !== 'openSync' || (typeof args[1] === 'string' ? /[wa]/.test(args[1]) : (args[1] & fs.constants.O_CREAT) !== 0);
function begin(name, args) {
  if (!armed || !changes(name, args)) return undefined;
  const text = name + ' ' + args.filter((arg) => typeof arg === 'string').join(' ');
  if (point?.only !== undefined && !new RegExp(point.only).test(text)) return undefined;
  calls.push(text);
  if (point === null || calls.length !== point.at) return undefined;
  hit = text;
  if (point.how === 'before') die();
  return point.how;
}
const failure = (code) => Object.assign(new Error(code + ': made to fail'), { code });
for (const name of ['openSync', 'writeSync', 'renameSync', 'linkSync', 'unlinkSync', 'rmSync', 'mkdirSync', 'rmdirSync', 'ftruncateSync', 'fchmodSync', 'chmodSync', 'fsyncSync', 'writeFileSync', 'appendFileSync', 'copyFileSync']) {
  const real = fs[name];
  fs[name] = (...args) => {
    const how = begin(name, args);
    if (how === undefined) return real(...args);
    if (how === 'half' && typeof args[1] !== 'string' && args[1]?.length > 1) { real(args[0], args[1].subarray(0, args[1].length >> 1)); die(); }
    if (how === 'after' || how === 'half') { real(...args); die(); }
    throw failure(how);
  };
}
for (const name of ['fsync', 'write']) {
  const real = fs[name];
  const wrapped = (...args) => {
    const how = begin(name, args);
    if (how === undefined) return real(...args);
    if (how === 'after' || how === 'half') return real(...args.slice(0, -1), die);
    args.at(-1)(failure(how));
  };
  for (const symbol of Object.getOwnPropertySymbols(real)) wrapped[symbol] = real[symbol];
  fs[name] = wrapped;
}
syncBuiltinESMExports();
`;
