import { expect, it } from 'vitest';
import { createWorkerIds } from '../../src/loop/worker-ids.js';
import { runWorkers } from './worker-bench.js';

it('names each worker of a session once, never as another agent or the caller', () => {
  const ids = createWorkerIds(['main']);
  const agents = ['coder', 'coder-2', 'file'];
  const next = (agent: string) => ids.next(agent, agents);
  expect(['coder', 'coder', 'coder-2', 'coder', 'coder-2'].map(next)).toEqual([
    'coder',
    'coder-3',
    'coder-2',
    'coder-4',
    'coder-2-2',
  ]);
  // An agent that came later under the name of a worker.
  agents.push('coder-3');
  expect(next('coder-3')).toBe('coder-3-2');
  expect([next('main'), next('../x\n[coder]'), next('\u202e'), next('a'.repeat(500)).length]).toEqual([
    'main-2',
    'x-coder-',
    'agent',
    64,
  ]);
});

it('two workers at once never share an id, however agents are called', async () => {
  const call = (agent: string) => ['agent', { agent, task: 'look' }] as const;
  const { reports, ofType } = await runWorkers({
    agents: [{ name: 'coder' }, { name: 'coder-2' }],
    says: {
      main: [{ calls: [call('coder'), call('coder'), call('coder-2'), call('main'), call('nobody')] }, { text: 'All done.' }],
      coder: [{ text: 'a' }],
      'coder-3': [{ text: 'b' }],
      'coder-2': [{ text: 'c' }],
    },
  });
  expect(
    ofType('worker-start')
      .map(({ worker }) => worker)
      .sort(),
  ).toEqual(['coder', 'coder-2', 'coder-3']);
  expect(reports.map((text) => text.split(' ')[0])).toEqual(['[coder]', '[coder-3]', '[coder-2]', '[main]', '[nobody]']);
  expect(reports.slice(3)).toEqual([
    expect.stringContaining('there is no agent main. Agents: coder, coder-2'),
    expect.stringContaining('there is no agent nobody. Agents: coder, coder-2'),
  ]);
  expect(ofType('worker-end')).toHaveLength(3);
});
