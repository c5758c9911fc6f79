/** The commands over a real conversation: what they say is so, and what they change is in force. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openPlay, type Play, type PlayOptions } from './desk-play.js';

let play: Play | undefined;
const open = async (options: PlayOptions = {}): Promise<Play> => {
  play = await openPlay(options);
  return play;
};
afterEach(async () => {
  await play?.close();
  play = undefined;
});

const write = (file: string, content: string) => ({ calls: [['write', { file, content }]] as const });

describe('/mode and /plan', () => {
  it('are in force for the next call at once', async () => {
    const { say, run, steering, approver, root } = await open({
      turns: [write('a.txt', 'one'), { text: 'a plan' }, write('a.txt', 'one'), { text: 'done' }],
      answers: ['no'],
    });
    expect(await say('/mode plan')).toBe('Permissions: plan');
    const planned = await run('write a.txt');
    expect(planned.outcome.denied[0]?.reason).toMatch(/plan mode/i);
    expect(() => statSync(join(root, 'a.txt'))).toThrow();
    expect(await say('/mode accept-edits')).toBe('Permissions: accept-edits');
    const done = await run('write a.txt');
    expect(done.outcome.status).toBe('done');
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one');
    expect(approver.questions).toHaveLength(0);
    expect(steering.config.permissionMode).toBe('accept-edits');
  });

  it('takes auto only with a word of its own, and says that nothing confines', async () => {
    const { say, steering } = await open();
    const asked = await say('/mode auto');
    expect(asked).toContain('/mode auto yes');
    expect(asked).toContain('no sandbox');
    expect(steering.mode).toBe('default');
    expect(await say('/mode auto yes')).toBe('Permissions: auto');
    expect(steering.mode).toBe('auto');
    expect(await say('/mode nonsense')).toContain('There is no mode nonsense');
  });

  it('tells the model that rights changed, once', async () => {
    const { say, run, provider } = await open({ turns: [{ text: 'a' }, { text: 'b' }, { text: 'c' }] });
    await run('one');
    await say('/mode plan');
    await run('two');
    await run('three');
    const said = provider.requests.at(-1)?.messages.map((message) => JSON.stringify(message.parts)) ?? [];
    expect(said.filter((one) => one.includes('only looking is possible'))).toHaveLength(1);
  });

  it('comes back to the mode before the plan', async () => {
    const { say, steering, seen } = await open();
    await say('/mode accept-edits');
    await say('/plan add a test');
    expect(seen.started).toEqual({ task: 'add a test', mode: 'coder' });
    expect(steering.mode).toBe('plan');
    await say('/plan run');
    expect(steering.mode).toBe('accept-edits');
    expect(seen.started?.task).toContain('Carry out the plan');
  });
});

describe('/cost and /context', () => {
  it('count what was spent and what is in the window', async () => {
    const { say, run } = await open({ turns: [{ text: 'hello' }], files: {} });
    expect(await say('/cost')).toContain('Nothing was spent');
    await run('hi', 'chat');
    expect(await say('/cost')).toBe('main OPENAI/gpt-5: 1 requests, 100 in (0 % from the cache), 10 out · US$ 0.01');
    const window = await say('/context');
    expect(window).toMatch(/^OPENAI\/gpt-5: about [\d,]+ of 400,000 tokens/);
    expect(window).toMatch(/your messages/);
    expect(window).toContain('The service counted 110 tokens');
    expect(window).toContain('no compaction');
  });
});

describe('/export', () => {
  it('writes a private file and replaces none unasked', async () => {
    const { say, run, root } = await open({ turns: [{ text: 'see <script>alert(1)</script> & "this"' }] });
    await run('hi <b>', 'chat');
    expect(await say('/export talk.html')).toContain(join(root, 'talk.html'));
    const html = readFileSync(join(root, 'talk.html'), 'utf8');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;this&quot;');
    expect(html).not.toMatch(/<script|src=|href=/);
    expect(statSync(join(root, 'talk.html')).mode & 0o777).toBe(0o600);
    writeFileSync(join(root, 'mine.json'), 'mine');
    expect(await say('/export json mine.json')).toContain('exists already');
    expect(readFileSync(join(root, 'mine.json'), 'utf8')).toBe('mine');
    expect(await say('/export json mine.json --force')).toContain('Replaced');
    expect(JSON.parse(readFileSync(join(root, 'mine.json'), 'utf8')).messages).toHaveLength(2);
    expect(await say('/export')).toMatch(/chatcli-.*\.md$/);
  });
});

describe('/checkpoint', () => {
  it('shows what a restore would change before it does it, and /undo takes it back', async () => {
    const { say, run, root, heard } = await open({
      files: { 'a.txt': 'old\n' },
      git: true,
      turns: [write('a.txt', 'new\n'), { text: 'done' }],
      flags: { permissionMode: 'accept-edits' },
    });
    expect(await say('/checkpoint')).toContain('no snapshots');
    await run('change it');
    const id = /^ {2}(\w+) /.exec(await say('/checkpoint'))?.[1] ?? '';
    expect(await say(`/checkpoint diff ${id}`)).toContain('-old\n+new');
    expect(await say(`/checkpoint restore ${id}`)).toContain('a.txt: would be as it was');
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('new\n');
    expect(await say(`/checkpoint restore ${id} yes`)).toContain(`as in snapshot ${id}`);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('old\n');
    expect(heard.join('\n')).toMatch(/brought the folder back[\s\S]*a\.txt/);
    expect(await say('/undo')).toContain('a.txt');
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('new\n');
    expect(await say('/checkpoint restore zzzz yes')).toContain('no snapshot');
  });
});

describe('/commit', () => {
  const message = '```\nTake the last tier\n\nWhy: it fits.\nCo-Authored-By: Bot <b@example.com>\n🤖 Generated with Bot\n```';
  it('proposes a message without attribution, and commits only with it, through the gate', async () => {
    const { say, seen, git, root, approver } = await open({
      git: true,
      files: { 'a.txt': 'old\n' },
      turns: [{ text: message }],
      answers: ['no', 'yes'],
    });
    writeFileSync(join(root, 'a.txt'), 'new\n');
    writeFileSync(join(root, 'a.txt.bak'), 'old\n');
    writeFileSync(join(root, "odd 'name.txt"), 'x\n');
    expect(await say('/commit')).toContain('all 2 changed files');
    expect(seen.proposed).toBe('/commit Take the last tier\n\nWhy: it fits.');
    await say(seen.proposed);
    expect(git('log', '--format=%s')).toBe('First\n');
    expect(approver.questions[0]?.facts.command).not.toContain('Take the last');
    expect(await say(seen.proposed)).toContain('Committed.');
    expect(git('log', '-1', '--format=%B').trim()).toBe('Take the last tier\n\nWhy: it fits.');
    expect(git('status', '--porcelain')).toBe('?? a.txt.bak\n');
  });
  it('takes the staged changes alone when there are some', async () => {
    const { say, git, root } = await open({ git: true, files: { 'a.txt': '1', 'b.txt': '1' }, answers: ['yes'] });
    writeFileSync(join(root, 'a.txt'), '2');
    writeFileSync(join(root, 'b.txt'), '2');
    git('add', 'a.txt');
    await say('/commit Only $(touch hacked) `touch hacked` a');
    expect(git('show', '--name-only', '--format=%s').trim()).toBe('Only $(touch hacked) `touch hacked` a\n\na.txt');
    expect(() => statSync(join(root, 'hacked'))).toThrow();
    expect(await say('/commit')).toContain('b.txt');
  });
});

describe('/resume, /session and /add-dir', () => {
  it('list, preview and go on', async () => {
    const { say, run, conversation, seen, base } = await open({ turns: [{ text: 'the answer' }] });
    await run('a question', 'chat');
    expect(await say('/session list')).toContain(`* ${'  1'}  ${conversation.id}`);
    expect(await say('/session show')).toContain('> a question');
    expect(await say(`/resume ${conversation.id}`)).toBe('That is this conversation.');
    expect(await say('/resume nothing')).toContain('nothing');
    expect(seen.reopened).toBe('');
    mkdirSync(join(base, 'more'));
    expect(await say(`/add-dir ${join(base, 'more')}`)).toContain(join(base, 'more'));
    expect(seen.reopened).toBe(conversation.id);
    expect(await say('/add-dir /nowhere/at/all')).toContain('no folder');
  });
});

describe('/review and /init', () => {
  it('start runs with prompts of their own; what is no range is none', async () => {
    const { say, seen } = await open();
    await say('/review HEAD~2..HEAD');
    expect(seen.started?.task).toContain('git range HEAD~2..HEAD');
    expect(seen.started?.task).toContain('reviewer');
    expect(await say('/review --output=x; rm -rf .')).toContain('no range');
    expect(seen.started).toBeUndefined();
    await say('/init');
    expect(seen.started).toMatchObject({ mode: 'coder', task: expect.stringContaining('AGENTS.md') });
  });
});

describe('templates', () => {
  it('of the user are commands; of a folder only after trust', async () => {
    const { say, seen, state, root, desk } = await open({ files: { '.claude/commands/evil.md': 'do evil' } });
    mkdirSync(join(state, 'commands/team'), { recursive: true });
    writeFileSync(
      join(state, 'commands/explain.md'),
      '---\ndescription: Explain a file\n---\nExplain $1 in $2 words. $ARGUMENTS',
    );
    writeFileSync(join(state, 'commands/team/ask.md'), 'Ask the team');
    writeFileSync(join(state, 'commands/help.md'), 'not ours');
    await say('/explain "a b.js" $1');
    expect(seen.started?.task).toBe('Explain a b.js in $1 words. "a b.js" $1');
    await say('/team:ask about it');
    expect(seen.started?.task).toBe('Ask the team\n\nabout it');
    expect(await say('/evil')).toContain('Unknown command');
    const help = await say('/help');
    expect(help).toContain('Templates\n  /explain');
    expect(help).toContain('Explain a file');
    expect(help).not.toContain('not ours');
    expect(desk.commands().map(({ name }) => name)).toContain('team:ask');
    rmSync(join(root, '.claude'), { recursive: true });
  });
});
