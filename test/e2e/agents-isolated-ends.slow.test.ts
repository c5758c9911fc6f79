/** Ends of isolated agents as the user and the orchestrator see them: what comes back, what stays, and that it is named. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { call, closeAll, homeFiles, play, repository, says, tag } from '../helpers/agents-play.js';
import { type Place, runProgram } from '../helpers/run-program.js';

afterEach(closeAll);

describe('isolated agents', () => {
  const git = (place: Place, ...words: string[]) => execFileSync('git', words, { cwd: place.workspace, encoding: 'utf8' });
  const folders = (place: Place): string[] => {
    const folder = join(place.home, '.chatcli/worktrees');
    return existsSync(folder) ? readdirSync(folder).filter((name) => !name.includes('.')) : [];
  };
  const trees = (place: Place) => folders(place).map((name) => join(place.home, '.chatcli/worktrees', name, 'tree'));
  const text = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`).join('');
  const patch = (line: number, replace: string) => ({
    calls: [call('patch', { file: 'f.txt', search: `line ${line}\n`, replace: `${replace}\n` })],
  });

  it('that end at the same time are joined where they are apart; the others are told of the place, also by a replay', async () => {
    const place = repository({ 'f.txt': text });
    const file = join(place.root, 'run.jsonl');
    const { told, ran } = await play({
      place,
      args: ['--record', file],
      parts: {
        main: [
          says(['A', 'B', 'C', 'D'].map((name) => tag('tester', `Task ${name}`, 'isolate="true"')).join('\n')),
          says('Done.'),
        ],
        'Task A': [patch(3, 'by A'), says('A.')],
        'Task B': [patch(30, 'by B'), says('B.')],
        'Task C': [patch(30, 'by C'), says('C.')],
        'Task D': [
          { calls: [call('exec', { cmd: 'echo half > d.txt; echo "cat: write error: No space left on device"' })] },
          says('D.'),
        ],
      },
    });
    const now = readFileSync(join(place.workspace, 'f.txt'), 'utf8');
    expect(now).toContain('by A\n');
    expect([now.includes('by B\n'), now.includes('by C\n')].sort()).toEqual([false, true]);
    expect(told(1).match(/was brought back as one/g)).toHaveLength(2);
    expect(told(1)).toMatch(
      /failed: its change was not brought back[\s\S]*Conflict: f\.txt was changed .* same place \(line 30\)/,
    );
    expect(git(place, 'branch', '--list', 'chatcli/*').trim().split('\n')).toHaveLength(1);
    // What was written on a full disk may be cut short.
    const [full = '', ...others] = trees(place);
    expect(others).toEqual([]);
    expect(told(1)).toContain(`the disk was full, so files may be cut short. Its work is left at ${full}`);
    expect(existsSync(join(place.workspace, 'd.txt'))).toBe(false);
    expect(ran.stderr).toContain('on the branch chatcli/');
    const replayed = await runProgram(['replay', file, '--diff'], { place });
    expect([replayed.code, replayed.code === 0 ? '' : replayed.stdout + replayed.stderr]).toEqual([0, '']);
  });

  it('cannot reach the repository of the user from a command; what git ignores and commits there are named and left', async (context) => {
    const place = repository({ '.gitignore': 'out/\n' });
    writeFileSync(join(place.workspace, '.env'), 'KEY=supersecret\n');
    const own = `git --git-dir=${join(place.workspace, '.git')}`;
    const before = git(place, 'for-each-ref');
    // In a script, which no policy reads.
    const script = [
      `${own} update-ref refs/heads/evil HEAD; ${own} tag v9; echo x > ${join(place.workspace, 'x.txt')}; cat .env`,
      `GIT_DIR=${join(place.workspace, '.git')} git branch evil2; git branch evil3; git stash -q`,
      'mkdir out; echo report > out/report.txt; echo 1 > new.txt; git add new.txt; echo here',
      'git -c user.name=w -c user.email=w@w commit -qm "my commit"; rm try.sh',
    ].join('\n');
    const { told, ran, of } = await play({
      place,
      parts: {
        main: [says(tag('tester', 'Try', 'isolate="true"')), says('Done.')],
        Try: [
          { calls: [call('write', { file: 'try.sh', content: script })] },
          { calls: [call('exec', { cmd: 'sh try.sh' })] },
          says('Tried.'),
        ],
      },
    });
    if (/run without a sandbox/.test(ran.stderr)) context.skip('no sandbox works here');
    expect(git(place, 'for-each-ref')).toBe(before);
    expect(git(place, 'status', '--porcelain').trim().split('\n').sort()).toEqual(['?? .env', '?? new.txt']);
    const heard =
      of('Try')
        .at(-1)
        ?.conversation.turns.flatMap(({ results }) => results.map((one) => one.text)) ?? [];
    expect(heard.join('\n')).toContain('here\n');
    expect(heard.join('\n')).not.toContain('supersecret');
    expect(told(1)).toMatch(/1 new file that git ignores \(7 bytes\) not brought back: out\/ \(1, 7 bytes\)/);
    expect(told(1)).toMatch(/Commits made there are not in the repository of the workspace: \w+ my commit/);
    const [tree = ''] = trees(place);
    expect(told(1)).toContain(`That is left at ${tree}.`);
    expect(ran.stderr).toContain(`tester: more of its work was left at ${tree}`);
    expect(readFileSync(join(tree, 'out/report.txt'), 'utf8')).toBe('report\n');
  });

  it('that are stopped or reach their time limit leave their work in a folder that is named, at once', async () => {
    const place = repository();
    homeFiles(place, { 'agents/slow.md': '---\nname: slow\ndescription: slow\ntools: Write, Bash\n---\nYou are slow.\n' });
    const parts = {
      main: [says(tag('slow', 'Wait', 'isolate="true"')), says('Done.')],
      Wait: [{ calls: [call('write', { file: 'precious.txt', content: '1\n' })] }, { hang: true as const }],
    };
    const late = await play({ place, parts, env: { CHATCLI_AGENT_WORKER_TIMEOUT: '3s' } });
    const [first = ''] = trees(place);
    expect(late.told(1)).toMatch(/\[slow\] timeout, unfinished/);
    expect(late.told(1)).toContain(`the agent reached its time limit. Its work is left at ${first}`);
    expect(late.ran.stderr).toContain(`Its work was left at ${first}, for a week.`);
    const stopped = await play({
      place,
      parts,
      onStart(child) {
        const look = setInterval(() => {
          if (!trees(place).some((tree) => tree !== first && existsSync(join(tree, 'precious.txt')))) return;
          clearInterval(look);
          setTimeout(() => child.kill('SIGINT'), 200);
        }, 50);
        child.on('close', () => clearInterval(look));
      },
    });
    const second = trees(place).find((tree) => tree !== first) ?? '';
    expect(stopped.ran.code).toBe(130);
    expect(stopped.ran.stderr).toContain(`the agent was stopped. Its work was left at ${second}, for a week.`);
    expect(readFileSync(join(second, 'precious.txt'), 'utf8')).toBe('1\n');
    expect(git(place, 'branch', '--list', 'chatcli/*')).toBe('');
    expect(existsSync(join(place.workspace, 'precious.txt'))).toBe(false);
  });
});
