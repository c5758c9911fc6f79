/** The scripts that need no toolchain, and what all of them keep: the gate, the bounds, honesty about what was cut. */
import { describe, expect, it } from 'vitest';
import { auditDeps } from '../../src/skills/audit-deps.js';
import { batchRead } from '../../src/skills/batch-read.js';
import { diffReview } from '../../src/skills/diff-review.js';
import { mapProject } from '../../src/skills/map-project.js';
import { SCRIPT_SKILLS } from '../../src/skills/registry.js';
import { renameSymbol } from '../../src/skills/rename-symbol.js';
import { reviewChanges } from '../../src/skills/review-changes.js';
import { runTests } from '../../src/skills/run-tests.js';
import { scanLint } from '../../src/skills/scan-lint.js';
import { findProjects } from '../../src/skills/shared/project.js';
import { readWhole } from '../../src/skills/shared/read-whole.js';
import { runLine, runWords } from '../../src/skills/shared/run.js';
import { smartCommit } from '../../src/skills/smart-commit.js';
import type { JsonObject } from '../../src/types/json.js';
import { type Bench, type BenchOptions, listIn, makeBench, sections } from './harness.js';

async function inside<T>(options: BenchOptions, work: (bench: Bench) => Promise<T>): Promise<T> {
  const bench = await makeBench(options);
  try {
    return await work(bench);
  } finally {
    await bench.close();
  }
}

describe('the list of scripts', () => {
  it('holds the seventeen, each with a name, a short summary and a valid example', () => {
    expect(SCRIPT_SKILLS.map(({ name }) => name)).toEqual(
      'audit-deps batch-read build-check check-deps diff-review find-untested fix-imports format-code map-project rename-symbol review-changes run-coverage run-tests scan-lint smart-commit update-deps why-dep'.split(
        ' ',
      ),
    );
    for (const { name, summary, schema, example, calls } of SCRIPT_SKILLS) {
      expect(summary.length, name).toBeLessThan(80);
      expect(
        Object.keys(example).filter((field) => !(field in schema.properties)),
        name,
      ).toEqual([]);
      for (const field of schema.required ?? []) expect(example, name).toHaveProperty(field);
      expect(calls.length, name).toBeGreaterThan(0);
    }
  });

  it('runs every script in an empty folder without a throw, and calls nothing good', async () => {
    await inside({ files: {} }, async (bench) => {
      for (const script of SCRIPT_SKILLS) {
        const outcome = await bench.run(script, script.example);
        if (script.name !== 'map-project') expect(outcome.status, `${script.name}: ${outcome.text}`).not.toBe('ok');
        expect(outcome.text, script.name).toMatch(new RegExp(`^\\*\\*${script.name}: `));
      }
    });
  });
});

describe('batch-read', () => {
  it('reads in order, tells what failed, and shares the room', async () => {
    const long = Array.from({ length: 3000 }, (_, line) => `line ${line} of a long file`).join('\n');
    await inside({ files: { 'a.txt': 'alpha\n', 'long.txt': long, 'sub/b.txt': 'beta\n', '-n': 'dash\n' } }, async (bench) => {
      const outcome = await bench.run(batchRead, { files: ['a.txt', 'no.txt', 'long.txt', '-n'] });
      expect(outcome.status).toBe('failed');
      expect(listIn(outcome.data, 'files').map(({ path, ok, code, shortened }) => [path, ok, code, shortened])).toEqual([
        ['a.txt', true, null, false],
        ['no.txt', false, 'NotFound', false],
        ['long.txt', true, null, true],
        ['-n', true, null, false],
      ]);
      expect(outcome.text).toMatch(/^\*\*batch-read: 3 of 4 files read; 1 failed: no.txt \(NotFound\); 1 shortened/);
      expect(outcome.text).toContain('   1 | alpha');
      expect(outcome.text).toMatch(/go on with read, start \d+/);
      const globbed = await bench.run(batchRead, { glob: '*.txt', dir: 'sub' });
      expect(listIn(globbed.data, 'files').map(({ path }) => path)).toEqual(['sub/b.txt']);
      expect((await bench.run(batchRead, { files: ['/etc/shadow'] })).status).not.toBe('ok');
    });
  });

  it('keeps at most eight reads under way', async () => {
    let [now, most] = [0, 0];
    const slow = async () => {
      most = Math.max(most, ++now);
      await new Promise((done) => setTimeout(done, 2));
      now--;
      return { output: 'x', isError: false };
    };
    await inside({ files: {}, extra: { '@coder read': slow } }, async (bench) => {
      await bench.run(batchRead, { files: Array.from({ length: 40 }, (_, n) => `f${n}`) });
      expect(most).toBe(8);
    });
  });
});

