#!/usr/bin/env node
// Runs test/cases against the built program and compares with the list of known failures, which can only shrink.
// Arguments go to test/cases/run.mjs (--kind K, --only TEXT, --jobs N, --verbose); `--chatcli CMD` names another program,
// `--needs WORD` takes only the cases that need WORD.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { judge, summary } from './lib/known.mjs';

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'test/cases');
const reports = join(root, '.cache/reports');
const report = join(reports, 'cases.json');
const args = process.argv.slice(2);
const needs = takeOption('--needs');
// The runner's own summary calls known failures failures; ours replaces it.
const talks = args.some((arg) => arg === '--verbose' || arg === '-h' || arg === '--help');
const whole = needs === undefined && !args.some((arg) => arg === '--kind' || arg === '--only');

mkdirSync(reports, { recursive: true });
rmSync(report, { force: true });
const files = needs === undefined ? caseFiles() : [subset(needs)];
const program = args.includes('--chatcli')
  ? []
  : ['--chatcli', [process.execPath, join(root, 'dist/main.mjs')].map(quoted).join(' ')];
console.log('running the tool cases ...');
const run = spawnSync(process.execPath, [join(folder, 'run.mjs'), ...program, '--report', report, ...args, ...files], {
  stdio: ['inherit', talks ? 'inherit' : 'ignore', 'inherit'],
});

let results;
try {
  results = JSON.parse(readFileSync(report, 'utf8'));
} catch {
  console.error(`the case runner ended without a report (exit ${run.status ?? run.signal})`);
  process.exit(1);
}
const known = JSON.parse(readFileSync(join(folder, 'known-failures.json'), 'utf8'));
const verdict = judge(results, known, { whole });
if (whole) writeFileSync(join(reports, 'cases-summary.json'), `${JSON.stringify(verdict)}\n`);
for (const line of summary(results, verdict)) console.log(line);
process.exitCode = verdict.faults > 0 ? 1 : 0;

function caseFiles() {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json') && name !== 'known-failures.json')
    .map((name) => join(folder, name));
}

function subset(word) {
  const cases = caseFiles().flatMap((file) => JSON.parse(readFileSync(file, 'utf8')));
  const file = join(reports, 'subset.json');
  writeFileSync(file, JSON.stringify(cases.filter((one) => one.needs?.includes(word))));
  return file;
}

function takeOption(name) {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args.splice(at, 2)[1];
}

/** A word for the shell the case runner starts the program with. */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
