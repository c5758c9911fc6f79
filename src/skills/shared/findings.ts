/** Reads the lines in which compilers and linters name a place and a fault. */

import { shownFrom } from './paths.js';
import { linesOf, type Ran } from './run.js';
import type { Finding, Reading } from './step.js';
import { gist } from './step.js';

/** Findings kept of one program. */
export const MOST_FINDINGS = 2000;

/** `file:line:col: message`, the column may be missing. */
const COLON = /^(?:vet: )?((?:\.{0,2}\/)?[^\s:][^:\n]*?):(\d+)(?::(\d+))?:\s+(.+)$/;
/** `file(line,col): error TS1: message`. */
const PAREN = /^(\S[^(\n]*)\((\d+),(\d+)\):\s+(.+)$/;
/** `[ERROR] file:[line,col] message`. */
const BRACKET = /^\[(?:ERROR|WARN|WARNING)\]\s+(\/?[^:\n]+):\[(\d+)(?:,(\d+))?\]\s+(.+)$/;

function severityOf(message: string): { severity?: string; rule?: string; message: string } {
  const typed = /^(error|warning|note|fatal error|help)(?:\[(\w+)\])?(?: (TS\d+))?:\s*(.+)$/i.exec(message);
  if (typed) {
    const rule = typed[2] ?? typed[3];
    return { severity: (typed[1] ?? '').toLowerCase(), ...(rule && { rule }), message: typed[4] ?? message };
  }
  const coded = /^([A-Z]{1,4}\d{2,5})\s+(.+)$/.exec(message);
  if (coded) return { rule: coded[1] as string, message: coded[2] ?? message };
  const tail = /^(.*\S)\s+[[(]([\w/-]+)[\])]$/.exec(message);
  return tail ? { rule: tail[2] as string, message: tail[1] ?? message } : { message };
}

/** One line as a finding; undefined for any other text. */
export function findingOf(line: string, dir: string): Finding | undefined {
  if (line.length > 4000) return undefined;
  const match = BRACKET.exec(line) ?? PAREN.exec(line) ?? COLON.exec(line);
  if (!match) return undefined;
  const [, file = '', row, column, message = ''] = match;
  return {
    file: shownFrom(dir, file),
    line: Number(row),
    ...(column && { column: Number(column) }),
    ...severityOf(message.slice(0, 1000)),
  };
}

/** All findings of an output, each once. */
export function findingsIn(output: string, dir: string, ignore?: (finding: Finding) => boolean): Finding[] {
  const seen = new Set<string>();
  const findings: Finding[] = [];
  for (const line of linesOf(output)) {
    const finding = findingOf(line, dir);
    if (!finding || ignore?.(finding)) continue;
    const key = `${finding.file}:${finding.line}:${finding.column}:${finding.message}`;
    if (seen.has(key)) continue;
    seen.add(key);
    findings.push(finding);
    if (findings.length >= MOST_FINDINGS) break;
  }
  return findings;
}

const isNote = ({ severity }: Finding): boolean => severity === 'note' || severity === 'help';

/**
 * The usual reading: exit 0 without findings is clean, findings are issues, another exit code without any is a failure.
 * Exit 0 with findings are issues too (warnings).
 */
export function readFindings(ran: Ran, dir: string): Reading {
  const findings = findingsIn(ran.output, dir, isNote);
  if (findings.length > 0) return { state: 'issues', summary: countOf(findings.length), findings };
  if (ran.exitCode === 0) return { state: 'clean', summary: 'nothing found' };
  return { state: 'failed', summary: `exit code ${ran.exitCode}: ${gist(ran.output)}`, output: ran.output };
}

export const countOf = (count: number, what = 'issue', many = `${what}s`): string => `${count} ${count === 1 ? what : many}`;

/** Exit code alone decides; for programs whose lines have no common form. */
export function readExit(ran: Ran, good: string): Reading {
  if (ran.exitCode === 0) return { state: 'clean', summary: good };
  return { state: 'failed', summary: `exit code ${ran.exitCode}: ${gist(ran.output)}`, output: ran.output };
}
