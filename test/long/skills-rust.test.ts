/** The scripts on a real Cargo workspace, without a network. */
import { userInfo } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { which } from '../../src/process/which.js';
import { auditDeps } from '../../src/skills/audit-deps.js';
import { buildCheck } from '../../src/skills/build-check.js';
import { checkDeps } from '../../src/skills/check-deps.js';
import { findUntested } from '../../src/skills/find-untested.js';
import { fixImports } from '../../src/skills/fix-imports.js';
import { formatCode } from '../../src/skills/format-code.js';
import { mapProject } from '../../src/skills/map-project.js';
import { runCoverage } from '../../src/skills/run-coverage.js';
import { runTests } from '../../src/skills/run-tests.js';
import { scanLint } from '../../src/skills/scan-lint.js';
import { updateDeps } from '../../src/skills/update-deps.js';
import { whyDep } from '../../src/skills/why-dep.js';
import { type Bench, listIn, makeBench, sections } from '../skills/harness.js';

const noCargo = which('cargo', { PATH: process.env['PATH'] ?? '' }) === undefined ? 'cargo is not installed' : undefined;

/** Where the tools are; tests run with a home of their own. */
const home = userInfo().homedir;

const FILES = {
  'Cargo.toml': '[workspace]\nmembers = ["shop", "kit"]\nresolver = "2"\n',
  'shop/Cargo.toml':
    '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\nkit = { path = "../kit" }\n',
  'kit/Cargo.toml': '[package]\nname = "kit"\nversion = "0.2.0"\nedition = "2021"\n',
  'kit/src/lib.rs': 'pub fn twice(x: i32) -> i32 {\n    x * 2\n}\n',
  'shop/src/lib.rs':
    'pub trait Priced {\n    fn price(&self) -> i32;\n}\n\npub struct Item;\npub struct Gift;\n\nimpl Item {\n    pub fn cost(&self) -> i32 {\n        kit::twice(2)\n    }\n}\n\nimpl Gift {\n    pub fn cost(&self) -> i32 {\n        0\n    }\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn costs() {\n        assert_eq!(Item.cost(), 4);\n    }\n}\n',
};

describe.skipIf(noCargo !== undefined)(`a Cargo workspace${noCargo === undefined ? '' : ` (skipped: ${noCargo})`}`, () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await makeBench({
      files: FILES,
      env: { CARGO_NET_RETRY: '0', RUSTUP_HOME: `${home}/.rustup`, CARGO_HOME: `${home}/.cargo` },
    });
  });
  afterAll(() => bench.close());

  it('checks, tests and lints by place', async () => {
    const build = await bench.run(buildCheck, {});
    expect(build.text).toMatch(/^\*\*build-check: cargo check OK\*\*/);
    expect(await bench.run(runTests, {})).toMatchObject({ status: 'ok', data: { passed: 1, failed: 0 } });
    bench.put('kit/src/lib.rs', 'pub fn twice(x: i32) -> i32 {\n    x * "2"\n}\n');
    const red = await bench.run(buildCheck, {});
    expect(red.status).toBe('failed');
    expect(sections(red.data)[0]).toMatchObject({
      state: 'issues',
      findings: [{ file: 'kit/src/lib.rs', line: 2, severity: 'error', rule: 'E0277' }],
    });
    bench.put('kit/src/lib.rs', 'pub fn twice(x: i32) -> i32 {\n    return x * 2;\n}\n');
    const lint = await bench.run(scanLint, {});
    if (lint.status !== 'not-available')
      expect(sections(lint.data)[0], lint.text).toMatchObject({
        state: 'issues',
        findings: [{ file: 'kit/src/lib.rs', line: 2, severity: 'warning' }],
      });
  });

  it('formats the files that need it, in a part or the whole', async (context) => {
    bench.put('kit/src/lib.rs', 'pub fn twice(x:i32)->i32 { x*2 }\n');
    const check = await bench.run(formatCode, { check: true });
    if (check.status === 'not-available') context.skip(`rustfmt is not installed: ${check.text}`);
    expect(sections(check.data)[0]).toMatchObject({ state: 'issues', findings: [{ file: 'kit/src/lib.rs' }] });
    expect((await bench.run(formatCode, { file: 'kit/src/lib.rs' })).data['changed']).toEqual(['kit/src/lib.rs']);
    expect(bench.read('kit/src/lib.rs')).toBe('pub fn twice(x: i32) -> i32 {\n    x * 2\n}\n');
    bench.put('kit/src/lib.rs', 'pub fn twice(x:i32)->i32 { x*2 }\n');
    expect((await bench.run(formatCode, {})).data['changed']).toEqual(['kit/src/lib.rs']);
    expect((await bench.run(fixImports, {})).status).toBe('not-available');
  });

  it('tells dependencies apart', async () => {
    const deps = await bench.run(checkDeps, {});
    expect(sections(deps.data)[0], deps.text).toMatchObject({ state: 'clean' });
    const why = await bench.run(whyDep, { module: 'kit' });
    expect(sections(why.data)[0], why.text).toMatchObject({ needed: true });
    expect(JSON.stringify(sections(why.data)[0]?.['tree'])).toContain('shop v0.1.0');
    expect(sections((await bench.run(whyDep, { module: '--help' })).data)[0]?.['needed']).not.toBe(true);
    const updates = await bench.run(updateDeps, {});
    expect(['ok', 'not-available'], updates.text).toContain(updates.status);
    for (const script of [auditDeps, runCoverage]) {
      const outcome = await bench.run(script, {});
      if (outcome.status !== 'ok') expect(outcome.text, script.name).toContain('cargo install');
    }
  });

  it('says when the lock file is behind, and leaves it so', async () => {
    bench.put('shop/Cargo.toml', `${FILES['shop/Cargo.toml']}`.replace('0.1.0', '0.3.0'));
    const lock = bench.read('Cargo.lock');
    expect(sections((await bench.run(checkDeps, {})).data)[0]).toMatchObject({ state: 'issues' });
    expect(bench.read('Cargo.lock')).toBe(lock);
  });

  it('maps, and finds what tests in the same file do not mention', async () => {
    const map = await bench.run(mapProject, {});
    expect(listIn(map.data, 'interfaces').map(({ text }) => text)).toEqual(['pub trait Priced {']);
    const { data } = await bench.run(findUntested, {});
    expect(listIn(data, 'untested').map(({ owner, name }) => [owner, name])).toEqual([
      [null, 'twice'],
      ['Gift', 'cost'],
    ]);
  });
});
