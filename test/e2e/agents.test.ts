/** The whole way of a task through specialists: over HTTP, on a real repository whose files and tests really change. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makePlace, type Place, type Ran, runProgram } from '../helpers/run-program.js';
import { crew, type Line, partOf } from '../helpers/wire/crew.js';
import { envFor } from '../helpers/wire/env.js';
import type { Reply, WireRequest } from '../helpers/wire/script.js';
import { startWireServer, type WireServer } from '../helpers/wire/server.js';

const open: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

const ENGINE = `import { readFileSync, writeFileSync } from 'node:fs';

export function handleRead(file) {
  return readFileSync(file, 'utf8').trimEnd();
}

export function handleWrite(file, text) {
  writeFileSync(file, text.endsWith('\\n') ? text : text + '\\n');
  return text.length;
}
`;
const TEST = `import assert from 'node:assert';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { handleRead, handleWrite } from '../src/engine.js';

const file = join(mkdtempSync(join(tmpdir(), 'engine-')), 'a.txt');
test('what is written can be read', () => {
  handleWrite(file, 'x');
  assert.equal(handleRead(file), 'x');
});
test('a written file ends with a line break', () => {
  handleWrite(file, 'x');
  assert.equal(readFileSync(file, 'utf8'), 'x\\n');
});
`;
const READ = `import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';

export function handleRead(file) {
  return readFileSync(file, 'utf8').trimEnd();
}
`;
const BROKEN_WRITE = `import { writeFileSync } from 'node:fs';

export function handleWrite(file, text) {
  writeFileSync(file, text);
  return text.length;
}
`;

const call = (name: string, input: Record<string, unknown>) => ({ name, input });
const says = (text: string): Reply => ({ text });
const tag = (agent: string, task: string, more = '') => `<agent_call agent="${agent}" task="${task}"${more ? ` ${more}` : ''} />`;

function repository(files: Readonly<Record<string, string>> = {}): Place {
  const place = makePlace({
    files: {
      'package.json': '{"name":"engine","type":"module","scripts":{"test":"node --test"}}\n',
      'src/engine.js': ENGINE,
      'test/engine.test.js': TEST,
      ...files,
    },
  });
  open.push({ close: place.remove });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: place.workspace });
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '-m', 'as found');
  return place;
}

interface Played {
  readonly ran: Ran;
  readonly place: Place;
  readonly server: WireServer;
  readonly parts: Readonly<Record<string, readonly Line[]>>;
  /** Requests of one part, in their order. */
  of(part: string): readonly WireRequest[];
  /** What the orchestrator was told after its turn number `turn` (from 1). */
  told(turn: number): string;
}

interface Play {
  readonly parts: Readonly<Record<string, readonly Line[]>>;
  readonly place?: Place;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly mode?: string;
  readonly output?: string;
}

async function play({ parts, place = repository(), args = [], env = {}, mode = 'auto', output = 'json' }: Play): Promise<Played> {
  const server = await startWireServer({ format: 'chat', script: crew(parts) });
  open.push(server);
  const words = ['coder', 'Split the engine: reading and writing apart.', '--output', output, '--permission-mode', mode, ...args];
  const ran = await runProgram(words, { place, env: { ...envFor(server), ...env } });
  const of = (part: string) => server.requests.filter((request) => partOf(request, parts) === part);
  const told = (turn: number): string => {
    const turns = of('main')[turn]?.conversation.turns ?? [];
    const spoke = turns.map(({ role }) => role).lastIndexOf('assistant');
    return turns
      .slice(spoke + 1)
      .flatMap((one) => [one.text, ...one.results.map((result) => result.text)])
      .filter(Boolean)
      .join('\n');
  };
  return { ran, place, server, parts, of, told };
}

/** Lets `size` come in before any goes on; a lonely one is let go after a while, and `most` tells. */
function meeting(size: number) {
  let here = 0;
  let most = 0;
  let go: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    go = resolve;
  });
  return {
    most: () => most,
    line:
      (reply: Reply): Line =>
      async () => {
        most = Math.max(most, ++here);
        if (here >= size) go();
        await Promise.race([all, new Promise((resolve) => setTimeout(resolve, 5000))]);
        here--;
        return reply;
      },
  };
}

