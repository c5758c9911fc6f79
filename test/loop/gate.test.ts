import { describe, expect, it } from 'vitest';
import { createGate, type GateOptions } from '../../src/loop/gate.js';
import type { EventBody } from '../../src/types/event.js';
import type { Answer, Decision, Judged } from '../../src/types/policy.js';

const judged: Judged = {
  call: { id: 'c1', tool: '@coder exec', args: { cmd: 'x' }, source: 'native', agent: 'main' },
  facts: { readOnly: false, reads: [], writes: [], order: 'alone', label: { verb: 'run', object: 'x' }, command: 'x' },
  reads: [],
  writes: [],
};
const decision = (verdict: Decision['verdict']): Decision => ({ verdict, step: 7, reason: `because ${verdict}`, code: 'Denied' });

function setup(options: { verdicts: Decision['verdict'][]; answer?: Answer | (() => Promise<Answer>); canAsk?: boolean }) {
  const events: EventBody[] = [];
  const remembered: string[] = [];
  const granted: Judged[] = [];
  let n = 0;
  const gateOptions: GateOptions = {
    decide: () => decision(options.verdicts[Math.min(n++, options.verdicts.length - 1)] ?? 'ask'),
    approver: {
      canAsk: options.canAsk ?? true,
      ask: async () => (typeof options.answer === 'function' ? options.answer() : (options.answer ?? 'no')),
    },
    remember: (_question, answer) => void remembered.push(answer),
    grant: (j) => granted.push(j),
  };
  const gate = createGate(gateOptions);
  const pass = (signal = new AbortController().signal) =>
    gate.pass(judged, { agent: 'main', task: 't', signal, emit: (e) => events.push(e) });
  return { pass, events, remembered, granted };
}

describe('refusals', () => {
  it('are not asked a fourth time in a row before the user says something new; a yes clears them', async () => {
    let answer: Answer = 'no';
    let asked = 0;
    const gate = createGate({
      decide: () => decision('ask'),
      approver: {
        canAsk: true,
        ask: async () => {
          asked++;
          return answer;
        },
      },
      remember: () => undefined,
      grant: () => undefined,
    });
    const pass = (tool = '@coder exec') =>
      gate.pass(
        { ...judged, call: { ...judged.call, tool } },
        { agent: 'main', task: 't', signal: new AbortController().signal, emit: () => undefined },
      );
    for (let n = 0; n < 3; n++) await pass();
    const fourth = await pass();
    expect(asked).toBe(3);
    expect(fourth).toMatchObject({ run: false, denied: true, code: 'Denied' });
    expect(fourth.run === false && fourth.message).toContain('several times in a row');
    await pass('@coder write');
    expect(asked, 'another tool is asked about').toBe(4);
    gate.heard?.();
    answer = 'yes';
    expect(await pass()).toEqual({ run: true });
    answer = 'no';
    for (let n = 0; n < 3; n++) await pass();
    expect(asked).toBe(8);
    await pass();
    expect(asked).toBe(8);
  });
  it('of one program say nothing of another, but no tool is asked about for ever', async () => {
    let asked = 0;
    let answer: Answer = 'no';
    const gate = createGate({
      decide: () => decision('ask'),
      approver: {
        canAsk: true,
        ask: async () => {
          asked++;
          return answer;
        },
      },
      remember: () => undefined,
      grant: () => undefined,
    });
    const run = (command: string) =>
      gate.pass(
        { ...judged, facts: { ...judged.facts, command } },
        { agent: 'main', task: 't', signal: new AbortController().signal, emit: () => undefined },
      );
    for (let n = 0; n < 4; n++) await run(`npm publish ${n}`);
    expect(asked).toBe(3);
    await run('make all');
    expect(asked).toBe(4);
    answer = 'yes';
    await run('make all');
    answer = 'no';
    // The yes has cleared what was said of the tool.
    await run('npm publish');
    expect(asked).toBe(6);
    for (const program of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) await run(program);
    expect(asked).toBe(11);
  });
  it('of many kinds make even reading a question, until a yes; never where nobody can be asked', async () => {
    let verdict: Decision['verdict'] = 'ask';
    let answer: Answer = 'no';
    const events: EventBody[] = [];
    const make = (canAsk: boolean) =>
      createGate({
        decide: () => decision(verdict),
        approver: { canAsk, ask: async () => answer },
        remember: () => undefined,
        grant: () => undefined,
        limits: { inARow: 100, inAll: 2 },
      });
    const asker = { agent: 'main', task: 't', signal: new AbortController().signal, emit: (e: EventBody) => events.push(e) };
    const gate = make(true);
    await gate.pass(judged, asker);
    await gate.pass(judged, asker);
    verdict = 'allow';
    expect(await gate.pass(judged, asker)).toMatchObject({ run: false, denied: true });
    answer = 'yes';
    expect(await gate.pass(judged, asker)).toEqual({ run: true });
    events.length = 0;
    expect(await gate.pass(judged, asker)).toEqual({ run: true });
    expect(events).toEqual([]);
    const headless = make(false);
    verdict = 'ask';
    for (let n = 0; n < 5; n++) await headless.pass(judged, asker);
    verdict = 'allow';
    expect(await headless.pass(judged, asker)).toEqual({ run: true });
  });
});

