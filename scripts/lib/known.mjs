// The rule for cases that are known to fail: a listed case must fail, every other one must pass.

/**
 * `results` as test/cases/run.mjs reports them, `known` the ids of known failures.
 * A known id that the run did not contain is not judged, unless the run held all cases of its list (`whole`).
 */
export function judge(results, known, { whole = false } = {}) {
  const byId = new Map(results.map((result) => [result.id, result]));
  const failed = (id) => (byId.get(id)?.bad.length ?? 0) > 0;
  const ran = results.filter((result) => !result.skip);
  const listed = new Set(known);
  const unexpected = ran.filter((result) => result.bad.length > 0 && !listed.has(result.id)).map((result) => result.id);
  const mended = known.filter((id) => byId.has(id) && !byId.get(id).skip && !failed(id));
  const unknown = whole ? known.filter((id) => !byId.has(id)) : [];
  return {
    passed: ran.filter((result) => result.bad.length === 0 && !listed.has(result.id)).length,
    expected: known.filter(failed).length,
    skipped: results.length - ran.length,
    unexpected,
    mended,
    unknown,
    faults: unexpected.length + mended.length + unknown.length,
  };
}

/** What a person reads after a run: unexpected failures in full, known ones as a number, and one line that says how it ended. */
export function summary(results, verdict) {
  const lines = [];
  const byId = new Map(results.map((result) => [result.id, result]));
  for (const id of verdict.unexpected) {
    const { kind, bad } = byId.get(id);
    lines.push(`FAILED: ${id} [${kind}]`, ...bad.map((reason) => `    ${reason}`));
  }
  for (const id of verdict.mended) lines.push(`PASSES, take it out of known-failures.json: ${id}`);
  for (const id of verdict.unknown) lines.push(`known-failures.json names a case that does not exist: ${id}`);
  const skipped = results.filter((result) => result.skip);
  if (skipped.length > 0)
    lines.push(`${skipped.length} skipped: ${skipped.map((result) => `${result.id} (${result.skip})`).join(', ')}`);
  if (verdict.expected > 0)
    lines.push(`${counted(verdict.expected, 'known failure')} of this version (listed in test/cases/known-failures.json)`);
  const passed = `${counted(verdict.passed, 'case')} passed`;
  lines.push(
    verdict.faults > 0
      ? `Tool cases: FAILED. ${passed}, ${counted(verdict.faults, 'problem')} above.`
      : `Tool cases: OK. ${passed}, none failed unexpectedly.`,
  );
  return lines;
}

function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