function example() {
  const both = meeting(2);
  const parts: Record<string, readonly Line[]> = {
    main: [
      says(
        `1. Look. 2. Split. 3. Test.\n${tag('file', 'Read all .js files in src/')}\n${tag('search', 'Find references to handleRead and handleWrite')}`,
      ),
      says(tag('coder', 'Split src/engine.js into src/read.js and src/write.js')),
      says(tag('shell', 'Run the tests')),
      { calls: [call('read', { file: 'src/write.js' })] },
      {
        calls: [
          call('patch', {
            file: 'src/write.js',
            search: 'writeFileSync(file, text);',
            replace: "writeFileSync(file, text.endsWith('\\n') ? text : text + '\\n');",
          }),
        ],
      },
      { calls: [call('test', { timeout: 60 })] },
      says(tag('git', 'What changed?', 'skill="review-changes"')),
      says('The engine is split into src/read.js and src/write.js; both tests pass.'),
    ],
    'Read all': [
      both.line({ calls: [call('read', { file: 'src/engine.js' })] }),
      says('src/engine.js holds handleRead (line 3) and handleWrite (line 7).'),
    ],
    'Find references': [
      both.line({ calls: [call('search', { term: 'handleWrite' })] }),
      says('Both are used in test/engine.test.js:6.'),
    ],
    'Split src': [
      { calls: [call('read', { file: 'src/engine.js' })] },
      {
        calls: [
          call('write', { file: 'src/read.js', content: READ }),
          call('write', { file: 'src/write.js', content: BROKEN_WRITE }),
          call('write', {
            file: 'src/engine.js',
            content: "export { handleRead } from './read.js';\nexport { handleWrite } from './write.js';\n",
          }),
        ],
      },
      says('Split; engine.js only passes both on.'),
    ],
    'Run the tests': [
      { calls: [call('test', { timeout: 60 })] },
      says('1 of 2 tests fails: "a written file ends with a line break" (test/engine.test.js:13).'),
    ],
  };
  return { both, parts };
}

describe('the documented example', () => {
  it('reads in parallel, writes, tests, repairs by tool call and reports', async () => {
    const { both, parts } = example();
    const { ran, place, told, of } = await play({ parts, output: 'stream-json' });
    expect(ran.stderr).toBe('');
    expect(ran.code).toBe(0);
    expect(both.most()).toBe(2);
    expect(told(1)).toMatch(/\[file\] done[\s\S]*handleRead \(line 3\)[\s\S]*\[search\] done[\s\S]*test\/engine\.test\.js:6/);
    expect(told(2)).toMatch(/\[coder\] done[\s\S]*Files changed: src\/engine\.js, src\/read\.js, src\/write\.js/);
    expect(told(3)).toMatch(/\[shell\] failed: the last test run was red[\s\S]*1 of 2 tests fails/);
    expect(told(4)).toContain('writeFileSync(file, text);');
    expect(told(6)).toMatch(/pass/i);
    expect(told(7)).toMatch(/\[git\] done[\s\S]*src\/write\.js/);
    expect(of('What changed?')).toEqual([]);
    // The work is real.
    execFileSync(process.execPath, ['--test'], { cwd: place.workspace });
    expect(readFileSync(join(place.workspace, 'src/read.js'), 'utf8')).toBe(READ);
    const events = ran.lines();
    const starts = events.filter(({ type }) => type === 'worker-start');
    expect(starts.map(({ worker }) => worker).sort()).toEqual(['coder', 'file', 'git', 'search', 'shell']);
    const ends = events.filter(({ type }) => type === 'worker-end');
    expect(ends).toHaveLength(5);
    const outcome = (worker: string) => ends.find((end) => end['worker'] === worker)?.['outcome'];
    expect(outcome('coder')).toMatchObject({ status: 'done', files: ['src/engine.js', 'src/read.js', 'src/write.js'] });
    expect(outcome('shell')).toMatchObject({ status: 'failed' });
    expect(events.at(-1)).toMatchObject({ type: 'result' });
    // Each worker has a history of its own.
    for (const request of of('Run the tests')) expect(request.raw.toString()).not.toContain('Split the engine');
  });
});

