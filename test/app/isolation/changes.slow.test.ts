/** What an isolated agent changed is found by bytes and mode, whatever git's settings, its ignore rules or its own repositories. */
import { chmodSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bench, planned } from './place.js';

const lines = (count: number, end = '\n') => Array.from({ length: count }, (_, at) => `line ${at + 1}${end}`).join('');

describe('what an isolated agent changed', () => {
  it('is nothing at first: what the user has not committed is where it starts', async () => {
    const place = bench({ 'a.txt': 'a\n', 'gone.txt': 'x\n', 'dir/b.txt': 'b\n' });
    place.write({ 'a.txt': 'changed\n', 'new/c.txt': 'c\n' });
    place.git('add', 'new/c.txt');
    rmSync(join(place.repo, 'gone.txt'));
    const tree = await place.open();
    expect([tree.read('a.txt'), tree.read('new/c.txt'), tree.has('gone.txt')]).toEqual(['changed\n', 'c\n', false]);
    expect(await tree.changes()).toEqual({ changes: [], ignored: [], repositories: [] });
    expect(tree.sh('git status --short').split('\n').sort()).toEqual(['', ' D gone.txt', ' M a.txt', '?? new/']);
    tree.sh('touch -d 2001-01-01 a.txt');
    expect((await tree.changes()).changes).toEqual([]);
  });

  it('holds what git ignores apart, counted, also when the agent made all ignored', async () => {
    const place = bench({ '.gitignore': 'out/\n*.gen.js\n', 'kept.gen.js': '' });
    place.git('add', '-f', 'kept.gen.js');
    place.git('commit', '-qm', 'ignored and tracked');
    const tree = await place.open();
    tree.put({ 'out/report.txt': '12345', 'out/deep/more.txt': '12345', 'a.gen.js': '1', 'kept.gen.js': '2', 'seen.js': '3' });
    const found = await tree.changes();
    expect(found.changes.map(({ path, status }) => `${status} ${path}`)).toEqual(['changed kept.gen.js', 'added seen.js']);
    expect([...found.ignored].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'a.gen.js', files: 1, bytes: 1 },
      { path: 'out/', files: 2, bytes: 10 },
    ]);
    tree.put({ '.gitignore': '*\n' });
    const all = await tree.changes();
    expect(all.changes.map(({ path }) => path)).toEqual(['.gitignore', 'kept.gen.js']);
    expect(all.ignored.reduce((sum, { files }) => sum + files, 0)).toBe(4);
  });

  it.each([
    ['core.autocrlf', '', [['config', 'core.autocrlf', 'true']]],
    ['eol=crlf', '* text eol=crlf\n', []],
    ['ident', '*.txt ident\n', []],
  ] as const)('comes back under %s, joined where the user wrote elsewhere', async (name, attributes, words) => {
    const end = name === 'ident' ? '\n' : '\r\n';
    const first = name === 'ident' ? '$Id$\n' : '';
    const place = bench({ ...(attributes ? { '.gitattributes': attributes } : {}), 'a.txt': `${first}${lines(20)}` });
    for (const one of words) place.git(...one);
    rmSync(join(place.repo, 'a.txt'));
    place.git('checkout', '--', 'a.txt');
    const tree = await place.open();
    const start = tree.read('a.txt');
    expect(start).toContain(name === 'ident' ? '$Id: ' : 'line 3\r\n');
    tree.put({ 'a.txt': start.replace(`line 3${end}`, `mine${end}`) });
    expect(planned(await tree.plan(), 'a.txt')).toBe(start.replace(`line 3${end}`, `mine${end}`));
    place.write({ 'a.txt': start.replace(`line 15${end}`, `theirs${end}`) });
    const both = start.replace(`line 3${end}`, `mine${end}`).replace(`line 15${end}`, `theirs${end}`);
    expect(planned(await tree.plan(), 'a.txt')).toBe(both);
    place.write({ 'a.txt': start.replace(`line 3${end}`, `theirs${end}`) });
    expect(planned(await tree.plan(), 'a.txt')).toMatch(/^refused: a\.txt was changed .* same place/);
    if (name === 'ident') return;
    expect(await tree.branch()).toBe(true);
    expect(place.git('diff', '--numstat', 'HEAD', 'chatcli/one')).toBe('1\t1\ta.txt\n');
  });

  it('is a mode alone, and the user keeps what he wrote meanwhile', async () => {
    const place = bench({ 'run.sh': 'one\n', 'off.sh': 'two\n', bin: 'b\0in' });
    chmodSync(join(place.repo, 'off.sh'), 0o755);
    const tree = await place.open();
    tree.sh('chmod +x run.sh bin; chmod -x off.sh');
    place.write({ 'run.sh': 'of the user\n', bin: 'of\0the user' });
    const plan = await tree.plan();
    if ('text' in plan) throw new Error(plan.text);
    expect(plan.targets.map(({ path, mode, bytes }) => [path, mode, String(bytes)])).toEqual([
      ['bin', 0o755, 'of\0the user'],
      ['off.sh', 0o644, 'two\n'],
      ['run.sh', 0o755, 'of the user\n'],
    ]);
  });

  it('takes a repository made inside as files, without its history and what it ignores', async () => {
    const place = bench({ 'a.txt': 'a\n' });
    const tree = await place.open();
    tree.sh(
      'mkdir -p n/node_modules n/src && cd n && git init -q && echo node_modules > .gitignore && echo 1 > src/x.js && echo 2 > node_modules/y.js',
    );
    tree.sh('cd n && git add -A && git -c user.name=w -c user.email=w@w commit -qm first; echo b > ../b.txt');
    const found = await tree.changes();
    expect(found.repositories).toEqual(['n']);
    expect(found.changes.map(({ path }) => path)).toEqual(['b.txt', 'n/.gitignore', 'n/src/x.js']);
    expect(found.ignored).toEqual([{ path: 'n/node_modules/', files: 1, bytes: 2 }]);
  });

  it('names links, private files and what became something else; the rest comes', async () => {
    const place = bench({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    const tree = await place.open();
    tree.put({ '.env': 'KEY=1\n', 'sub/.env.local': 'x', 'coder_policy.json': '{}', 'new.txt': 'n\n' });
    symlinkSync('/etc/hostname', join(tree.top, 'link'));
    tree.sh('rm a.txt && ln -s b.txt a.txt && rm b.txt && mkfifo b.txt && rm c.txt && mkdir c.txt && echo 1 > c.txt/in');
    const { changes } = await tree.changes();
    expect(changes.map(({ path, status, odd }) => `${status} ${path} ${odd ?? ''}`.trim())).toEqual([
      'added .env private',
      'changed a.txt link',
      'changed b.txt special',
      'removed c.txt',
      'added c.txt/in',
      'added coder_policy.json private',
      'added link link',
      'added new.txt',
      'added sub/.env.local private',
    ]);
  });

  it('is told from what the user did meanwhile: same, removed, new on both sides', async () => {
    const place = bench({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    const tree = await place.open();
    tree.put({ 'a.txt': 'both\n' });
    place.write({ 'a.txt': 'both\n' });
    expect((await tree.plan()) as object).toEqual({ targets: [], merged: [] });
    tree.sh('rm b.txt');
    expect(planned(await tree.plan(), 'b.txt')).toBe('(removed)');
    place.write({ 'b.txt': 'edited\n' });
    expect(planned(await tree.plan(), 'b.txt')).toMatch(/^refused: b\.txt was changed/);
    place.write({ 'b.txt': 'b\n', 'new.txt': 'theirs\n' });
    tree.put({ 'new.txt': 'mine\n' });
    expect(planned(await tree.plan(), 'new.txt')).toMatch(/^refused: new\.txt was changed/);
    rmSync(join(place.repo, 'new.txt'));
    rmSync(join(place.repo, 'c.txt'));
    tree.put({ 'c.txt': 'mine\n' });
    expect(planned(await tree.plan(), 'c.txt')).toMatch(/^refused: c\.txt was removed/);
  });
});
