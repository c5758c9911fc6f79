/** `/agents`: who is at work, what there is, and an end for one. */
import { describe, expect, it } from 'vitest';
import { workerLines } from '../../src/app/agents-view.js';
import { agents } from '../../src/commands/agents.js';
import type { CommandContext } from '../../src/types/command.js';
import { createText } from '../../src/ui/text/index.js';

const { t } = createText('en');

async function run(words: string, lines: readonly string[] = ['one']) {
  const printed: string[] = [];
  const stopped: string[] = [];
  let failures = 0;
  const context = {
    t,
    print: (text: string) => void printed.push(text),
    agentLines: async () => lines,
    cancelAgent: (worker: string) => worker === 'coder-2' && stopped.push(worker) > 0,
    failed: () => {
      failures++;
    },
  } as unknown as CommandContext;
  await agents.run(words, context);
  return { printed, stopped, failures };
}

describe('/agents', () => {
  it('shows them, or that there are none', async () => {
    expect((await run('')).printed).toEqual(['one']);
    expect((await run(' list ')).printed).toEqual(['one']);
    expect((await run('', [])).printed[0]).toContain('switched off');
  });

  it('cancel stops the one that is named, and says when there is none', async () => {
    expect(await run(' cancel  coder-2 ')).toEqual({ printed: ['coder-2 is being stopped.'], stopped: ['coder-2'], failures: 0 });
    expect(await run('cancel coder')).toEqual({ printed: ['No agent coder is at work.'], stopped: [], failures: 1 });
    expect((await run('cancel')).printed[0]).toContain('Which one?');
  });

  it('tells those at work with state and task, each on one line', () => {
    const base = { agent: 'coder', started: 0 } as const;
    const lines = workerLines(
      [
        { ...base, worker: 'coder', state: 'asking', task: `write\nit\u202e ${'x '.repeat(200)}` },
        { ...base, worker: 'coder-2', state: 'waiting', task: 'b' },
      ],
      t,
    );
    expect(lines).toEqual([
      'At work:',
      expect.stringMatching(/^ {2}coder {2}asks {2}write it x x [x ]+…$/),
      '  coder-2  waits  b',
      t('agents.cancelHint'),
    ]);
  });
});
