// A vitest reporter that names every skipped test with its reason. A skip nobody sees is a test nobody has.

class SkipsReporter {
  lines = [];
  filtered = false;

  onInit(vitest) {
    this.filtered = vitest.config.testNamePattern !== undefined;
  }

  onTestCaseResult(test) {
    const result = test.result();
    // A test that `-t` left out is no skip.
    if (result.state !== 'skipped' || (this.filtered && !result.note)) return;
    this.lines.push(`skipped: ${test.module.relativeModuleId} > ${test.fullName}: ${result.note ?? 'NO REASON GIVEN'}`);
  }

  onTestRunEnd() {
    for (const line of this.lines) process.stdout.write(`${line}\n`);
  }
}

// biome-ignore lint/style/noDefaultExport: vitest loads a reporter by its default export
export default SkipsReporter;
