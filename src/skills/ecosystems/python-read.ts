/** Reads what Python's tools print. */
import { countOf } from '../shared/findings.js';
import { shownFrom } from '../shared/paths.js';
import { linesOf, type Ran } from '../shared/run.js';
import { gist, type Reading } from '../shared/step.js';
import { jsonDocument, listField, objectOf, textField } from './json-output.js';

/** How to get a tool. */
export const get = (tool: string): string => `add it to the project: python3 -m pip install ${tool} (needs a network)`;

/** `Name  Stmts  Miss  Cover  Missing`. */
export function readCoverage(ran: Ran): Reading {
  const rows = linesOf(ran.output).flatMap((line) => {
    const match = /^(\S.*?)\s+(\d+)\s+(\d+)(?:\s+\d+\s+\d+)?\s+(\d+)%\s*(.*)$/.exec(line);
    return match
      ? [
          {
            file: match[1] ?? '',
            statements: Number(match[2]),
            missed: Number(match[3]),
            percent: Number(match[4]),
            uncovered: match[5] ?? '',
          },
        ]
      : [];
  });
  const total = rows.find(({ file }) => file === 'TOTAL');
  const files = rows.filter(({ file }) => file !== 'TOTAL').sort((a, b) => a.percent - b.percent || (a.file < b.file ? -1 : 1));
  const extra = { total: total?.percent ?? null, files: files.slice(0, 1000), fileCount: files.length };
  const output = files
    .slice(0, 60)
    .map(
      ({ file, percent, uncovered }) =>
        `${percent}%\t${file}${uncovered === '' ? '' : `\tuncovered: ${uncovered.slice(0, 200)}`}`,
    )
    .join('\n');
  const summary = `${total === undefined ? 'no total' : `${total.percent}% of statements`} in ${countOf(files.length, 'file')} (least covered first)`;
  if (/unrecognized arguments: --cov|No module named '?pytest_cov/.test(ran.output))
    return { state: 'not-available', summary: `pytest has no coverage here; ${get('pytest-cov')}` };
  if (ran.exitCode !== 0)
    return {
      state: 'failed',
      summary: `${gist(ran.output)}${rows.length > 0 ? `. Coverage of what ran: ${summary}` : ''}`,
      output: ran.output,
      extra,
    };
  return rows.length > 0
    ? { state: 'clean', summary, output, extra }
    : { state: 'failed', summary: 'there is no coverage table in its output', output: ran.output, extra };
}

export function readCheck(ran: Ran): Reading {
  if (ran.exitCode === 0) return { state: 'clean', summary: gist(ran.output) };
  const findings = linesOf(ran.output)
    .filter((line) => / requires | has requirement |is not supported/.test(line))
    .map((message) => ({ message: message.trim() }));
  return findings.length > 0
    ? { state: 'issues', summary: countOf(findings.length, 'broken requirement'), findings }
    : { state: 'failed', summary: gist(ran.output), output: ran.output };
}

/** `pip list --outdated -vv`: what it could not look up it lists as nothing, so its log is asked whether it could. */
export function readOutdated(ran: Ran): Reading {
  if (ran.exitCode !== 0) return { state: 'failed', summary: gist(ran.output), output: ran.output };
  const lost = linesOf(ran.output).flatMap((line) => /Could not fetch URL (\S+): (.{1,200})/.exec(line)?.[0] ?? []);
  const fetched = /Fetched page /.test(ran.output);
  if (!fetched && (lost.length > 0 || !ran.whole))
    return { state: 'not-available', summary: `the index could not be reached: ${lost[0] ?? 'its log says nothing of a page'}` };
  const document = jsonDocument(ran.output.slice(-500_000));
  const updates = (Array.isArray(document) ? document : []).map(objectOf).map((one) => ({
    name: textField(one, 'name'),
    current: textField(one, 'version'),
    latest: textField(one, 'latest_version'),
  }));
  const findings = updates.map(({ name, current, latest }) => ({ message: `${name} ${current} -> ${latest}` }));
  const unknown = lost.length > 0 ? `; ${countOf(lost.length, 'page')} of the index could not be fetched` : '';
  return {
    state: updates.length > 0 ? 'issues' : 'clean',
    summary: `${updates.length > 0 ? `${countOf(updates.length, 'update')} available` : 'the index names no newer version of what is installed'}${unknown}`,
    findings,
    extra: { updates, unknown: lost.length },
  };
}

export function readAudit(ran: Ran): Reading {
  let packages: ReturnType<typeof objectOf>[];
  try {
    packages = listField(objectOf(jsonDocument(ran.output)), 'dependencies').map(objectOf);
  } catch {
    return { state: 'failed', summary: gist(ran.output), output: ran.output };
  }
  const findings = packages.flatMap((one) =>
    listField(one, 'vulns')
      .map(objectOf)
      .map((found) => ({
        rule: textField(found, 'id'),
        message: `${textField(one, 'name')} ${textField(one, 'version')}: ${textField(found, 'description').slice(0, 300)} (fixed in ${listField(found, 'fix_versions').map(String).join(', ') || 'no version yet'})`,
      })),
  );
  return findings.length > 0
    ? { state: 'issues', summary: countOf(findings.length, 'known vulnerability', 'known vulnerabilities'), findings }
    : { state: 'clean', summary: 'no known vulnerabilities' };
}

export function readShow(ran: Ran, name: string): Reading {
  if (/Package\(s\) not found/.test(ran.output))
    return { state: 'clean', summary: 'it is not installed here', extra: { needed: false, requiredBy: [] } };
  if (ran.exitCode !== 0) return { state: 'failed', summary: gist(ran.output), output: ran.output };
  const field = (key: string) => new RegExp(`^${key}: *(.*)$`, 'm').exec(ran.output)?.[1]?.trim() ?? '';
  const requiredBy = field('Required-by')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return {
    state: 'clean',
    summary:
      requiredBy.length === 0
        ? `no installed package requires ${name}; the project itself may`
        : `required by ${requiredBy.join(', ')}`,
    output: linesOf(ran.output)
      .filter((line) => /^(Name|Version|Requires|Required-by):/.test(line))
      .join('\n'),
    extra: { needed: requiredBy.length > 0, requiredBy },
  };
}

/** `would reformat a.py`, `ERROR: /abs/a.py Imports are incorrectly sorted`. */
export function readWould(ran: Ran, dir: string): Reading {
  const files = linesOf(ran.output).flatMap(
    (line) =>
      /^would reformat (.+)$/i.exec(line)?.[1] ??
      /^ERROR: (.+\.pyi?) Imports are /.exec(line)?.[1] ??
      /^(\S.*\.pyi?):\d+:\d+: I\d+ /.exec(line)?.[1] ??
      [],
  );
  const unique = [...new Set(files)].sort();
  if (unique.length > 0)
    return {
      state: 'issues',
      summary: countOf(unique.length, 'file'),
      findings: unique.map((file) => ({ file: shownFrom(dir, file), message: 'not formatted' })),
    };
  return ran.exitCode === 0
    ? { state: 'clean', summary: 'nothing to change' }
    : { state: 'failed', summary: gist(ran.output), output: ran.output };
}
