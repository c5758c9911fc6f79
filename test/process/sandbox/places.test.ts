/** Odd places in a real bubblewrap: home folders, roots and caches where one would not expect them, links and variables that lead astray. */
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PERSONAL_HOME_PATHS } from '../../../src/base/sensitive-paths.js';
import { isBelow } from '../../../src/process/sandbox/stable-path.js';
import { type Confinement, makeConfinement, runIn, whyNot } from './confined.js';

const reason = await whyNot();

/** Skips where there is nothing to try. */
const real = (name: string, run: () => Promise<void>) =>
  it(name, async (context) => {
    if (reason !== undefined) context.skip(`no sandbox here: ${reason}`);
    await run();
  });

describe('places', () => {
  const places: Confinement[] = [];
  const make = (temporary = false) => {
    const place = makeConfinement({ temporary });
    places.push(place);
    return place;
  };
  afterAll(() => {
    for (const place of places) place.remove();
  });

  real('a home folder inside a temporary folder stays read-only', async () => {
    const place = make(true);
    place.write(join(place.home, '.ssh/id_rsa'), 'PRIVATE');
    const box = place.sandbox();
    expect((await runIn(place, box, 'echo x > inside && touch ~/x')).refusal?.kind).toBe('read-only');
    expect((await runIn(place, box, 'cat ~/.ssh/id_rsa')).output).not.toContain('PRIVATE');
    expect(await runIn(place, box, 'touch ~/.cache/x')).toMatchObject({ code: 0 });
  });

  real('a workspace that is the home folder keeps secrets hidden and start-up files as they are', async () => {
    const place = make();
    for (const name of ['.ssh/id_rsa', '.bashrc', '.gitconfig', '.chatcli/config.json'])
      place.write(join(place.home, name), 'OLD');
    const box = place.sandbox({ roots: [place.home] });
    const cwd = place.home;
    expect(await runIn(place, box, 'echo new > file && cat file', { cwd })).toMatchObject({ code: 0, output: 'new\n' });
    for (const way of [
      'cat .ssh/id_rsa',
      'echo x > .bashrc',
      'mv .bashrc y',
      'echo x >> .gitconfig',
      'cat .chatcli/config.json',
      'mv .ssh s',
      'rm -rf .chatcli',
    ]) {
      const ran = await runIn(place, box, way, { cwd });
      expect(ran.code, way).not.toBe(0);
      expect(ran.output).not.toContain('OLD');
      expect(ran.refusal, way).toBeDefined();
    }
    expect(readFileSync(join(place.home, '.bashrc'), 'utf8')).toBe('OLD');
  });

  real('several roots, nested ones and one inside our state', async () => {
    const place = make();
    const beside = join(place.root, 'beside');
    const inner = join(place.workspace, 'inner');
    const tree = join(place.state, 'worktrees/w1');
    for (const folder of [beside, inner, tree]) mkdirSync(folder, { recursive: true });
    place.write(join(place.state, 'config.json'), 'PROVIDER');
    const box = place.sandbox({ roots: [place.workspace, inner, beside, tree] });
    const ran = await runIn(place, box, `touch '${beside}/a' '${inner}/b' '${tree}/c' && cat '${place.state}/config.json'`);
    expect(ran.code).toBe(1);
    for (const file of [join(beside, 'a'), join(inner, 'b'), join(tree, 'c')]) expect(existsSync(file)).toBe(true);
    expect(ran.output).not.toContain('PROVIDER');
  });

  real('a link among the caches is followed only where commands cannot have made it', async () => {
    const place = make();
    const far = join(place.root, 'far');
    mkdirSync(far);
    symlinkSync(far, join(place.home, '.npm'));
    const box = place.sandbox();
    expect(await runIn(place, box, `touch '${far}/cached'`)).toMatchObject({ code: 0 });
    // Below a writable cache: a command could have made these.
    const papers = join(place.home, 'papers');
    mkdirSync(papers);
    expect((await runIn(place, box, 'mkdir -p ~/.cache && ln -s "$HOME/papers" ~/.cache/go-build')).code).toBe(0);
    const link = join(place.home, '.cache/go-build');
    const variables: Record<string, string>[] = [
      { GOCACHE: link },
      { TMPDIR: link },
      { YARN_CACHE_FOLDER: join(link, '.') },
      { GOPATH: join(link, '..', 'go-build') },
    ];
    for (const env of variables) {
      const ran = await runIn(place, box, 'touch ~/papers/escaped; mkdir ~/papers/pkg', { env });
      expect(ran.refusal?.kind, JSON.stringify(env)).toBe('read-only');
    }
  });

  real('variables cannot open the home folder, the system or our state', async () => {
    const place = make();
    const box = place.sandbox();
    for (const folder of ['/', '/usr', '/etc', place.root, place.home, place.state, `${place.home}/..`]) {
      const env = { TMPDIR: folder, XDG_CACHE_HOME: folder, GOPATH: folder, npm_config_cache: folder };
      const ran = await runIn(place, box, 'touch ~/x; touch /usr/x; touch ~/.chatcli/x; touch ../x; true', { env });
      expect(ran.output.match(/cannot touch/g), folder).toHaveLength(4);
    }
  });

  real('a workspace inside a hidden folder can be worked in, and what is beside it stays hidden', async () => {
    const place = make();
    for (const above of ['.aws', '.ssh']) {
      place.write(join(place.home, above, 'secret'), 'SECRET');
      const inner = join(place.home, above, 'project');
      mkdirSync(inner);
      const box = place.sandbox({ roots: [inner] });
      const ran = await runIn(place, box, 'touch made && cat ../secret', { cwd: inner });
      expect(ran.code).toBe(1);
      expect(ran.output).not.toContain('SECRET');
      expect(existsSync(join(inner, 'made'))).toBe(true);
    }
  });

  real('a secret behind a link is hidden at both names', async () => {
    const place = make();
    place.write(join(place.home, 'vault/keys/id'), 'SECRET');
    symlinkSync('vault/keys', join(place.home, '.ssh'));
    for (const roots of [[place.workspace], [place.home]]) {
      const ran = await runIn(place, place.sandbox({ roots }), 'cat ~/.ssh/id ~/vault/keys/id', { cwd: roots[0] as string });
      expect(ran.output).not.toContain('SECRET');
      expect(ran.refusal?.kind).toBe('hidden');
    }
  });

  it('the home folder the system knows the user by is guarded like the one the environment names', async (context) => {
    if (reason !== undefined) context.skip(`no sandbox here: ${reason}`);
    const known = realpathSync(userInfo().homedir);
    const secrets = PERSONAL_HOME_PATHS.map((entry) => join(known, entry)).filter((path) => existsSync(path));
    if (secrets.length === 0) context.skip('the user of these tests has no private files');
    const place = make();
    const { plan } = await runIn(place, place.sandbox(), 'true');
    for (const path of secrets) {
      const rule = plan?.rules.findLast((each) => isBelow(realpathSync(path), each.path));
      expect(rule?.kind, path).toMatch(/^(hide-file|hide-folder|private)$/);
    }
  });

  real('an added folder that is gone is left out', async () => {
    const place = make();
    const beside = join(place.root, 'beside');
    mkdirSync(beside);
    const box = place.sandbox({ roots: [place.workspace, beside] });
    rmSync(beside, { recursive: true });
    expect(await runIn(place, box, 'touch here')).toMatchObject({ code: 0 });
    symlinkSync(place.home, beside);
    await expect(runIn(place, box, 'touch x')).rejects.toMatchObject({ code: 'Blocked' });
  });

  real('a workspace that was moved is refused, never opened at its new place', async () => {
    const place = make(true);
    const box = place.sandbox();
    expect((await runIn(place, box, 'true')).code).toBe(0);
    renameSync(place.workspace, `${place.workspace}-old`);
    symlinkSync(place.home, place.workspace);
    await expect(runIn(place, box, 'touch x', { cwd: place.home })).rejects.toMatchObject({ code: 'Blocked' });
    rmSync(place.workspace);
  });
});
