/** Worktrees of agents whose run was killed: the next run that isolates removes them, and nothing else. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ownMark } from '../../src/base/process-mark.js';
import { call, closeAll, play, repository, says, tag } from '../helpers/agents-play.js';
import type { Line } from '../helpers/wire/crew.js';

afterEach(closeAll);

describe('worktrees of killed runs', () => {
  const parts = (more: Line): Record<string, readonly Line[]> => ({
    main: [says(tag('coder', 'Rewrite', 'isolate="true"')), says('Done.')],
    Rewrite: [{ calls: [call('write', { file: 'src/new.js', content: '1;\n' })] }, more, says('Rewritten.')],
  });

  it('are removed by the next run that isolates; those in use and those of the user are kept', async () => {
    const place = repository();
    const git = (...args: string[]) => execFileSync('git', args, { cwd: place.workspace, encoding: 'utf8' });
    const folder = join(place.home, '.chatcli/worktrees');
    const trees = (): string[] => (existsSync(folder) ? readdirSync(folder).filter((name) => !name.includes('.')) : []);

    const killed = await play({
      place,
      parts: parts({ hang: true }),
      onStart(child) {
        const look = setInterval(() => {
          if (!trees().some((name) => existsSync(join(folder, name, 'src/new.js')))) return;
          clearInterval(look);
          child.kill('SIGKILL');
        }, 50);
        child.on('close', () => clearInterval(look));
      },
    });
    expect(killed.ran.signal).toBe('SIGKILL');
    const [orphan = ''] = trees();
    expect(orphan).not.toBe('');
    expect(git('worktree', 'list')).toContain(orphan);

    // One of a living process (this one), one the user made at the same place, one the user has on a disk that is not there.
    mkdirSync(join(folder, 'users-own'));
    for (const name of ['live-1', 'users-own']) git('worktree', 'add', '--quiet', '--detach', join(folder, name));
    writeFileSync(join(folder, 'live-1.owner.json'), JSON.stringify({ mark: ownMark(), repository: place.workspace }));
    // A name that leads out of the folder, whoever wrote it.
    const gone = { mark: { ...ownMark(), start: 'before:1' }, repository: place.workspace };
    writeFileSync(join(folder, '...owner.json'), JSON.stringify(gone));
    const elsewhere = join(place.root, 'on-a-disk');
    git('worktree', 'add', '--quiet', '--detach', elsewhere);
    rmSync(elsewhere, { recursive: true });

    const { told } = await play({ place, parts: parts({ calls: [call('read', { file: 'src/new.js' })] }) });
    expect(told(1)).toContain('brought back as one');
    expect(trees().sort()).toEqual(['live-1', 'users-own']);
    expect(
      readdirSync(folder)
        .filter((name) => name.includes('.'))
        .sort(),
    ).toEqual(['...owner.json', 'live-1.owner.json']);
    const list = git('worktree', 'list');
    expect(list).not.toContain(orphan);
    for (const kept of ['live-1', 'users-own', 'on-a-disk']) expect(list).toContain(kept);
    expect(existsSync(join(folder, 'live-1/src/engine.js'))).toBe(true);
  });
});