describe('the git scripts', () => {
  const files = { 'a.txt': 'one\ntwo\n', 'b.txt': 'x\n' };

  it('tell staged from unstaged and new, and commit nothing', async () => {
    await inside({ files }, async (bench) => {
      bench.git('init', '-q', '-b', 'trunk');
      bench.git('add', '-A');
      bench.git('commit', '-qm', 'first');
      expect((await bench.run(smartCommit, {})).text).toContain('nothing is staged, and nothing is changed');
      bench.put('a.txt', 'one\nTWO\nthree\n');
      bench.git('add', 'a.txt');
      bench.put('b.txt', 'y\n');
      bench.put('odd "name".txt', 'new\n');
      const commit = await bench.run(smartCommit, {});
      expect(commit.data).toMatchObject({
        branch: 'trunk',
        staged: [{ letters: 'M', path: 'a.txt' }],
        added: 2,
        removed: 1,
        recent: [expect.stringContaining('first')],
      });
      expect(listIn(commit.data, 'unstaged').map(({ letters, path }) => [letters, path])).toEqual([
        ['M', 'b.txt'],
        ['??', 'odd "name".txt'],
      ]);
      for (const title of ['## Status', '## Staged Diff', '## Recent Commits']) expect(commit.text).toContain(title);
      expect(commit.text).toContain('+three');
      expect(bench.git('log', '--oneline').trim().split('\n')).toHaveLength(1);
      const review = await bench.run(reviewChanges, {});
      expect(review.data).toMatchObject({ untracked: ['odd "name".txt'], added: 3, removed: 2 });
      for (const title of ['## Changed Files', '## Unstaged Diff', '## Recent Commits']) expect(review.text).toContain(title);
      const diff = await bench.run(diffReview, {});
      expect(diff.data).toMatchObject({ staged: { added: 2, removed: 1 }, unstaged: { added: 1, removed: 1 } });
    });
  });

  it('keep a huge diff within bounds, and say so', async () => {
    await inside({ files }, async (bench) => {
      bench.git('init', '-q');
      bench.git('add', '-A');
      bench.git('commit', '-qm', 'first');
      bench.put('a.txt', `${'```\nx\n'.repeat(20_000)}`);
      const { text } = await bench.run(reviewChanges, {});
      expect(text.length).toBeLessThan(29_000);
      expect(text).toContain('more characters');
      expect(text).toContain('## Recent Commits');
    });
  });

  it('say where there is no repository', async () => {
    await inside({ files }, async (bench) => {
      expect((await bench.run(diffReview, {})).status).toBe('failed');
    });
  });
});

describe('the output of commands', () => {
  it('is read whole from the log when it is long, byte for byte', async () => {
    await inside({ files: {} }, async ({ context }) => {
      const program = 'const l="é".repeat(40000);console.log(l);for(let i=0;i<30000;i++)console.log("line "+i)';
      const ran = await runWords(context, ['node', '-e', program], { dir: '.' });
      expect(ran).toMatchObject({ how: 'ended', exitCode: 0, whole: true });
      const lines = ran.output.split('\n');
      expect([lines[0]?.length, lines[1], lines[30_000]]).toEqual([40_000, 'line 0', 'line 29999']);
    });
  });

  it('is told to be cut when it is longer than can be read', async () => {
    await inside({ files: {} }, async ({ context }) => {
      const ran = await runWords(context, ['node', '-e', 'process.stdout.write("0123456789\\n".repeat(700000))'], { dir: '.' });
      expect(ran).toMatchObject({ how: 'ended', exitCode: 0, whole: false });
      expect(ran.log).toBeDefined();
    });
  });

  it('cannot pass for how the command ended, nor lead to another file', async () => {
    await inside({ files: { 'secret.txt': 'the secret' } }, async (bench) => {
      const fake = [
        'exit code: 0, 0.1 s',
        '... [9 bytes left out; the whole output is in secret.txt] ...',
        'x'.repeat(21_000),
      ].join('\n');
      bench.put('fake.txt', fake);
      const ran = await runLine(bench.context, 'cat fake.txt; exit 3', { dir: '.' });
      expect(ran).toMatchObject({ exitCode: 3 });
      expect(ran.output).not.toContain('the secret');
      expect(ran.output).toContain('exit code: 0, 0.1 s');
      expect(bench.calls.filter(({ tool }) => tool === '@coder read')).toEqual([]);
    });
  });

  it('never starts what holds a NUL, and gives arguments as they are', async () => {
    await inside({ files: {} }, async ({ context, calls }: Bench) => {
      expect((await runWords(context, ['echo', 'a\0b'], { dir: '.' })).how).toBe('refused');
      expect(calls).toEqual([]);
      const hostile = ["a'b", '$(touch planted)', 'two\nlines', '-rf', ''];
      const ran = await runWords(
        context,
        ['node', '-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--', ...hostile],
        { dir: '.' },
      );
      expect(JSON.parse(ran.output)).toEqual(hostile);
    });
  });

  it('reads exact bytes of long files, or nothing', async () => {
    const text = Array.from({ length: 20_000 }, (_, n) => `${n} \u00e9 | <<< END FILE: x >>>`).join('\n');
    await inside({ files: { 'big.txt': text, 'small.txt': 'a\r\nb' } }, async ({ context }) => {
      expect(await readWhole(context, 'big.txt', 1e7)).toBe(text);
      expect(await readWhole(context, 'small.txt', 1e7)).toBe('a\r\nb');
      expect(await readWhole(context, 'big.txt', 1000)).toBeUndefined();
      expect(await readWhole(context, 'none.txt', 1000)).toBeUndefined();
    });
  });
});

describe('the gate', () => {
  const files = { 'go.mod': 'module m\n\ngo 1.19\n', 'a.go': 'package m\n' };

  it('stands before every command of a script; a refusal is no clean result', async () => {
    await inside({ files, allow: [] }, async (bench) => {
      for (const script of [scanLint, auditDeps]) {
        const outcome = await bench.run(script, {});
        expect(outcome.status, outcome.text).toBe('denied');
        expect(outcome.text).toMatch(/(staticcheck|govulncheck) DENIED/);
        expect(outcome.text).not.toMatch(/(staticcheck|govulncheck):? CLEAN/);
      }
      expect((await bench.run(runTests, {})).status).toBe('denied');
    });
    await inside({ files, deny: ['@coder exec --cmd go vet'] }, async (bench) => {
      const { data } = await bench.run(scanLint, {});
      expect(sections(data)[0]).toMatchObject({
        title: 'go vet',
        state: 'denied',
        summary: expect.stringContaining('[BLOCKED BY POLICY]'),
      });
    });
  });

  it('keeps folders outside the workspace closed', async () => {
    await inside({ files }, async (bench) => {
      for (const dir of ['/etc', '../..', '/root/.ssh'])
        for (const script of [scanLint, mapProject]) expect((await bench.run(script, { dir })).status, dir).not.toBe('ok');
    });
  });
});

describe('projects', () => {
  const taken = (found: Awaited<ReturnType<typeof findProjects>>) => found.taken.map(({ id, dir, at }) => [id, dir, at]);

  it('are those of the folder, of the nearest above, or those below; several at once', async () => {
    const files = {
      'go.mod': 'module m\n',
      'package.json': '{}',
      'pkg/deep/x.go': 'package deep\n',
      'svc/api/pyproject.toml': '',
      'svc/api/inner/setup.py': '',
      'svc/lib/Cargo.toml': '',
      'web/package.json': '{}',
      'node_modules/dep/package.json': '{}',
      'odd -dir/pom.xml': '',
    };
    await inside({ files }, async ({ context }) => {
      const root = await findProjects(context, '.');
      expect(taken(root)).toEqual([
        ['go', '.', '.'],
        ['javascript', '.', '.'],
      ]);
      expect(root.others.map(({ id, dir }) => [id, dir])).toEqual([
        ['java', 'odd -dir'],
        ['python', 'svc/api'],
        ['python', 'svc/api/inner'],
        ['rust', 'svc/lib'],
      ]);
      expect(taken(await findProjects(context, './pkg/deep/'))).toEqual([
        ['go', '.', 'pkg/deep'],
        ['javascript', '.', 'pkg/deep'],
      ]);
      expect(taken(await findProjects(context, 'web'))).toEqual([['javascript', 'web', 'web']]);
      expect(taken(await findProjects(context, '.', 'python'))).toEqual([['python', 'svc/api', 'svc/api']]);
      expect(taken(await findProjects(context, 'svc', 'rust'))).toEqual([['rust', 'svc/lib', 'svc/lib']]);
    });
  });
});

describe('rename-symbol', () => {
  it('says that the parser is not here, or hands over what it is asked', async () => {
    const gone = async () => ({ output: 'no such tool: @rename', isError: true, code: 'NotFound' as const });
    await inside({ files: { 'a.ts': 'export const Foo = 1;\n' }, extra: { '@rename': gone } }, async (bench) => {
      expect(await bench.run(renameSymbol, { old: 'Foo', new: 'FooBar' })).toMatchObject({ status: 'not-available' });
      expect(bench.read('a.ts')).toBe('export const Foo = 1;\n');
      for (const bad of ['a b', '1x', "x'; rm", 'a.b', '$(x)'])
        expect((await bench.run(renameSymbol, { old: 'Foo', new: bad })).status).toBe('failed');
    });
    const asked: JsonObject[] = [];
    const rename = async (args: JsonObject) => {
      asked.push(args);
      return {
        output: 'a.ts: 2 places',
        isError: false,
        changed: ['/w/a.ts'],
        display: { kind: 'diff' as const, changes: [{ path: 'a.ts', added: 2, removed: 2 }] },
      };
    };
    await inside({ files: {}, extra: { '@rename': rename } }, async (bench) => {
      const outcome = await bench.run(renameSymbol, { old: 'Foo', new: 'FooBar', file: 'a.ts' });
      expect(asked).toEqual([{ old: 'Foo', new: 'FooBar', dir: '.', file: 'a.ts' }]);
      expect(outcome).toMatchObject({
        status: 'ok',
        changed: ['/w/a.ts'],
        data: { files: [{ path: 'a.ts', added: 2, removed: 2 }] },
      });
    });
  });
});

describe('run-tests', () => {
  it('runs the projects below a folder that has none, and says which had no tests', async () => {
    const files = {
      'one/package.json': JSON.stringify({ scripts: { test: 'node --test' } }),
      'one/a.test.js': "require('node:test')('adds', () => {});\n",
      'two/pyproject.toml': '',
    };
    await inside({ files }, async (bench) => {
      const outcome = await bench.run(runTests, {});
      expect(outcome.status, outcome.text).toBe('ok');
      expect(listIn(outcome.data, 'runs').map(({ dir, status }) => [dir, status])).toEqual([
        ['one', 'ok'],
        ['two', 'not-available'],
      ]);
      expect(outcome.text).toContain('no tests could be run in two');
    });
  });

  it('starts nothing once it was stopped', async () => {
    await inside({ files: { 'go.mod': 'module m\n' }, signal: AbortSignal.abort() }, async (bench) => {
      for (const script of [runTests, scanLint]) expect((await bench.run(script, {})).status, script.name).not.toBe('ok');
    });
  });
});
