/** What the sandbox refuses and what it lets work, seen through the real program. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { which } from '../../src/process/which.js';
import { sandboxMissing, withoutBubblewrap } from '../helpers/no-bubblewrap.js';
import { makePlace, type RunOptions, runProgram } from '../helpers/run-program.js';
import { envFor } from '../helpers/wire/env.js';
import type { Script } from '../helpers/wire/script.js';
import { startWireServer } from '../helpers/wire/server.js';

const open: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

function setup(files: Record<string, string> = {}) {
  const place = makePlace({ files });
  open.push({ close: place.remove });
  mkdirSync(join(place.home, '.ssh'));
  writeFileSync(join(place.home, '.ssh/id_ed25519'), 'PRIVATE KEY');
  execFileSync('git', ['init', '-q', '--template='], { cwd: place.workspace });
  type More = Omit<RunOptions, 'place'>;
  const tool = async (cmd: string, args: Record<string, unknown>, more: More = {}) => {
    const ran = await runProgram(['tool', '@coder', '--json', '--', JSON.stringify({ cmd, args })], { place, ...more });
    return ran.json() as { isError: boolean; errorCode: string | null; output: string };
  };
  return { place, tool, exec: (cmd: string, more?: More) => tool('exec', { cmd }, more) };
}

async function server(): Promise<{ readonly url: string; hits(): number }> {
  let hits = 0;
  const http = createServer((_request, response) => {
    hits += 1;
    response.end('served');
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  open.push({ close: () => void http.close() });
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`, hits: () => hits };
}

const inSandbox = (name: string, run: () => Promise<void>) =>
  it(name, async (context) => {
    if (sandboxMissing !== undefined) context.skip(`no sandbox here: ${sandboxMissing}`);
    await run();
  });

describe('a command in the sandbox', () => {
  inSandbox('cannot write to the home folder, and says why', async () => {
    const { place, exec } = setup({
      'script.mjs': "import fs from 'node:fs'; fs.writeFileSync(process.env.HOME + '/.bashrc', 'x');",
    });
    const result = await exec('node script.mjs');
    expect(result).toMatchObject({ isError: true, errorCode: 'ExitCode:1' });
    expect(result.output).toContain('\nSandbox: ~/.bashrc is read-only here; commands can write to the workspace');
    expect(existsSync(join(place.home, '.bashrc'))).toBe(false);
  });

  inSandbox('works where the home folder is not there', async () => {
    const { place, exec } = setup();
    const env = { HOME: join(place.home, 'gone'), CHATCLI_HOME: join(place.home, '.chatcli') };
    expect(await exec('echo works > made.txt && cat made.txt', { env })).toMatchObject({ isError: false });
    expect(readFileSync(join(place.workspace, 'made.txt'), 'utf8')).toBe('works\n');
    expect(existsSync(join(place.home, 'gone'))).toBe(false);
  });

  inSandbox('cannot read ~/.ssh, and says why', async () => {
    const { exec } = setup({ 'script.sh': 'cat "$HOME/.ssh/id_ed25519"\n' });
    const result = await exec('sh script.sh');
    expect(result.isError).toBe(true);
    expect(result.output).toContain('\nSandbox: ~/.ssh is hidden here');
    expect(result.output).not.toContain('PRIVATE KEY');
  });

  inSandbox('cannot change .git/hooks, and says why', async () => {
    const { place, exec } = setup({ 'script.sh': 'h=hooks; echo evil > .git/$h/pre-commit\n' });
    const result = await exec('sh script.sh');
    expect(result.isError).toBe(true);
    expect(result.output).toContain('\nSandbox: .git/hooks/pre-commit is read-only here: hooks and settings');
    expect(existsSync(join(place.workspace, '.git/hooks/pre-commit'))).toBe(false);
  });

  it('gets no file that was left open by what started us', async (context) => {
    if (sandboxMissing !== undefined) context.skip(`no sandbox here: ${sandboxMissing}`);
    const { place, tool } = setup({
      'script.sh': 'ls -l /proc/self/fd; cat /proc/self/fd/47/.ssh/id_ed25519; touch /proc/self/fd/47/escaped; cat <&48\n',
    });
    const bash = which('bash', { PATH: process.env['PATH'] ?? '' });
    if (bash === undefined) return context.skip('no bash to leave them open with');
    const within = [bash, '-c', 'exec 47<"$1" 48<"$1/.ssh/id_ed25519"; shift; exec "$@"', 'bash', place.home];
    const result = await tool('exec', { cmd: 'sh script.sh' }, { within });
    expect(result.output).not.toContain('PRIVATE KEY');
    expect(result.output).not.toMatch(/ 4[78] -> /);
    expect(existsSync(join(place.home, 'escaped'))).toBe(false);
  });

  inSandbox('does not offer to run outside where nobody can be asked, and is not let out', async () => {
    const { place, exec, tool } = setup({ 'script.sh': 'touch "$HOME/x"\n' });
    expect((await exec('sh script.sh')).output).not.toContain('outside');
    for (const how of [{ outside: true }, { agent: true }]) {
      const result = await tool('exec', { cmd: 'sh script.sh', ...how });
      expect(result).toMatchObject({ isError: true, errorCode: 'Denied' });
    }
    expect(existsSync(join(place.home, 'x'))).toBe(false);
  });

  inSandbox('installs a local package, builds and tests', async () => {
    const scripts = {
      build: "node -e \"require('fs').writeFileSync('built.txt', String(require('lib')()))\"",
      test: 'node --test',
    };
    const { place, exec, tool } = setup({
      'lib/package.json': '{"name":"lib","version":"1.0.0","main":"index.js"}',
      'lib/index.js': 'module.exports = () => 42;\n',
      'package.json': JSON.stringify({ name: 'app', version: '1.0.0', private: true, scripts }),
      'app.test.js': "require('node:test')('answer', () => { if (require('lib')() !== 42) throw new Error('no'); });\n",
    });
    const installed = await exec('npm install ./lib --no-audit --no-fund --offline');
    expect(installed.isError, installed.output).toBe(false);
    const built = await exec('npm run build');
    expect(built.isError, built.output).toBe(false);
    expect(readFileSync(join(place.workspace, 'built.txt'), 'utf8')).toBe('42');
    const tested = await tool('test', { timeout: 100 });
    expect(tested.isError, tested.output).toBe(false);
    expect(tested.output).toContain('1 passed, 0 failed');
    for (const { output } of [installed, built, tested]) expect(output).not.toContain('Sandbox:');
  });

  inSandbox('test runs confined too, and says what was refused', async () => {
    const { place, tool } = setup({
      'package.json': '{"name":"app","scripts":{"test":"node --test"}}',
      'a.test.js': "require('node:test')('x', () => require('fs').writeFileSync(process.env.HOME + '/planted', ''));\n",
    });
    const result = await tool('test', { timeout: 100 });
    expect(result.isError).toBe(true);
    expect(result.output).toContain('\nSandbox: ~/planted is read-only here');
    expect(existsSync(join(place.home, 'planted'))).toBe(false);
  });

  inSandbox('reaches a server on this machine, and in strict does not', async () => {
    const { exec } = setup({
      'get.mjs': 'const r = await fetch(process.argv[2]); console.log(await r.text());',
    });
    const { url, hits } = await server();
    expect((await exec(`node get.mjs ${url}`)).output).toContain('served');
    const cut = await exec(`node get.mjs ${url}`, { env: { CHATCLI_CODER_SANDBOX: 'strict' } });
    expect(cut.isError).toBe(true);
    expect(cut.output).toContain('\nSandbox: the network is cut off');
    expect(hits()).toBe(1);
  });

  inSandbox('off: it can do what we can', async () => {
    const { place, exec } = setup({ 'script.sh': 'touch "$HOME/x"\n' });
    const result = await exec('sh script.sh', { env: { CHATCLI_CODER_SANDBOX: 'off' } });
    expect(result.isError).toBe(false);
    expect(existsSync(join(place.home, 'x'))).toBe(true);
  });
});

describe('a run', () => {
  const conversation = async (
    script: Script,
    args: string[],
    more: Omit<RunOptions, 'place'> & { files?: Record<string, string> } = {},
  ) => {
    const { place } = setup(more.files ?? {});
    const model = await startWireServer({ format: 'chat', script });
    open.push(model);
    const { files: _files, ...options } = more;
    const ran = await runProgram(args, { place, ...options, env: { ...envFor(model), ...more.env } });
    return { ...ran, place, model };
  };
  const command = (cmd: string) => ({ calls: [{ name: 'exec', input: { cmd } }] });
  const notices = (lines: Record<string, unknown>[]) =>
    lines.filter((line) => line['type'] === 'notice').map((line) => line['code']);

  inSandbox('says nothing where it works', async () => {
    const ran = await conversation([command('sh a.sh'), { text: 'x' }], ['coder', 'go', '--permission-mode', 'auto'], {
      files: { 'a.sh': 'true\n' },
    });
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).not.toMatch(/sandbox/i);
  });

  it('says once, in both languages, that there is none: in auto mode before the first request', async () => {
    const script = [command('sh a.sh'), command('sh a.sh'), { text: 'done' }];
    const within = withoutBubblewrap();
    const files = { 'a.sh': 'echo ran\n' };
    const args = ['coder', 'go', '--permission-mode', 'auto'];
    const lines = (await conversation(script, [...args, '--output', 'stream-json'], { within, files })).lines();
    const at = lines.findIndex((line) => line['type'] === 'notice');
    expect(lines[0]).toMatchObject({ type: 'run-start' });
    expect(at).toBe(1);
    expect(notices(lines)).toHaveLength(1);
    expect(lines[at]?.['text']).toMatch(/^Commands run without a sandbox: .+\.$/);
    const asked = await conversation(script, ['coder', 'go', '--allow', '@coder exec --cmd sh', '--output', 'stream-json'], {
      within,
      files,
    });
    expect(notices(asked.lines())).toHaveLength(1);
    const portuguese = await conversation(script, args, { within, files, env: { CHATCLI_LANG: 'pt-BR' } });
    expect(portuguese.stderr.match(/Os comandos rodam sem sandbox/g)).toHaveLength(1);
  });

  it('says in auto mode that it is switched off, and what became of containers', async () => {
    const run = async (value: string) => {
      const env = { CHATCLI_CODER_SANDBOX: value };
      const ran = await conversation(
        [{ text: 'x' }],
        ['coder', 'go', '--permission-mode', value === 'off' ? 'auto' : 'default', '--output', 'stream-json'],
        { env },
      );
      return notices(ran.lines());
    };
    expect(await run('off')).toEqual(['sandbox-off']);
    expect(await run('docker')).toEqual(['sandbox-retired']);
  });

  it('does not begin when strict cannot be kept', async () => {
    const env = { CHATCLI_CODER_SANDBOX: 'strict' };
    const ran = await conversation([{ text: 'x' }], ['coder', 'go'], { within: withoutBubblewrap(), env });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/The strict sandbox does not work here: /);
    expect(ran.model.requests).toHaveLength(0);
    const { exec } = setup();
    expect(await exec('true', { within: withoutBubblewrap(), env })).toMatchObject({ isError: true, errorCode: 'Blocked' });
  });

  inSandbox('confines a job in the background as well', async () => {
    const job = { calls: [{ name: 'exec', input: { cmd: 'sh a.sh', background: true } }] };
    const files = { 'a.sh': 'touch "$HOME/x"\n' };
    const ran = await conversation([job, { text: 'x' }], ['coder', 'go', '--permission-mode', 'auto'], { files });
    expect(JSON.stringify(ran.model.requests.at(-1)?.conversation.turns)).toContain('Sandbox: ~/x is read-only here');
    expect(existsSync(join(ran.place.home, 'x'))).toBe(false);
  });

  inSandbox("confines the operator's check command, which runs what the model wrote", async () => {
    const write = { calls: [{ name: 'write', input: { file: 'check.sh', content: 'touch "$HOME/planted"\n' } }] };
    const args = ['coder', 'go', '--permission-mode', 'accept-edits', '--test-cmd', 'sh check.sh', '--max-turns', '3'];
    const ran = await conversation([write, { text: 'done' }, { text: 'done' }, { text: 'done' }], args);
    expect(existsSync(join(ran.place.home, 'planted'))).toBe(false);
    expect(JSON.stringify(ran.model.requests.at(-1)?.conversation.turns)).toContain('Sandbox: ~/planted is read-only here');
  });
});