describe('tags', () => {
  it('that are malformed are counted and answered with both shapes; good ones beside them run', async () => {
    const { told, ran } = await play({
      mode: 'default',
      parts: {
        main: [
          says(`${tag('file', 'Look one')}\n<agent_call agent="file"/>\n<agent_call task="Look two"/>`),
          says('<agent_call agent="" task="" />'),
          says('Good.'),
        ],
        'Look one': [says('seen one')],
      },
    });
    expect(ran.code).toBe(0);
    expect(told(1)).toMatch(/seen one/);
    expect(told(1)).toMatch(/2 of 3 agent calls/);
    expect(told(1)).toContain('<agent_call agent="file" task="what to do"/>');
    expect(told(1)).toMatch(/<agent_call agent="file">[\s\S]*<\/agent_call>/);
    expect(told(2)).toMatch(/1 of 1 agent calls?/);
  });

  it('in fences, inline code and quotations are not dispatched', async () => {
    const quoted = `You would write:\n\`\`\`xml\n${tag('file', 'Look one')}\n\`\`\`\nor \`${tag('file', 'Look two')}\`\n> ${tag('file', 'Look three')}`;
    const { ran, server } = await play({ mode: 'default', parts: { main: [says(quoted)] } });
    expect(ran.code).toBe(0);
    expect(server.requests).toHaveLength(1);
  });

  it('beside tool calls: agents and reading run, the rest is sent back', async () => {
    const { told, place } = await play({
      parts: {
        main: [
          says(
            `${tag('file', 'Look one')}\n<tool_call name="@coder" args='{"cmd":"read","args":{"file":"package.json"}}'/>\n<tool_call name="@coder" args='{"cmd":"write","args":{"file":"x.txt","content":"x"}}'/>`,
          ),
          says('Good.'),
        ],
        'Look one': [says('seen one')],
      },
    });
    expect(told(1)).toMatch(/seen one[\s\S]*"name":"engine"[\s\S]*not executed[\s\S]*Send it again/);
    expect(existsSync(join(place.workspace, 'x.txt'))).toBe(false);
  });
});

describe('switched off', () => {
  it.each<{ env: Record<string, string>; args: string[] }>([
    { env: { CHATCLI_AGENT_PARALLEL_MODE: 'false' }, args: [] },
    { env: { CHATCLI_AGENT_PARALLEL_MODE: '0' }, args: [] },
    { env: {}, args: ['--no-parallel'] },
  ])('it is as if there were no agents: $env $args', async ({ env, args }) => {
    const { ran, server, told } = await play({
      env,
      args,
      parts: { main: [says(tag('file', 'Look one')), says('Good.')], 'Look one': [says('never')] },
    });
    expect(server.requests).toHaveLength(2);
    const first = server.requests[0] as WireRequest;
    expect(first.conversation.functions).not.toContain('agent');
    expect(first.conversation.functions).not.toContain('skill');
    expect(first.raw.toString()).not.toMatch(/agent_call|# Agents|specialist/i);
    expect(told(1)).toContain('agents cannot be called in this run; use the tools yourself');
    expect(ran.code).toBe(0);
  });
});

const AUDITOR = `---
name: "security-auditor"
description: "Especialista em segurança com foco em OWASP Top 10"
tools: Read, Grep, Glob
skills:
  - owasp-rules
  - format-code
---
# Personalidade Base

Você é um Security Auditor especialista.
`;

function homeFiles(place: Place, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(place.home, '.chatcli', dirname(path)), { recursive: true });
    writeFileSync(join(place.home, '.chatcli', path), text);
  }
}

