/** Real executables in a plugins folder: nothing of them runs before it is trusted, and nothing they do harms. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Config } from '../../../src/app/config.js';
import { loadPlugins, type PluginEntry, tellPlugins } from '../../../src/app/plugins/load.js';
import { findPlugin, pluginsPort } from '../../../src/app/plugins/manage.js';
import { describeProgram } from '../../../src/extensions/plugins/describe.js';
import { scanFolder } from '../../../src/extensions/plugins/scan.js';
import { isIntact, pinProgram } from '../../../src/extensions/plugins/vault.js';
import { whatItBrings } from '../../../src/policy/brings.js';
import { decide } from '../../../src/policy/decide.js';
import { pluginAnswers, recordPlugin } from '../../../src/policy/plugin-trust.js';
import { recordTrust, trustedFolders, trustForRun } from '../../../src/policy/trust.js';
import { callFromUser } from '../../../src/protocol/user-call.js';
import { TOOLS } from '../../../src/tools/registry.js';
import type { AgentEvent } from '../../../src/types/event.js';
import type { PolicyContext, Rule } from '../../../src/types/policy.js';
import { english } from '../../../src/types/reason.js';
import type { Tool, ToolContext } from '../../../src/types/tool.js';
import { createText } from '../../../src/ui/text/index.js';

let top = '';
let folder = '';
let live = '';
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'chatcli-plugins-')));
  folder = join(top, 'state/plugins');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  mkdirSync(join(top, 'ws'));
  live = '';
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const config = (more: Partial<Config> = {}) =>
  ({
    root: join(top, 'ws'),
    home: top,
    state: join(top, 'state'),
    env: {},
    keys: {},
    childEnv: { PATH: process.env['PATH'] ?? '' },
    trust: { forRun: false, pins: {} },
    ...more,
  }) as unknown as Config;
const path = (file: string) => join(folder, file);
const put = (file: string, body: string, { about = { name: file.replace(/\..*$/, '') } as object, to = folder } = {}): string => {
  mkdirSync(to, { recursive: true });
  const answers = `case "$1" in\n--metadata) echo '${JSON.stringify(about)}'; exit 0;;\n--schema) exit 1;;\nesac\n`;
  writeFileSync(join(to, file), `#!/bin/sh\n${answers}${body}\n`, { mode: 0o755 });
  return join(to, file);
};
const load = (more: Partial<Config> = {}, anew = false) => loadPlugins(config(more), { anew });
const entry = async (file: string, more: Partial<Config> = {}): Promise<PluginEntry> => {
  const found = (await load(more)).entries.find((one) => one.file.file === file);
  if (!found) throw new Error(`no ${file}`);
  return found;
};
const trust = async (...files: string[]) => {
  for (const file of files)
    recordPlugin(join(top, 'state'), file, { answer: 'trusted', sha256: (await entry(file)).file.sha256 }, 1);
};
const port = () => pluginsPort({ config: config(), text: createText('en'), tools: () => TOOLS, load: (anew) => load({}, anew) });
const context = (signal = new AbortController().signal) =>
  ({
    workspace: { root: join(top, 'ws') },
    host: { childEnv: { PATH: process.env['PATH'] ?? '' }, scratch: top },
    signal,
    progress: (text: string) => {
      live += text;
    },
  }) as unknown as ToolContext;
const called = (tools: readonly Tool[], name: string, words: readonly string[]) => {
  const parsed = callFromUser(name, words, { tools, agent: 'main', nextId: () => 'u1' });
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed;
};
const run = async (name: string, words: readonly string[], more: Partial<Config> = {}, signal?: AbortSignal) => {
  const { call, tool } = called((await load(more)).among(TOOLS), name, words);
  return tool.run(call.args, context(signal));
};

/** What only waits to be collected is dead. */
const isAlive = (pid: string): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

