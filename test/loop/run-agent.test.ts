import { describe, expect, it } from 'vitest';
import { bad, ok, run, textOf, tool } from './scripted-run.js';

describe('runAgent', () => {
  it('answers native calls with native results, in order, and ends done', async () => {
    const { outcome, provider } = await run({
      turns: [
        {
          calls: [
            ['read', { file: 'a' }],
            ['write', { file: 'b' }],
          ],
        },
        { text: 'All good.' },
      ],
    });
    expect(outcome).toMatchObject({ status: 'done', result: 'All good.', turns: 2, files: ['b'], denied: [] });
    const results = provider.requests[1]?.messages.at(-1);
    expect(results?.role).toBe('tool');
    expect(results?.parts.map((part) => part.type === 'result' && [part.id, part.text])).toEqual([
      ['call_1_0', 'content of a'],
      ['call_1_1', 'wrote b'],
    ]);
  });

  it('goes on when calls are present, whatever the finish reason', async () => {
    for (const reason of ['stop', 'other', 'filter'] as const) {
      const { outcome } = await run({ turns: [{ calls: [['read', { file: 'a' }]], reason }, { text: 'done' }] });
      expect(outcome).toMatchObject({ status: 'done', turns: 2 });
    }
  });

  it('runs text tags and answers with a user message', async () => {
    const { outcome, provider } = await run({
      mode: 'text',
      turns: [{ text: `Looking.\n<tool_call name="@read" args='{"file":"a"}'/>` }, { text: 'Fine.' }],
    });
    expect(outcome.status).toBe('done');
    const answer = provider.requests[1]?.messages.at(-1);
    expect(answer?.role).toBe('user');
    expect(textOf(answer)).toContain('content of a');
    expect(provider.requests[0]?.functions).toEqual([]);
  });

  it('keeps a byte-identical prefix from request to request', async () => {
    const { provider } = await run({
      turns: [{ calls: [['read', { file: 'a' }]] }, { calls: [['read', { file: 'b' }]] }, { text: 'x' }],
    });
    const [first, second, third] = provider.requests;
    for (const [before, after] of [
      [first, second],
      [second, third],
    ] as const) {
      expect(after?.system).toBe(before?.system);
      expect(JSON.stringify(after?.functions)).toBe(JSON.stringify(before?.functions));
      const prefix = JSON.stringify(before?.messages).slice(0, -1);
      expect(JSON.stringify(after?.messages).startsWith(prefix)).toBe(true);
    }
  });

  it('falls to text tags for the run when the API refuses functions', async () => {
    const { outcome, provider } = await run({
      turns: [
        {
          events: [{ type: 'end', reason: 'error', fault: { kind: 'tools-unsupported', message: 'no tools', retryable: false } }],
        },
        { text: `<tool_call name="@read" args='{"file":"a"}'/>` },
        { text: 'ok' },
      ],
    });
    expect(outcome).toMatchObject({ status: 'done', turns: 2 });
    expect(provider.requests.map((request) => request.functions.length > 0)).toEqual([true, false, false]);
  });

  it('corrects an unknown tool and broken arguments, and recovers', async () => {
    const { outcome, provider } = await run({
      turns: [
        { calls: [['reed', { file: 'a' }]] },
        { calls: [['read', '{"file":"a']] },
        { calls: [['read', { file: 'a' }]] },
        { text: 'ok' },
      ],
    });
    expect(outcome).toMatchObject({ status: 'done', turns: 4 });
    const first = provider.requests[1]?.messages.at(-1)?.parts[0];
    expect(first).toMatchObject({ type: 'result', isError: true });
    expect(first?.type === 'result' && first.text).toContain('reed');
    const second = provider.requests[2]?.messages.at(-1)?.parts[0];
    expect(second?.type === 'result' && second.text).toContain('InvalidArgs');
  });

  it('ends as failed when the same fault comes again after two corrections', async () => {
    const { outcome, provider } = await run({
      turns: Array.from({ length: 9 }, () => ({ calls: [['nonsense', { n: Math.random() }] as const] })),
    });
    expect(outcome.status).toBe('failed');
    expect(provider.requests).toHaveLength(3);
  });

  it('stops at three identical batches with a last summary', async () => {
    let executed = 0;
    const { outcome, provider } = await run({
      tools: [tool('@read', 'read', false, () => ok(`${++executed}`))],
      turns: [
        ...Array.from({ length: 3 }, () => ({ calls: [['read', { file: 'a' }] as const] })),
        { text: 'I looked three times.' },
      ],
    });
    expect(outcome).toMatchObject({ status: 'stagnation', result: 'I looked three times.' });
    expect(executed).toBe(2);
    expect(provider.requests).toHaveLength(4);
  });

  it('stops at the turn limit with a last summary', async () => {
    let n = 0;
    const { outcome } = await run({
      limits: 3,
      turns: [
        ...Array.from({ length: 3 }, () => () => ({ calls: [['read', { file: `f${n++}` }] as const] })),
        { text: 'Half done.' },
      ],
    });
    expect(outcome).toMatchObject({ status: 'turn_limit', turns: 3, result: 'Half done.' });
  });

  it('lists denied calls, tells the model, and takes them back when an equal call succeeds', async () => {
    const denied = await run({
      verdict: (name) => (name === '@coder write' ? 'ask' : 'allow'),
      turns: [{ calls: [['write', { file: 'b' }]] }, { text: 'could not' }],
    });
    expect(denied.outcome.status).toBe('denied');
    expect(denied.outcome.denied.map(({ key: _, ...call }) => call)).toEqual([
      { tool: '@coder write', summary: 'b', reason: 'test says so.', agent: 'main', allowable: true },
    ]);
    const told = denied.provider.requests[1]?.messages.at(-1)?.parts[0];
    expect(told?.type === 'result' && told.text).toContain('[DENIED]');
    const later = await run({
      verdict: () => 'ask',
      answers: ['no', 'yes'],
      turns: [{ calls: [['write', { file: 'b' }]] }, { calls: [['write', { file: 'b' }]] }, { text: 'ok' }],
    });
    expect(later.outcome).toMatchObject({ status: 'done', denied: [] });
  });

  it('does not run a write whose earlier writer of the same path failed, and runs its siblings', async () => {
    const ran: string[] = [];
    let n = 0;
    const write = tool('@coder write', 'write', true, (file) => {
      ran.push(file);
      return file === 'a' && n++ === 0 ? bad('disk') : ok('wrote');
    });
    const { provider } = await run({
      tools: [write],
      turns: [
        {
          calls: [
            ['write', { file: 'a' }],
            ['write', { file: 'a' }],
            ['write', { file: 'b' }],
          ],
        },
        { text: 'x' },
      ],
    });
    expect(ran.sort()).toEqual(['a', 'b']);
    const parts = provider.requests[1]?.messages.at(-1)?.parts ?? [];
    expect(parts.map((part) => part.type === 'result' && part.text)).toEqual([
      'disk',
      expect.stringContaining('depends on call 1'),
      'wrote',
    ]);
  });

  it('overlaps reads and keeps the order of results', async () => {
    const releases: (() => void)[] = [];
    const read = tool(
      '@read',
      'read',
      false,
      (file) =>
        new Promise((resolve) => {
          releases.push(() => resolve(ok(file)));
          if (releases.length === 3) for (const release of [...releases].reverse()) release();
        }),
    );
    const { provider } = await run({
      tools: [read],
      turns: [
        {
          calls: [
            ['read', { file: 'a' }],
            ['read', { file: 'b' }],
            ['read', { file: 'c' }],
          ],
        },
        { text: 'x' },
      ],
    });
    expect(provider.requests[1]?.messages.at(-1)?.parts.map((part) => part.type === 'result' && part.text)).toEqual([
      'a',
      'b',
      'c',
    ]);
  });
});
