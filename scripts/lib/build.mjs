// Builds dist/ with tsdown, when the sources are not the ones it was built from.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TaskError } from './report.mjs';
import { runQuiet } from './spawn.mjs';

const SOURCES = [
  'src',
  'scripts/lib/chunks.mjs',
  'scripts/lib/grammars.mjs',
  'scripts/lib/notices.mjs',
  'tsdown.config.ts',
  'md-text.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
];
const STAMP = '.cache/build.json';
/** Where a build leaves the notices of what it bundled; `npm run build` copies it to the tracked file. */
export const FRESH_NOTICES = '.cache/THIRD_PARTY_NOTICES.md';

/** SHA-256 over names and bytes of everything a build reads. */
export function sourceKey(root) {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((source) => filesBelow(root, source)).sort()) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** True when dist/ was built from the present sources and still has all its files. */
export function isBuilt(root) {
  try {
    const stamp = JSON.parse(readFileSync(join(root, STAMP), 'utf8'));
    if (!existsSync(join(root, FRESH_NOTICES)) || stamp.key !== sourceKey(root)) return false;
    return stamp.files.every(([path, size]) => statSync(join(root, path)).size === size);
  } catch {
    return false;
  }
}

/** Builds beside dist/ and swaps, so that a failed build leaves the old one and a running program keeps its files for as long as possible. */
export async function build(root, { onStart } = {}) {
  const key = sourceKey(root);
  const fresh = `.cache/dist-${process.pid}`;
  const old = `.cache/old-${process.pid}`;
  mkdirSync(join(root, '.cache'), { recursive: true });
  try {
    const tool = join(root, 'node_modules/tsdown/dist/run.mjs');
    const run = await runQuiet(process.execPath, [tool, '--out-dir', fresh, '--logLevel', 'warn'], { cwd: root, onStart });
    if (run.code !== 0) throw new TaskError(`${withoutStacks(run.output)}\nThe build failed; dist/ is as it was.`);
    if (existsSync(join(root, 'dist'))) renameSync(join(root, 'dist'), join(root, old));
    renameSync(join(root, fresh), join(root, 'dist'));
    const files = filesBelow(root, 'dist').map((path) => [path, statSync(join(root, path)).size]);
    writeFileSync(join(root, STAMP), `${JSON.stringify({ key, files })}\n`);
  } finally {
    for (const path of [fresh, old]) rmSync(join(root, path), { recursive: true, force: true });
  }
}

/** The bundler's words without its own stack traces. */
function withoutStacks(output) {
  return output
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at |^\[tsdown\] Node\.js .* is deprecated/.test(line))
    .join('\n');
}

/** Paths of all files below `path` (or the file itself), relative to `root`, with forward slashes. */
function filesBelow(root, path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return [path];
  return readdirSync(join(root, path)).flatMap((name) => filesBelow(root, `${path}/${name}`));
}