describe('a plugins folder', () => {
  it('holds executables; the rest is passed over, links are what they lead to', async () => {
    put('good', 'true');
    put('.hidden', 'true');
    put('good.sig', 'true');
    writeFileSync(path('plain'), 'x', { mode: 0o644 });
    mkdirSync(path('folder'));
    put('outside', 'true', { to: join(top, 'elsewhere') });
    symlinkSync(join(top, 'elsewhere/outside'), path('link'));
    symlinkSync(join(top, 'nowhere'), path('dangling'));
    symlinkSync('/dev/zero', path('device'));
    expect(scanFolder(folder, 'user').files.map(({ file }) => file)).toEqual(['good', 'link']);
  });
  it('may be missing, a file, or open to others', () => {
    expect(scanFolder(join(top, 'none'), 'user')).toEqual({ files: [], doubts: [] });
    writeFileSync(join(top, 'file'), '');
    expect(scanFolder(join(top, 'file'), 'user').doubts).toHaveLength(1);
    chmodSync(folder, 0o777);
    expect(scanFolder(folder, 'user').doubts.map(({ why }) => english(why))).toEqual([
      expect.stringContaining('others may write'),
    ]);
  });
});

describe('trust', () => {
  it('comes before anything runs, is for exact bytes, and ends with them', async () => {
    const marker = join(top, 'ran');
    writeFileSync(path('mark'), `#!/bin/sh\ntouch ${marker}\necho '{"name":"mark"}'\n`, { mode: 0o755 });
    expect((await entry('mark')).state).toBe('untrusted');
    await port().list();
    await port().inspect('mark');
    expect(existsSync(marker)).toBe(false);
    expect((await port().trust('mark')).done).toBe(true);
    expect(existsSync(marker)).toBe(true);
    expect((await entry('mark')).state).toBe('ready');
    writeFileSync(path('mark'), `#!/bin/sh\ntouch ${marker}2\n`, { mode: 0o755 });
    expect((await entry('mark')).state).toBe('changed');
    expect(existsSync(`${marker}2`)).toBe(false);
  });
  it('is what was shown: a file that changed meanwhile is shown again', async () => {
    put('x', 'true');
    const shell = port();
    await shell.list();
    put('x', 'false');
    expect(await shell.trust('x')).toMatchObject({ done: false });
    expect(pluginAnswers(join(top, 'state')).size).toBe(0);
    expect((await shell.trust('x')).done).toBe(true);
  });
  it('stands beside the trust of folders, and neither loses the other', () => {
    const state = join(top, 'state');
    recordTrust(state, join(top, 'ws'), 'trusted', [], 5);
    recordPlugin(state, 'x', { answer: 'declined', sha256: 'ab' }, 6);
    recordTrust(state, top, 'trusted', [], 7);
    expect(trustedFolders(state)).toHaveLength(2);
    expect(pluginAnswers(state).get('x')).toEqual({ answer: 'declined', sha256: 'ab' });
  });
  it('is told once where it is missing, not where it was declined', async () => {
    put('one', 'true');
    put('two', 'true');
    recordPlugin(join(top, 'state'), 'two', { answer: 'declined', sha256: (await entry('two')).file.sha256 }, 1);
    const events: AgentEvent[] = [];
    tellPlugins(await load(), config({ env: { CHATCLI_AGENT_PLUGIN_TIMEOUT: 'soon' } }), (event) => events.push(event));
    expect(events.map((event) => event.type === 'notice' && event.text)).toEqual([
      'Plugins that are not trusted are not used: one',
      'CHATCLI_AGENT_PLUGIN_TIMEOUT=soon cannot be used; 15m counts',
    ]);
  });
  it("of a project's plugins is that of the folder; they override nothing", async () => {
    const to = join(top, 'ws/.chatcli/plugins');
    put('mine', 'echo mine', { to });
    put('read', 'echo no', { to });
    expect((await entry('mine')).state).toBe('untrusted');
    const trusted = { trust: trustForRun(whatItBrings(join(top, 'ws'))) };
    expect((await entry('mine', trusted)).state).toBe('ready');
    expect((await entry('read', trusted)).state).toBe('unfit');
    expect((await run('@mine', [], trusted)).output).toBe('mine\n');
  });
  it('runs a private copy: what was hashed, even when it is tampered with', async () => {
    put('x', 'echo one');
    const { file } = await entry('x');
    const pinned = pinProgram(join(top, 'state'), file.path, file.sha256);
    if (!pinned.ok) throw new Error('no copy');
    put('x', 'echo two');
    expect(readFileSync(pinned.value.path, 'utf8')).toContain('echo one');
    expect(pinProgram(join(top, 'state2'), file.path, file.sha256).ok).toBe(false);
    expect(isIntact(pinned.value)).toBe(true);
    chmodSync(pinned.value.path, 0o700);
    writeFileSync(pinned.value.path, 'evil');
    expect(isIntact(pinned.value)).toBe(false);
  });
});

