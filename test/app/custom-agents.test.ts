/** Agents and skills from folders: read again for each task, and nothing shown that a link leads to. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAgentRegistry } from '../../src/agents/registry.js';
import type { Config } from '../../src/app/config.js';
import { bringAgents } from '../../src/app/custom-agents.js';

let top = '';
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'chatcli-agents-')));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(top, path)), { recursive: true });
  writeFileSync(join(top, path), text);
};
const config = () =>
  ({
    root: join(top, 'ws'),
    home: join(top, 'home'),
    state: join(top, 'home/.chatcli'),
    env: { OPENAI_API_KEY: 'a-key-0f-n0body-456' },
    keys: {},
    childEnv: { PATH: '' },
  }) as unknown as Config;
const bring = (registry = createAgentRegistry(), trusted = false) => bringAgents(config(), trusted, registry);

describe('what folders bring', () => {
  it('is read again for each task: new, changed and gone files count at once', async () => {
    put('home/.chatcli/agents/one.md', '---\nname: one\n---\nFirst.');
    const registry = createAgentRegistry();
    await bring(registry);
    expect(registry.get('one')?.prompt).toBe('First.');
    put('home/.chatcli/agents/one.md', '---\nname: one\n---\nSecond.');
    put('home/.chatcli/agents/two.md', '---\nname: two\n---\nTwo.');
    await bring(registry);
    expect([registry.get('one')?.prompt, registry.get('two')?.prompt]).toEqual(['Second.', 'Two.']);
    rmSync(join(top, 'home/.chatcli/agents/one.md'));
    await bring(registry);
    expect(registry.get('one')).toBeUndefined();
  });

  it('holds no keys where it is sent', async () => {
    put('home/.chatcli/agents/one.md', '---\ndescription: a-key-0f-n0body-456\n---\nUse a-key-0f-n0body-456.');
    const registry = createAgentRegistry();
    await bring(registry);
    expect(registry.get('one')).toMatchObject({ description: '[hidden key]', prompt: 'Use [hidden key].' });
  });

  it('of a project counts after trust', async () => {
    put('ws/.claude/agents/theirs.md', '---\nname: theirs\n---\nHello.');
    put('home/x', '');
    const registry = createAgentRegistry();
    await bring(registry);
    expect(registry.get('theirs')).toBeUndefined();
    await bring(registry, true);
    expect(registry.get('theirs')).toBeDefined();
  });

  it('shows the folders of used skills alone, and names missing ones; a script of ours is not missing', async () => {
    put('home/.chatcli/agents/one.md', '---\nskills: used, gone, scan-lint\n---\nFirst.');
    put('home/.chatcli/skills/used/SKILL.md', 'Use it.');
    put('home/.chatcli/skills/used/scripts/check.py', 'print(1)');
    put('home/.chatcli/skills/other/SKILL.md', 'Not used.');
    const { readable, warnings, scripts } = await bring();
    expect(readable).toEqual([join(top, 'home/.chatcli/skills/used')]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatchObject({ file: join(top, 'home/.chatcli/agents/one.md'), why: { values: ['gone'] } });
    expect(scripts.map(({ name }) => name)).toEqual(['used/scripts/check.py']);
  });

  it.each(['home', 'home/.chatcli', 'home/.chatcli/sessions'])('never shows %s through a link', async (target) => {
    put('home/.chatcli/agents/one.md', '---\nskills: evil\n---\nFirst.');
    put(`${target}/SKILL.md`, 'x');
    mkdirSync(join(top, 'home/.chatcli/skills'), { recursive: true });
    symlinkSync(join(top, target), join(top, 'home/.chatcli/skills/evil'));
    const { readable, warnings } = await bring();
    expect(readable).toEqual([]);
    expect(warnings[0]?.why.text).toContain('leads out of where skills lie');
  });

  it('sends of long skills their beginning, says where the rest is, and lets that be read', async () => {
    const long = `${'A rule of the house.\n'.repeat(12_000)}LAST LINE`;
    const names = ['pack', 'single', 'third', 'fourth', 'fifth'];
    put('home/.chatcli/agents/one.md', `---\nskills: [${names.join(', ')}, short]\n---\nFirst.`);
    for (const name of names.filter((each) => each !== 'single')) put(`home/.chatcli/skills/${name}/SKILL.md`, long);
    put('home/.chatcli/skills/single.md', long);
    put('home/.chatcli/skills/short.md', 'Short.');
    for (let index = 100; index < 160; index++) put(`home/.chatcli/skills/pack/text-${index}.md`, 'x');
    const registry = createAgentRegistry();
    const { readable } = await bring(registry);
    const prompt = registry.get('one')?.prompt ?? '';
    expect(prompt.length).toBeLessThan(60_000);
    expect(prompt).not.toContain('LAST LINE');
    const single = join(top, 'home/.chatcli/skills/single.md');
    expect(prompt).toMatch(/A rule of the house\.\n\[\d+ characters more: read .*pack\/SKILL\.md for the rest\]/);
    expect(prompt).toContain(`read ${single} for the rest]`);
    expect(prompt).toContain('- … and 20 more');
    expect(readable).toContain(single);
    expect(readable).not.toContain(join(top, 'home/.chatcli/skills/short.md'));
  });

  it('says NOT AVAILABLE when nothing that runs a script is installed', async () => {
    put('home/.chatcli/agents/one.md', '---\nskills: used\n---\nFirst.');
    put('home/.chatcli/skills/used/SKILL.md', 'Use it.');
    put('home/.chatcli/skills/used/scripts/check.py', 'print(1)');
    const { scripts } = await bring();
    const calls: string[] = [];
    const context = {
      call: async (tool: string) => {
        calls.push(tool);
        return { output: '', isError: false };
      },
      signal: new AbortController().signal,
      progress: () => undefined,
    };
    expect(await scripts[0]?.run({}, context)).toMatchObject({
      status: 'not-available',
      text: expect.stringContaining('python3, python'),
    });
    expect(calls).toEqual([]);
  });
});
