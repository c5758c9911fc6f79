/** What the list of an agent from a file lets it do: commands and paths, whatever rules and modes say. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mapTools } from '../../src/agents/shared/tool-map.js';
import { refusedByList } from '../../src/app/agent-commands.js';
import { TOOLS } from '../../src/tools/registry.js';
import type { JsonObject } from '../../src/types/json.js';
import type { PolicyContext } from '../../src/types/policy.js';
import { english } from '../../src/types/reason.js';
import type { WorkerAgent } from '../../src/types/worker.js';
import { type OpenWorkspace, openWorkspace } from '../../src/workspace/open-workspace.js';

let top = '';
let workspace: OpenWorkspace;
let context: PolicyContext;
beforeAll(async () => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'chatcli-lists-')));
  for (const folder of ['ws/docs/deep', 'ws/src/docs', 'home/.chatcli', 'scratch'])
    mkdirSync(join(top, folder), { recursive: true });
  writeFileSync(join(top, 'ws/src/a.js'), '1\n');
  writeFileSync(join(top, 'ws/docs/a.md'), '1\n');
  symlinkSync('../src/a.js', join(top, 'ws/docs/link.js'));
  const [home, state, scratch] = [join(top, 'home'), join(top, 'home/.chatcli'), join(top, 'scratch')];
  workspace = await openWorkspace({ root: join(top, 'ws'), addDirs: [], home, state, scratch, env: {} });
  const { root, roots } = workspace;
  const rules = { rules: [], broken: [] };
  context = { rules, mode: 'auto', home, root, roots, allowUnsafe: false, locate: (path) => workspace.locate(path) };
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

function refusal(tools: readonly string[], tool: string, args: JsonObject, without?: readonly string[]): string | undefined {
  const { tools: mapped, commands, paths, readOnly, withheld } = mapTools(tools, { without });
  const limits = { ...(commands.length > 0 ? { commands } : {}), paths, ...(without ? { withheld } : {}) };
  const agent: WorkerAgent = {
    name: 'a',
    description: '',
    prompt: '',
    skills: [],
    tools: mapped,
    readOnly,
    contract: 'general',
    ...limits,
  };
  const facts = TOOLS.find(({ name }) => name === tool)?.facts(args);
  if (!facts) throw new Error(`no tool ${tool}`);
  const call = { id: '1', tool, args, source: 'native', agent: 'a' } as const;
  const [reads, writes] = [facts.reads, facts.writes].map((paths) => paths.map((path) => workspace.locate(path)));
  const why = refusedByList(agent, { call, facts, reads: reads ?? [], writes: writes ?? [] }, context);
  return why && english(why);
}
const runs = (tools: readonly string[], cmd: string) => refusal(tools, '@coder exec', { cmd });

describe('what was taken away', () => {
  it('is refused by every route: scripts call tools that the agent does not have', () => {
    const gone = (tool: string, args: JsonObject, without: string) => refusal(['Read', 'Bash', 'Write'], tool, args, [without]);
    expect(gone('@coder exec', { cmd: 'ls' }, 'Bash')).toBe('exec was taken from the agent a by its file');
    expect(gone('@coder test', {}, 'Bash')).toBe('test was taken from the agent a by its file');
    expect(gone('@coder patch', { file: 'src/a.js', search: '1', replace: '2' }, 'Write')).toBe(
      'write was taken from the agent a by its file',
    );
    expect(gone('@coder write', { file: 'x', content: '' }, 'Edit')).toBeUndefined();
    expect(gone('@coder read', { file: 'src/a.js' }, 'Bash')).toBeUndefined();
    expect(gone('@coder read', { file: 'src/a.js' }, 'Read')).toBe('read was taken from the agent a by its file');
  });
});

describe('commands in brackets', () => {
  const LOG = ['Read', 'Bash(git log:*)', 'Bash(npm run test:*)'];

  it.each([
    'git log',
    'git log -5 --oneline',
    'git log src',
    'npm run test',
    'npm run test -- x',
    'git log && git log -1',
    'cd src && git log',
  ])('may be run: %s', (cmd) => expect(runs(LOG, cmd)).toBeUndefined());

  it.each([
    'ls',
    'cat package.json',
    'git log | cat',
    'git logs',
    'git status',
    'git log; touch x',
    'git log && ls',
    'git log $(touch x)',
    'git log > x',
    'git log --output=x',
    'git log --output x',
    'git log --format="a b" --output=x',
    "git log --format='a' --output='x y'",
    'npm run build',
    'npm test',
    'sh -c "git log"',
    'cd src',
    'cd / && git log',
    'GIT_EXTERNAL_DIFF=./x git log -p',
    'git -c core.pager=./x log',
    '',
    '# git log',
  ])('are the only ones: %j', (cmd) => {
    if (cmd === 'sh -c "git log"')
      return expect(runs(LOG, cmd) === undefined || runs(LOG, cmd)?.includes('may only run')).toBe(true);
    return expect(runs(LOG, cmd)).toMatch(/^the agent a may only run: git log:\*, npm run test:\*/);
  });

  it.each([
    [['Bash(sort:*)'], 'sort a.txt', true],
    [['Bash(sort:*)'], 'sort -o b.txt a.txt', false],
    [['Bash(find:*)'], 'find . -name x', true],
    [['Bash(find:*)'], 'find . -delete', false],
    [['Bash(sed:*)'], 'sed -i s/a/b/ x', false],
    [['Bash(sed -i:*)'], 'sed -i s/a/b/ x', true],
    [['Bash(git diff:*)'], 'git diff --output=x', false],
    [['Bash(git commit:*)'], 'git commit -m "a b"', true],
    [['Bash(git branch:*)'], 'git branch -D old', true],
    [['Bash(npm:*)'], 'npm run build --if-present', true],
    [['Bash(git:*)'], 'git commit -am x', true],
    [['Bash(git log:*)', 'Bash'], 'touch x', true],
    [['Bash'], 'touch x', true],
  ] as const)('%j: %s: %s', (tools, cmd, may) => {
    expect(runs(tools, cmd) === undefined).toBe(may);
  });

  it('hold for tests too: what a test script would run is not known before', () => {
    expect(refusal(LOG, '@coder test', {})).toContain('may only run');
    expect(refusal(LOG, '@coder test', { dir: 'src', pattern: '*.js' })).toContain('may only run');
    expect(refusal(LOG, '@coder test', { cmd: 'npm run test' })).toBeUndefined();
    expect(refusal(LOG, '@coder test', { cmd: 'touch x' })).toContain('may only run');
    expect(refusal([...LOG, 'test'], '@coder test', {})).toBeUndefined();
    expect(refusal(['Bash'], '@coder test', {})).toBeUndefined();
  });
});

