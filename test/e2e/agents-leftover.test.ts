/** Folders of isolated agents whose run was killed: the next run names them, and a week later they are removed. */
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ownMark } from '../../src/base/process-mark.js';
import { call, closeAll, play, repository, says, tag } from '../helpers/agents-play.js';
import type { Line } from '../helpers/wire/crew.js';

afterEach(closeAll);

describe('folders of killed runs', () => {
  const parts = (more: Line): Record<string, readonly Line[]> => ({
    main: [says(tag('coder', 'Rewrite', 'isolate="true"')), says('Done.')],
    Rewrite: [{ calls: [call('write', { file: 'src/new.js', content: '1;\n' })] }, more, says('Rewritten.')],
  });

  it('are named by the next run, once, and kept for a week; those in use and those of others are kept', async () => {
    const place = repository();
    const folder = join(place.home, '.chatcli/worktrees');
    const names = (): string[] => (existsSync(folder) ? readdirSync(folder).filter((name) => !name.includes('.')) : []);

    const killed = await play({
      place,
      parts: parts({ hang: true }),
      onStart(child) {
        const look = setInterval(() => {
          if (!names().some((name) => existsSync(join(folder, name, 'tree/src/new.js')))) return;
          clearInterval(look);
          child.kill('SIGKILL');
        }, 50);
        child.on('close', () => clearInterval(look));
      },
    });
    expect(killed.ran.signal).toBe('SIGKILL');
    const [orphan = ''] = names();
    const tree = join(folder, orphan, 'tree');
    const owner = join(folder, `${orphan}.owner.json`);
    const noted = JSON.parse(readFileSync(owner, 'utf8')) as Record<string, unknown>;

    // One of a living process (this one), one nobody owns, one old and told of, one whose name leads out, whoever wrote it.
    const made = (name: string, more: Record<string, unknown>) => {
      mkdirSync(join(folder, name, 'tree'), { recursive: true });
      writeFileSync(join(folder, `${name}.owner.json`), JSON.stringify({ ...noted, ...more }));
    };
    made('live-1', { mark: ownMark() });
    mkdirSync(join(folder, 'users-own'));
    made('old-1', { told: true, state: 'left' });
    made('young-1', { told: true, state: 'left' });
    const old = new Date(Date.now() - 8 * 24 * 3_600_000);
    utimesSync(join(folder, 'old-1.owner.json'), old, old);
    writeFileSync(join(folder, '...owner.json'), JSON.stringify({ ...noted, state: 'empty' }));

    const { told, ran, of } = await play({ place, parts: parts({ calls: [call('read', { file: 'src/new.js' })] }) });
    expect(told(1)).toContain('brought back as one');
    expect(ran.stderr).toContain(`left work of the agent coder at ${tree}`);
    expect(ran.stderr).not.toContain('live-1');
    const heard = of('main')[0]
      ?.conversation.turns.map(({ text }) => text)
      .join('\n');
    expect(heard).toContain(`isolated agent coder was at work: what it did is not in the workspace but in ${tree}`);
    expect(readFileSync(join(tree, 'src/new.js'), 'utf8')).toBe('1;\n');
    expect(names().sort()).toEqual([orphan, 'live-1', 'users-own', 'young-1'].sort());
    expect(existsSync(join(folder, '...owner.json'))).toBe(true);

    const again = await play({ place, parts: { main: [says('Nothing to do.')] } });
    expect(again.ran.stderr).not.toContain(tree);
  });
});
