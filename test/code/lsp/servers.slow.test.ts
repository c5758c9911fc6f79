/** Servers as processes: hostile ones, dying ones, idle and fat ones, what they are told and answered, and that none stays. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openLanguageServers } from '../../../src/code/lsp/language-servers.js';
import { SERVER_KINDS } from '../../../src/code/lsp/servers.js';
import { openSessionSandbox } from '../../../src/process/sandbox/session-sandbox.js';
import { writeTool } from '../../../src/tools/coder/write.js';
import { eventually, isAlive, type LanguageBench, languageBench } from '../../helpers/language-bench.js';
import { sandboxMissing } from '../../helpers/no-bubblewrap.js';

let bench: LanguageBench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});
const open = async (...options: Parameters<typeof languageBench>): Promise<LanguageBench> => {
  bench = await languageBench(...options);
  return bench;
};
const pidOf = ({ log }: LanguageBench): number => (log().find(({ pid }) => pid !== undefined)?.['pid'] as number) ?? 0;
const write = (at: LanguageBench, content: string, file = 'a.ts') => at.edit(writeTool, { file, content });

describe('a hostile server', () => {
  it.each([
    [{ dieAtStart: true }, 'it has ended, when it was started (no license found)'],
    [{ hugeHeader: true }, 'its header has no end, when it was started'],
    [{ deep: true }, 'its message nests without end, when it was started'],
    [{ hugeLength: true }, 'its message has 99999999999 bytes, when it was started'],
  ])('%j is put aside, said once, and gone', async (how, reason) => {
    const at = await open(how);
    const { output, isError } = await write(at, 'BAD\n');
    expect(isError).toBe(false);
    expect(output).toContain(
      `Note: The language server node scripted-server.mjs is not used any more in this session: ${reason}.\n`,
    );
    expect((await write(at, 'BAD 2\n')).output).not.toContain('Note: The language');
    expect(await eventually(() => !isAlive(pidOf(at)))).toBe(true);
  });

  it('that floods us is ended', async () => {
    const at = await open({ flood: true });
    const { isError } = await write(at, 'BAD\n');
    expect(isError).toBe(false);
    expect(await eventually(() => !isAlive(pidOf(at)))).toBe(true);
  });

  it('that prints first and asks much gets the answers of the protocol', async () => {
    const asks = [
      ['workspace/configuration', { items: [{ section: 'a' }, { section: 'b' }] }],
      ['client/registerCapability', { registrations: [{ id: '1', method: 'x' }] }],
      ['window/workDoneProgress/create', { token: 1 }],
      ['workspace/applyEdit', { edit: { changes: {} } }],
      ['workspace/workspaceFolders', null],
      ['window/showMessageRequest', { type: 1, message: 'm', actions: [{ title: 'yes' }] }],
      ['workspace/semanticTokens/refresh', null],
      ['evil/run', { command: 'rm' }],
    ];
    const at = await open({ noise: true, asks });
    expect((await write(at, 'BAD\n')).output).toContain('- L1:1 [error]');
    const answers = at.log().filter(({ method, id }) => method === undefined && typeof id === 'number' && id >= 1000);
    expect(answers.map(({ result, error }) => result ?? (error as { code?: number } | undefined)?.code ?? null)).toEqual([
      [null, null],
      null,
      null,
      { applied: false, failureReason: 'this client makes edits itself' },
      [{ uri: expect.stringMatching(/^file:\/\/.*\/ws$/), name: 'ws' }],
      null,
      null,
      -32601,
    ]);
  });
});

it('a server that dies in its work is started again, but not for ever', async () => {
  const at = await open({ dieOn: 'KILL' });
  let said = '';
  for (let i = 0; i < 5; i++) {
    said += (await write(at, `KILL ${i}\n`, 'k.ts')).output;
    said += (await write(at, `BAD ${i}\n`)).output;
  }
  expect(said).toContain('[error] bad: BAD 0');
  expect(said.split('is not used any more in this session: it has ended, 3 times').length - 1).toBe(1);
  expect(at.log().filter(({ pid }) => pid !== undefined)).toHaveLength(3);
});

it('is told of each change in versions, of saving, and of files that come and go', async () => {
  const at = await open();
  await write(at, 'one\n');
  await write(at, 'two\n');
  const told = at.log().filter(({ method }) => /didOpen|didChange|didSave|Watched/.test(String(method)));
  expect(told.map(({ method }) => String(method).split('/')[1])).toEqual([
    ...['didChangeWatchedFiles', 'didOpen', 'didSave'],
    ...['didChangeWatchedFiles', 'didChange', 'didSave'],
  ]);
  const versions = told.map(({ params }) => (params as { textDocument?: { version?: number } }).textDocument?.version);
  expect(versions.filter((version) => version !== undefined)).toEqual([1, 2]);
  const kinds = told.map(({ params }) => (params as { changes?: { type: number }[] }).changes?.[0]?.type);
  expect(kinds.filter((kind) => kind !== undefined)).toEqual([1, 2]);
});

it('columns of a server that counts bytes come out right', async () => {
  const at = await open({ encoding: 'utf-8' });
  expect((await write(at, 'é🎉 BAD\n')).output).toContain('- L1:5 [error]');
});

it('one server serves all, and a new one starts after it was idle', async () => {
  const at = await open({}, { limits: { idleMs: 1500, watchMs: 50 } });
  await Promise.all([write(at, 'one\n'), write(at, 'two\n', 'b.ts'), write(at, 'three\n', 'c.ts')]);
  expect(at.log().filter(({ pid }) => pid !== undefined)).toHaveLength(1);
  expect(await eventually(() => !isAlive(pidOf(at)))).toBe(true);
  expect((await write(at, 'BAD\n')).output).toContain('[error] bad: BAD');
});

it('one that takes too much memory is ended, and that is said once', async (context) => {
  if (process.platform !== 'linux') context.skip('memory of other processes is known on Linux only');
  const at = await open({ eat: 300 * 2 ** 20 }, { limits: { memoryBytes: 200 * 2 ** 20, watchMs: 50 } });
  let said = (await write(at, 'BAD\n')).output;
  expect(await eventually(() => !isAlive(pidOf(at)))).toBe(true);
  said += (await write(at, 'BAD 2\n')).output + (await write(at, 'BAD 3\n')).output;
  expect(said.match(/it held \d+ MiB of memory, more than the 200 allowed/g)).toHaveLength(1);
});

it('close ends it and what it started, also when it does not want to', async () => {
  const at = await open({ stubborn: true, child: true });
  await write(at, 'BAD\n');
  const child = at.log().find((entry) => entry['child'] !== undefined)?.['child'] as number;
  expect(isAlive(child)).toBe(true);
  await at.languages.close();
  expect(await eventually(() => !isAlive(pidOf(at)) && !isAlive(child))).toBe(true);
  expect((await write(at, 'BAD 2\n')).isError).toBe(false);
});

it('in the sandbox it cannot write to the workspace', async (context) => {
  if (sandboxMissing !== undefined) context.skip(`no sandbox here: ${sandboxMissing}`);
  const first = await open();
  const { ws, home, state, scratch } = first;
  const env = first.context.host.childEnv;
  const sandbox = openSessionSandbox({
    mode: 'workspace',
    roots: [ws],
    home,
    state,
    temp: '/tmp',
    uid: process.getuid?.() ?? 0,
    readable: [scratch],
    writable: [],
    env,
    platform: process.platform,
    canOffer: false,
    onMissing: () => undefined,
    onNote: () => undefined,
  });
  const planted = join(ws, 'planted');
  const log = join(ws, 'log');
  const script = "require('fs').writeFileSync(process.argv[1], 'x')";
  const commands = { CHATCLI_LSP_GO_CMD: `'${process.execPath}' -e "${script}" '${planted}'` };
  const languages = openLanguageServers({ roots: [ws], trusted: true, env, commands, version: '0', sandbox });
  const signal = new AbortController().signal;
  const report = await languages.check([{ path: join(ws, 'a.go'), before: undefined, after: 'x' }], { budgetMs: 20_000, signal });
  expect(report.notes.join('')).toMatch(/is not used any more in this session: it has ended, when it was started \(.*\)/);
  expect(existsSync(planted) || existsSync(log)).toBe(false);
  await languages.close();
  sandbox.close();
});

it('of a project is started in no untrusted folder, whatever is installed', async () => {
  const at = await open();
  const bin = join(at.base, 'bin');
  const marker = join(at.base, 'started');
  mkdirSync(bin);
  const kinds = SERVER_KINDS.filter(({ runsProject }) => runsProject);
  for (const { command } of kinds)
    writeFileSync(join(bin, command[0] ?? ''), `#!/bin/sh\necho "$0" >> '${marker}'\n`, { mode: 0o755 });
  at.put('rust-toolchain.toml', '[toolchain]\npath = "/proc/self/cwd/evil"\n');
  at.put('Gemfile', '');
  const files = kinds.map(({ languages }) => ({
    path: join(at.ws, `a${Object.keys(languages)[0]}`),
    before: undefined,
    after: 'x',
  }));
  const signal = new AbortController().signal;
  const look = async (trusted: boolean) => {
    const waiting: string[] = [];
    const env = { PATH: `${bin}:/usr/bin:/bin` };
    const onWaiting = (name: string) => waiting.push(name);
    const languages = openLanguageServers({ roots: [at.ws], trusted, env, commands: {}, version: '0', onWaiting });
    languages.warm(files.map(({ path }) => path));
    await languages.check(files.slice(0, 3), { budgetMs: 20_000, signal });
    await languages.check(files, { budgetMs: 20_000, signal });
    await languages.close();
    return waiting;
  };
  expect(await look(false)).toEqual(expect.arrayContaining(['rust-analyzer', 'jdtls', 'ruby-lsp', 'metals', 'intelephense']));
  expect(existsSync(marker)).toBe(false);
  expect(await look(true)).toEqual([]);
  expect(readFileSync(marker, 'utf8')).toContain('/rust-analyzer\n');
});

it('in an untrusted folder it is not started in that folder, and no variable leads there', async () => {
  const at = await open({}, { trusted: false });
  expect((await write(at, 'BAD\n')).output).toContain('[error] bad: BAD');
  expect(at.log()[0]).toMatchObject({ cwd: '/' });
  expect(at.log().find(({ method }) => method === 'initialize')).toMatchObject({ params: { rootPath: at.ws } });
  expect(readFileSync(`/proc/${pidOf(at)}/environ`, 'latin1')).not.toContain(at.ws);
});

it('keys and foreign marks do not reach it; its folder is the root of the project', async () => {
  const at = await open();
  await write(at, 'x\n');
  expect(at.log()[0]).toMatchObject({ cwd: at.ws });
  const hello = at.log().find(({ method }) => method === 'initialize')?.['params'] as Record<string, unknown>;
  expect(hello).toMatchObject({ processId: process.pid, rootUri: expect.stringMatching(/^file:/) });
  expect(readFileSync(`/proc/${pidOf(at)}/environ`, 'latin1')).toContain('CHATCLI_RUN_ID=');
});
