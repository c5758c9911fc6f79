/** `/agents`: who is at work, what there is, and an end for one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shellAgents, workerLines } from '../../src/app/agents-view.js';
import { loadConfig } from '../../src/app/load-config.js';
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
    agentLines: async (all?: boolean) => (all ? [...lines, 'all'] : lines),
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
    expect((await run(' list ')).printed).toEqual(['one\nall']);
    expect((await run('', [])).printed[0]).toContain('switched off');
  });

  it('cancel stops the one that is named, and says when there is none', async () => {
    expect(await run(' cancel  coder-2 ')).toEqual({ printed: ['coder-2 is being stopped.'], stopped: ['coder-2'], failures: 0 });
    expect(await run('cancel coder')).toEqual({ printed: ['No agent coder is at work.'], stopped: [], failures: 1 });
    expect((await run('cancel')).printed[0]).toContain('Which one?');
  });

  it('shows those at work alone, and all with `list`', async () => {
    const view = { worker: 'file-2', agent: 'file', task: 'look', state: 'running', started: 0 } as const;
    const stopped: unknown[][] = [];
    const workers = { workers: () => [view], cancel: (...words: unknown[]) => stopped.push(words) > 0 };
    const folder = mkdtempSync(join(tmpdir(), 'chatcli-agents-'));
    try {
      const config = loadConfig({ directory: folder, isolatedState: join(folder, 'state') });
      const shell = shellAgents(config, t, workers);
      const busy = await shell.agentLines();
      expect(busy).toEqual(['At work:', '  file-2  works  look', t('agents.cancelHint'), t('agents.listHint')]);
      const all = await shell.agentLines(true);
      expect(all.findIndex((line) => line.startsWith('coder'))).toBeLessThan(all.indexOf('At work:'));
      expect(all.join('\n')).toMatch(/abilities: write-file, patch-file/);
      shell.cancelAgent('file-2');
      expect(stopped).toEqual([['file-2', 'person']]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
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