describe('a name', () => {
  it('is unique, not needed by the program, and overrides only from a file called so', async () => {
    put('a', 'true', { about: { name: '@same' } });
    put('b', 'true', { about: { name: 'SAME' } });
    put('c', 'true', { about: { name: '@coder' } });
    put('d', 'true', { about: { name: 'call_tool' } });
    put('todo.sh', 'true', { about: { name: 'todo' } });
    await trust('a', 'b', 'c', 'd', 'todo.sh');
    const states = (await load()).entries.map(({ file, state, overrides }) => [file.file, state, overrides.join()]);
    expect(states).toEqual([
      ['a', 'ready', ''],
      ['b', 'unfit', ''],
      ['c', 'unfit', ''],
      ['d', 'unfit', ''],
      ['todo.sh', 'ready', '@todo'],
    ]);
  });
});

describe('a call', () => {
  it('gets its words as they were sent, in every shape', async () => {
    put('show', 'for a; do printf "[%s]" "$a"; done; echo');
    await trust('show');
    expect((await run('@show', ['a b', '', '--x', "it's"])).output).toBe("[a b][][--x][it's]\n");
    expect((await run('@show', [`get 'two words' -n "x y"`])).output).toBe('[get][two words][-n][x y]\n');
    expect((await run('@show', ['{"cmd":"get","args":{"n":"x y","all":true}}'])).output).toBe('[get][--n][x y][--all]\n');
    expect((await run('show', ['["a b","$(id)"]'])).output).toBe('[a b][$(id)]\n');
    expect((await run('@show', [])).output).toBe('\n');
  });
  it('reads nothing, marks standard error, and tells of a failure', async () => {
    put('fail', 'cat; echo out; echo bad >&2; echo worse >&2; exit 3');
    await trust('fail');
    const result = await run('@fail', []);
    expect(result).toMatchObject({ isError: true, code: 'ExitCode:3' });
    expect(result.output).toBe('plugin execution failed: @fail ended with exit code 3\nout\nERR: bad\nERR: worse\n');
    expect(live).toContain('ERR: bad');
  });
  it('ends at its deadline, with all it started', async () => {
    const pids = join(top, 'pids');
    put('hang', `trap '' TERM; setsid sh -c 'echo $$ > ${pids}; exec sleep 60' & echo $$ >> ${pids}.own; sleep 60`);
    await trust('hang');
    const result = await run('@hang', [], { env: { CHATCLI_AGENT_PLUGIN_TIMEOUT: '200ms' } });
    expect(result).toMatchObject({ isError: true, code: 'Timeout' });
    expect(result.output).toContain('plugin execution failed');
    for (const file of [pids, `${pids}.own`]) expect(isAlive(readFileSync(file, 'utf8').trim()), file).toBe(false);
  });
  it('leaves nothing running when it ends well', async () => {
    const late = join(top, 'late');
    put('daemon', `setsid sh -c 'sleep 0.4; touch ${late}' >/dev/null 2>&1 & echo done`);
    await trust('daemon');
    expect((await run('@daemon', [])).output).toBe('done\n');
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(existsSync(late)).toBe(false);
  });
  it('is not run when its file is gone, changed, or no longer trusted', async () => {
    put('x', 'echo ran');
    await trust('x');
    const { call, tool } = called((await load()).among(TOOLS), '@x', []);
    const now = () => tool.run(call.args, context());
    expect((await now()).output).toBe('ran\n');
    const text = readFileSync(path('x'));
    writeFileSync(path('x'), `${text}#`);
    expect(await now()).toMatchObject({ code: 'Blocked', output: expect.stringContaining('changed') });
    writeFileSync(path('x'), text);
    expect((await now()).output).toBe('ran\n');
    await port().untrust('x');
    expect(await now()).toMatchObject({ code: 'Blocked', output: expect.stringContaining('no longer trusted') });
    rmSync(path('x'));
    expect(await now()).toMatchObject({ code: 'Blocked', output: expect.stringContaining('gone') });
  });
  it('may print without end and in any bytes', async () => {
    put('flood', 'head -c 20000000 /dev/zero | tr "\\0" "x"; head -c 2000000 /dev/urandom >&2');
    await trust('flood');
    const { output } = await run('@flood', []);
    expect(output.length).toBeLessThan(45_000);
    expect(output).toContain('left out');
    expect(output).not.toMatch(/[\u0000-\u0008\u001b]/);
  });
});

