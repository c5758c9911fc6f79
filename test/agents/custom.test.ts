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
  ] as const)('%s', (name, tools, readOnly) => {
    expect(mapTools([name])).toEqual({ tools, commands: [], readOnly, warnings: [] });
  });

  it('keep what Bash is for, unless Bash stands there whole', () => {
    expect(mapTools(['Read', 'Bash(git log:*)', 'Bash(npm test)']).commands).toEqual(['git log:*', 'npm test']);
    expect(mapTools(['Bash(git log:*)', 'Bash']).commands).toEqual([]);
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
    mkdirSync(join(folder, 'more'));
    put('more/a.md', '---\nname: same\n---\nsecond');
    put('coder.md', 'I am the coder now');
    put('one.md', '---\nname: same\n---\nfirst');
    put('bad.md', '---\nname: x\n');
    put('notes.txt', 'nothing');
    symlinkSync('/etc/passwd', join(folder, 'link.md'));
    const { agents, warnings } = await loadCustomAgents([folder, join(folder, 'more'), '/nowhere'], RESERVED, fileReason);
    expect(agents.map(({ name, prompt }) => [name, prompt])).toEqual([['same', 'first']]);
    expect(warnings.map((warning) => warningText(warning).replaceAll(folder, ''))).toEqual([
      expect.stringMatching(/^\/bad\.md: .*closing/),
      '/coder.md: the name coder is reserved, so it is left out',
      '/link.md: it is a link, a pipe or something else that is no ordinary file',
      expect.stringMatching(/^\/more\/a\.md: .*one\.md has the name same already/),
    ]);
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
  });
});