describe('gate', () => {
  it('lets an allowed call through without a question', async () => {
    const { pass, events } = setup({ verdicts: ['allow'] });
    expect(await pass()).toEqual({ run: true });
    expect(events).toEqual([]);
  });
  it('refuses a denied call and says why', async () => {
    const passage = await setup({ verdicts: ['deny'] }).pass();
    expect(passage).toMatchObject({ run: false, denied: true, code: 'Denied' });
    expect(passage.run === false && passage.message).toContain('because deny');
  });
  it('denies what would ask when nobody can be asked, without calling the approver', async () => {
    const { pass, events } = setup({ verdicts: ['ask'], canAsk: false, answer: 'yes' });
    expect(await pass()).toMatchObject({ run: false, denied: true });
    expect(events).toEqual([]);
  });
  it('asks, and runs on yes', async () => {
    const { pass, events, granted } = setup({ verdicts: ['ask'], answer: 'yes' });
    expect(await pass()).toEqual({ run: true });
    expect(events.map((e) => e.type)).toEqual(['approval-request', 'approval-response']);
    expect(granted).toEqual([]);
  });
  it('grants personal paths only for an immune call a person allowed', async () => {
    const { pass, granted } = setup({ verdicts: ['immune'], answer: 'yes' });
    await pass();
    expect(granted).toHaveLength(1);
  });
  it('keeps always and never as rules', async () => {
    const always = setup({ verdicts: ['ask'], answer: 'always' });
    expect(await always.pass()).toEqual({ run: true });
    expect(always.remembered).toEqual(['always']);
    const never = setup({ verdicts: ['ask'], answer: 'never' });
    expect(await never.pass()).toMatchObject({ run: false, denied: true });
    expect(never.remembered).toEqual(['never']);
  });
  it('treats stopped as no denial', async () => {
    expect(await setup({ verdicts: ['ask'], answer: 'stopped' }).pass()).toMatchObject({
      run: false,
      denied: false,
      code: 'Aborted',
    });
  });
  it('takes a failing dialog for a no', async () => {
    const answer = async (): Promise<Answer> => {
      throw new Error('terminal gone');
    };
    expect(await setup({ verdicts: ['ask'], answer }).pass()).toMatchObject({ run: false, denied: true });
  });
  it('shows one question at a time and decides again after waiting', async () => {
    let open = 0;
    let most = 0;
    const answer = async (): Promise<Answer> => {
      open++;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open--;
      return 'yes';
    };
    const { pass } = setup({ verdicts: ['ask'], answer });
    await Promise.all([pass(), pass(), pass()]);
    expect(most).toBe(1);
    // first decision of both: ask; after waiting the rule of the first answer allows the second.
    const waited = setup({ verdicts: ['ask', 'ask', 'ask', 'allow'], answer });
    await Promise.all([waited.pass(), waited.pass()]);
    expect(waited.events.filter((e) => e.type === 'approval-request')).toHaveLength(1);
  });
});
