/** Which program becomes the server of a file: never one of an untrusted folder. */
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FindOptions, findServer, serverPath } from '../../../src/code/lsp/find-server.js';
import { SERVER_KINDS } from '../../../src/code/lsp/servers.js';
import { makePlace, type Place } from '../../workspace/temp.js';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const program = (path: string): string => {
  const full = path.startsWith('/') ? path : join(place.ws, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, '#!/bin/sh\n');
  chmodSync(full, 0o755);
  return full;
};
const find = (file: string, options: Partial<FindOptions> = {}) =>
  findServer(join(place.ws, file), {
    roots: [place.ws],
    trusted: true,
    env: { PATH: join(place.base, 'bin') },
    commands: {},
    ...options,
  });

it('packages of the project come first, the nearest ones, and only where the folder is trusted', () => {
  const outer = program('node_modules/.bin/pyright-langserver');
  const system = program(join(place.base, 'bin/pyright-langserver'));
  place.put('pkg/pyproject.toml', '');
  expect(find('pkg/a.py')).toMatchObject({ file: outer, root: join(place.ws, 'pkg'), language: 'python', args: ['--stdio'] });
  const inner = program('pkg/node_modules/.bin/pyright-langserver');
  expect(find('pkg/a.py')).toMatchObject({ file: inner });
  expect(find('pkg/a.py', { trusted: false })).toMatchObject({ file: system });
});

it('says what is there and is not run, and how to get one', () => {
  expect(find('a.py')).toEqual({
    known: true,
    reason: expect.stringMatching(
      /^no language server is installed .*npm install -g pyright; or name one in CHATCLI_LSP_PYTHON_CMD$/,
    ),
  });
  program('node_modules/.bin/pyright-langserver');
  expect(find('a.py', { trusted: false })).toEqual({
    known: true,
    reason: expect.stringContaining('pyright-langserver is in node_modules of this folder, which is not trusted'),
  });
  program(join(place.base, 'bin/jdtls'));
  expect(find('A.java')).toMatchObject({ file: join(place.base, 'bin/jdtls') });
  expect(find('A.java', { trusted: false })).toEqual({
    known: true,
    reason: expect.stringContaining('would run code of this folder'),
  });
  expect(find('a.xyz')).toEqual({ known: false, reason: 'no language server is known for a.xyz' });
});

it('PATH leads neither into the folder nor to relative places, by no link either', () => {
  program('bin/gopls');
  mkdirSync(join(place.base, 'bin'));
  symlinkSync(join(place.ws, 'bin'), join(place.base, 'linked'));
  symlinkSync(join(place.ws, 'bin/gopls'), join(place.base, 'bin/gopls'));
  const PATH = ['.', '', 'bin', join(place.ws, 'bin'), join(place.base, 'linked'), join(place.base, 'bin')].join(':');
  expect(find('a.go', { trusted: false, env: { PATH } })).toMatchObject({ known: true });
  expect(find('a.go', { env: { PATH } })).toMatchObject({ file: join(place.ws, 'bin/gopls') });
  const options = { roots: [place.ws], env: { PATH }, commands: {} };
  expect(serverPath({ ...options, trusted: false })).toBe(join(place.base, 'bin'));
  expect(serverPath({ ...options, trusted: true }).split(':')).not.toContain('.');
});

it('the TypeScript of an untrusted folder is not run by a server from elsewhere', () => {
  program(join(place.base, 'lib/node_modules/typescript-language-server/cli.mjs'));
  mkdirSync(join(place.base, 'bin'));
  symlinkSync(
    join(place.base, 'lib/node_modules/typescript-language-server/cli.mjs'),
    join(place.base, 'bin/typescript-language-server'),
  );
  expect(find('a.ts', { trusted: false })).toEqual({
    known: true,
    reason: expect.stringContaining('install typescript beside it'),
  });
  const tsserver = program(join(place.base, 'lib/node_modules/typescript/lib/tsserver.js'));
  expect(find('a.ts', { trusted: false })).toMatchObject({ tsserver });
  expect(find('a.ts')).not.toHaveProperty('tsserver');
});

it('tsc is a server from version 7 on', () => {
  mkdirSync(join(place.ws, 'node_modules/.bin'), { recursive: true });
  program('node_modules/typescript/bin/tsc');
  symlinkSync('../typescript/bin/tsc', join(place.ws, 'node_modules/.bin/tsc'));
  place.put('node_modules/typescript/package.json', '{"name":"typescript","version":"6.0.3"}');
  expect(find('a.ts')).not.toHaveProperty('file');
  place.put('node_modules/typescript/package.json', '{"name":"typescript","version":"7.0.2"}');
  expect(find('a.ts')).toMatchObject({ args: ['--lsp', '--stdio'] });
});

it('a variable names another, as words and never for a shell', () => {
  const mine = program(join(place.base, 'my server'));
  const named = (line: string) => find('a.go', { trusted: false, commands: { CHATCLI_LSP_GO_CMD: line } });
  expect(named(`'${mine}' --x "a b" $(touch x) ;`)).toMatchObject({ file: mine, args: ['--x', 'a b', '$(touch', 'x)', ';'] });
  for (const line of ['./mine', 'bin/mine', 'missing', join(place.base, 'missing')])
    expect(named(line)).toMatchObject({ known: true });
  expect(named("'open")).toEqual({ known: true, reason: expect.stringContaining('is not closed') });
  expect(named('off')).toEqual({ known: true, reason: expect.stringContaining('switched off by CHATCLI_LSP_GO_CMD') });
});

it('roots lie inside the workspace, by the markers of each language', () => {
  for (const name of ['gopls', 'rust-analyzer', 'clangd']) program(join(place.base, 'bin', name));
  writeFileSync(join(place.base, 'go.mod'), '');
  place.put('go.work', '');
  place.put('m/go.mod', '');
  place.put('c/sub/compile_flags.txt', '');
  expect(find('m/x/a.go')).toMatchObject({ root: place.ws });
  expect(find('r/a.rs')).toMatchObject({ root: place.ws });
  expect(find('c/sub/deep/a.cpp')).toMatchObject({ root: join(place.ws, 'c/sub'), language: 'cpp' });
});

it('the page names every server, ending and variable', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/diagnostics.md'), 'utf8');
  for (const { variable, command, runsProject } of SERVER_KINDS) {
    const row = page.split('\n').find((line) => line.includes(`\`${variable}\``) && line.startsWith('| `.')) ?? '';
    const word = (command[0] ?? '').replace(/-langserver$/, '');
    expect(row, variable).toContain(word);
    expect(row.includes(`${word} *`), `${word} is marked`).toBe(runsProject);
  }
});

it('the table is sound: the seed is in it, names are unique, one variable for a language', () => {
  const names = SERVER_KINDS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const variables = new Map<string, string>();
  for (const kind of SERVER_KINDS)
    for (const ending of Object.keys(kind.languages)) {
      expect(variables.get(ending) ?? kind.variable, ending).toBe(kind.variable);
      variables.set(ending, kind.variable);
    }
  for (const ending of [
    '.go',
    '.py',
    '.ts',
    '.tsx',
    '.js',
    '.jsx',
    '.rs',
    '.c',
    '.h',
    '.cpp',
    '.cc',
    '.java',
    '.rb',
    '.mjs',
    '.cts',
    '.pyi',
    '.hpp',
    '.kt',
    '.cs',
    '.php',
  ])
    expect(variables.has(ending), ending).toBe(true);
});
