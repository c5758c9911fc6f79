/** What a read-only agent's scripts may run: nothing outside of a sandbox that keeps everything as it is, unless a person says so. */
import { describe, expect, it } from 'vitest';
import { createGate } from '../../src/loop/gate.js';
import { confinedScripts, heldGate } from '../../src/loop/worker-gate.js';
import type { Answer, Judged } from '../../src/types/policy.js';
import { because } from '../../src/types/reason.js';
import type { ConfinedStart, Confinement, SandboxPort } from '../../src/types/sandbox.js';
import type { Host } from '../../src/types/tool.js';
import { worker } from './worker-bench.js';

const READER = worker('audit', { readOnly: true });
const START = { file: 'sh', args: [], cwd: '/ws', ownSession: true };

function judged(command: string | undefined, readOnly = false): Judged {
  const label = { verb: 'run', object: 'x' } as const;
  const facts = {
    readOnly,
    reads: [],
    writes: [],
    order: 'alone',
    label,
    ...(command === undefined ? {} : { command }),
  } as const;
  return { call: { id: '1', tool: '@coder exec', args: {}, source: 'native', agent: 'audit' }, facts, reads: [], writes: [] };
}

/** `level`: what `confine` gives; `says`: what it says before. */
function bench({ says, gives, answer }: { says?: boolean; gives?: boolean; answer?: Answer }) {
  const uses: Confinement[] = [];
  const asked: Judged['call'][] = [];
  const start = { file: 'bwrap', args: [], handles: [] } as unknown as ConfinedStart;
  const sandbox: SandboxPort = {
    canOffer: false,
    ...(says === undefined ? {} : { inForce: async () => says }),
    confine: async (_program, use) => {
      uses.push(use);
      return gives ? start : undefined;
    },
  };
  const gate = createGate({
    // As the policy does it: what goes without the sandbox is always asked.
    decide: ({ call }) => ({
      verdict: call.args['outside'] === true ? 'immune' : 'allow',
      step: 3,
      reason: 'It would run without the sandbox.',
      code: 'Denied',
    }),
    approver: {
      canAsk: answer !== undefined,
      ask: async ({ call }) => {
        asked.push(call);
        return answer ?? 'no';
      },
    },
    remember: () => undefined,
    grant: () => undefined,
  });
  const host = {
    childEnv: {},
    home: '/h',
    scratch: '/s',
    state: '/st',
    ...(says === undefined && gives === undefined ? {} : { sandbox }),
  };
  const confined = confinedScripts(gate, host as Host, READER);
  const asker = { agent: 'audit', task: 't', signal: new AbortController().signal, emit: () => undefined };
  return { pass: (what: Judged) => confined.gate.pass(what, asker), host: confined.host, uses, asked };
}

describe("commands of a read-only agent's scripts", () => {
  it('run in a sandbox in which nothing they write lasts', async () => {
    const { pass, host, uses } = bench({ says: true, gives: true });
    expect(await pass(judged('eslint .'))).toEqual({ run: true });
    expect(await host.sandbox?.confine(START, { env: {} })).toBeDefined();
    expect(uses).toEqual([{ env: {}, readOnly: true, nothingLasts: true }]);
  });

  it.each([{ says: false, gives: false }, {}])(
    'are denied without one where nobody can be asked, with the reason: %j',
    async (setup) => {
      const { pass } = bench(setup);
      expect(await pass(judged('eslint .'))).toMatchObject({
        run: false,
        denied: true,
        message: expect.stringMatching(/without the sandbox[\s\S]*The agent audit is read-only, and no sandbox is in force/),
        reason: expect.stringContaining('no sandbox is in force'),
      });
      expect(await pass(judged(undefined, true))).toEqual({ run: true });
    },
  );

  it('are asked about without one, and run when a person agrees', async () => {
    const { pass, host, asked } = bench({ says: false, gives: false, answer: 'yes' });
    expect(await pass(judged('eslint .'))).toEqual({ run: true });
    expect(asked).toMatchObject([{ args: { outside: true } }]);
    expect(await host.sandbox?.confine(START, { env: {} })).toBeUndefined();
    const refused = bench({ says: false, gives: false, answer: 'no' });
    expect(await refused.pass(judged('eslint .'))).toMatchObject({ run: false, denied: true });
  });

  it('never start unconfined when the sandbox that was said to be in force is not', async () => {
    const { pass, host } = bench({ says: true, gives: false });
    expect(await pass(judged('eslint .'))).toEqual({ run: true });
    await expect(host.sandbox?.confine(START, { env: {} })).rejects.toMatchObject({ code: 'Denied' });
  });

  it('are all it may do beside reading: what is no command is refused, sandbox or not', async () => {
    const { pass } = bench({ says: true, gives: true, answer: 'yes' });
    expect(await pass(judged(undefined))).toMatchObject({ run: false, denied: true, code: 'Blocked' });
  });
});

describe('the list of an agent', () => {
  it('comes before every rule, and waiting for a question is told', async () => {
    const gate = createGate({
      decide: () => ({ verdict: 'ask', step: 7, reason: 'r.', code: 'Denied' }),
      approver: { canAsk: true, ask: async () => 'yes' },
      remember: () => undefined,
      grant: () => undefined,
    });
    const states: boolean[] = [];
    const run = {
      refuses: (_agent: unknown, { facts }: Judged) =>
        facts.command === 'touch x' ? because`the agent a may only run: git log` : undefined,
      asking: (on: boolean) => void states.push(on),
    };
    let held = 0;
    const hold = <T>(work: () => Promise<T>): Promise<T> => {
      held++;
      return work();
    };
    const own = heldGate(gate, READER, run, hold);
    const asker = { agent: 'a', task: 't', signal: new AbortController().signal, emit: () => undefined };
    expect(await own.pass(judged('touch x'), asker)).toMatchObject({ run: false, denied: true, code: 'Blocked' });
    expect(states).toEqual([]);
    expect(await own.pass(judged('git log'), asker)).toEqual({ run: true });
    expect(states).toEqual([true, false]);
    expect(held).toBe(2);
  });
});
