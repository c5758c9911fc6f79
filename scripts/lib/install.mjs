// Installs the dependencies from the lock file, when they are not there yet.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { TaskError } from './report.mjs';
import { runQuiet } from './spawn.mjs';

const STAMP = 'node_modules/.chatcli-install.json';
/** npm's own record of what it installed; it is the last thing npm writes. */
const RECORD = 'node_modules/.package-lock.json';
const OFFLINE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED|FETCH_ERROR)\b/;

/** What an installation must agree with: the lock file, and the machine whose binaries it holds. */
export function installKey(root) {
  return {
    lock: createHash('sha256')
      .update(readFileSync(join(root, 'package-lock.json')))
      .digest('hex'),
    machine: `${process.platform}-${process.arch}`,
  };
}

/**
 * True when node_modules is what package-lock.json says, whether we or someone's own npm put it there.
 * Needs no network and starts nothing.
 */
export function isInstalled(root) {
  const key = installKey(root);
  const stamp = readStamp(root);
  if (stamp?.machine !== undefined && stamp.machine !== key.machine) return false;
  if (stamp?.lock === key.lock) return true;
  if (!matchesLock(root)) return false;
  writeStamp(root, key);
  return true;
}

/** Runs `npm ci`. Throws a TaskError that says what to do. `npm` is [command, ...first arguments], for tests. */
export async function install(root, { npm = findNpm(), env = process.env, onStart } = {}) {
  const key = installKey(root);
  // Whoever looks while npm works must not take the old record for the new state.
  for (const record of [STAMP, RECORD]) rmSync(join(root, record), { force: true });
  const args = [
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    '--loglevel=error',
  ];
  let run;
  try {
    run = await runQuiet(npm[0], [...npm.slice(1), ...args], { cwd: root, env, shell: npm[0].endsWith('.cmd'), onStart });
  } catch (error) {
    if (error.code === 'ENOENT') throw new TaskError('npm was not found. It comes with Node.js; install it or put it on PATH.');
    throw error;
  }
  if (run.code === 0) return writeStamp(root, key);
  const words = run.output.trim().split('\n').slice(0, 12).join('\n');
  const offline = OFFLINE.exec(run.output)?.[1];
  if (offline) {
    throw new TaskError(
      `${words}\nThe package registry could not be reached (${offline}). The dependencies have to be fetched once: ` +
        'connect to the network (or set registry and proxy in ~/.npmrc) and run the same command again.',
    );
  }
  throw new TaskError(
    `${words}\nnpm ci failed (exit ${run.code ?? run.signal}). Mend what npm says above and run the same command again.`,
  );
}

/** npm as the program that started us, otherwise the one on PATH. */
function findNpm() {
  const parent = process.env.npm_execpath;
  if (parent && /^npm(-cli)?\.c?js$/.test(basename(parent)) && existsSync(parent)) return [process.execPath, parent];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
}

/** npm's own record of node_modules holds all the lock asks for on this machine. */
function matchesLock(root) {
  try {
    const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
    const present = JSON.parse(readFileSync(join(root, RECORD), 'utf8')).packages;
    return Object.entries(wanted).every(([path, entry]) => {
      if (path === '') return true;
      const there = present[path];
      if (!there) return entry.optional === true;
      return there.version === entry.version && existsSync(join(root, path, 'package.json'));
    });
  } catch {
    return false;
  }
}

function readStamp(root) {
  try {
    return JSON.parse(readFileSync(join(root, STAMP), 'utf8'));
  } catch {
    return undefined;
  }
}

function writeStamp(root, key) {
  mkdirSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(join(root, STAMP), `${JSON.stringify(key)}\n`);
}
