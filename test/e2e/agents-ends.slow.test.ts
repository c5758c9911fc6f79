/** How agents end badly: each by itself, its siblings untouched, nothing left behind; and how such runs are played again. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { call, closeAll, ENGINE, play, repository, says, tag } from '../helpers/agents-play.js';
import { runProgram } from '../helpers/run-program.js';
import type { Line } from '../helpers/wire/crew.js';

afterEach(closeAll);

/** Command lines of processes that hold a mark. */
function running(mark: string): string[] {
  const all = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  return all.split('\n').filter((line) => line.includes(mark) && !line.includes('ps -eo'));
}

describe('workers that loop, flood, lose their model', () => {
  it('each end in a report of their own, and the sibling is done', async () => {
    const parts: Record<string, readonly Line[]> = {
      main: [
        says([tag('search', 'Loop'), tag('shell', 'Flood'), tag('deps', 'Lose'), tag('reviewer', 'Fine')].join('\n')),
        says('Done.'),
      ],
      Loop: Array.from({ length: 9 }, () => ({ calls: [call('read', { file: 'package.json' })] })),
      Flood: [{ calls: [call('exec', { cmd: 'yes flood | head -c 3000000' })] }, says('x'.repeat(90_000))],
      Lose: [{ status: 400, message: 'no such model' }],
      Fine: [says('All is well.')],
    };
    const { told, ran } = await play({ parts });
    const report = told(1);
    expect(report).toMatch(/\[search\] stopped: it went in circles/);
    expect(report).toMatch(/\[shell\] done[\s\S]*characters left out/);
    expect(report).toMatch(/\[deps\] failed: the model service: .*no such model/);
    expect(report).toMatch(/\[reviewer\] done[\s\S]*All is well\./);
    expect(report.length).toBeLessThan(60_000);
    expect(ran.json()).toMatchObject({ result: 'Done.' });
  });
});

describe('workers that hang', () => {
  it('end at their time limit, whatever they hang at, and leave no process', async () => {
    const parts: Record<string, readonly Line[]> = {
      main: [says([tag('file', 'Hang'), tag('git', 'Sleep')].join('\n')), says('Done.')],
      Hang: [{ hang: true }],
      Sleep: [{ calls: [call('exec', { cmd: 'sleep 304' })] }],
    };
    const { told, ran } = await play({ parts, env: { CHATCLI_AGENT_WORKER_TIMEOUT: '3s' } });
    expect(told(1)).toMatch(/\[file\] timeout, unfinished/);
    expect(told(1)).toMatch(/\[git\] timeout, unfinished/);
    expect(running('sleep 304')).toEqual([]);
    expect(ran.json()).toMatchObject({ result: 'Done.' });
  });
});

describe('an interruption', () => {
  it('ends workers that run commands, wait for the model, and wait for a slot; no process stays', async () => {
    const sleeps = ['311', '312', '313'];
    const parts: Record<string, readonly Line[]> = {
      main: [says([...sleeps.map((n) => tag('shell', `Sleep ${n}`)), tag('file', 'Hang'), tag('file', 'Wait')].join('\n'))],
      ...Object.fromEntries(sleeps.map((n) => [`Sleep ${n}`, [{ calls: [call('exec', { cmd: `sleep ${n}` })] }]])),
      Hang: [{ hang: true }],
      Wait: [says('never')],
    };
    const { ran, of } = await play({
      parts,
      onStart(child) {
        const look = setInterval(() => {
          if (!sleeps.every((n) => running(`sleep ${n}`).length > 0)) return;
          clearInterval(look);
          child.kill('SIGINT');
        }, 50);
        child.on('close', () => clearInterval(look));
      },
    });
    expect(ran.code).toBe(130);
    expect(ran.json()).toMatchObject({ status: 'interrupted' });
    for (const n of sleeps) expect(running(`sleep ${n}`)).toEqual([]);
    expect(of('Wait')).toEqual([]);
    // That it takes 200 ms at most is measured by bench/interrupt.mjs.
  });
});

describe('a recording with workers', () => {
  it('plays again from the record, and for real', async () => {
    const place = repository();
    const file = join(place.root, 'run.jsonl');
    const parts: Record<string, readonly Line[]> = {
      main: [
        says(
          `${tag('coder', 'Add a')}\n${tag('coder', 'Add b')}\n${tag('file', 'Many', `skill="batch-read" args='{"dir":"src","glob":"*.js"}'`)}`,
        ),
        { calls: [call('read', { file: 'src/a.js' })] },
        says('Both there.'),
      ],
      'Add a': [{ calls: [call('write', { file: 'src/a.js', content: 'a;\n' })] }, says('a')],
      'Add b': [
        { delayMs: 100, calls: [call('read', { file: 'src/engine.js' })] },
        { calls: [call('write', { file: 'src/b.js', content: 'b;\n' })] },
        says('b'),
      ],
    };
    const first = await play({ parts, place, args: ['--record', file] });
    expect(first.ran.stderr).toBe('');
    expect(existsSync(join(place.workspace, 'src/b.js'))).toBe(true);
    const again = repository();
    const replayed = await runProgram(['replay', file, '--diff'], { place: again });
    expect([replayed.code, replayed.code === 0 ? '' : replayed.stdout + replayed.stderr]).toEqual([0, '']);
    expect(existsSync(join(again.workspace, 'src/a.js'))).toBe(false);
    const real = await runProgram(['replay', file, '--execute', '--diff', '--permission-mode', 'auto'], { place: again });
    expect([real.code, real.code === 0 ? '' : real.stdout + real.stderr]).toEqual([0, '']);
    expect(readFileSync(join(again.workspace, 'src/engine.js'), 'utf8')).toBe(ENGINE);
  });
});
