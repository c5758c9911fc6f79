/** The whole way of a task through specialists: over HTTP, on a real repository whose files and tests really change. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { call, closeAll, play, says, tag } from '../helpers/agents-play.js';
import type { Line } from '../helpers/wire/crew.js';
import type { Reply, WireRequest } from '../helpers/wire/script.js';

afterEach(closeAll);

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
