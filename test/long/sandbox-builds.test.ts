/** Slower builds in a real bubblewrap, all of it offline: both levels of npm, Go, Cargo. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, type TestContext } from 'vitest';
import { which } from '../../src/process/which.js';
import { type Confinement, makeConfinement, runIn, whyNot } from '../process/sandbox/confined.js';

const reason = await whyNot();
const places: Confinement[] = [];
afterAll(() => {
  for (const place of places) place.remove();
});

/** A place for one build, or a skip that says what is missing. */
function placeFor(context: TestContext, ...programs: string[]): Confinement {
  if (reason !== undefined) context.skip(`no sandbox here: ${reason}`);
  const missing = programs.find((name) => which(name, { PATH: process.env['PATH'] ?? '' }) === undefined);
  if (missing !== undefined) context.skip(`${missing} is not installed`);
  const place = makeConfinement();
  places.push(place);
  return place;
}

describe('node', () => {
  it('npm installs a local package, builds and tests, in both levels', async (context) => {
    const place = placeFor(context, 'npm', 'node');
    place.write(join(place.home, '.npmrc'), '//registry.example.invalid/:_authToken=TOKEN\n');
    place.write('lib/package.json', '{"name":"lib","version":"1.0.0","main":"index.js","bin":{"libtool":"tool.js"}}');
    place.write('lib/index.js', 'module.exports = () => 42;\n');
    place.write('lib/tool.js', '#!/usr/bin/env node\nconsole.log("tool");\n');
    const scripts = {
      build: "node -e \"require('fs').writeFileSync('built.txt', String(require('lib')()))\"",
      test: 'node --test',
    };
    place.write(
      'package.json',
      JSON.stringify({ name: 'app', version: '1.0.0', private: true, scripts, dependencies: { lib: 'file:./lib' } }),
    );
    place.write(
      'app.test.js',
      "const t=require('node:test');t('answer',()=>{if(require('lib')()!==42)throw new Error('no')});\nt('temporary files',()=>{const fs=require('fs');fs.rmdirSync(fs.mkdtempSync(require('os').tmpdir()+'/x-'))});\n",
    );
    for (const mode of ['workspace', 'strict'] as const) {
      const ran = await runIn(
        place,
        place.sandbox({ mode }),
        'npm install --no-audit --no-fund --offline && npm run --silent build && cat built.txt && npm test --silent && npx --offline libtool && rm -rf node_modules built.txt',
      );
      expect(ran.code, ran.output).toBe(0);
      expect(ran.output).toMatch(/42[\s\S]*pass 2[\s\S]*tool\n$/);
      expect(ran.output).not.toMatch(/EROFS|EACCES|TOKEN/);
    }
    expect(existsSync(join(place.home, '.npm/_logs'))).toBe(true);
  });
});

describe('go', () => {
  it('builds and tests with its caches', async (context) => {
    const place = placeFor(context, 'go');
    place.write('go.mod', 'module example.invalid/app\n\ngo 1.19\n');
    place.write('main.go', 'package main\n\nfunc answer() int { return 42 }\n\nfunc main() { println(answer()) }\n');
    place.write(
      'main_test.go',
      'package main\n\nimport "testing"\n\nfunc TestAnswer(t *testing.T) {\n\tif answer() != 42 {\n\t\tt.Fatal()\n\t}\n}\n',
    );
    // The user's own build cache, as it would be there on a second run: it saves compiling the standard library.
    const env = {
      GOCACHE: execFileSync('go', ['env', 'GOCACHE'], { encoding: 'utf8', env: { ...process.env, HOME: homedir() } }).trim(),
      GOFLAGS: '-mod=mod',
      GOPROXY: 'off',
      CGO_ENABLED: '0',
    };
    mkdirSync(env.GOCACHE, { recursive: true });
    const ran = await runIn(place, place.sandbox({ mode: 'strict' }), 'go build -o app . && ./app && go vet . && go test .', {
      env,
    });
    expect(ran.code, ran.output).toBe(0);
    expect(ran.output).toMatch(/^42\n[\s\S]*ok\s+example.invalid\/app/);
  });
});

describe('cargo', () => {
  it('builds and tests offline', async (context) => {
    const place = placeFor(context, 'cargo');
    const rustup = process.env['RUSTUP_HOME'] ?? '/root/.rustup';
    const env = { ...(existsSync(rustup) && { RUSTUP_HOME: rustup }) };
    try {
      execFileSync('cargo', ['--version'], { env: { ...place.env, ...env }, stdio: 'ignore' });
    } catch {
      context.skip('cargo is there, but no toolchain for it');
    }
    place.write('Cargo.toml', '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n');
    place.write(
      'src/main.rs',
      'fn answer() -> i32 { 42 }\nfn main() { println!("{}", answer()); }\n#[test]\nfn is_answer() { assert_eq!(answer(), 42); }\n',
    );
    const ran = await runIn(place, place.sandbox(), 'cargo run --offline --quiet && cargo test --offline --quiet', { env });
    expect(ran.code, ran.output).toBe(0);
    expect(ran.output).toMatch(/^42\n[\s\S]*1 passed/);
    const planted = await runIn(place, place.sandbox(), 'cargo install --offline --path . --quiet', { env });
    expect(planted.code).not.toBe(0);
    expect(planted.refusal?.kind, planted.output).toBe('read-only');
    expect(existsSync(join(place.home, '.cargo/bin'))).toBe(false);
  });
});