describe('paths in brackets', () => {
  const write = (tools: readonly string[], file: string) => refusal(tools, '@coder write', { file, content: 'x' });

  it.each([
    ['Write(docs/**)', 'docs/new.md', true],
    ['Write(docs/**)', 'docs/deep/new.md', true],
    ['Write(docs/**)', 'src/new.md', false],
    ['Write(docs/**)', 'src/docs/new.md', false],
    ['Write(docs/**)', 'docs/../src/a.js', false],
    ['Write(docs/**)', 'docs/link.js', false],
    ['Write(docs/**)', '/etc/docs/x', false],
    ['Write(docs)', 'docs/deep/x', true],
    ['Write(/docs/**)', 'docs/x', true],
    ['Write(./docs/)', 'docs/x', true],
    ['Write(docs/*.md)', 'docs/x.md', true],
    ['Write(docs/*.md)', 'docs/deep/x.md', false],
    ['Write(docs/*)', 'docs/deep/x.md', false],
    ['Write(*.md)', 'docs/deep/x.md', true],
    ['Write(*.md)', 'docs/x.js', false],
    ['Write(*.{md,txt})', 'x.txt', true],
    ['Write(~/notes/**)', 'docs/x', false],
    ['Write(../**)', 'docs/x', false],
    ['Write(docs/**, src/a.js)', 'src/a.js', true],
    ['Write', 'src/a.js', true],
  ])('%s, %s: %s', (tool, file, may) => {
    expect(write([tool], file) === undefined).toBe(may);
  });

  it('are absolute where they begin with the workspace or with two strokes', () => {
    expect(write([`Write(${join(top, 'ws/docs')}/**)`], 'docs/x')).toBeUndefined();
    expect(write([`Write(/${join(top, 'ws/docs')}/**)`], 'docs/x')).toBeUndefined();
    expect(write([`Write(/${join(top, 'ws/docs')}/**)`], 'src/x')).toContain('may use write only on');
  });

  it('hold for each file of a call, for reading and for folders', () => {
    const edit = (file: string) => ({ file, search: 'a', replace: 'b' });
    const edits = (tools: readonly string[], files: readonly string[]) =>
      refusal(tools, '@coder multipatch', { edits: files.map(edit) });
    expect(edits(['MultiEdit(docs/**)'], ['docs/a.md', 'docs/b.md'])).toBeUndefined();
    expect(edits(['MultiEdit(docs/**)'], ['docs/a.md', 'src/a.js'])).toContain('src/a.js is not among them');
    expect(refusal(['Edit(docs/**)'], '@coder patch', edit('src/a.js'))).toBeDefined();
    expect(refusal(['Read(src/**)'], '@coder read', { file: 'src/a.js' })).toBeUndefined();
    expect(refusal(['Read(src/**)'], '@coder read', { file: 'docs/a.md' })).toBeDefined();
    expect(refusal(['Grep(src/**)'], '@coder search', { term: 'x', dir: 'src' })).toBeUndefined();
    expect(refusal(['Grep(src/**)'], '@coder search', { term: 'x' })).toBeDefined();
    expect(refusal(['Glob(src/**)'], '@coder tree', {})).toBeDefined();
  });

  it('bind what other tools would write beside them', () => {
    expect(refusal(['Edit(docs/**)'], '@rename', { old: 'a', new: 'b', file: 'src/a.js' })).toBeDefined();
  });
});
