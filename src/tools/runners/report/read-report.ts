/** Finds out what a test run reported, whatever ran it. */
import { readCargo, readDotnet, readGradle, readMaven } from './compiled.js';
import { readGoJson, readGoText } from './go.js';
import { readBun, readJest, readMocha, readVitest } from './javascript.js';
import { readSpec, readTap } from './node-test.js';
import { readPytest, readUnittest } from './python.js';
import { plus, type ReportReader, reportLines, type TestReport } from './report.js';
import { readExunit, readPhpunit, readRspec } from './scripted.js';

/** Each recognises its own closing lines only, so that a script that runs several runners is added up. */
const READERS: readonly ReportReader[] = [
  readTap,
  readSpec,
  readVitest,
  readJest,
  readMocha,
  readBun,
  readPytest,
  readUnittest,
  readGoText,
  readCargo,
  readMaven,
  readGradle,
  readDotnet,
  readPhpunit,
  readRspec,
  readExunit,
];

/** The report, if the output holds one, and the output as people read it. */
export function readReport(output: string): { readonly report: TestReport | undefined; readonly text: string } {
  const go = readGoJson(output);
  const text = go?.text ?? output;
  if (go !== undefined) return { report: go.report, text };
  const lines = reportLines(output);
  const reports = READERS.map((read) => read(lines)).filter((report) => report !== undefined);
  return { report: reports.length === 0 ? undefined : reports.reduce(plus), text };
}
