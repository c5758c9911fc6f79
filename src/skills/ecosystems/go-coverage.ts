/** Reads what `go test -coverprofile` and `go tool cover -func` printed together. */
import type { JsonObject } from '../../types/json.js';
import { findingsIn } from '../shared/findings.js';
import { linesOf, type Ran } from '../shared/run.js';
import { gist, type Reading } from '../shared/step.js';

/** Functions listed in the data. */
const MOST = 2000;
const SHOWN = 60;

export function readGoCoverage(ran: Ran, dir: string): Reading {
  const functions: { name: string; file: string; line: number; percent: number }[] = [];
  const packages: { name: string; ok: boolean; percent: number | null }[] = [];
  const failing: string[] = [];
  let total: number | null = null;
  for (const line of linesOf(ran.output)) {
    const row = /^(\S[^\t]*\.go):(\d+):\t+(\S+)\t+([\d.]+)%$/.exec(line);
    const sum = /^total:\t+\(statements\)\t+([\d.]+)%$/.exec(line);
    const ended = /^(ok {2}|FAIL)\t(\S+)\t(?:\(cached\)|[\d.]+s)(?:\tcoverage: ([\d.]+)% of statements)?/.exec(line);
    const failed = /^\s*--- FAIL: (\S+) \(/.exec(line);
    if (row) functions.push({ file: row[1] ?? '', line: Number(row[2]), name: row[3] ?? '', percent: Number(row[4]) });
    else if (sum) total = Number(sum[1]);
    else if (ended)
      packages.push({ name: ended[2] ?? '', ok: ended[1] !== 'FAIL', percent: ended[3] === undefined ? null : Number(ended[3]) });
    else if (failed) failing.push(failed[1] ?? '');
  }
  const least = [...functions].sort(
    (a, b) => a.percent - b.percent || (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line),
  );
  const extra: JsonObject = { total, functions: functions.slice(0, MOST), functionCount: functions.length, packages, failing };
  const table = least.slice(0, SHOWN).map(({ file, line, name, percent }) => `${percent.toFixed(1)}%\t${name}\t${file}:${line}`);
  const rest = least.length > SHOWN ? `\n... and ${least.length - SHOWN} more, all covered at least as well` : '';
  const covered = `${total === null ? 'no total' : `${total}% of statements`}, ${functions.length} functions (least covered first)`;
  if (ran.exitCode === 0 && functions.length > 0)
    return { state: 'clean', summary: covered, output: `${table.join('\n')}${rest}`, extra };
  if (ran.exitCode === 0) return { state: 'not-available', summary: `no statements to cover: ${gist(ran.output)}`, extra };
  if (failing.length > 0)
    return {
      state: 'failed',
      summary: `${failing.length === 1 ? '1 test' : `${failing.length} tests`} failed: ${failing.slice(0, 20).join(', ')}. Coverage of what ran: ${covered}`,
      findings: findingsIn(ran.output, dir),
      output: `${ran.output.slice(0, 2000)}\n${table.join('\n')}${rest}`,
      extra,
    };
  return { state: 'failed', summary: gist(ran.output), findings: findingsIn(ran.output, dir), output: ran.output, extra };
}
