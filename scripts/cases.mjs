#!/usr/bin/env node
// Runs test/cases against the built program and compares with the list of known failures, which can only shrink.
// Arguments go to test/cases/run.mjs (--kind K, --only TEXT, --jobs N, --verbose); `--chatcli CMD` names another program to try.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { judge } from './lib/known.mjs';

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'test/cases');
const report = join(root, '.cache/reports/cases.json');
const args = process.argv.slice(2);
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

const files = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'known-failures.json');
const program = args.includes('--chatcli')
  ? []
  : ['--chatcli', `${quoted(process.execPath)} ${quoted(join(root, 'dist/main.mjs'))}`];
mkdirSync(join(root, '.cache/reports'), { recursive: true });
rmSync(report, { force: true });
const run = spawnSync(
  process.execPath,
  [join(folder, 'run.mjs'), ...program, '--report', report, ...args, ...files.map((name) => join(folder, name))],
  {
    stdio: 'inherit',
  },
);

let results;
try {
  results = JSON.parse(readFileSync(report, 'utf8'));
} catch {
  console.error(`the case runner ended without a report (exit ${run.status ?? run.signal})`);
  process.exit(1);
}
const known = JSON.parse(readFileSync(join(folder, 'known-failures.json'), 'utf8'));
const verdict = judge(results, known, { whole: !args.some((arg) => arg === '--kind' || arg === '--only') });
writeFileSync(join(root, '.cache/reports/cases-summary.json'), `${JSON.stringify(verdict)}\n`);
for (const id of verdict.unexpected) console.log(`FAILED, not in known-failures.json: ${id}`);
for (const id of verdict.mended) console.log(`PASSES, take it out of known-failures.json: ${id}`);
for (const id of verdict.unknown) console.log(`known-failures.json names a case that does not exist: ${id}`);
console.log(
  `cases: ${verdict.passed} passed, ${verdict.expected} known failures, ${verdict.skipped} skipped, ${verdict.faults} faults`,
);
process.exitCode = verdict.faults > 0 ? 1 : 0;
