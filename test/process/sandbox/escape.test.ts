/** Ways out that need no writable folder: the kernel's settings, programs PATH finds in a cache, repositories that did not exist before. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { traceOf } from '../../../src/process/sandbox/newcomers.js';
import { makeConfinement, runIn, whyNot } from './confined.js';

const reason = await whyNot();
const place = makeConfinement();
afterAll(() => place.remove());

/** Skips where there is nothing to try. */
const real = (name: string, run: () => Promise<void>) =>
  it(name, async (context) => {
    if (reason !== undefined) context.skip(`no sandbox here: ${reason}`);
    await run();
  });

describe('the kernel', () => {
  real('its settings cannot be written, not even by root who owns them', async () => {
    const before = readFileSync('/proc/sys/kernel/core_pattern', 'utf8');
    const box = place.sandbox();
    const way = 'cat /proc/sys/kernel/core_pattern > pattern; cat pattern > /proc/sys/kernel/core_pattern && echo WROTE';
    const ran = await runIn(place, box, way);
    expect(ran.output).not.toContain('WROTE');
    expect(ran.code).not.toBe(0);
    expect(readFileSync('/proc/sys/kernel/core_pattern', 'utf8')).toBe(before);
    const list = await runIn(
      place,
      box,
      'find /proc -maxdepth 1 -type f -writable; find /proc/sys /proc/irq /proc/bus /proc/fs /proc/tty /proc/sysvipc /proc/driver /proc/pressure /sys -type f -writable 2>/dev/null | head -5; echo 100 > /proc/self/oom_score_adj && echo own',
    );
    expect(list.output).toBe('own\n');
  });
});

describe('programs', () => {
  real('in a cache that PATH leads to stay as they are, and where they are; a Python environment does not', async () => {
    const bin = join(place.home, '.cache/tool/v1/bin');
    const env = join(place.home, '.cache/venv');
    for (const folder of [bin, join(env, 'bin')]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(bin, 'tool'), 'OLD', { mode: 0o755 });
    writeFileSync(join(env, 'pyvenv.cfg'), '');
    const PATH = `${bin}:${join(env, 'bin')}:${process.env['PATH']}`;
    const box = place.sandbox();
    for (const way of [
      `echo x > '${bin}/tool'`,
      `touch '${bin}/ls'`,
      `mv '${bin}' '${bin}2'`,
      'mv ~/.cache/tool ~/.cache/other',
    ]) {
      const ran = await runIn(place, box, way, { env: { PATH } });
      expect(ran.code, way).not.toBe(0);
      expect(ran.refusal, way).toBeDefined();
    }
    expect(readFileSync(join(bin, 'tool'), 'utf8')).toBe('OLD');
    const fine = await runIn(place, box, `touch '${env}/bin/new' ~/.cache/tool/v1/beside ~/.cache/x`, { env: { PATH } });
    expect(fine).toMatchObject({ code: 0, output: '' });
  });
});

describe('compiled programs', () => {
  real('that Node would load outside cannot be put or changed', async () => {
    const temp = join(place.root, 'tmp');
    const own = join(place.home, '.cache/compiled');
    for (const folder of [temp, own]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(own, 'entry'), 'OLD');
    const env = { TMPDIR: temp, NODE_COMPILE_CACHE: own };
    const box = place.sandbox({ temp, env: { ...place.env, ...env } });
    const way = `mkdir -p $TMPDIR/node-compile-cache; echo x > $TMPDIR/node-compile-cache/entry; echo x > '${own}/entry'; mv $TMPDIR/node-compile-cache $TMPDIR/y; mv '${own}' '${own}2'; echo beside > $TMPDIR/beside`;
    const ran = await runIn(place, box, way, { env });
    expect(ran.code, ran.output).toBe(0);
    expect(existsSync(join(temp, 'beside'))).toBe(true);
    expect(readdirSync(join(temp, 'node-compile-cache'))).toEqual([]);
    expect(readFileSync(join(own, 'entry'), 'utf8')).toBe('OLD');
    expect((await runIn(place, box, 'touch /tmp/node-compile-cache/of-sandbox')).code).toBe(0);
    expect(existsSync('/tmp/node-compile-cache/of-sandbox')).toBe(false);
  });
});

