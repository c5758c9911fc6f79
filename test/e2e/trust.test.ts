/** Trust of a folder over the real program: a hostile repository widens nothing; what was trusted counts until it changes. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { program } from '../helpers/program.js';
import { makePlace, type Place, runProgram } from '../helpers/run-program.js';
import { envFor } from '../helpers/wire/env.js';
import { startWireServer } from '../helpers/wire/server.js';

const RULES = JSON.stringify({
  rules: [
    { pattern: '@coder exec --cmd make', action: 'allow' },
    { pattern: '@coder exec --cmd npm publish', action: 'deny' },
  ],
});
let place: Place;
beforeEach(() => {
  place = makePlace({
    files: {
      'coder_policy.json': RULES,
      '.chatcli/config.json': JSON.stringify({ permissionMode: 'auto', allow: ['@coder exec'] }),
      '.env': 'CHATCLI_LANG=pt-BR\n',
    },
  });
});
afterEach(() => place.remove());

const check = async (command: string) => (await runProgram(['policy', 'check', '--', command], { place })).code;
const ASK = 3;
const DENY = 4;

describe('a folder with its own rules and settings', () => {
  it('widens nothing before it is trusted, narrows at once, and counts as it was trusted', async () => {
    expect(await check('make all')).toBe(ASK);
    expect(await check('npm publish')).toBe(DENY);

    const trusted = await runProgram(['trust'], { place });
    expect(trusted.code, trusted.stderr).toBe(0);
    for (const name of ['coder_policy.json', '.chatcli/config.json', '.env']) expect(trusted.stdout).toContain(name);
    expect(await check('make all')).toBe(0);
    expect((await runProgram(['trust', '--list'], { place })).stdout).toContain(place.workspace);

    // The settings change: they stop counting, the rules still do.
    writeFileSync(join(place.workspace, '.chatcli', 'config.json'), '{"permissionMode":"auto","allow":["@coder"]}');
    expect(await check('npm install')).toBe(ASK);
    expect(await check('make all')).toBe(0);
    expect((await runProgram(['trust', '--list', '--lang', 'en'], { place })).stdout).toMatch(/config\.json\s+\(changed/);

    // The rules change: what they allowed is asked again, what they deny is still denied.
    writeFileSync(join(place.workspace, 'coder_policy.json'), RULES.replace('make', 'make all'));
    expect(await check('make all')).toBe(ASK);
    expect(await check('npm publish')).toBe(DENY);

    const removed = await runProgram(['trust', '--remove'], { place });
    expect(removed.code).toBe(0);
    expect((await runProgram(['trust', '--remove'], { place })).code).toBe(1);
  });

  it('can be looked at first: rules, settings and names of variables, without a change', async () => {
    writeFileSync(join(place.workspace, '.env'), 'CHATCLI_LANG=pt-BR\nOPENAI_API_KEY=sk-secret-1\nDATABASE_URL=x\n');
    const shown = await runProgram(['trust', '--show'], { place });
    expect(shown.code, shown.stderr).toBe(0);
    for (const part of ['allow  @coder exec --cmd make', 'permissionMode: "auto"', 'sets CHATCLI_LANG, OPENAI_API_KEY', 'bytes)'])
      expect(shown.stdout).toContain(part);
    expect(shown.stdout).not.toContain('sk-secret-1');
    expect(shown.stdout).not.toContain('DATABASE_URL');
    expect(await check('make all')).toBe(ASK);
  });

  it('shows nothing of what lies behind a link', async () => {
    writeFileSync(join(place.home, 'key'), 'PRIVATE-KEY\n');
    writeFileSync(join(place.workspace, 'notes'), 'NOT-A-PROMPT\n');
    const folder = join(place.workspace, '.claude', 'commands');
    mkdirSync(folder, { recursive: true });
    symlinkSync(join(place.home, 'key'), join(folder, 'k.md'));
    symlinkSync('../../notes', join(folder, 'n.md'));
    const { stdout } = await runProgram(['trust', '--show', '--lang', 'en'], { place });
    expect(stdout).toContain('a link; what it leads to is not shown');
    expect(stdout).toContain('k.md');
    expect(stdout).not.toMatch(/PRIVATE-KEY|NOT-A-PROMPT/);
    expect((await runProgram(['trust'], { place })).stdout).not.toMatch(/PRIVATE-KEY|NOT-A-PROMPT/);
  });

  it('brings agents and skills as they were trusted, shows what they may do, and says what is not in force', async () => {
    const put = (path: string, text: string) => {
      mkdirSync(join(place.workspace, path, '..'), { recursive: true });
      writeFileSync(join(place.workspace, path), text);
    };
    put(
      '.claude/agents/team/lim.md',
      '---\nname: lim\ndescription: d\ncolor: red\nmodel: sonnet\ntools:\n  - Bash\n---\nPERSONA\n',
    );
    put('.claude/skills/proj/SKILL.md', '---\nname: proj\n---\nHOW TO\n');
    put('.claude/skills/proj/scripts/go.sh', 'echo fine\n');
    const list = async (lang: string) => (await runProgram(['agents', 'list', '--lang', lang], { place })).stdout;
    expect(await list('en')).toContain('this folder is not trusted: its agents (1) and skills (1).');
    expect(await list('pt-BR')).toContain('seus agentes (1) e habilidades (1).');
    const shown = (await runProgram(['trust', '--show', '--lang', 'en'], { place })).stdout;
    for (const text of ['|   - Bash', '| PERSONA', '| HOW TO', 'scripts/go.sh (10 bytes)', '.claude/skills/proj'])
      expect(shown).toContain(text);
    const server = await startWireServer({ format: 'chat', script: () => ({ text: 'Done.' }) });
    const run = async () => (await runProgram(['coder', 'HELLO', '--lang', 'en'], { place, env: envFor(server) })).stderr;
    try {
      expect(await run()).toContain('its agents (1) and skills (1)');

      await runProgram(['trust'], { place });
      expect(await list('en')).toContain('lim  [');
      const trusted = await run();
      expect(trusted).toMatch(/\d remarks? on/);
      expect(trusted).not.toContain('sonnet');

      put('.claude/skills/proj/scripts/go.sh', 'echo evil\n');
      put('.claude/agents/new.md', '---\ntools: Bash\n---\nNew.\n');
      const marked = (await runProgram(['trust', '--list', '--lang', 'en'], { place })).stdout;
      expect(marked).toMatch(/skills\/proj {2}\(changed/);
      expect(marked).toMatch(/new\.md {2}\(not in force/);
      expect(await list('en')).not.toContain('new  [');
      expect(await run()).toMatch(/New or changed .*new\.md, \.claude\/skills\/proj\./);
    } finally {
      await server.close();
    }
  });

  it('is asked about on a terminal, after it was shown', async (context) => {
    if (spawnSync('script', ['--version']).status !== 0) context.skip('script(1) is not there to make a terminal');
    const onTerminal = async (key: string) => {
      const main = await program();
      const env = { PATH: process.env['PATH'] ?? '', HOME: place.home, TERM: 'xterm', LANG: 'C.UTF-8' };
      const words = ['-qec', `'${process.execPath}' '${main}' trust`, '/dev/null'];
      const child = spawn('script', words, { cwd: place.workspace, env, stdio: ['pipe', 'pipe', 'ignore'] });
      let screen = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        screen += text;
        if (/\[y\/n\] $/.test(screen)) child.stdin.write(key);
      });
      await once(child, 'close');
      return screen;
    };
    expect(await onTerminal('n')).toMatch(/allow {2}@coder exec --cmd make[\s\S]*Trust them\?[\s\S]*nothing was changed/);
    expect(await check('make all')).toBe(ASK);
    expect(await onTerminal('y')).toContain('Trusted as it is now');
    expect(await check('make all')).toBe(0);
    expect(await onTerminal('n')).toMatch(/nothing new|nada novo/i);
  });

  it('is not trusted where it is broken, and says so', async () => {
    writeFileSync(join(place.workspace, 'coder_policy.json'), '{ bad');
    writeFileSync(join(place.workspace, '.chatcli', 'config.json'), '{"maxTurns":"many"}');
    const trusted = await runProgram(['trust', '--lang', 'en'], { place });
    expect(trusted.code).toBe(1);
    expect(trusted.stdout).toMatch(/not valid JSON/);
    expect(trusted.stdout).toMatch(/maxTurns/);
    expect(trusted.stdout).toContain('Not trusted, as it cannot be used: coder_policy.json, .chatcli/config.json.');
    // Mended, it is not trusted for having been looked at before.
    writeFileSync(join(place.workspace, 'coder_policy.json'), RULES);
    expect(await check('make all')).toBe(ASK);
  });

  it('stops nothing by a fault in its settings', async () => {
    writeFileSync(join(place.workspace, '.chatcli', 'config.json'), '{"x":1,"allow":["@coder exec --cmd make"]}');
    const trusted = await runProgram(['trust', '--lang', 'en'], { place });
    expect([trusted.code, trusted.stdout]).toEqual([0, expect.stringContaining('x: nothing is called so')]);
    const listed = await runProgram(['policy', 'list', '--lang', 'en'], { place });
    expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining('nothing is called "x" here')]);
    expect(await check('make all')).toBe(0);
    for (const text of ['{', '[]', '{"maxTurns":"many","deny":["@coder exec --cmd make"]}', 'null']) {
      writeFileSync(join(place.workspace, '.chatcli', 'config.json'), text);
      const run = await runProgram(['policy', 'list', '--trust'], { place });
      expect([run.code, run.stdout], text).toEqual([0, expect.stringContaining('config.json')]);
    }
    writeFileSync(join(place.workspace, '.chatcli', 'config.json'), '{"maxTurns":"many","deny":["@coder exec --cmd make"]}');
    expect((await runProgram(['policy', 'check', '--trust', '--', 'make all'], { place })).code).toBe(DENY);
  });

  it('counts for one run with --trust', async () => {
    expect((await runProgram(['policy', 'check', '--trust', '--', 'make all'], { place })).code).toBe(0);
    expect(await check('make all')).toBe(ASK);
  });
});