describe('a program that answers badly', () => {
  const why = async (body: string): Promise<string> => {
    writeFileSync(path('odd'), body, { mode: 0o755 });
    const [file] = scanFolder(folder, 'user').files;
    const pinned = file && pinProgram(join(top, 'state'), file.path, file.sha256);
    if (!pinned?.ok) throw new Error('no copy');
    const about = await describeProgram(pinned.value, {
      env: { PATH: process.env['PATH'] ?? '' },
      signal: new AbortController().signal,
      timeoutMs: 1500,
    });
    return about.ok ? 'fine' : english(about.why);
  };
  it('is not used, with the reason', async () => {
    expect(await why('#!/bin/sh\ntrap "" TERM\nsleep 60\n')).toContain('no answer within');
    expect(await why('#!/bin/sh\nyes\n')).toMatch(/no answer within|printed more/);
    expect(await why('#!/bin/sh\nhead -c 1000000 /dev/zero\n')).toContain('printed more than 256 KiB');
    expect(await why('#!/bin/sh\nexit 7\n')).toContain('exit code 7');
    expect(await why('#!/bin/sh\necho hello\n')).toContain('no JSON');
    expect(await why('#!/does/not/exist\n')).toContain('cannot be run');
    expect(await why('\u007fELF garbage')).toMatch(/cannot be run|exit code|no JSON/);
  });
  it('is not asked again at every start, only when it is loaded anew', async () => {
    const asked = join(top, 'asked');
    writeFileSync(path('odd'), `#!/bin/sh\necho "$1" >> ${asked}\nexit 7\n`, { mode: 0o755 });
    await trust('odd');
    for (let start = 0; start < 3; start++) expect((await entry('odd')).state).toBe('unfit');
    expect(readFileSync(asked, 'utf8')).toBe('--metadata\n');
    await load({}, true);
    expect(readFileSync(asked, 'utf8')).toBe('--metadata\n--metadata\n');
  });
  it('without a schema, or with a broken one, is called unvalidated', async () => {
    writeFileSync(
      path('x'),
      `#!/bin/sh\ncase $1 in --metadata) echo '{"name":"x"}';; --schema) echo '{"properties":4}';; *) echo "$@";; esac\n`,
      {
        mode: 0o755,
      },
    );
    await trust('x');
    expect((await run('@x', ['any', 'thing'])).output).toBe('any thing\n');
  });
});

