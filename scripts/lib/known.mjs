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
