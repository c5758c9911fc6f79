/** Real commands in a real bubblewrap: which files they can read and write, and what is said when they cannot. */
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeConfinement, type RunOptions, runIn, whyNot } from './confined.js';

const reason = await whyNot();

/** Skips where there is nothing to try. */
const real = (name: string, run: () => Promise<void>) =>
  it(name, async (context) => {
    if (reason !== undefined) context.skip(`no sandbox here: ${reason}`);
    await run();
  });

describe('files', () => {
  const place = makeConfinement();
  const box = place.sandbox();
  const run = (command: string, options?: RunOptions) => runIn(place, box, command, options);
  beforeAll(() => {
    for (const [path, text] of [
      ['.ssh/id_rsa', 'PRIVATE'],
      ['.npmrc', 'TOKEN'],
      ['.netrc', 'PASSWORD'],
      ['.aws/credentials', 'CLOUD'],
      ['.chatcli/config.json', 'PROVIDER'],
      ['.chatcli/cache/scratch/s1/out.txt', 'spilled'],
      ['.m2/settings.xml', '<settings><servers/></settings>'],
      ['notes.txt', 'ordinary'],
    ] as const)
      place.write(join(place.home, path), text);
  });
  afterAll(() => place.remove());

  real('writes in the workspace and in temporary folders, and nowhere else', async () => {
    const mark = `sandbox-test-${process.pid}`;
    const ran = await run(
      `echo a > "new file" && mkdir -p deep/er && echo b > /tmp/${mark} && cat "new file" /tmp/${mark}; rm /tmp/${mark}`,
    );
    expect(ran).toMatchObject({ code: 0, output: 'a\nb\n' });
    expect(ran.refusal).toBeUndefined();
    expect(readFileSync(join(place.workspace, 'new file'), 'utf8')).toBe('a\n');
    for (const target of [place.home, place.root, '/usr', '/etc', '/var/lib', '/']) {
      const refused = await run(`touch '${target}/planted'`);
      expect(refused.code, target).toBe(1);
      expect(refused.refusal?.kind, target).toBe('read-only');
      expect(refused.refusal?.text).toContain('is read-only here; commands can write to the workspace');
      expect(existsSync(join(target, 'planted'))).toBe(false);
    }
    expect((await run('cat ~/notes.txt')).output).toBe('ordinary');
  });

  real('shows no secret of the home folder, by whatever way', async () => {
    const ways = [
      'cat ~/.ssh/id_rsa',
      'ls ~/.ssh',
      'cat /proc/self/root$HOME/.ssh/id_rsa',
      'cat /proc/1/root$HOME/.ssh/id_rsa',
      'cat /proc/1/cwd/../home/.ssh/id_rsa',
      'chmod 700 ~/.ssh && cat ~/.ssh/id_rsa',
      'umount ~/.ssh; mount -o remount,rw /; cat ~/.ssh/id_rsa',
      'unshare -Urm sh -c "umount $HOME/.ssh; cat $HOME/.ssh/id_rsa"',
      'ln ~/.ssh/id_rsa here; cat here',
      'cp -r ~ copy; cat copy/.ssh/id_rsa',
      'cat ~/.netrc',
      'cat ~/.chatcli/config.json',
      'ls ~/.chatcli',
      'cat ~/.aws/credentials',
    ];
    for (const way of ways) {
      const ran = await run(way);
      expect(ran.code, way).not.toBe(0);
      expect(ran.output, way).not.toMatch(/PRIVATE|PASSWORD|PROVIDER|CLOUD|id_rsa\n/);
      if (!way.includes('/proc/1/cwd')) expect(ran.refusal?.kind, `${way}\n${ran.output}`).toBe('hidden');
    }
    expect((await run('cat ~/.ssh/id_rsa')).refusal?.text).toBe(
      'Sandbox: ~/.ssh is hidden here; commands find it empty or cannot open it.',
    );
  });

  real('leaves settings files readable but empty, and says so', async () => {
    expect(await run('cat ~/.npmrc')).toMatchObject({ code: 0, output: '', refusal: { kind: 'hidden' } });
    expect(await run('cat ~/.m2/settings.xml')).toMatchObject({ code: 0, output: '<settings/>\n' });
    expect(await run('echo x >> ~/.npmrc')).toMatchObject({ code: expect.any(Number), refusal: { kind: 'hidden' } });
    expect(readFileSync(join(place.home, '.npmrc'), 'utf8')).toBe('TOKEN');
  });

  real('shows what the session may read of our own state', async () => {
    const scratch = join(place.state, 'cache/scratch/s1');
    const own = place.sandbox({ readable: [scratch] });
    expect(await runIn(place, own, `cat ${scratch}/out.txt`)).toMatchObject({ code: 0, output: 'spilled' });
    expect((await runIn(place, own, `echo x > ${scratch}/out.txt`)).code).not.toBe(0);
    expect((await runIn(place, own, 'cat ~/.chatcli/config.json')).output).not.toContain('PROVIDER');
  });

  real('hides a .env of the workspace and cannot overwrite or move it', async () => {
    place.write('.env', 'SECRET=1\n');
    place.write('app/.env.local', 'SECRET=2\n');
    place.write('.env.example', 'SECRET=\n');
    const ran = await run('cat .env app/.env.local .env.example');
    expect(ran).toMatchObject({ code: 0, output: 'SECRET=\n', refusal: { kind: 'hidden' } });
    for (const way of ['echo x > .env', 'rm .env', 'mv .env other', 'mv app/.env.local x']) {
      const refused = await run(way);
      expect(refused.code, way).not.toBe(0);
      expect(refused.refusal?.text, `${way}: ${refused.output}`).toContain('Sandbox: ');
    }
    expect((await run('mv app moved; cat moved/.env.local')).output).not.toContain('SECRET');
    expect(readFileSync(join(place.workspace, '.env'), 'utf8')).toBe('SECRET=1\n');
  });

  real('reads only, when the workspace is lent to a linter', async () => {
    const ran = await run('cat "new file" && touch x', { readOnly: true });
    expect(ran).toMatchObject({ code: 1, refusal: { kind: 'read-only' } });
    expect(ran.output).toContain('a\n');
    expect((await run('touch ~/.cache/lint && echo cached', { readOnly: true })).output).toBe('cached\n');
  });

  real('gives no rights back: no mount, no device, no way out of its processes', async () => {
    expect((await run('mount -o remount,rw /')).code).not.toBe(0);
    expect((await run('mknod sda b 8 0 || mknod /dev/sda b 8 0')).code).not.toBe(0);
    expect((await run('echo b > /proc/sysrq-trigger; echo 1 > /proc/sys/kernel/sysrq')).code).not.toBe(0);
    expect((await run(`kill -0 ${process.pid}`)).code).not.toBe(0);
    expect((await run(`cat /proc/${process.ppid}/environ /proc/${process.pid}/environ`)).code).not.toBe(0);
    expect((await run('grep CapEff /proc/self/status')).output).toMatch(/CapEff:\s+0{12}/);
    expect((await run('(exec < /dev/tty) 2>/dev/null || echo no terminal')).output).toBe('no terminal\n');
  });

  real('starts in paths with every kind of name', async () => {
    const names = ["quote'", 'double"', 'new\nline', '-dash', '$(touch x)', 'ünï', 'back\\slash', 'a b'];
    for (const name of names) {
      const folder = join(place.workspace, name);
      mkdirSync(folder);
      const own = place.sandbox({ roots: [realpathSync(folder)] });
      const ran = await runIn(place, own, 'echo ok > here && cat here && ! touch ../beside', { cwd: folder });
      expect(ran, name).toMatchObject({ code: 0 });
      expect(readFileSync(join(folder, 'here'), 'utf8')).toBe('ok\n');
    }
  });
});
