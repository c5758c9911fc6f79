/** `chatcli tool` and `chatcli policy check` as a user or a script would call them. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { makePlace, type Place, type RunOptions, runProgram } from '../helpers/run-program.js';

const places: Place[] = [];
afterEach(() => {
  for (const place of places.splice(0)) place.remove();
});

function setup(files: Record<string, string> = { 'a.txt': 'alpha\nbeta\n' }) {
  const place = makePlace({ files });
  places.push(place);
  return { place, run: (args: string[], options: Omit<RunOptions, 'place'> = {}) => runProgram(args, { place, ...options }) };
}

describe('chatcli tool', () => {
  it('takes JSON, words and standard input, and prints what a model would read', async () => {
    const { run } = setup();
    const forms = [
      await run(['tool', '@read', '--', '{"file":"a.txt"}']),
      await run(['tool', '@coder', '--', 'read', '--file', 'a.txt']),
      await run(['tool', '@coder', '--', 'read --file a.txt']),
      await run(['tool', 'read', '--', 'a.txt']),
      await run(['tool', '@read', '--', '-'], { input: '{"file":"a.txt"}' }),
    ];
    for (const ran of forms) expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, forms[0]?.stdout, '']);
    expect(forms[0]?.stdout).toContain('1 | alpha');
  });

  it('puts errors on stderr with exit 1, or in one JSON object', async () => {
    const { run } = setup();
    const plain = await run(['tool', '@read', '--', '{"file":"nope.txt"}']);
    expect([plain.code, plain.stdout]).toEqual([1, '']);
    expect(plain.stderr).toContain('nope.txt');
    const json = await run(['tool', '@read', '--json', '--', '{"file":"nope.txt"}']);
    expect([json.code, json.stderr]).toEqual([1, '']);
    expect(json.json()).toMatchObject({
      isError: true,
      errorCode: expect.any(String),
      output: expect.stringContaining('nope.txt'),
    });
    const fine = await run(['tool', '@read', '--json', '--', '{"file":"a.txt"}']);
    expect(fine.json()).toMatchObject({ isError: false, errorCode: null });
    expect((await run(['tool', '@nothing', '--json', '--', '{}'])).json()).toMatchObject({
      isError: true,
      errorCode: 'NotFound',
    });
  });

  it('tells on stderr what it mended after a process that was killed', async () => {
    const { place, run } = setup({ 'a.txt': 'NEW NEold content', 'a.txt.bak': 'the old content!!' });
    const journal = join(place.home, '.chatcli', 'journal');
    mkdirSync(journal, { recursive: true });
    const backup = join(place.workspace, 'a.txt.bak');
    const restore = { backup, sha256: createHash('sha256').update('the old content!!').digest('hex') };
    const entry = { id: 1, time: Date.now(), path: join(place.workspace, 'a.txt'), temps: [], restore };
    writeFileSync(join(journal, `write-4194399-${'0'.repeat(24)}ab.jsonl`), `${JSON.stringify(entry)}\n`);
    const ran = await run(['tool', '@read', '--', '{"file":"a.txt"}']);
    expect(ran.stdout).toContain('the old content!!');
    expect(ran.stderr).toContain('the bytes from before it were restored');
    expect((await run(['tool', '@read', '--', '{"file":"a.txt"}'])).stderr).toBe('');
  });

  it('lists and describes tools', async () => {
    const { run } = setup();
    const list = await run(['tool', 'list']);
    for (const name of [
      '@coder read',
      '@coder write',
      '@coder patch',
      '@coder tree',
      '@coder search',
      '@coder exec',
      '@coder test',
      '@coder rollback',
      '@coder git-status',
      '@coder git-diff',
      '@read',
      '@search',
      '@tree',
      '@todo',
    ])
      expect(list.stdout).toContain(`${name} `);
    const described = await run(['tool', 'describe', '@coder', 'patch']);
    expect(described.stdout).toContain('search');
    expect((await run(['tool', 'describe', 'nonsense'])).code).toBe(2);
  });

  it('joins calls with --session: the plan stays, and an overwritten file is stale', async () => {
    const { place, run } = setup();
    const todo = (args: unknown, session?: string) =>
      run(['tool', '@todo', ...(session ? ['--session', session] : []), '--', JSON.stringify(args)]);
    await todo({ cmd: 'write', args: { todos: [{ description: 'find the bug' }] } }, 'my session / 1');
    expect((await todo({ cmd: 'list' }, 'my session / 1')).stdout).toContain('find the bug');
    expect((await todo({ cmd: 'list' }, 'another')).stdout).not.toContain('find the bug');
    await todo({ cmd: 'write', args: { todos: [{ description: 'folder plan' }] } });
    expect((await todo({ cmd: 'list' })).stdout).toContain('folder plan');
    await run(['tool', '@read', '--session', 's', '--', '{"file":"a.txt"}']);
    writeFileSync(join(place.workspace, 'a.txt'), 'changed by someone\n');
    const stale = await run([
      'tool',
      '@coder',
      '--session',
      's',
      '--json',
      '--',
      '{"cmd":"write","args":{"file":"a.txt","content":"mine"}}',
    ]);
    expect(stale.json()).toMatchObject({ isError: true, errorCode: 'Stale' });
    expect(readFileSync(join(place.workspace, 'a.txt'), 'utf8')).toBe('changed by someone\n');
    const alone = await run(['tool', '@coder', '--json', '--', '{"cmd":"write","args":{"file":"a.txt","content":"mine"}}']);
    expect(alone.json()).toMatchObject({ isError: false });
  });

  it('caps output, and the spill file can be read by the next call', async () => {
    const { run } = setup();
    const big = await run(['tool', '@coder', '--json', '--', JSON.stringify({ cmd: 'exec', args: { cmd: 'seq 1 200000' } })]);
    const { output } = big.json() as { output: string };
    expect(output.length).toBeLessThanOrEqual(30_000);
    const path = /(\/\S+\.(?:txt|log))/.exec(output)?.[1] ?? '';
    expect(existsSync(path)).toBe(true);
    const more = await run(['tool', '@read', '--', JSON.stringify({ file: path, start: 150000, end: 150001 })]);
    expect(more.stdout).toContain('15000');
    expect(
      (
        await run(['tool', '@coder', '--json', '--', JSON.stringify({ cmd: 'write', args: { file: path, content: 'x' } })])
      ).json(),
    ).toMatchObject({ isError: true });
  });

  it('asks nobody: deny and dangerous stand, immune is denied without a terminal', async () => {
    const { place, run } = setup();
    mkdirSync(join(place.home, '.ssh'));
    writeFileSync(join(place.home, '.ssh/id_rsa'), 'PRIVATE');
    const key = await run(['tool', '@read', '--json', '--', JSON.stringify({ file: '~/.ssh/id_rsa' })]);
    expect(key.json()).toMatchObject({ isError: true, errorCode: 'Sensitive' });
    expect(key.stdout).not.toContain('PRIVATE');
    const denied = await run([
      'tool',
      '@coder',
      '--json',
      '--deny',
      '@coder write',
      '--',
      '{"cmd":"write","args":{"file":"x","content":"y"}}',
    ]);
    expect(denied.json()).toMatchObject({ isError: true, errorCode: 'Blocked' });
    expect((await run(['tool', '@coder', '--json', '--', '{"cmd":"exec","args":{"cmd":"rm -rf /"}}'])).json()).toMatchObject({
      isError: true,
      errorCode: 'Blocked',
    });
    expect(
      (
        await run([
          'tool',
          '@coder',
          '--permission-mode',
          'plan',
          '--json',
          '--',
          '{"cmd":"write","args":{"file":"x","content":"y"}}',
        ])
      ).json(),
    ).toMatchObject({ isError: true });
    expect(existsSync(join(place.workspace, 'x'))).toBe(false);
  });

  it('works on a further folder only with --add-dir', async () => {
    const { place, run } = setup();
    mkdirSync(join(place.root, 'more'));
    writeFileSync(join(place.root, 'more/b.txt'), 'beside\n');
    expect((await run(['tool', '@read', '--json', '--', '{"file":"../more/b.txt"}'])).json()).toMatchObject({
      errorCode: 'OutsideWorkspace',
    });
    expect((await run(['tool', '@read', '--add-dir', '../more', '--', '{"file":"../more/b.txt"}'])).stdout).toContain('beside');
  });
});

describe('chatcli policy', () => {
  it.each([
    ['git status', 0, 'allow'],
    ['npm install', 3, 'ask'],
    ['sudo ls', 3, 'immune'],
    ['rm -rf /', 4, 'deny'],
  ])('check %s', async (command, code, verdict) => {
    const { run } = setup();
    const text = await run(['policy', 'check', '--', command]);
    expect([text.code, text.stdout.split('\n')[0]]).toEqual([code, verdict]);
    const json = await run(['policy', 'check', '--json', '--', command]);
    expect(json.code).toBe(code);
    expect(json.json()).toMatchObject({ verdict, reason: expect.any(String) });
  });

  it('checks tool calls, rules and modes', async () => {
    const { place, run } = setup();
    const check = async (args: string[]) => {
      const ran = await run(['policy', 'check', ...args]);
      return `${ran.stdout.split('\n')[0]} ${ran.code}`;
    };
    expect(await check(['--tool', '@read', '--', '{"file":"a.txt"}'])).toBe('allow 0');
    expect(await check(['--tool', '@coder', '--', '{"cmd":"write","args":{"file":"a.txt","content":"x"}}'])).toBe('ask 3');
    expect(await check(['--tool', '@read', '--', '{"file":"/etc/shadow"}'])).toBe('deny 4');
    expect(await check(['--tool', '@read', '--', '{"file":"../x"}'])).toBe('deny 4');
    expect(await check(['--tool', '@read', '--', '{"file":"~/.ssh/id_rsa"}'])).toBe('immune 3');
    expect(await check(['--tool', '@coder', '--', '{"cmd":"write","args":{"file":".git/config","content":"x"}}'])).toBe('deny 4');
    expect(await check(['--permission-mode', 'auto', '--', 'npm install'])).toBe('allow 0');
    expect(await check(['--permission-mode', 'plan', '--', 'npm install'])).toBe('deny 4');
    expect(await check(['--allow', '@coder exec npm install', '--', 'npm install x'])).toBe('allow 0');
    mkdirSync(join(place.home, '.chatcli'), { recursive: true });
    writeFileSync(
      join(place.home, '.chatcli/coder_policy.json'),
      JSON.stringify({ rules: [{ pattern: '@coder exec --cmd git status', action: 'deny' }] }),
    );
    expect(await check(['--', 'git status'])).toBe('deny 4');
    expect((await run(['policy', 'list'])).stdout).toContain('@coder exec --cmd git status');
    expect((await run(['policy', 'check', '--', ''])).code).toBe(2);
    // Several words are the words of one command, as they were quoted; one is a command line.
    expect(await check(['--', 'echo', 'a; rm -rf build'])).toBe('allow 0');
    expect(await check(['--', 'echo', "it's; sudo ls"])).toBe('allow 0');
    expect(await check(['--', 'rm', '-rf', 'build'])).toBe('immune 3');
    expect(await check(['--', 'echo a; rm -rf build'])).toBe('immune 3');
    expect((await run(['policy', 'check', '--', 'ls src && ls'])).stdout).not.toContain('part:');
    const spoken = await run(['policy', 'explain', '--', 'touch x && if'], { env: { CHATCLI_LANG: 'pt-BR' } });
    expect(spoken.stdout).toMatch(/motivo: [\s\S]*passo: /);
    expect(spoken.stdout).not.toMatch(/reason:|step:|expected/);
  });
});

describe('help', () => {
  it('is there at every level, in both languages, without a stack or an empty line of help', async () => {
    const { run } = setup();
    for (const words of [
      [],
      ['coder'],
      ['agent'],
      ['tool'],
      ['policy'],
      ['policy', 'check'],
      ['policy', 'list'],
      ['replay'],
      ['demo'],
    ]) {
      for (const flag of ['-h', '--help']) {
        const ran = await run([...words, flag]);
        expect([words, ran.code, ran.stderr]).toEqual([words, 0, '']);
        expect(ran.stdout).toMatch(/^Usage: chatcli/);
      }
    }
    expect((await run(['coder', '-h'], { env: { CHATCLI_LANG: 'pt-BR' } })).stdout).toContain('executa');
    expect((await run(['--version'])).stdout).toMatch(/^chatcli \d+\.\d+\.\d+\n$/);
  });
});
