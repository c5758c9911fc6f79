/** What the scripts make of linters, formatters and auditors that are seldom installed: programs that print what those print. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditDeps } from '../../src/skills/audit-deps.js';
import { fixImports } from '../../src/skills/fix-imports.js';
import { formatCode } from '../../src/skills/format-code.js';
import { runCoverage } from '../../src/skills/run-coverage.js';
import { scanLint } from '../../src/skills/scan-lint.js';
import { updateDeps } from '../../src/skills/update-deps.js';
import type { ScriptSkill } from '../../src/types/skill.js';
import { type Bench, listIn, makeBench, sections } from '../skills/harness.js';

/** A program that prints this and ends with this code. */
const program = (output: string, code = 0) => `#!/bin/sh\ncat <<'END_OF_OUTPUT'\n${output}\nEND_OF_OUTPUT\nexit ${code}\n`;

/** Programs of `bin` stand before all others; those of the project are made to run. */
async function inside(files: Record<string, string>, work: (bench: Bench) => Promise<void>): Promise<void> {
  const bench = await makeBench({ files, path: 'bin' });
  try {
    for (const name of Object.keys(files)) if (/(^|\/)\.?bin\//.test(name)) chmodSync(join(bench.root, name), 0o755);
    await work(bench);
  } finally {
    await bench.close();
  }
}

const section = async (bench: Bench, script: ScriptSkill, title: string) =>
  sections((await bench.run(script, {})).data).find((one) => String(one['title']).startsWith(title));

describe('tools of Go', () => {
  it('are read by place, called vulnerabilities first', async () => {
    const report = [
      { config: { protocol_version: 'v1' } },
      { osv: { id: 'GO-1', summary: 'Panics on "{" in input' } },
      { finding: { osv: 'GO-1', fixed_version: 'v1.2.0', trace: [{ module: 'example.com/x', version: 'v1.0.0' }] } },
      {
        finding: {
          osv: 'GO-1',
          fixed_version: 'v1.2.0',
          trace: [{ module: 'example.com/x', version: 'v1.0.0', function: 'Parse' }],
        },
      },
    ];
    const files = {
      'go.mod': 'module m\n\ngo 1.19\n',
      'a.go': 'package m\n',
      'bin/staticcheck': program('a.go:3:2: this value of err is never used (SA4006)\n-: some noise', 1),
      'bin/govulncheck': program(report.map((one) => JSON.stringify(one, null, 2)).join('\n')),
      'bin/goimports': '#!/bin/sh\n[ "$1" = -w ] && echo "package m // sorted" > a.go && exit 0\necho a.go\n',
    };
    await inside(files, async (bench) => {
      expect(await section(bench, scanLint, 'staticcheck')).toMatchObject({
        state: 'issues',
        findings: [{ file: 'a.go', line: 3, column: 2, rule: 'SA4006', message: 'this value of err is never used' }],
      });
      expect(await section(bench, auditDeps, 'govulncheck')).toMatchObject({
        state: 'issues',
        findings: [{ rule: 'GO-1', severity: 'called', message: expect.stringContaining('fixed in v1.2.0') }],
      });
      expect((await bench.run(fixImports, {})).data['changed']).toEqual(['a.go']);
      expect(bench.read('a.go')).toContain('sorted');
      bench.put('bin/govulncheck', program('{"config": {}}\nnot json {', 0));
      expect(await section(bench, auditDeps, 'govulncheck')).toMatchObject({ state: 'clean' });
      bench.put('bin/govulncheck', program('a crash without a report', 0));
      expect(await section(bench, auditDeps, 'govulncheck')).toMatchObject({ state: 'failed' });
      bench.put(
        'bin/govulncheck',
        program('govulncheck: fetching vulnerabilities: dial tcp: lookup vuln.example: no such host', 1),
      );
      expect(await section(bench, auditDeps, 'govulncheck')).toMatchObject({ state: 'not-available' });
    });
  });
});

describe('tools of JavaScript', () => {
  const manifest = (needs: Record<string, string>) => JSON.stringify({ name: 'a', devDependencies: needs });

  it('ESLint is run without fixes, its JSON read, its crash no clean result', async () => {
    const report = [
      {
        filePath: 'src/a.js',
        messages: [{ ruleId: 'no-undef', severity: 2, line: 1, column: 5, message: "'x' is not defined." }],
      },
      { filePath: 'src/b.js', messages: [] },
    ];
    const files = {
      'package.json': manifest({ eslint: '9' }),
      'src/a.js': 'x\n',
      'node_modules/.bin/eslint': program(`(node:1) Warning: [old]\n${JSON.stringify(report)}`, 1),
    };
    await inside(files, async (bench) => {
      const found = await section(bench, scanLint, 'eslint');
      expect(found).toMatchObject({
        state: 'issues',
        findings: [{ file: 'src/a.js', line: 1, column: 5, rule: 'no-undef', severity: 'error' }],
      });
      expect(found?.['command']).toBe('./node_modules/.bin/eslint --format json .');
      bench.put('node_modules/.bin/eslint', program('Oops! Something went wrong! :(', 2));
      expect(await section(bench, scanLint, 'eslint')).toMatchObject({ state: 'failed' });
      bench.put('node_modules/.bin/eslint', program('[]', 0));
      expect(await section(bench, scanLint, 'eslint')).toMatchObject({ state: 'clean' });
    });
  });

  it('Prettier: exactly the files it names are written; a tool that is asked for and not installed is said so', async () => {
    const files = {
      'package.json': manifest({ prettier: '3', eslint: '9' }),
      'a.js': 'x\n',
      'node_modules/.bin/prettier':
        '#!/bin/sh\n[ "$1" = --write ] && shift && for f; do echo formatted > "$f"; done && exit 0\necho a.js; exit 1\n',
    };
    await inside(files, async (bench) => {
      expect((await bench.run(formatCode, { check: true })).changed).toBeUndefined();
      expect(await bench.run(formatCode, {})).toMatchObject({ changed: [join(bench.root, 'a.js')], data: { changed: ['a.js'] } });
      expect(bench.read('a.js')).toBe('formatted\n');
      expect(await section(bench, scanLint, 'eslint')).toMatchObject({
        state: 'not-available',
        summary: expect.stringContaining('stands in package.json'),
      });
    });
  });

  it('coverage tables of Vitest and Jest are read, folders joined', async () => {
    const table = [
      'File      | % Stmts | % Branch | % Funcs | % Lines | Uncovered Line #s',
      '----------|---------|----------|---------|---------|-------------------',
      'All files |   66.66 |      100 |      50 |   66.66 |                   ',
      ' src      |   66.66 |      100 |      50 |   66.66 |                   ',
      '  a.js    |     100 |      100 |     100 |     100 |                   ',
      '  b.js    |       0 |      100 |       0 |       0 | 1-3               ',
    ].join('\n');
    await inside({ 'package.json': manifest({ jest: '29' }), 'node_modules/.bin/jest': program(table) }, async (bench) => {
      const found = await section(bench, runCoverage, 'jest');
      expect(found).toMatchObject({ state: 'clean', total: 66.66 });
      expect(listIn(found, 'files').map(({ file, lines, uncovered }) => [file, lines, uncovered])).toEqual([
        ['src/b.js', 0, '1-3'],
        ['src/a.js', 100, ''],
      ]);
      bench.put('node_modules/.bin/jest', program('nothing ran', 0));
      expect(await section(bench, runCoverage, 'jest')).toMatchObject({ state: 'failed' });
    });
  });

  it('audits of yarn and pnpm are read; an unreachable registry is none', async () => {
    const advisory = {
      module_name: 'left',
      severity: 'high',
      title: 'Leaks',
      vulnerable_versions: '<2',
      recommendation: 'Upgrade',
    };
    const yarn = [
      { type: 'auditAdvisory', data: { advisory } },
      { type: 'auditSummary', data: {} },
    ]
      .map((one) => JSON.stringify(one))
      .join('\n');
    await inside({ 'package.json': '{}', 'yarn.lock': '', 'bin/yarn': program(yarn, 8) }, async (bench) => {
      expect(await section(bench, auditDeps, 'yarn')).toMatchObject({
        state: 'issues',
        findings: [{ rule: 'left', severity: 'high' }],
      });
      bench.put('bin/yarn', program('{"type":"error","data":"The lock file is broken"}\n{"type":"auditSummary"}', 1));
      expect(await section(bench, auditDeps, 'yarn')).toMatchObject({ state: 'failed', summary: 'The lock file is broken' });
      bench.put('bin/yarn', program('{"type":"error","data":"An unexpected error occurred: getaddrinfo ENOTFOUND registry"}', 1));
      expect(await section(bench, auditDeps, 'yarn')).toMatchObject({ state: 'not-available' });
    });
    await inside(
      { 'package.json': '{}', 'pnpm-lock.yaml': '', 'bin/pnpm': program(JSON.stringify({ advisories: { 1: advisory } }), 1) },
      async (bench) => {
        expect(await section(bench, auditDeps, 'pnpm')).toMatchObject({ state: 'issues', findings: [{ rule: 'left' }] });
        bench.put('bin/pnpm', program(JSON.stringify({ left: { current: '1.0.0', wanted: '1.0.1', latest: '2.0.0' } }), 1));
        expect(await section(bench, updateDeps, 'pnpm')).toMatchObject({
          updates: [{ name: 'left', current: '1.0.0', latest: '2.0.0' }],
        });
      },
    );
  });
});

describe('tools of Python', () => {
  it('Ruff, Black and pip-audit are read; the program stands in for a missing module', async () => {
    const audit = {
      dependencies: [
        { name: 'flask', version: '0.1', vulns: [{ id: 'PYSEC-1', description: 'Bad', fix_versions: ['1.0'] }] },
        { name: 'ok', version: '1', vulns: [] },
      ],
    };
    const files = {
      'pyproject.toml': '[tool.ruff]\n[tool.black]\n[tool.isort]\n',
      'a.py': 'import os\n',
      // An interpreter without any of them.
      'bin/python3': '#!/bin/sh\necho "/usr/bin/python3: No module named $2"\nexit 1\n',
      'bin/ruff': program('a.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.', 1),
      'bin/black': '#!/bin/sh\n[ "$1" = --check ] || { echo formatted > a.py; exit 0; }\necho "would reformat a.py"; exit 1\n',
      'bin/isort':
        '#!/bin/sh\n[ "$1" = --check-only ] || { echo sorted > a.py; exit 0; }\necho "ERROR: a.py Imports are incorrectly sorted and/or formatted."; exit 1\n',
      'bin/pip-audit': program(`Found 1 known vulnerability\n${JSON.stringify(audit)}`, 1),
    };
    await inside(files, async (bench) => {
      expect(await section(bench, scanLint, 'ruff')).toMatchObject({
        state: 'issues',
        findings: [{ file: 'a.py', line: 1, column: 8, rule: 'F401' }],
      });
      expect(await section(bench, auditDeps, 'pip-audit')).toMatchObject({
        state: 'issues',
        findings: [{ rule: 'PYSEC-1', message: expect.stringContaining('fixed in 1.0') }],
      });
      expect((await bench.run(formatCode, {})).data['changed']).toEqual(['a.py']);
      expect(bench.read('a.py')).toBe('formatted\n');
      expect((await bench.run(fixImports, {})).data['changed']).toEqual(['a.py']);
      expect(bench.read('a.py')).toBe('sorted\n');
    });
  });
});
