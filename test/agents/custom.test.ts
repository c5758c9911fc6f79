/** Agents from Markdown files: what their front matter means, and what of it cannot be used. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAgentRegistry, RESERVED, SPECIALISTS } from '../../src/agents/registry.js';
import { customAgent } from '../../src/agents/shared/agent-file.js';
import { loadCustomAgents } from '../../src/agents/shared/load.js';
import { mapTools } from '../../src/agents/shared/tool-map.js';
import { warningText } from '../../src/app/custom-agents.js';
import { fileReason } from '../../src/app/file-reason.js';
import { english } from '../../src/types/reason.js';

const AUDITOR = `---
name: "security-auditor"
description: "Especialista em segurança com foco em OWASP Top 10"
tools: Read, Grep, Glob
skills:
  - owasp-rules
  - compliance
---
# Personalidade Base

Você é um Security Auditor especialista.
`;

describe('the example of the documentation', () => {
  it('is a read-only agent with its skills', async () => {
    const { agent, warnings } = await customAgent(AUDITOR, '/a/security-auditor.md', 'x');
    expect(warnings).toEqual([]);
    expect(agent).toMatchObject({
      name: 'security-auditor',
      description: 'Especialista em segurança com foco em OWASP Top 10',
      tools: ['read', 'search', 'tree'],
      skills: ['owasp-rules', 'compliance'],
      readOnly: true,
      origin: '/a/security-auditor.md',
    });
    expect(agent.prompt).toMatch(/^# Personalidade Base[\s\S]*especialista\.$/);
  });
});

describe('tools', () => {
  it.each([
    ['Read', ['read'], true],
    ['grep', ['search'], true],
    ['Glob', ['tree'], true],
    ['Bash', ['exec', 'test', 'git-status', 'git-diff', 'git-log', 'git-changed', 'git-branch'], false],
    ['Write', ['write'], false],
    ['Edit', ['patch'], false],
    ['MultiEdit', ['patch', 'multipatch'], false],
    ['git-log', ['git-log'], true],
    ['git-status', ['git-status'], true],
    ['rollback', ['rollback'], false],
    ['TodoWrite', ['@todo'], true],
    ['Bash(*)', ['exec', 'test', 'git-status', 'git-diff', 'git-log', 'git-changed', 'git-branch'], false],
    ['Write(**)', ['write'], false],
  ] as const)('%s', (name, tools, readOnly) => {
    expect(mapTools([name])).toEqual({ tools, commands: [], paths: {}, withheld: [], readOnly, warnings: [] });
  });

  it('keep what Bash is for, unless Bash stands there whole', () => {
    expect(mapTools(['Read', 'Bash(git log:*)', 'Bash(npm test)']).commands).toEqual(['git log:*', 'npm test']);
    expect(mapTools(['Bash(git log:*)', 'Bash']).commands).toEqual([]);
  });

  it('with commands named are these alone: no test runner comes with them', () => {
    expect(mapTools(['Read', 'Bash(git log:*)']).tools).toEqual(['read', 'exec']);
    expect(mapTools(['Bash(git log:*)', 'test']).tools).toEqual(['exec', 'test']);
  });

  it.each([
    'Bash()',
    'Bash( )',
    'Bash(:*)',
    'Bash( :* )',
    'Shell(:)',
    'Write()',
    'Edit( )',
    'Read(,)',
    'lsp(x)',
    'git-log(src)',
    'TodoWrite(x)',
  ])('that name no limit that can be kept are left out and said: %s', (item) => {
    const mapped = mapTools(['Glob', item]);
    expect(mapped).toMatchObject({ tools: ['tree'], commands: [], paths: {}, readOnly: true });
    expect(mapped.warnings.map(english)).toEqual([expect.stringMatching(/left out$/)]);
    expect(mapTools([item])).toMatchObject({ tools: ['read', 'search', 'tree'], readOnly: true });
  });

  it('keep the paths they are for, unless the tool stands there whole, before or after', () => {
    expect(mapTools(['Write(docs/**)', 'Edit(src/**, test/**)', 'Edit(x.md)', 'Read']).paths).toEqual({
      write: ['docs/**'],
      patch: ['src/**', 'test/**', 'x.md'],
    });
    expect(mapTools(['Write(docs/**)', 'Write', 'Write(src)']).paths).toEqual({});
    expect(mapTools(['MultiEdit(a/**)']).paths).toEqual({ patch: ['a/**'], multipatch: ['a/**'] });
  });

  it('that are missing or unknown leave reading alone', () => {
    for (const given of [undefined, [], ['Teleport'], ['Agent']]) {
      expect(mapTools(given)).toMatchObject({ tools: ['read', 'search', 'tree'], readOnly: true });
    }
    expect(mapTools(['Teleport']).warnings.map(english)).toEqual([
      'the tool Teleport is not known and is left out',
      'none of its tools is known, so it may only read, search and list',
    ]);
    expect(mapTools(['constructor', '__proto__', 'toString']).readOnly).toBe(true);
  });
});

describe('what a file takes away', () => {
  const of = async (front: string) => {
    const { agent, warnings } = await customAgent(`---\n${front}\n---\nBody`, 'f', 'n');
    return { agent, said: warnings.map(english) };
  };

  it('wins over what it gives, whatever the order and the spelling', async () => {
    const { agent, said } = await of('disallowedTools: Bash, Task, WebFetch\ntools: Read, Bash, Write');
    expect(agent).toMatchObject({ tools: ['read', 'write'], readOnly: false });
    expect(agent.withheld).toContain('exec');
    expect(said).toEqual([]);
    const list = await of('tools: [Edit, MultiEdit, Bash(git log:*)]\ndisallowed-tools: [Edit, Bash(git push:*)]');
    expect(list.agent).toMatchObject({ tools: [], readOnly: true });
    expect(list.agent.commands).toBeUndefined();
    expect(list.said).toEqual(['a part of a tool cannot be taken away, so for Bash(git push:*) all of it is']);
    expect((await of('disallowedTools: Grep')).agent.tools).toEqual(['read', 'tree']);
    expect((await of('tools: Read\ndisallowedTools: Bsh')).said).toEqual(['the tool Bsh that is to be taken away is not known']);
  });

  it('may be all that changes something', async () => {
    for (const key of ['permissionMode', 'permission-mode', 'permission_mode']) {
      const { agent, said } = await of(`tools: Read, Bash, Write(docs/**), git-log\n${key}: plan`);
      expect(agent).toMatchObject({ readOnly: true });
      expect(agent.tools).toEqual(expect.arrayContaining(['read', 'git-log']));
      expect(agent.tools).not.toEqual(expect.arrayContaining(['exec']));
      expect(agent.tools).not.toEqual(expect.arrayContaining(['write']));
      expect(said).toEqual([]);
    }
    const unclear = await of('tools: Bash, Write\ndisallowedTools:\n  Bash: true');
    expect(unclear.agent.readOnly).toBe(true);
    expect(unclear.said).toEqual(['disallowedTools is no list of names, so the agent may only read']);
  });

  it.each(['acceptEdits', 'bypassPermissions', 'dontAsk', 'auto', 'odd'])('never gives more: %s', async (mode) => {
    const { agent, said } = await of(`tools: Read\npermissionMode: ${mode}`);
    expect(agent).toMatchObject({ tools: ['read'], readOnly: true });
    expect(said).toEqual([`permissionMode ${mode} changes nothing: only plan does, otherwise the rights of the run hold`]);
  });

  it('may be turns, and what means nothing here is named in one line', async () => {
    expect((await of('maxTurns: 2')).agent.limits).toEqual({ turns: 2 });
    for (const odd of ['0', '-1', 'many', '1.5', '1000', '[3]']) {
      const { agent, said } = await of(`maxTurns: ${odd}`);
      expect(agent.limits).toBeUndefined();
      expect(said).toEqual(['maxTurns is no whole number from 1 to 200, so it does not count']);
    }
    const { said } = await of('color: red\nhooks: {}\nmemory: user\nmcpServers: [a]');
    expect(said).toEqual(['these fields mean nothing here: hooks, memory, mcpServers']);
  });
});

describe('front matter', () => {
  it('may be a sequence, a string with commas, or missing', async () => {
    const list = await customAgent('---\ntools: [Read, "Bash(git diff:*, x)"]\n---\nBody', 'f', 'n');
    expect(list.agent.commands).toEqual(['git diff:*, x']);
    const text = await customAgent('---\ntools: Read, Bash(a, b)\n---\nBody', 'f', 'n');
    expect(text.agent.commands).toEqual(['a, b']);
    const none = await customAgent('# A reviewer of prose\nBody', 'f', 'prose');
    expect(none.agent).toMatchObject({ name: 'prose', description: 'A reviewer of prose', readOnly: true });
  });

  it.each([
    ['---\nname: x\nBody', 'no closing line'],
    ['---\nname: [x\n---\nBody', 'no valid YAML'],
    ['---\n- a\n---\nBody', 'must be fields'],
    ['---\nname: x\n---\n \n', 'no text behind'],
    ['---\nname: "../../etc"\n---\nBody', 'is no name'],
    ['---\na: &a [x]\nb: *a\n---\nBody', 'aliases'],
  ])('that is wrong says so: %j', async (text, message) => {
    await expect(customAgent(text, 'f', 'n')).rejects.toThrow(message);
  });

  it('as other agents write it: text with a colon, quotes and examples in a description', async () => {
    const text =
      '---\nname: code-reviewer\ndescription: Use this agent when code was written. Examples: <example>Context: it is done. user: "Look: it works"</example>\ntools: Read, Grep\nmodel: sonnet\ncolor: blue\n---\nYou review.';
    const { agent, warnings } = await customAgent(text, 'f', 'n');
    expect(agent).toMatchObject({ name: 'code-reviewer', tools: ['read', 'search'], readOnly: true });
    expect(agent.description).toMatch(/^Use this agent when code was written\. Examples: <example>Context: .*<\/example>$/);
    expect(agent.model).toBeUndefined();
    expect(warnings.map(english)).toEqual(['sonnet is a family of models and no model, so the model in use is taken']);
    const quoted = await customAgent(
      '---\ndescription: "a" and: "b"\ntools:\n  - Read\n  - Bash(git log:*)\n---\nBody',
      'f',
      'n',
    );
    expect(quoted.agent).toMatchObject({ description: '"a" and: "b"', tools: ['read', 'exec'], commands: ['git log:*'] });
  });

  it.each([
    '---\ndescription: a: b\ntools: Read\ntools: Bash\n---\nBody',
    '---\ndescription: a: b\ntools: [Read\n---\nBody',
    '---\n- x\ndescription: a: b\n---\nBody',
  ])('with more that is wrong than such a text is refused: %j', async (text) => {
    await expect(customAgent(text, 'f', 'n')).rejects.toThrow('no valid YAML');
  });

  it.each([
    ['haiku', undefined],
    ['Opus', undefined],
    ['inherit', undefined],
    ['gpt-5', 'gpt-5'],
    ['claude-sonnet-4', 'claude-sonnet-4'],
  ])('a model %s is %s', async (model, own) => {
    expect((await customAgent(`---\nmodel: ${model}\n---\nBody`, 'f', 'n')).agent.model).toBe(own);
  });

  it('says which isolation is none, and keeps names and texts on one line and short', async () => {
    const { agent, warnings } = await customAgent(
      `---\nisolation: container\ndescription: "a\\n\\u202Eb ${'long '.repeat(10_000)}"\n---\nBody`,
      '/a/x\ny.md',
      'n',
    );
    expect(warnings.map(english)).toEqual(['the isolation container is not known; there is worktree']);
    expect(agent.description).toMatch(/^a b long /);
    expect(agent.description.length).toBeLessThan(2002);
    expect(agent.origin).toBe('/a/x\\ny.md');
  });

  it('cannot run code', async () => {
    await expect(customAgent('---\nname: !!js/function "function(){}"\n---\nBody', 'f', 'n')).rejects.toThrow('YAML');
  });
});

describe('folders', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'agents-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text);

  it('give their agents; reserved and second names are left out with a reason', async () => {
    mkdirSync(join(folder, 'below/deep'), { recursive: true });
    mkdirSync(join(folder, '.more'));
    put('.more/a.md', '---\nname: same\n---\nsecond');
    put('below/deep/a.md', '---\nname: same\n---\nbelow');
    put('below/deep/own.md', 'Below.');
    put('coder.md', 'I am the coder now');
    put('one.md', '---\nname: same\n---\nfirst');
    put('bad.md', '---\nname: x\n');
    put('notes.txt', 'nothing');
    symlinkSync('/etc/passwd', join(folder, 'link.md'));
    const { agents, warnings } = await loadCustomAgents([folder, join(folder, '.more'), '/nowhere'], RESERVED, fileReason);
    expect(agents.map(({ name, prompt }) => [name, prompt])).toEqual([
      ['same', 'first'],
      ['own', 'Below.'],
    ]);
    expect(warnings.map((warning) => warningText(warning).replaceAll(folder, ''))).toEqual([
      expect.stringMatching(/^\/bad\.md: .*closing/),
      '/coder.md: the name coder is reserved, so it is left out',
      '/link.md: it is a link, a pipe or something else that is no ordinary file',
      expect.stringMatching(/^\/below\/deep\/a\.md: .*one\.md has the name same already/),
      expect.stringMatching(/^\/\.more\/a\.md: .*one\.md has the name same already/),
    ]);
  });
});

describe('files that are odd', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'agents-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const load = () => loadCustomAgents([folder], RESERVED, fileReason);
  const said = async () => (await load()).warnings.map((warning) => warningText(warning).replaceAll(folder, ''));

  it('are said on one line each, and are no agents', async () => {
    const wide = Buffer.from('\ufeff---\nname: wide\n---\nBody', 'utf16le');
    writeFileSync(join(folder, 'wide.md'), wide);
    writeFileSync(join(folder, 'zero.md'), 'a\0b');
    writeFileSync(join(folder, 'latin.md'), Buffer.from([0x2d, 0xe9, 0x0a]));
    writeFileSync(join(folder, 'br\neak\u202e.md'), '---\nname: ok\ntools: Teleport\n---\nBody');
    expect(await said()).toEqual([
      expect.stringMatching(/^\/br\\neak\\u202e\.md: the tool Teleport/),
      expect.stringMatching(/^\/br\\neak\\u202e\.md: none of its tools/),
      '/latin.md: it is no text in UTF-8',
      '/wide.md: it is no text in UTF-8',
      '/zero.md: it is no text in UTF-8',
    ]);
    expect((await load()).agents.map(({ name }) => name)).toEqual(['ok']);
  });

  it('are too many: it is said how many, and the first are read', async () => {
    for (let index = 1000; index < 1205; index++) writeFileSync(join(folder, `a${index}.md`), 'I am one');
    const { agents } = await load();
    expect(agents).toHaveLength(200);
    expect(await said()).toEqual([': it holds 205 files of agents; those behind the first 200 are left out']);
  });

  it.each(['main', 'MAIN', 'user', 'system', 'bring', 'script'])('may not be called %s, in a file or by code', async (name) => {
    writeFileSync(join(folder, 'x.md'), `---\nname: ${name}\n---\nI am it.`);
    expect((await load()).agents).toEqual([]);
    expect(await said()).toEqual([`/x.md: the name ${name.toLowerCase()} is reserved, so it is left out`]);
    const registry = createAgentRegistry();
    const mine = { ...(SPECIALISTS[0] as (typeof SPECIALISTS)[number]), name: name.toLowerCase() };
    expect(() => registry.register(mine)).toThrow(TypeError);
    registry.setCustom([mine]);
    expect(registry.get(name)).toBeUndefined();
  });

  it.each(['m\u0430in', 'ma\u0131n', 'main\u200b', '\uff4dain', 'ma in', 'main/', 'MA\u0130N'])('%j is no name', async (name) => {
    await expect(customAgent(`---\nname: ${JSON.stringify(name)}\n---\nBody`, 'f', 'n')).rejects.toThrow('is no name');
  });
});

describe('the registry', () => {
  it('holds the twelve, and replaces, adds and removes', () => {
    const registry = createAgentRegistry();
    expect(registry.all()).toHaveLength(12);
    const mine = { ...SPECIALISTS[0], name: 'file', description: 'better' } as (typeof SPECIALISTS)[number];
    registry.register(mine);
    expect(registry.get(' FILE ')?.description).toBe('better');
    expect(registry.unregister('file')).toBe(true);
    expect(registry.get('file')).toBeUndefined();
    registry.setCustom([
      { ...mine, name: 'coder', description: 'thief' },
      { ...mine, name: 'mine' },
    ]);
    expect(registry.get('coder')?.description).not.toBe('thief');
    expect(registry.get('mine')).toBeDefined();
    expect(() => registry.register({ ...mine, name: 'No Name' })).toThrow(TypeError);
  });

  // Seed: access and skills of the twelve.
  it.each([
    ['file', 'read tree search', true, 'batch-read find-pattern analyze-structure map-deps'],
    ['coder', 'write patch read tree', false, 'write-file patch-file create-module refactor'],
    ['shell', 'exec test', false, 'run-tests build-check lint-fix'],
    ['git', 'git-status git-diff git-log git-changed git-branch exec', false, 'smart-commit review-changes create-branch'],
    ['search', 'search tree read', true, 'map-project find-usages find-definition find-dead-code'],
    ['planner', '', true, 'analyze-task create-plan decompose'],
    ['reviewer', 'read search tree', true, 'diff-review scan-lint review-file'],
    ['tester', 'read write patch exec test search tree', false, 'run-coverage find-untested generate-tests generate-table-test'],
    ['refactor', 'read write patch search tree', false, 'rename-symbol extract-interface move-function inline-variable'],
    ['diagnostics', 'read search tree exec', false, 'check-deps analyze-error bisect-bug profile-bottleneck'],
    ['formatter', 'read patch exec tree', false, 'format-code fix-imports normalize-style'],
    ['deps', 'read exec search tree', false, 'audit-deps update-deps why-dep find-outdated'],
  ])('%s has the access and the skills of the documentation', (name, tools, readOnly, skills) => {
    const agent = createAgentRegistry().get(name);
    expect(agent?.tools?.join(' ')).toBe(tools);
    expect(agent?.readOnly).toBe(readOnly);
    expect(agent?.skills.join(' ')).toBe(skills);
    expect(agent?.prompt.length).toBeGreaterThan(200);
    for (const { name: ability, summary } of agent?.abilities ?? []) {
      expect(agent?.skills).toContain(ability);
      expect(agent?.prompt).toContain(`- ${ability}: ${summary}`);
    }
  });
});
