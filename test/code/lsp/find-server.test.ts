/** Which program becomes the server of a file: never one of an untrusted folder. */
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findServer } from '../../../src/code/lsp/find-server.js';
import { type FindOptions, serverEnv, serverPath } from '../../../src/code/lsp/server-env.js';
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
  expect(find('a.py')).toMatchObject({
    known: true,
    reason: expect.stringMatching(
      /^no language server is installed .*npm install -g pyright; or name one in CHATCLI_LSP_PYTHON_CMD$/,
    ),
  });
  program('node_modules/.bin/pyright-langserver');
  expect(find('a.py', { trusted: false })).toMatchObject({
    known: true,
    reason: expect.stringContaining('pyright-langserver is in node_modules of this folder, which is not trusted'),
  });
  program(join(place.base, 'bin/jdtls'));
  expect(find('A.java')).toMatchObject({ file: join(place.base, 'bin/jdtls') });
  expect(find('A.java', { trusted: false })).toMatchObject({
    known: true,
    reason: expect.stringContaining('may run code of this folder'),
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
  expect(find('a.ts', { trusted: false })).toMatchObject({
    known: true,
    reason: expect.stringContaining('install typescript beside it'),
  });
  const tsserver = program(join(place.base, 'lib/node_modules/typescript/lib/tsserver.js'));
  expect(find('a.ts', { trusted: false })).toMatchObject({ tsserver });
  expect(find('a.ts')).not.toHaveProperty('tsserver');
});

it.each(SERVER_KINDS.filter(({ runsProject }) => runsProject).map((kind) => [kind.name, kind] as const))(
  '%s is not started where the folder is not trusted, by no name of it',
  (_, { command: [name = ''], languages, variable, needs = [] }) => {
    const ending = Object.keys(languages)[0] ?? '';
    const file = ending.startsWith('.') ? `a${ending}` : ending;
    for (const each of needs) place.put(each, '');
    const own = program(join(place.base, 'bin', name));
    const elsewhere = program(join(place.base, 'opt', name, 'lib/cli.mjs'));
    program(join(place.base, 'bin/node'));
    expect(find(file, { commands: { [variable]: own } })).toMatchObject({ file: own });
    expect(find(file, { trusted: false })).not.toHaveProperty('file');
    for (const line of [
      name,
      own,
      `${own}.sh`,
      `node ${elsewhere}`,
      `rustup run x ${name}`,
      `npx ${name}`,
      `bundle exec ${name}`,
    ]) {
      for (const each of [`${name}.sh`, 'rustup', 'npx', 'bundle']) program(join(place.base, 'bin', each));
      const found = find(file, { trusted: false, commands: { [variable]: line } });
      expect(found, line).toMatchObject({ known: true, reason: expect.stringContaining('may run code of this folder') });
    }
  },
);

it('a variable does not lift that: neither a program nor a script of the folder, nor its TypeScript', () => {
  const own = program('tools/gopls');
  program(join(place.base, 'bin/node'));
  const other = program(join(place.base, 'other.mjs'));
  const at = (line: string, file = 'a.go') =>
    find(file, { trusted: false, commands: { CHATCLI_LSP_GO_CMD: line, CHATCLI_LSP_TS_CMD: line } });
  symlinkSync(own, join(place.base, 'linked'));
  for (const line of [own, join(place.base, 'linked'), `node ${own}`, `node --import=${own} ${other}`])
    expect(at(line), line).toMatchObject({
      known: true,
      reason: expect.stringContaining('lies in this folder, which is not trusted'),
    });
  expect(at(`node ${other}`)).toMatchObject({ name: 'node other.mjs', cwd: '/', args: [other] });
  const cli = program(join(place.base, 'lib/node_modules/typescript-language-server/lib/cli.mjs'));
  symlinkSync(cli, join(place.base, 'bin/typescript-language-server'));
  for (const line of ['typescript-language-server --stdio', `node ${cli} --stdio`]) {
    expect(at(line, 'a.ts'), line).toMatchObject({
      known: true,
      reason: expect.stringContaining('install typescript beside it'),
    });
  }
  const tsserver = program(join(place.base, 'lib/node_modules/typescript/lib/tsserver.js'));
  for (const line of ['typescript-language-server --stdio', `node ${cli} --stdio`])
    expect(at(line, 'a.ts'), line).toMatchObject({ tsserver, name: 'typescript-language-server' });
});