describe('repositories that did not exist before', () => {
  /** What git of the user would do there, with a marker as the program. */
  const outside = (folder: string) =>
    execFileSync('git', ['status', '--short'], {
      cwd: join(place.workspace, folder),
      env: { ...place.env, GIT_CEILING_DIRECTORIES: place.workspace },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const settled = async (command: string) => {
    const box = place.sandbox();
    const ran = await runIn(place, box, command);
    expect(ran.code, ran.output).toBe(0);
    return ran.plan === undefined ? [] : box.settle([traceOf(ran.plan)]);
  };
  const EVIL = `touch '${place.workspace}/ran'; false`;

  real('are put out of sight of git when it would run programs there', async () => {
    const ways: Record<string, string> = {
      monitor: `git init -q . && git config core.fsmonitor "${EVIL}"`,
      hook: `git init -q . && printf '#!/bin/sh\\n' > .git/hooks/post-index-change && chmod +x .git/hooks/post-index-change`,
      alias: 'git init -q . && git config alias.st "!touch x"',
      included: 'git init -q . && git config include.path ../settings',
      filter: 'git init -q . && git config filter.x.clean "touch x"',
      folded: `git init -q . && printf '[core] FSMonitor = touch x\\n' >> .git/config`,
      pointer: `git init -q ../data-$$ && git -C ../data-$$ config core.fsmonitor "${EVIL}" && echo "gitdir: $PWD/../data-$$/.git" > .git`,
      later: 'echo "gitdir: /tmp/made-later/.git" > .git',
      elsewhere: 'd=$HOME/.cache/elsewhere && git init -q "$d" && echo "gitdir: $d/.git" > .git',
      redirected:
        'git init -q . && mkdir ../c-$$ && cp -r .git/* ../c-$$ && echo "[core] editor = x" >> ../c-$$/config && echo "$PWD/../c-$$" > .git/commondir',
      link: `git init -q ../more-$$ && git -C ../more-$$ config core.sshCommand x && ln -s ../more-$$/.git .git`,
    };
    for (const [name, way] of Object.entries(ways)) {
      const sentences = await settled(`mkdir ${name} && cd ${name} && ${way}`);
      expect(sentences.join('\n'), name).toContain(`${name}/.git would make git run programs`);
      expect(existsSync(join(place.workspace, name, '.git')), name).toBe(false);
      expect(() => outside(name), name).toThrow();
    }
    const box = place.sandbox();
    const { plan } = await runIn(place, box, 'git init -q twice && git -C twice config core.pager x');
    expect(plan && box.settle([traceOf(plan)])).toHaveLength(1);
    // What was put aside is not put aside again while something of that command runs on.
    expect(plan && box.settle([traceOf(plan)])).toEqual([]);
    expect(existsSync(join(place.workspace, 'twice/.git-blocked/HEAD'))).toBe(true);
    const bare = `git init -q --bare bare && cd bare && git config core.bare false && git config core.worktree . && git config core.fsmonitor "${EVIL}"`;
    expect((await settled(bare)).join()).toContain('/bare would make git run programs');
    expect(() => outside('bare')).toThrow();
    expect(existsSync(join(place.workspace, 'ran'))).toBe(false);
  });

  real('are left alone when it would not, and when they were there before', async () => {
    const plain = 'git init -q -b main plain && cd plain && git commit -q --allow-empty -m x && git remote add o ../x';
    expect(await settled(plain)).toEqual([]);
    expect(await settled('git clone -q plain copy && git -C copy config user.name x && git init -q --bare other.git')).toEqual(
      [],
    );
    expect(await settled('git -C plain worktree add -q ../tree')).toEqual([]);
    expect(outside('copy').toString()).toBe('');
    // The user's own, with hooks: also when its folder is moved, and a linked working tree of it is made.
    execFileSync('git', ['config', 'core.hooksPath', '.husky'], { cwd: join(place.workspace, 'plain'), env: place.env });
    expect(await settled('mv plain moved && git -C moved worktree prune && git -C moved worktree add -q ../tree2')).toEqual([]);
    expect(existsSync(join(place.workspace, 'moved/.git'))).toBe(true);
    // Another one in its place is new.
    expect((await settled('git init -q plain && git -C plain config core.pager x')).join()).toContain(
      'plain/.git would make git',
    );
  });

  real('settings of this agent that appear are told of, once', async () => {
    const box = place.sandbox();
    const ran = await runIn(place, box, "mkdir deep && echo '{}' > deep/coder_policy.json && mkdir -p .chatcli/agents");
    const plan = ran.plan;
    expect(plan && box.settle([traceOf(plan)]).join('\n')).toMatch(/\.chatcli is new[\s\S]*coder_policy\.json is new/);
    expect(plan && box.settle([traceOf(plan)])).toEqual([]);
  });
});
