// Counts out of the reports of a whole run. A report that is missing or damaged is a failure, never a zero.

/** Counts of one vitest JSON report. A test file that could not be run at all counts as one failure. */
export function vitestCounts(name, text) {
  const report = parse(text);
  if (!report || !Array.isArray(report.testResults)) return { name, passed: 0, failed: 1, note: 'no report' };
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  const failed = report.numFailedTests + broken.length;
  const skipped = report.numPendingTests + report.numTodoTests;
  if (report.numPassedTests + failed === 0) return { name, passed: 0, failed: 1, note: 'no test was run' };
  return { name, passed: report.numPassedTests, failed, note: skipped > 0 ? `${skipped} skipped` : '' };
}

/** Counts of the cases: known failures are named, neither passed nor failed. */
export function casesCounts(name, text) {
  const report = parse(text);
  if (!report) return { name, passed: 0, failed: 1, note: 'no report' };
  return {
    name,
    passed: report.passed,
    failed: report.faults,
    note: `${report.expected} known failures, ${report.skipped} skipped`,
  };
}

/**
 * One part for each phase that is not counted by a report of its own. `test` and `test:long` have reports;
 * they add a failure only when they ended badly and no report says why.
 */
export function phaseCounts(text, reported) {
  const explained = total(reported).failed > 0;
  const parts = [];
  for (const line of text.split('\n').filter(Boolean)) {
    const [name, code] = line.split('\t');
    const passed = code === '0';
    const counted = name === 'test' || name === 'test:long';
    if (counted && (passed || explained)) continue;
    parts.push({ name: `phase ${name}`, passed: passed ? 1 : 0, failed: passed ? 0 : 1, note: passed ? '' : `exit ${code}` });
  }
  if (parts.length === 0 && text === '') parts.push({ name: 'phases', passed: 0, failed: 1, note: 'none was run' });
  return parts;
}

/** The sum of all parts. */
export function total(parts) {
  return parts.reduce((sum, part) => ({ passed: sum.passed + part.passed, failed: sum.failed + part.failed }), {
    passed: 0,
    failed: 0,
  });
}

function parse(text) {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
