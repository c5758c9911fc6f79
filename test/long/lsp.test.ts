/** `@lsp` and diagnostics with real servers over real projects: what takes too long for every run. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openLanguageServers } from '../../src/code/lsp/language-servers.js';
import { which } from '../../src/process/which.js';
import { lspAtom } from '../../src/tools/atoms/lsp.js';
import { writeTool } from '../../src/tools/coder/write.js';
import { withDiagnostics } from '../../src/tools/wrap/diagnostics.js';
import type { JsonObject } from '../../src/types/json.js';
import type { LanguageServers } from '../../src/types/language.js';
import type { Tool } from '../../src/types/tool.js';
import { type Bench, makeBench } from '../tools/context.js';

const ROOT = resolve(import.meta.dirname, '../..');
const PACKAGES = join(ROOT, 'node_modules');
const PATH = process.env['PATH'] ?? '';

let bench: Bench | undefined;
let languages: LanguageServers | undefined;
afterEach(async () => {
  await languages?.close();
  bench?.remove();
  bench = undefined;
});

async function open() {
  const made = await makeBench();
  bench = made;
  const bin = join(made.ws, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  for (const name of ['typescript-language-server', 'pyright-langserver'])
    symlinkSync(join(PACKAGES, '.bin', name), join(bin, name));
  const servers = openLanguageServers({
    roots: [made.ws],
    trusted: true,
    env: { ...made.context.host.childEnv, HOME: made.home },
    commands: {},
    version: '0',
  });
  languages = servers;
  const context = { ...made.context, host: { ...made.context.host, languages: servers } };
  return {
    ...made,
    lsp: (args: JsonObject) => lspAtom.run(args, context),
    edit: (tool: Tool, args: JsonObject) => withDiagnostics(tool, { languages: servers, budgetMs: 100_000 }).run(args, context),
  };
}

describe('a real TypeScript project: three of our own layers', () => {
  it('is renamed in, compiles, and means the same', async () => {
    const at = await open();
    for (const layer of ['base', 'types', 'process'])
      cpSync(join(ROOT, 'src', layer), join(at.ws, 'src', layer), { recursive: true });
    symlinkSync(join(PACKAGES, '@types'), join(at.ws, 'node_modules/@types'));
    for (const name of ['jsonrepair', 'js-yaml', 'diff']) symlinkSync(join(PACKAGES, name), join(at.ws, 'node_modules', name));
    symlinkSync(join(PACKAGES, 'undici-types'), join(at.ws, 'node_modules/undici-types'));
    at.put('package.json', '{"type":"module"}');
    at.put('tsconfig.json', readFileSync(join(ROOT, 'tsconfig.json'), 'utf8').replace(/"include": .*/, '"include": ["src"]'));
    const compile = () => spawnSync(process.execPath, [join(PACKAGES, 'typescript/bin/tsc'), '-p', at.ws], { encoding: 'utf8' });
    expect(compile().stdout).toBe('');
    const uses = () =>
      readdirSync(at.ws, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
        .map((name) => readFileSync(join(at.ws, name), 'utf8'))
        .join('\n');
    const place = { file: 'src/types/tool.ts', symbol: 'ToolFault' };
    const line =
      readFileSync(join(at.ws, place.file), 'utf8')
        .split('\n')
        .findIndex((text) => text.includes('class ToolFault')) + 1;
    const references = await at.lsp({ cmd: 'references', ...place, line });
    expect(references.output).toMatch(/^\d+ places in \d+ files?\n/);
    const renamed = await at.lsp({ cmd: 'rename', ...place, line, new_name: 'CallFault' });
    expect(renamed.output).toMatch(/^Renamed ToolFault -> CallFault: \d+ places in \d+ files?\.\n/);
    expect(uses()).not.toMatch(/(new|class|instanceof) ToolFault\b/);
    expect(compile().stdout).toBe('');
    const shorthand = 'export const size = 1;\nexport const box = { size };\n';
    at.put('src/a.ts', shorthand);
    expect((await at.lsp({ cmd: 'rename', file: 'src/a.ts', line: 1, symbol: 'size', new_name: 'width' })).isError).toBe(false);
    expect(readFileSync(join(at.ws, 'src/a.ts'), 'utf8')).toMatch(
      /const width = 1;\nexport const box = \{ (size: width|width) \};/,
    );
    expect(compile().stdout).toBe('');
    expect((await at.lsp({ cmd: 'symbols', query: 'CallFault' })).output).toContain('class CallFault src/types/tool.ts');
    expect((await at.lsp({ cmd: 'hover', file: 'src/types/tool.ts', line, symbol: 'CallFault' })).output).toContain(
      'class CallFault',
    );
    expect((await at.lsp({ cmd: 'symbols', file: 'src/types/tool.ts' })).output).toContain('class CallFault L');
  }, 300_000);
});

describe.each([
  {
    program: 'gopls',
    files: { 'go.mod': 'module x\n\ngo 1.19\n', 'main.go': 'package main\n\nfunc main() { println("a") }\n' },
    file: 'main.go',
    content: 'package main\n\nfunc main() { var n int = "a"; println(n) }\n',
    wanted: /1 diagnostic\(s\) in main\.go:\n- L3:\d+ \[error\] /,
  },
  {
    program: 'clangd',
    files: { 'a.c': 'int f(void) { return 1; }\n' },
    file: 'a.c',
    content: 'int f(void) { return missing; }\n',
    wanted: /1 diagnostic\(s\) in a\.c:\n- L1:\d+ \[error\] .*missing/,
  },
])('$program', ({ program, files, file, content, wanted }) => {
  it('finds what an edit broke, and nothing when it is mended', async (context) => {
    if (which(program, { PATH }) === undefined) context.skip(`${program} is not installed`);
    const at = await open();
    for (const [name, text] of Object.entries(files)) at.put(name, text);
    expect((await at.edit(writeTool, { file, content })).output).toMatch(wanted);
    const mended = Object.entries(files).find(([name]) => name === file)?.[1] ?? '';
    expect((await at.edit(writeTool, { file, content: mended })).output).not.toContain('DIAGNOSTICS');
  });
});

it('one file that breaks another open one is told so (pyright)', async () => {
  const at = await open();
  at.put('pyproject.toml', '');
  expect((await at.edit(writeTool, { file: 'lib.py', content: 'def f(x: int) -> int:\n    return x\n' })).output).not.toContain(
    'DIAG',
  );
  expect((await at.edit(writeTool, { file: 'use.py', content: 'from lib import f\n\nf(1)\n' })).output).not.toContain('DIAG');
  const { output } = await at.edit(writeTool, { file: 'lib.py', content: 'def f(x: str) -> str:\n    return x\n' });
  expect(output).toMatch(/1 diagnostic\(s\) in use\.py \(not edited; broken by the edit\):\n- L3:3 \[error\] /);
  expect(existsSync(join(at.ws, 'use.py.bak'))).toBe(false);
});
