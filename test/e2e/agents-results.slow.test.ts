/** What workers leave behind counts for the run: files their commands changed, and the tests they ran, up to the exit code. */
import { afterEach, describe, expect, it } from 'vitest';
import { call, closeAll, play, says, tag } from '../helpers/agents-play.js';

afterEach(closeAll);

function moment() {
  let come: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    come = resolve;
  });
  return { come, until };
}

describe('files that the command of a worker changed', () => {
  it('are in its report and in the result, and a sibling that had read one is told who changed it', async () => {
    const read = moment();
    const changed = moment();
    const { told, ran } = await play({
      parts: {
        main: [says([tag('shell', 'Make'), tag('coder', 'Write')].join('\n')), says('Done.')],
        Make: [
          async () => {
            await read.until;
            return { calls: [call('exec', { cmd: "echo n > new.txt; sed -i 's/trimEnd/trim/' src/engine.js" })] };
          },
          async () => {
            changed.come();
            return says('made');
          },
        ],
        Write: [
          { calls: [call('read', { file: 'src/engine.js' })] },
          async () => {
            read.come();
            await changed.until;
            return { calls: [call('write', { file: 'src/engine.js', content: 'gone;\n' })] };
          },
          says('could not'),
        ],
      },
    });
    expect(told(1)).toMatch(/\[shell\] done[\s\S]*made\nFiles changed: new\.txt, src\/engine\.js/);
    expect(told(1)).toMatch(/\[coder\] done[\s\S]*error \[Conflict\]/);
    expect(ran.json()).toMatchObject({ files: ['new.txt', 'src/engine.js'], status: 'done' });
  });
});

describe('red tests of a worker', () => {
  it('fail the run although its model is content, until a later test is green', async () => {
    const breaks = call('exec', { cmd: "sed -i 's/trimEnd/trimStart/' src/engine.js" });
    const repairs = call('exec', { cmd: "sed -i 's/trimStart/trimEnd/' src/engine.js" });
    const run = tag('shell', 'Run', 'skill="run-tests"');
    const red = await play({ parts: { main: [{ calls: [breaks] }, says(run), says('All tests pass.')] } });
    expect(red.ran.json()).toMatchObject({ status: 'failed', reason: 'the last test run was red', result: 'All tests pass.' });
    expect(red.ran.code).toBe(1);
    const main = [{ calls: [breaks] }, { calls: [call('test', {})] }, { calls: [repairs] }, says(run), says('All tests pass.')];
    const green = await play({ parts: { main } });
    expect([green.ran.json(), green.ran.code]).toMatchObject([{ status: 'done' }, 0]);
  });
});
