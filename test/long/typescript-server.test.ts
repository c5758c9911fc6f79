/** TypeScript 7, which is a language server itself, over a real project: findings it is asked for, and a rename. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findServer } from '../../src/code/lsp/find-server.js';
import { openLanguageServers } from '../../src/code/lsp/language-servers.js';
import { lspAtom } from '../../src/tools/atoms/lsp.js';
import { patchTool } from '../../src/tools/coder/patch.js';
import { withDiagnostics } from '../../src/tools/wrap/diagnostics.js';
import type { JsonObject } from '../../src/types/json.js';
import type { LanguageServers } from '../../src/types/language.js';
import { type Bench, makeBench } from '../tools/context.js';

/** Installed here and not among our own packages: its `tsc` would take the place of the one we are compiled with. */
const PACKAGE = 'typescript@7.0.2';
let packages = '';
let missing: string | undefined;
let bench: Bench | undefined;
let languages: LanguageServers | undefined;

beforeAll(() => {
  packages = mkdtempSync(join(tmpdir(), 'chatcli-ts7-'));
  writeFileSync(join(packages, 'package.json'), '{"private":true}');
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--no-save', PACKAGE];
  const { status, stderr } = spawnSync('npm', args, { cwd: packages, encoding: 'utf8', timeout: 120_000 });
  if (status !== 0) missing = `${PACKAGE} cannot be installed: ${(stderr ?? '').trim().split('\n')[0] ?? ''}`;
}, 150_000);
afterAll(async () => {
  await languages?.close();
  bench?.remove();
  rmSync(packages, { recursive: true, force: true });
});

describe('tsc --lsp', () => {
  it('tells of a type error after a patch, says nothing of a clean one, and renames everywhere', async (context) => {
    if (missing !== undefined) return context.skip(missing);
    const at = await makeBench();
    bench = at;
    mkdirSync(join(at.ws, 'src'), { recursive: true });
    at.put('tsconfig.json', '{"compilerOptions":{"strict":true,"noEmit":true,"types":[]},"include":["src"]}');
    at.put('src/a.ts', 'export function size(text: string): number {\n  return text.length;\n}\n');
    at.put('src/b.ts', "import { size } from './a';\n\nexport const two: number = size('ab');\n");
    const found = { roots: [at.ws], trusted: true, commands: {} };
    const env = {
      ...at.context.host.childEnv,
      HOME: at.home,
      PATH: `${join(packages, 'node_modules/.bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
    };

    expect(findServer(join(at.ws, 'src/a.ts'), { ...found, env })).toMatchObject({ name: 'tsc --lsp' });
    const servers = openLanguageServers({ ...found, env, version: '0' });
    languages = servers;
    const call = { ...at.context, host: { ...at.context.host, languages: servers } };
    const patch = (args: JsonObject) =>
      withDiagnostics(patchTool, { languages: servers, budgetMs: 100_000 }).run({ file: 'src/b.ts', ...args }, call);
    const wrong = await patch({ search: "size('ab')", replace: "size('ab').toUpperCase()" });
    expect(wrong.isError).toBe(false);
    expect(wrong.output).toContain('[DIAGNOSTICS]');
    expect(wrong.output).toMatch(/src\/b\.ts[\s\S]*toUpperCase/);
    const clean = await patch({ search: '.toUpperCase()', replace: '' });
    expect(clean.output).not.toContain('[DIAGNOSTICS]');
    const renamed = await lspAtom.run({ cmd: 'rename', file: 'src/a.ts', line: 1, symbol: 'size', new_name: 'width' }, call);
    expect(renamed.output).toMatch(/^Renamed size -> width: 3 places in 2 files\./);
    expect(readFileSync(join(at.ws, 'src/b.ts'), 'utf8')).toBe(
      "import { width } from './a';\n\nexport const two: number = width('ab');\n",
    );
    const tsc = join(packages, 'node_modules/.bin/tsc');
    expect(spawnSync(tsc, ['-p', at.ws], { encoding: 'utf8' }).stdout).toBe('');
  }, 200_000);
});
