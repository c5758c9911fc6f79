/** Agents in a git worktree of their own: nothing reaches the workspace but one transaction at the end. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { call, closeAll, ENGINE, homeFiles, play, repository, says, tag } from '../helpers/agents-play.js';
import { makePlace, type Place, runProgram } from '../helpers/run-program.js';
import type { Line } from '../helpers/wire/crew.js';

afterEach(closeAll);

describe('a worker in a git worktree of its own', () => {
  const isolated = (more: readonly Line[] = []): Record<string, readonly Line[]> => ({
    main: [says(tag('tester', 'Rewrite read', 'isolate="true"')), says('Done.')],
    'Rewrite read': [
      { calls: [call('exec', { cmd: 'pwd && cat notes.txt' }), call('write', { file: 'src/new.js', content: '1;\n' })] },
      { calls: [call('patch', { file: 'src/engine.js', search: 'return text.length;', replace: 'return 1;' })] },
      ...more,
      says('Rewritten.'),
    ],
  });
  const branches = (place: Place) =>
    execFileSync('git', ['branch', '--list', 'chatcli/*'], { cwd: place.workspace, encoding: 'utf8' }).trim();
  const dirty = () => {
    const place = repository();
    writeFileSync(join(place.workspace, 'notes.txt'), 'not committed\n');
    writeFileSync(join(place.workspace, 'src/engine.js'), `// mine\n${ENGINE}`);
    return place;
  };
  const engine = (place: Place) => readFileSync(join(place.workspace, 'src/engine.js'), 'utf8');
  /** Folders of isolated agents that are still there. */
  const left = (place: Place) => {
    const folder = join(place.home, '.chatcli/worktrees');
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  it('sees the workspace as it is, changes it only at the end, at once', async () => {
    const place = dirty();
    let before = '';
    const { ran, told, of } = await play({
      place,
      parts: isolated([
        () => {
          before = engine(place);
          const out = join(place.workspace, 'out.txt');
          return { calls: [call('write', { file: out, content: 'x' }), call('exec', { cmd: `echo x > ${out}` })] };
        },
      ]),
    });
    const turns =
      of('Rewrite read')
        .at(-1)
        ?.conversation.turns.flatMap(({ results }) => results.map(({ text }) => text)) ?? [];
    expect(turns.join('\n')).toMatch(/worktrees\/[\s\S]*not committed/);
    expect(turns.join('\n')).toContain('OutsideWorkspace');
    expect(before).toBe(`// mine\n${ENGINE}`);
    expect(engine(place)).toBe(`// mine\n${ENGINE}`.replace('return text.length;', 'return 1;'));
    expect(readFileSync(join(place.workspace, 'src/new.js'), 'utf8')).toBe('1;\n');
    expect(existsSync(join(place.workspace, 'out.txt'))).toBe(false);
    expect(told(1)).toMatch(/brought back as one[\s\S]*Files changed: src\/engine\.js, src\/new\.js/);
    expect(left(place)).toEqual([]);
    expect(branches(place)).toBe('');
    expect(ran.json()['files']).toEqual(['src/engine.js', 'src/new.js']);
  });

  it('keeps its change as a branch when nobody agreed, or when the same lines changed meanwhile', async () => {
    const place = dirty();
    const allow = ['--allow', '@coder write', '--allow', '@coder patch', '--allow', '@coder exec --cmd pwd'];
    const { told, ran } = await play({ place, parts: isolated(), mode: 'default', args: allow });
    expect(engine(place)).toBe(`// mine\n${ENGINE}`);
    expect(told(1)).toMatch(/Its change is on the branch chatcli\//);
    const branch = /branch (chatcli\/[\w/-]+)/.exec(told(1))?.[1] ?? '';
    const kept = execFileSync('git', ['show', `${branch}:src/engine.js`], { cwd: place.workspace, encoding: 'utf8' });
    expect(kept).toContain('return 1;');
    const names = execFileSync('git', ['ls-tree', '-r', '--name-only', branch], { cwd: place.workspace, encoding: 'utf8' });
    expect(names).not.toContain('.bak');
    expect(ran.code).toBe(3);
    // People are told too, not the orchestrator alone.
    expect(ran.stderr).toContain(`tester: nothing was changed in the workspace: it was not agreed`);
    expect(ran.stderr).toContain(`on the branch ${branch}`);
    const other = dirty();
    const second = await play({
      place: other,
      output: 'text',
      env: { CHATCLI_LANG: 'pt-BR' },
      parts: isolated([
        () => {
          writeFileSync(join(other.workspace, 'src/engine.js'), ENGINE.replace('return text.length;', 'return 2;'));
          return { calls: [call('read', { file: 'src/new.js' })] };
        },
      ]),
    });
    expect(engine(other)).toContain('return 2;');
    expect(existsSync(join(other.workspace, 'src/new.js'))).toBe(false);
    expect(second.told(1)).toMatch(/src\/engine\.js was changed in the workspace meanwhile[\s\S]*on the branch chatcli\//);
    expect(second.ran.stderr).toMatch(
      /tester: nada foi mudado na pasta de trabalho: Conflito: src\/engine\.js foi mudado[\s\S]*A mudança está no branch chatcli\//,
    );
    expect(left(other)).toEqual([]);
  });

  it('hears nothing from language servers of the workspace', async () => {
    const place = repository();
    homeFiles(place, {
      'agents/apart.md': '---\ntools: Read, Write, Edit, Bash, lsp\nisolation: worktree\n---\nYou work apart.',
    });
    const parts = isolated([{ calls: [call('lsp', { command: 'symbols', file: 'src/new.js' })] }]);
    const { of } = await play({ place, parts: { ...parts, main: [says(tag('apart', 'Rewrite read')), says('Done.')] } });
    const results = of('Rewrite read')
      .at(-1)
      ?.conversation.turns.flatMap((turn) => turn.results.map(({ text }) => text));
    expect(results?.at(-1)).toMatch(/language servers are not available here \(an agent in a worktree/);
  });

  it('is not started where there is no repository', async () => {
    const place = makePlace({ files: { 'a.txt': 'a\n' } });
    onTestFinished(place.remove);
    const { told } = await play({ place, parts: isolated() });
    expect(told(1)).toMatch(/\[tester\] failed: no worktree could be made, so it was not started: not a git repository/);
  });

  it('is told again by a replay, and isolated again by one that executes', async () => {
    const place = dirty();
    const file = join(place.root, 'run.jsonl');
    const copy = dirty();
    const { told } = await play({ place, parts: isolated(), args: ['--record', file] });
    expect(told(1)).toContain('brought back as one');
    const replayed = await runProgram(['replay', file, '--diff'], { place: copy });
    expect([replayed.code, replayed.code === 0 ? '' : replayed.stdout + replayed.stderr]).toEqual([0, '']);
    expect(existsSync(join(copy.workspace, 'src/new.js'))).toBe(false);
    const real = await runProgram(['replay', file, '--execute', '--permission-mode', 'auto'], { place: copy });
    expect(real.stderr).toMatch(/src\/new\.js \(new\)|brought back/);
    expect(engine(copy)).toBe(`// mine\n${ENGINE}`);
  });
});