it('a switch between versions follows files of the folder it runs in: not used, and never started there', () => {
  const rustup = program(join(place.base, 'opt/rustup'));
  mkdirSync(join(place.base, 'bin'), { recursive: true });
  symlinkSync(rustup, join(place.base, 'bin/gopls'));
  const PATH = join(place.base, 'bin');
  expect(find('a.go', { trusted: false, env: { PATH } })).toMatchObject({
    known: true,
    reason: expect.stringContaining('started by a version manager'),
  });
  expect(find('a.go', { trusted: false, env: { PATH }, commands: { CHATCLI_LSP_GO_CMD: 'gopls' } })).not.toHaveProperty('file');
  expect(find('a.go', { env: { PATH } })).toMatchObject({ cwd: place.ws });
  const shim = program(join(place.base, 'asdf/shims/gopls'));
  const shims = { PATH: dirname(shim) };
  expect(find('a.go', { trusted: false, env: shims })).toMatchObject({
    known: true,
    reason: expect.stringContaining('version manager'),
  });
  program(join(place.base, 'real/gopls'));
  const both = { PATH: `${dirname(shim)}:${join(place.base, 'real')}` };
  expect(find('a.go', { trusted: false, env: both })).toMatchObject({ file: join(place.base, 'real/gopls'), cwd: '/' });
});

it('no variable leads a server into an untrusted folder', () => {
  const { ws } = place;
  const env = {
    PATH: '/usr/bin',
    HOME: '/h',
    NODE_OPTIONS: `--require ${ws}/x.js`,
    PYTHONPATH: `${ws}/src:lib::/usr/share/x`,
    NODE_PATH: 'node_modules',
    JAVA_TOOL_OPTIONS: `-javaagent:${ws}/a.jar`,
    LANG: 'C',
  };
  const options = { roots: [ws], env, commands: {} };
  expect(serverEnv({ ...options, trusted: false })).toMatchObject({
    PATH: '/usr/bin',
    HOME: '/h',
    PYTHONPATH: '/usr/share/x',
    LANG: 'C',
    GOTOOLCHAIN: 'local',
    CGO_ENABLED: '0',
    GOPROXY: 'off',
    GOVCS: '*:off',
  });
  expect(serverEnv({ ...options, trusted: true })).toEqual(env);
});

it('tsc is a server from version 7 on', () => {
  mkdirSync(join(place.ws, 'node_modules/.bin'), { recursive: true });
  program('node_modules/typescript/bin/tsc');
  symlinkSync('../typescript/bin/tsc', join(place.ws, 'node_modules/.bin/tsc'));
  place.put('node_modules/typescript/package.json', '{"name":"typescript","version":"6.0.3"}');
  expect(find('a.ts')).not.toHaveProperty('file');
  place.put('node_modules/typescript/package.json', '{"name":"typescript","version":"7.0.2"}');
  expect(find('a.ts')).toMatchObject({ args: ['--lsp', '--stdio'] });
  rmSync(join(place.ws, 'node_modules/.bin/tsc'));
  program('node_modules/.bin/tsc');
  const script = join(place.ws, 'node_modules/typescript/bin/tsc');
  expect(find('a.ts')).toMatchObject({ file: process.execPath, args: [script, '--lsp', '--stdio'] });
});

it('a variable names another, as words and never for a shell', () => {
  const mine = program(join(place.base, 'my server'));
  const named = (line: string) => find('a.go', { trusted: false, commands: { CHATCLI_LSP_GO_CMD: line } });
  expect(named(`'${mine}' --x "a b" $(touch x) ;`)).toMatchObject({ file: mine, args: ['--x', 'a b', '$(touch', 'x)', ';'] });
  for (const line of ['./mine', 'bin/mine', 'missing', join(place.base, 'missing')])
    expect(named(line)).toMatchObject({ known: true });
  expect(named("'open")).toMatchObject({ known: true, reason: expect.stringContaining('is not closed') });
  expect(named('off')).toMatchObject({ known: true, reason: expect.stringContaining('switched off by CHATCLI_LSP_GO_CMD') });
});

it('roots lie inside the workspace, by the markers of each language', () => {
  for (const name of ['gopls', 'rust-analyzer', 'clangd']) program(join(place.base, 'bin', name));
  writeFileSync(join(place.base, 'go.mod'), '');
  place.put('go.work', '');
  place.put('m/go.mod', '');
  place.put('c/sub/compile_flags.txt', '');
  expect(find('m/x/a.go')).toMatchObject({ root: place.ws });
  expect(find('r/a.rs')).toMatchObject({ root: place.ws });
  expect(find('c/sub/deep/a.cpp')).toMatchObject({ root: join(place.ws, 'c/sub'), language: 'cpp', args: [] });
  for (const line of ['', 'clangd'])
    expect(find('c/sub/deep/a.cpp', { trusted: false, commands: { CHATCLI_LSP_CPP_CMD: line } })).toMatchObject({
      args: ['--enable-config=0'],
    });
});

it('the page names every server, ending and variable', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/diagnostics.md'), 'utf8');
  for (const { variable, command, runsProject } of SERVER_KINDS) {
    const row = page.split('\n').find((line) => line.includes(`\`${variable}\``) && line.startsWith('| `.')) ?? '';
    const word = (command[0] ?? '').replace(/-langserver$/, '');
    expect(row, variable).toContain(word);
    expect(row.includes(` ${word} *`), `${word} is marked`).toBe(runsProject);
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
