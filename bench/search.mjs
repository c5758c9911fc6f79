// Search over 10,000 generated files against ripgrep itself on the same set: time above start-up, and the same matching lines.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { generateTree } from './generate-tree.mjs';
import { asMs, inTempFolder, MAIN, median, mustSucceed, report, reportRatio, runNode } from './lib.mjs';

const FILES = 10_000;
const ROUNDS = 11;
const LIMIT = 1.3;
/** More than any of these has. */
const MOST = 1_000_000;
const TERMS = [
  { term: 'absentEverywhere', regex: false },
  { term: 'applyCalmSession', regex: false },
  { term: 'func \\w+ActiveAccount\\d+\\(', regex: true },
];

const { rgPath } = await import('@vscode/ripgrep');

/** The same set of files: hidden ones too, ignore files honoured without a repository, `.git` left out. */
function ripgrepArguments({ term, regex }) {
  const set = ['--no-config', '--hidden', '--no-require-git', '--no-ignore-global', '--glob=!.git', '--crlf', '--no-mmap'];
  return [
    ...set,
    '--json',
    '--context=0',
    regex ? '--case-sensitive' : '--ignore-case',
    ...(regex ? [] : ['-F']),
    '-e',
    term,
    '--',
    './',
  ];
}

function ripgrep(args, cwd) {
  const started = performance.now();
  const { stdout, status } = spawnSync(rgPath, args, { cwd, maxBuffer: 1 << 30, env: { PATH: process.env.PATH, HOME: cwd } });
  if (status === 2 || status === null) throw new Error(`ripgrep ended with ${status}`);
  return { ms: performance.now() - started, stdout: stdout.toString() };
}

const linesOfRipgrep = (output) =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{"type":"match"'))
    .map((line) => JSON.parse(line).data)
    .map(({ path, line_number }) => `${path.text.replace(/^\.\//, '')}:${line_number}`)
    .sort();

/** One search by the whole program. */
function ours({ term, regex }, cwd) {
  const args = { term, regex, case_sensitive: regex, context: 0, max_results: MOST };
  return runNode([MAIN, 'tool', '@search', '--json', '--', JSON.stringify(args)], { cwd });
}

function linesOfOurs(stdout) {
  let file = '';
  const lines = [];
  for (const line of JSON.parse(stdout).output.split('\n')) {
    const hit = /^> +(\d+) \|/.exec(line);
    if (hit) lines.push(`${file}:${hit[1]}`);
    else if (line !== '' && line !== '--' && !/^ +\d+ \|/.test(line)) file = line;
  }
  return lines.sort();
}

await inTempFolder(async (base) => {
  const cwd = join(base, 'tree');
  mkdirSync(cwd);
  generateTree(cwd, { files: FILES, seed: 1 });
  const empty = join(base, 'empty');
  mkdirSync(empty);
  for (const question of TERMS) {
    const expected = linesOfRipgrep(ripgrep(ripgrepArguments(question), cwd).stdout);
    const found = linesOfOurs(mustSucceed(await ours(question, cwd)).stdout);
    const same = expected.length === found.length && expected.every((line, i) => line === found[i]);
    report(`search matches of ${question.term}`, `${found.length} lines`, `${expected.length} by ripgrep`, 'the same', same);
    const times = { ours: [], start: [], ripgrep: [] };
    for (let round = -2; round < ROUNDS; round++) {
      const [whole, start] = [mustSucceed(await ours(question, cwd)).ms, mustSucceed(await ours(question, empty)).ms];
      const baseline = ripgrep(ripgrepArguments(question), cwd).ms - ripgrep(ripgrepArguments(question), empty).ms;
      if (round < 0) continue;
      times.ours.push(whole - start);
      times.ripgrep.push(baseline);
    }
    reportRatio(`search ${question.term}, above start-up`, median(times.ours), median(times.ripgrep), LIMIT, asMs);
  }
});
