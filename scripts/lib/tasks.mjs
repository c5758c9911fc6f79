// The tasks of the repository: what each needs first, and what it then runs.
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, FRESH_NOTICES, isBuilt } from './build.mjs';
import { install, isInstalled } from './install.mjs';
import { isHeld, withLock } from './lock.mjs';
import { say, since, TaskError } from './report.mjs';
import { endLike, runThrough } from './spawn.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const MAIN = 'dist/main.mjs';
const BIN = {
  vitest: 'node_modules/vitest/vitest.mjs',
  tsc: 'node_modules/typescript/bin/tsc',
  biome: 'node_modules/@biomejs/biome/bin/biome',
};

/** Name -> [what it needs, the commands it runs in order]. `args` is what stood behind the task. */
const TASKS = {
  demo: ['dist', (args) => [[MAIN, 'demo', ...args]]],
  start: ['dist', (args) => [[MAIN, ...args]]],
  test: ['dist', (args) => (args.length > 0 ? [vitest('vitest', args)] : [vitest('vitest'), cases([])])],
  'test:long': ['dist', (args) => [vitest('vitest-long', args.length > 0 ? args : ['test/long', '.slow.test.ts'])]],
  cases: ['dist', (args) => [cases(args)]],
  screenshots: ['dist', (args) => [['scripts/screenshots.mjs', ...args]]],
  check: [
    'modules',
    () => [
      [BIN.tsc, '-p', '.'],
      [BIN.biome, 'check', '--error-on-warnings', '.'],
      vitest('architecture', ['test/architecture.test.ts', 'test/scripts/hygiene.test.ts']),
    ],
  ],
  build: ['dist', () => []],
  bench: ['dist', (args) => benchFiles(args).map((file) => [file])],
};

/** Runs the task named by the first word. Never throws: what goes wrong is a line on standard error and an exit code. */
export async function main([name, ...args]) {
  if (!Object.hasOwn(TASKS, name ?? '')) {
    process.stderr.write(`usage: node scripts/run.mjs TASK [arguments]\ntasks: ${Object.keys(TASKS).join(', ')}\n`);
    process.exitCode = 2;
    return;
  }
  const [needs, commands] = TASKS[name];
  try {
    await prepare(ROOT, needs);
    if (name === 'build') finishBuild();
    await runAll(name, commands(args));
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}

/** Installs and builds as far as needed. Takes the lock only when there is something to do. */
export async function prepare(root, needs) {
  const lock = join(root, '.cache/run.lock');
  if (!isHeld(lock) && isInstalled(root) && (needs !== 'dist' || isBuilt(root))) return;
  await withLock(
    lock,
    async (onStart) => {
      if (!isInstalled(root)) await step('installing dependencies (npm ci, once)', () => install(root, { onStart }));
      if (needs === 'dist' && !isBuilt(root)) await step('building dist/', () => build(root, { onStart }));
    },
    { onWait: (pid) => say(`waiting for another run that installs or builds${pid ? ` (process ${pid})` : ''}`) },
  );
}

async function step(text, work) {
  const started = Date.now();
  say(`${text} ...`);
  await work();
  say(`done in ${since(started)}`);
}

/** All commands run, one after the other, so that one failure does not hide the next; the first failure is the result. */
async function runAll(name, commands) {
  let result = { code: 0, signal: null };
  for (const command of commands) {
    const env = name === 'test:long' ? { ...process.env, CHATCLI_TEST_LONG: '1' } : process.env;
    const folder = name === 'start' || name === 'demo' ? (process.env.INIT_CWD ?? process.cwd()) : ROOT;
    const ended = await runThrough(process.execPath, [join(ROOT, command[0]), ...command.slice(1)], { cwd: folder, env });
    if (result.code === 0) result = ended;
    if (ended.signal) break;
  }
  if (name === 'test' && !result.signal) say(result.code === 0 ? 'npm test: OK' : 'npm test: FAILED, see above');
  endLike(result);
}

function vitest(report, args = []) {
  mkdirSync(join(ROOT, '.cache/reports'), { recursive: true });
  return [
    BIN.vitest,
    'run',
    '--reporter=default',
    '--reporter=./scripts/lib/skips-reporter.mjs',
    '--reporter=json',
    `--outputFile.json=.cache/reports/${report}.json`,
    ...args,
  ];
}

function cases(args) {
  return ['scripts/cases.mjs', ...args];
}

function benchFiles(args) {
  const all = readdirSync(join(ROOT, 'bench')).filter(
    (file) => file.endsWith('.mjs') && file !== 'lib.mjs' && file !== 'generate-tree.mjs',
  );
  const wanted = all.filter((file) => args.length === 0 || args.includes(file.replace('.mjs', '')));
  if (wanted.length === 0)
    throw new TaskError(`no such benchmark; there are: ${all.map((file) => file.replace('.mjs', '')).join(', ')}`);
  return wanted.sort().map((file) => `bench/${file}`);
}

/** An explicit build also renews the tracked notices; builds on the way to another task leave tracked files alone. */
function finishBuild() {
  copyFileSync(join(ROOT, FRESH_NOTICES), join(ROOT, 'THIRD_PARTY_NOTICES.md'));
  say('dist/ and THIRD_PARTY_NOTICES.md are up to date');
}
