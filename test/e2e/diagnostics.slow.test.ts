/** Edits through the real program with real language servers: TypeScript's and Python's, found in the trusted project's packages. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { eventually, isAlive, scripted } from '../helpers/language-bench.js';
import { makePlace, type Place, runProgram } from '../helpers/run-program.js';

const PACKAGES = resolve(import.meta.dirname, '../../node_modules');
const TSCONFIG = '{"compilerOptions":{"strict":true,"noEmit":true,"types":[],"lib":["ES2022"]},"include":["*.ts"]}';
/** Without the packages of this repository, which a test runner puts there. */
const PLAIN_PATH = [dirname(process.execPath), '/usr/bin', '/bin'].join(':');
// The machine may be busy with other tests; what is waited for in practice is eight seconds.
const PATIENT = { CHATCLI_CODER_AUTODIAG: 'on', CHATCLI_CODER_AUTODIAG_TIMEOUT: '100' };

let place: Place | undefined;
afterEach(() => {
  place?.remove();
  place = undefined;
});

function project(files: Record<string, string>): Place {
  place = makePlace({ files });
  const bin = join(place.workspace, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  for (const name of ['typescript-language-server', 'pyright-langserver'])
    symlinkSync(join(PACKAGES, '.bin', name), join(bin, name));
  return place;
}

async function patch(at: Place, args: Record<string, unknown>, flags: readonly string[] = ['--trust'], env = {}) {
  const words = ['tool', '--permission-mode', 'accept-edits', ...flags, '@coder', 'patch', '--json', '--', JSON.stringify(args)];
  return (await runProgram(words, { place: at, env: { ...PATIENT, ...env } })).json() as { isError: boolean; output: string };
}

/** Processes that work in a folder, or were started with one of its paths. */
function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(folder) && isAlive(pid);
      } catch {
        return false;
      }
    });
}

describe('a type error written by patch comes back in the same result', () => {
  it('TypeScript, without the errors that were there before', async () => {
    const at = project({
      'tsconfig.json': TSCONFIG,
      'a.ts': 'export const a: number = 1;\nexport function f(x: number) { return x; }\n',
      'b.ts': 'import { a, f } from "./a";\nexport const b = f(a);\nconst old: string = a;\n',
    });
    const { output } = await patch(at, { file: 'b.ts', search: 'f(a);', replace: 'f("x");' });
    expect(output).toContain(
      '\n[DIAGNOSTICS] The edit succeeded, but it brought problems that language servers report; fix them:\n1 diagnostic(s) in b.ts:\n' +
        "- L2:20 [error] Argument of type 'string' is not assignable to parameter of type 'number'. (typescript)\n1 older diagnostic in these files",
    );
    expect(output).not.toContain('L3');
    expect(processesOf(at.root)).toEqual([]);
  });

  it('Python', async () => {
    const at = project({ 'm.py': 'x: int = 1\n' });
    const { output } = await patch(at, { file: 'm.py', search: 'x: int = 1', replace: 'x: int = "one"' });
    expect(output).toMatch(
      /\n\[DIAGNOSTICS\].*\n1 diagnostic\(s\) in m\.py:\n- L1:10 \[error\] Type .* is not assignable .* \(Pyright\)\n/,
    );
    expect(processesOf(at.root)).toEqual([]);
  });
});

describe('nothing is said', () => {
  it('and no program of the folder is run where it is not trusted, which a person is told', async () => {
    const at = project({ 'b.ts': 'export const b = 1;\n' });
    const env = { ...PATIENT, PATH: PLAIN_PATH };
    const call = JSON.stringify({ file: 'b.ts', search: '= 1', replace: ': string = 1' });
    const ran = await runProgram(['tool', '--lang', 'en', '@coder', 'patch', '--', call], { place: at, env });
    expect(ran.stdout).toBe('Patched b.ts: line 1 (+1 -1 lines).\n');
    expect(ran.stderr.match(/as this folder is not trusted: the language server typescript-language-server\./g)).toHaveLength(1);
    const looked = await runProgram(['doctor', '--lang', 'en'], { place: at, env });
    expect(looked.stdout).toContain(
      'Language server for typescript: typescript-language-server waits until this folder is trusted',
    );
    expect(looked.stdout).not.toContain('brings nothing that needs trust');
    const trusted = await runProgram(['trust', '--lang', 'en'], { place: at, env });
    expect(trusted.stdout).toContain('language servers: node_modules/.bin/pyright-langserver');
  });
  it('when it is switched off, or the servers of the language are', async () => {
    const at = project({ 'a.ts': 'one\n' });
    const marker = join(at.root, 'started');
    const env = { CHATCLI_LSP_TS_CMD: scripted({ pidFile: marker }) };
    const off = await patch(at, { file: 'a.ts', search: 'one', replace: 'BAD' }, [], { ...env, CHATCLI_CODER_AUTODIAG: 'off' });
    expect(off.output).not.toContain('DIAGNOSTICS');
    expect(existsSync(marker)).toBe(false);
    const none = await patch(at, { file: 'a.ts', search: 'BAD', replace: 'BAD 2' }, ['--trust'], { CHATCLI_LSP_TS_CMD: 'off' });
    expect(none.output).not.toContain('DIAGNOSTICS');
    const on = await patch(at, { file: 'a.ts', search: 'BAD 2', replace: 'x\nBAD 3' }, [], env);
    expect(on.output).toContain('- L2:1 [error] bad: BAD 3 (scripted)');
    expect(existsSync(marker)).toBe(true);
  });
});

it('no server is left when the program is killed', async () => {
  const at = project({ 'a.ts': 'one\n' });
  const pidFile = join(at.root, 'pid');
  const env = { ...PATIENT, CHATCLI_LSP_TS_CMD: scripted({ hang: true, stubborn: true, pidFile }) };
  const words = ['tool', '--permission-mode', 'accept-edits', '@coder', 'patch', '--'];
  let before: number[] = [];
  const ran = await runProgram([...words, JSON.stringify({ file: 'a.ts', search: 'one', replace: 'BAD' })], {
    place: at,
    env,
    onStart(child) {
      void eventually(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '').then(() => {
        before = processesOf(pidFile);
        child.kill('SIGKILL');
      });
    },
  });
  expect(ran.signal).toBe('SIGKILL');
  expect(before.length).toBeGreaterThan(0);
  expect(await eventually(() => processesOf(pidFile).length === 0)).toBe(true);
});