describe('the override of a builtin', () => {
  const rules = (...list: readonly (readonly [Rule['action'], string])[]): PolicyContext =>
    ({
      rules: { rules: list.map(([action, pattern]) => ({ action, pattern, origin: 'test' })), broken: [] },
      mode: 'default',
      home: top,
      root: join(top, 'ws'),
      roots: [join(top, 'ws')],
      allowUnsafe: false,
      locate: (given: string) => ({ given, real: join(top, 'ws', given), shown: given, zone: 'inside' }),
    }) as unknown as PolicyContext;
  const verdict = (tools: readonly Tool[], name: string, words: readonly string[], context: PolicyContext) => {
    const { call, tool } = called(tools, name, words);
    const facts = tool.facts(call.args);
    const judged = { call, facts, reads: facts.reads.map(context.locate), writes: facts.writes.map(context.locate) };
    return decide(judged, context).verdict;
  };
  it('takes all of @coder, its native functions and words of its own; without it the builtin is back', async () => {
    put('coder', 'for a; do printf "[%s]" "$a"; done; echo');
    await trust('coder');
    const tools = (await load()).among(TOOLS);
    const said = async (name: string, words: readonly string[]) => {
      const { call, tool } = called(tools, name, words);
      return (await tool.run(call.args, context())).output;
    };
    expect(await said('@coder', ['read', '--file', 'a b.txt', '--start', '3'])).toBe('[read][--file][a b.txt][--start][3]\n');
    expect(await said('@coder', ['{"cmd":"git-status"}'])).toBe('[git-status]\n');
    expect(await said('exec', ['{"cmd":"ls -la"}'])).toBe('[exec][--cmd][ls -la]\n');
    expect(await said('@coder', ['frobnicate', '--deep', 'x y'])).toBe('[frobnicate][--deep][x y]\n');
    expect(tools.filter(({ name }) => name.startsWith('@coder')).every(({ origin }) => origin === 'plugin')).toBe(true);
    expect(tools.find(({ name }) => name === '@read')?.origin).toBe('builtin');
    rmSync(path('coder'));
    expect((await load()).among(TOOLS)).toBe(TOOLS);
  });
  it('is judged as what it is: a program that is asked about, also where the builtin only reads', async () => {
    put('coder', 'true');
    await trust('coder');
    const tools = (await load()).among(TOOLS);
    expect(verdict(TOOLS, '@coder', ['read', 'a'], rules())).toBe('allow');
    expect(verdict(tools, '@coder', ['read', 'a'], rules())).toBe('ask');
    expect(verdict(TOOLS, '@coder', ['{"cmd":"exec","args":{"cmd":"ls"}}'], rules())).toBe('allow');
    expect(verdict(tools, '@coder', ['{"cmd":"exec","args":{"cmd":"ls"}}'], rules())).toBe('ask');
    expect(verdict(tools, '@coder', ['{"cmd":"exec","args":{"cmd":"ls"}}'], rules(['allow', '@coder exec']))).toBe('allow');
    expect(verdict(tools, '@coder', ['{"cmd":"exec","args":{"cmd":"rm -rf /"}}'], rules(['allow', '@coder']))).toBe('deny');
    expect(verdict(tools, '@coder', ['read', 'a'], { ...rules(), mode: 'plan' })).toBe('deny');
  });
  it('of words: a rule for the beginning is not met by a word in the middle', async () => {
    put('k8s', 'true');
    await trust('k8s');
    const tools = (await load()).among(TOOLS);
    expect(verdict(tools, '@k8s', ['get', 'pods'], rules())).toBe('ask');
    expect(verdict(tools, '@k8s', ['get', 'pods'], rules(['allow', '@k8s']))).toBe('allow');
    expect(verdict(tools, '@k8s', ['get', 'pods'], rules(['allow', '@k8s --argv get']))).toBe('allow');
    expect(verdict(tools, '@k8s', ['delete', 'get'], rules(['allow', '@k8s --argv get']))).toBe('ask');
    expect(verdict(tools, '@k8s', ['delete', 'x'], rules(['allow', '@k8s'], ['deny', '@k8s --argv delete']))).toBe('deny');
  });
});

describe('removal', () => {
  it('removes the file or the link, never its target, nothing built in', async () => {
    const target = put('real', 'true', { to: join(top, 'elsewhere') });
    symlinkSync(target, path('real'));
    expect((await port().uninstall('@real')).lines[0]).toContain('Removed the link');
    expect([existsSync(path('real')), existsSync(target)]).toEqual([false, true]);
    expect(await port().uninstall('@coder')).toMatchObject({ done: false });
    expect(await port().uninstall('../../elsewhere/real')).toMatchObject({ done: false });
    expect(existsSync(target)).toBe(true);
    expect(findPlugin('coder', await load(), TOOLS)).toEqual({ kind: 'builtin', name: '@coder' });
  });
});
