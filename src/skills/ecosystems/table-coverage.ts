/** Reads the coverage tables that Istanbul's text reporter (Vitest, Jest, c8) and node:test print. */
import type { JsonObject } from '../../types/json.js';
import { linesOf, type Ran } from '../shared/run.js';
import { gist, type Reading } from '../shared/step.js';

interface Row {
  readonly file: string;
  readonly lines: number;
  readonly functions: number;
  readonly branches: number;
  readonly uncovered: string;
}

const number = (text: string | undefined): number =>
  text === undefined || text.trim() === '' ? Number.NaN : Number(text.trim());

/** `File | % Stmts | % Branch | % Funcs | % Lines | Uncovered Line #s`, folders without a dot in front of their files. */
function istanbulRows(lines: readonly string[]): Row[] {
  const rows: Row[] = [];
  let folder = '';
  for (const line of lines) {
    const cells = line.split('|');
    if (cells.length < 5) continue;
    const [name = '', , branch, functions, covered, rest = ''] = cells;
    const percent = number(covered);
    if (Number.isNaN(percent)) continue;
    const row = { lines: percent, functions: number(functions), branches: number(branch), uncovered: rest.trim() };
    const shown = name.trim();
    const depth = name.length - name.trimStart().length;
    if (shown === 'All files') rows.push({ file: '', ...row });
    else if (depth <= 1 && !/\.[A-Za-z0-9]+$/.test(shown)) folder = shown;
    else rows.push({ file: depth <= 1 || folder === '' ? shown : `${folder}/${shown}`, ...row });
  }
  return rows;
}

/** `# file | line % | branch % | funcs % | uncovered lines`, with `ℹ` or `#` in front. */
function nodeRows(lines: readonly string[]): Row[] {
  const rows: Row[] = [];
  for (const line of lines) {
    const match = /^(?:#|\u2139)\s(.*?)\s*\|\s*([\d.]+) \|\s*([\d.]+) \|\s*([\d.]+) \|(.*)$/.exec(line);
    if (!match) continue;
    const file = (match[1] ?? '').trim();
    rows.push({
      file: file === 'all files' || file === 'all fil\u2026' ? '' : file,
      lines: Number(match[2]),
      branches: Number(match[3]),
      functions: Number(match[4]),
      uncovered: (match[5] ?? '').trim(),
    });
  }
  return rows;
}

export function readTableCoverage(ran: Ran, _dir: string): Reading {
  const lines = linesOf(ran.output);
  const isNode = lines.some((line) => /^(?:#|\u2139) start of coverage report/.test(line));
  const rows = isNode ? nodeRows(lines) : istanbulRows(lines);
  const total = rows.find(({ file }) => file === '');
  const files = rows.filter(({ file }) => file !== '').sort((a, b) => a.lines - b.lines || (a.file < b.file ? -1 : 1));
  const extra: JsonObject = {
    total: total?.lines ?? null,
    files: files.slice(0, 1000).map((row) => ({ ...row })),
    fileCount: files.length,
  };
  const table = files
    .slice(0, 60)
    .map(
      (row) =>
        `${row.lines.toFixed(1)}% lines\t${row.functions.toFixed(1)}% functions\t${row.file}${row.uncovered === '' ? '' : `\tuncovered: ${row.uncovered.slice(0, 200)}`}`,
    );
  const summary = `${total === undefined ? 'no total' : `${total.lines}% of lines, ${total.functions}% of functions`} in ${files.length === 1 ? '1 file' : `${files.length} files`} (least covered first)`;
  if (ran.exitCode !== 0)
    return {
      state: 'failed',
      summary: `${gist(ran.output)}${rows.length > 0 ? `. Coverage of what ran: ${summary}` : ''}`,
      output: ran.output,
      extra,
    };
  if (rows.length === 0)
    return { state: 'failed', summary: 'there is no coverage table in its output', output: ran.output, extra };
  return { state: 'clean', summary, output: table.join('\n'), extra };
}