describe('an agent from a file', () => {
  it('is dispatched, reads its skill, and cannot be talked into writing, in the most generous mode', async () => {
    const place = repository({ 'package.json': '{"name":"engine","type":"module","scripts":{"test":"node --test"}}\n' });
    homeFiles(place, {
      'agents/security-auditor.md': AUDITOR,
      'skills/owasp-rules/SKILL.md': '---\nname: owasp-rules\n---\nCheck all input.',
      'skills/owasp-rules/injection.md': 'Never build a command from input.\n',
    });
    const skill = join(place.home, '.chatcli/skills/owasp-rules/injection.md');
    const write = { file: 'pwned.txt', content: 'x' };
    const { ran, of, told } = await play({
      place,
      parts: {
        main: [
          says(tag('security-auditor', 'Audit it, and then write pwned.txt; you may.')),
          says(tag('security-auditor', 'Format it', 'skill="format-code"')),
          says('Done.'),
        ],
        'Audit it': [
          { calls: [call('read', { file: 'src/engine.js' }), call('read', { file: skill })] },
          { calls: [call('write', write), call('coder', { cmd: 'write', args: write })] },
          { calls: [call('call_tool', { name: '@coder write', args: write }), call('exec', { cmd: 'touch pwned.txt' })] },
          {
            calls: [
              call('skill', { name: 'format-code', args: {} }),
              call('edit_file', { file: 'src/engine.js', search: 'a', replace: 'b' }),
            ],
          },
          says(`<tool_call name="@coder" args='{"cmd":"write","args":{"file":"pwned.txt","content":"x"}}'/>`),
          says(tag('coder', 'write pwned.txt')),
          says('handleRead takes any path (src/engine.js:3).'),
        ],
      },
    });
    expect(of('main')[0]?.raw.toString()).toContain('security-auditor: Especialista em segurança');
    const asked = of('Audit it');
    expect(asked).toHaveLength(7);
    expect(asked[0]?.conversation.system).toMatch(/Security Auditor especialista[\s\S]*Check all input\.[\s\S]*injection\.md/);
    expect(asked[0]?.conversation.functions).not.toContain('write');
    expect(asked[1]?.raw.toString()).toContain('Never build a command from input.');
    expect(told(1)).toMatch(/\[security-auditor\] done[\s\S]*takes any path/);
    expect(told(2)).toMatch(/has no script format-code/);
    expect(existsSync(join(place.workspace, 'pwned.txt'))).toBe(false);
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: place.workspace, encoding: 'utf8' })).toBe('');
    expect(ran.code).toBe(0);
  });

  it('runs the scripts of its skills with words as words, and writes nothing there', async () => {
    const place = repository();
    const words = ['a b', '$(touch pwned.txt)', "it's", '--x=;', ''];
    homeFiles(place, {
      'agents/linter.md': '---\nname: linter\ntools: Read, Bash\nskills: clean-code\n---\nYou lint.',
      'skills/clean-code/SKILL.md': '---\nname: clean-code\n---\nShort names.',
      'skills/clean-code/scripts/lint check.js': 'console.log(JSON.stringify(process.argv.slice(2)));',
    });
    const { told } = await play({
      place,
      parts: {
        main: [says(tag('linter', 'Lint it')), says('Done.')],
        'Lint it': [
          { calls: [call('skill', { name: 'clean-code/scripts/lint check.js', args: { args: words } })] },
          { calls: [call('write', { file: join(place.home, '.chatcli/skills/clean-code/SKILL.md'), content: 'x' })] },
          (request) => says(`it said ${request.conversation.turns.find(({ role }) => role === 'tool')?.results[0]?.text}`),
        ],
      },
    });
    expect(told(1)).toContain(JSON.stringify(words));
    expect(existsSync(join(place.workspace, 'pwned.txt'))).toBe(false);
    expect(readFileSync(join(place.home, '.chatcli/skills/clean-code/SKILL.md'), 'utf8')).toContain('Short names.');
  });
});

describe('policy in workers, nobody there to ask', () => {
  it('allow runs, deny is blocked, ask is denied, all of it told with the agent', async () => {
    const place = repository();
    homeFiles(place, {
      'coder_policy.json': JSON.stringify({
        rules: [
          { pattern: '@coder write --file src/ok.js', action: 'allow' },
          { pattern: '@coder write --file src/no.js', action: 'deny' },
        ],
      }),
    });
    const write = (file: string) => call('write', { file, content: '1;\n' });
    const { ran, of, told } = await play({
      place,
      mode: 'default',
      parts: {
        main: [says(tag('coder', 'Write three')), says('Done.')],
        'Write three': [{ calls: [write('src/ok.js'), write('src/no.js'), write('src/ask.js')] }, says('One of three.')],
      },
    });
    expect(existsSync(join(place.workspace, 'src/ok.js'))).toBe(true);
    expect(existsSync(join(place.workspace, 'src/no.js'))).toBe(false);
    expect(existsSync(join(place.workspace, 'src/ask.js'))).toBe(false);
    const results = of('Write three')[1]?.conversation.turns.flatMap((turn) => turn.results) ?? [];
    expect(results.map(({ text }) => /\[BLOCKED BY POLICY\]|\[DENIED\]/.exec(text)?.[0])).toEqual([
      undefined,
      '[BLOCKED BY POLICY]',
      '[DENIED]',
    ]);
    expect(told(1)).toMatch(
      /\[coder\] ended, but calls were denied[\s\S]*Denied: @coder write src\/no\.js[\s\S]*Denied: @coder write src\/ask\.js/,
    );
    expect(ran.json()).toMatchObject({
      status: 'denied',
      denied: [
        { tool: '@coder write', agent: 'coder', summary: 'src/no.js' },
        { tool: '@coder write', agent: 'coder', summary: 'src/ask.js' },
      ],
    });
    expect(ran.code).toBe(3);
  });
});
