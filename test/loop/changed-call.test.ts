/** A call that a person changed at its question: judged again, run as changed, told to the model, and the same in a replay. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordedGate, recordedTools, withChanges } from '../../src/app/replay-run.js';
import { createGate } from '../../src/loop/gate.js';
import type { LoopPorts } from '../../src/loop/ports.js';
import { runBatch } from '../../src/loop/run-batch.js';
import { canonicalCall } from '../../src/protocol/canonical.js';
import { createRecorder, readRecording } from '../../src/session/recording.js';
import type { AgentEvent, EventBody } from '../../src/types/event.js';
import type { ChangedCall, FullAnswer, Judged, Verdict } from '../../src/types/policy.js';
import type { Tool } from '../../src/types/tool.js';
import type { Workspace } from '../../src/types/workspace.js';
import { ok, tool } from './scripted-run.js';

const HEADER = {
  app: 'chatcli test',
  created: 1,
  mode: 'coder',
  task: 't',
  provider: 'OPENAI',
  model: 'm',
  toolMode: 'native',
  permissionMode: 'default',
  workspace: '/ws',
  home: '/h',
} as const;

function setup(answers: (FullAnswer | 'yes' | 'no')[], verdict: (judged: Judged) => Verdict = () => 'ask') {
  const ran: string[] = [];
  const events: AgentEvent[] = [];
  const asked: string[] = [];
  const decided: string[] = [];
  const writer: Tool = tool('@coder write', 'write', true, (file) => {
    ran.push(file);
    return ok(`wrote ${file}`);
  });
  const gate = createGate({
    decide: (judged) => {
      decided.push(String(judged.call.args['file']));
      return { verdict: verdict(judged), step: 7, reason: 'no rule', code: 'Denied' };
    },
    approver: {
      canAsk: true,
      ask: async ({ call }) => {
        asked.push(String(call.args['file']));
        return answers.shift() ?? 'no';
      },
    },
    remember: () => undefined,
    grant: () => undefined,
  });
  const ports = {
    tools: [writer],
    workspace: {
      locate: (path: string) => ({ given: path, real: `/ws/${path.toLowerCase()}`, shown: path, zone: 'inside' }),
    } as unknown as Workspace,
    host: { childEnv: {}, home: '/h', scratch: '/s', state: '/st' },
    gate,
    clock: { now: () => 5 },
  } as unknown as LoopPorts;
  const emit = (event: EventBody): void => void events.push({ ...event, agent: 'main', time: 5 });
  const send = async (file: string, more: Partial<LoopPorts> = {}) => {
    const tools = more.tools ?? ports.tools;
    const origin = { id: 'c1', agent: 'main', source: 'native', raw: '' } as const;
    const parsed = canonicalCall(tools, 'write', { kind: 'object', object: { file } }, origin);
    const input = {
      agentId: 'main',
      task: 't',
      plan: { get: () => [], set: () => undefined },
      signal: new AbortController().signal,
    };
    const [entry] = await runBatch([parsed], input, { ...ports, ...more }, emit);
    return entry;
  };
  return { send, ran, events, asked, decided, ports };
}

const yes = (args: ChangedCall['args'], note = 'the user changed it'): FullAnswer => ({ answer: 'yes', changed: { args, note } });

describe('a call changed at its question', () => {
  it('is judged again, runs as changed, and the model reads what was changed', async () => {
    const { send, ran, decided, asked, events } = setup([yes({ file: 'A.txt' })]);
    const entry = await send('a.txt');
    expect(ran).toEqual(['A.txt']);
    expect(entry?.result.output).toBe('note: the user changed it\nwrote A.txt');
    expect(decided.at(-1)).toBe('A.txt');
    expect(asked, 'the same files need no second question').toEqual(['a.txt']);
    expect(events.filter(({ type }) => type !== 'approval-request')).toMatchObject([
      { type: 'approval-response', answer: 'yes', changed: { args: { file: 'A.txt' } } },
      { type: 'call-start', call: { args: { file: 'A.txt' } } },
      { type: 'call-end', call: { id: 'c1', args: { file: 'A.txt' } } },
    ]);
  });

  it('is asked about anew when it touches another file, and refused where a rule says so', async () => {
    const more = setup([yes({ file: 'other.txt' }), 'no']);
    const entry = await more.send('a.txt');
    expect(more.asked).toEqual(['a.txt', 'other.txt']);
    expect([more.ran, entry?.denied]).toEqual([[], true]);
    const denied = setup([yes({ file: 'other.txt' })], ({ call }) => (call.args['file'] === 'other.txt' ? 'deny' : 'ask'));
    expect((await denied.send('a.txt'))?.result.output).toContain('BLOCKED BY POLICY');
    expect(denied.ran).toEqual([]);
    const immune = setup([yes({ file: 'A.txt' }), 'yes'], ({ call }) => (call.args['file'] === 'A.txt' ? 'immune' : 'ask'));
    await immune.send('a.txt');
    expect([immune.asked, immune.ran]).toEqual([['a.txt', 'A.txt'], ['A.txt']]);
  });

  it('runs nothing when it is no valid call, and a change that came with a no is none', async () => {
    const { send, ran } = setup([yes({ path: 7 }), { answer: 'no', changed: { args: { file: 'A.txt' }, note: 'n' } }]);
    const entry = await send('a.txt');
    expect(entry?.result).toMatchObject({ isError: true, code: 'InvalidArgs' });
    expect(entry?.result.output).toContain('The user changed this call');
    expect((await send('a.txt'))?.denied).toBe(true);
    expect(ran).toEqual([]);
  });

  it('comes out of a recording as it was changed, from the record and executed', async () => {
    const { send, events, ports } = setup([yes({ file: 'A.txt' })]);
    const recorded = await send('a.txt');
    const folder = await mkdtemp(join(tmpdir(), 'chatcli-changed-'));
    try {
      const file = join(folder, 'run.jsonl');
      const recorder = await createRecorder(file, HEADER);
      for (const event of events) recorder.sink(event);
      expect(recorder.close()).toBeUndefined();
      const { calls } = await readRecording(file);
      const replayed = await send('a.txt', {
        tools: recordedTools(ports.tools, calls, { recorded: '/ws', replayed: '/ws' }),
        gate: recordedGate(calls),
      });
      expect(replayed?.result.output).toBe(recorded?.result.output);
      const open = createGate({
        decide: () => ({ verdict: 'allow', step: 4, reason: '', code: 'Denied' }),
        approver: { canAsk: false, ask: async () => 'no' },
        remember: () => undefined,
        grant: () => undefined,
      });
      const executed = await send('a.txt', { gate: withChanges(calls)(open) });
      expect(executed?.result.output).toBe(recorded?.result.output);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('the gate', () => {
  it('tells the question how many others wait', async () => {
    const waiting: number[] = [];
    const gate = createGate({
      decide: () => ({ verdict: 'ask', step: 7, reason: '', code: 'Denied' }),
      approver: {
        canAsk: true,
        ask: async (_question, options) => {
          await new Promise((resolve) => setTimeout(resolve, 1));
          waiting.push(options.waiting?.() ?? -1);
          return 'yes';
        },
      },
      remember: () => undefined,
      grant: () => undefined,
    });
    const call = { id: 'c', tool: '@x', args: {}, source: 'native', agent: 'main' } as const;
    const facts = { readOnly: false, reads: [], writes: [], order: 'alone', label: { verb: 'call', object: '' } } as const;
    const asker = { agent: 'main', task: '', signal: new AbortController().signal, emit: () => undefined };
    await Promise.all([1, 2, 3].map(() => gate.pass({ call, facts, reads: [], writes: [] }, asker)));
    expect(waiting).toEqual([2, 1, 0]);
  });
});
