/** Agents and skills from folders: read again for each task, and nothing shown that a link leads to. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAgentRegistry } from '../../src/agents/registry.js';
import type { Config } from '../../src/app/config.js';
import { bringAgents } from '../../src/app/custom-agents.js';
import { whatItBrings } from '../../src/policy/brings.js';
import { type FolderTrust, NO_TRUST, trustForRun } from '../../src/policy/trust.js';

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
const bring = (registry = createAgentRegistry(), trust: FolderTrust = NO_TRUST) => bringAgents(config(), trust, registry);
/** As the folder is now. */
const trusted = () => trustForRun(whatItBrings(join(top, 'ws')));

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
    await bring(registry, trusted());
    expect(registry.get('theirs')).toBeDefined();
  });

  it('of a trusted project counts byte for byte: a new agent, a changed one and a changed package do not', async () => {
    put('home/x', '');
    put('ws/.claude/agents/one.md', '---\nskills: used\n---\nFirst.');
    put('ws/.claude/agents/team/deep/two.md', 'Two.');
    put('ws/.claude/skills/used/SKILL.md', 'Use it.');
    put('ws/.claude/skills/used/scripts/go.sh', 'echo fine');
    put('ws/.claude/skills/used/scripts/lib/more.sh', 'echo more');
    const trust = trusted();
    const registry = createAgentRegistry();
    const first = await bring(registry, trust);
    expect(registry.get('one')?.prompt).toContain('Use it.');
    expect(registry.get('one')?.prompt).not.toContain('or with exec');
    expect(registry.get('two')?.prompt).toBe('Two.');
    expect(first.scripts.map(({ name }) => name)).toEqual(['used/scripts/go.sh']);

    put('ws/.claude/agents/new.md', '---\ntools: Bash\n---\nNew.');
    put('ws/.claude/agents/team/deep/two.md', 'Changed.');
    put('ws/.claude/skills/used/scripts/lib/more.sh', 'echo evil');
    const { scripts, readable } = await bring(registry, trust);
    expect([registry.get('new'), registry.get('two')]).toEqual([undefined, undefined]);
    expect(registry.get('one')?.prompt).toBe('First.');
    expect([scripts, readable]).toEqual([[], []]);

    await bring(registry, trusted());
    expect([registry.get('new')?.prompt, registry.get('two')?.prompt]).toEqual(['New.', 'Changed.']);
  });

  it('runs no script of a package that changed since the task began', async () => {
    put('home/x', '');
    put('ws/.claude/agents/one.md', '---\nskills: used\n---\nFirst.');
    put('ws/.claude/skills/used/SKILL.md', 'Use it.');
    put('ws/.claude/skills/used/scripts/go', 'echo fine');
    const { scripts } = await bring(createAgentRegistry(), trusted());
    const calls: unknown[] = [];
    const context = {
      call: async (_tool: string, args: unknown) => {
        calls.push(args);
        return { output: '', isError: true };
      },
      signal: new AbortController().signal,
      progress: () => undefined,
    };
    await scripts[0]?.run({}, context);
    expect(calls).toHaveLength(1);
    for (const change of [
      () => put('ws/.claude/skills/used/scripts/go', 'echo evil'),
      () => put('ws/.claude/skills/used/scripts/new', ''),
      () => symlinkSync('/etc/passwd', join(top, 'ws/.claude/skills/used/link')),
    ]) {
      change();
      expect(await scripts[0]?.run({}, context)).toMatchObject({
        status: 'denied',
        text: expect.stringContaining('chatcli trust'),
      });
      put('ws/.claude/skills/used/scripts/go', 'echo fine');
      rmSync(join(top, 'ws/.claude/skills/used/scripts/new'), { force: true });
    }
    expect(calls).toHaveLength(1);
  });

  it.each(['.claude', '.claude/agents', '.claude/agents/deep'])(
    'of a project is never read through the link %s',
    async (link) => {
      put('home/x', '');
      put('elsewhere/agents/deep/k.md', 'A secret.');
      const target = { '.claude': '', '.claude/agents': 'agents', '.claude/agents/deep': 'agents/deep' }[link] ?? '';
      mkdirSync(dirname(join(top, 'ws', link)), { recursive: true });
      symlinkSync(join(top, 'elsewhere', target), join(top, 'ws', link));
      const registry = createAgentRegistry();
      await bring(registry, trusted());
      expect(registry.get('k')).toBeUndefined();
    },
  );

  it("in the home folder is the user's own and needs no trust, and is read once", async () => {
    put('home/.claude/agents/one.md', 'First.');
    const registry = createAgentRegistry();
    const { warnings } = await bringAgents({ ...config(), root: join(top, 'home') }, NO_TRUST, registry);
    expect(registry.get('one')?.prompt).toBe('First.');
    expect(warnings).toEqual([]);
    expect(whatItBrings(join(top, 'home'), { home: join(top, 'home') })).toEqual([]);
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
