import { Validator } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/types/event.js';
import type { Display } from '../../src/types/tool.js';
import { createJsonPresenter } from '../../src/ui/present-json.js';
import { createStreamPresenter } from '../../src/ui/present-stream.js';
import { streamSchema } from '../../src/ui/stream-schema.js';
import { call, event, outcome, result, Sheet } from './streams.js';

const start = (id = 't1c1', object = 'main.go', agent = 'main') =>
  event({ type: 'call-start', call: call('@coder read', { file: object }, id), label: { verb: 'read', object } }, agent);
const end = (more: Parameters<typeof result>[1] = {}, id = 't1c1', output = 'out', denied = false, agent = 'main') =>
  event({ type: 'call-end', call: call('@coder read', {}, id), result: result(output, more), denied }, agent);
const display = (value: Display) => end({ display: value });
const delta = (text: string) => event({ type: 'text-delta', text });

describe('the json presenter', () => {
  it('writes exactly one object, at the end', () => {
    const out = new Sheet();
    const err = new Sheet();
    const presenter = createJsonPresenter({ out, err, session: 's-1' });
    presenter.sink(delta('text'));
    presenter.sink(event({ type: 'notice', level: 'warn', code: 'c', text: 'careful' }));
    expect(out.text).toBe('');
    presenter.finish(outcome({ status: 'failed', reason: 'red', cost: 0.5, files: ['a'] }));
    expect(out.text.endsWith('\n')).toBe(true);
    expect(JSON.parse(out.text)).toEqual({
      result: 'All good.',
      status: 'failed',
      reason: 'red',
      turns: 2,
      usage: outcome().usage,
      cost: 0.5,
      denied: [],
      files: ['a'],
      session: 's-1',
    });
    expect(err.text).toBe('warn: careful\n');
  });
  it('says null for a cost that is not known', () => {
    const out = new Sheet();
    createJsonPresenter({ out, err: new Sheet(), session: 's' }).finish(outcome());
    expect(JSON.parse(out.text).cost).toBeNull();
  });
});

const message = {
  id: 'm1',
  role: 'assistant' as const,
  time: 5,
  origin: 'note' as const,
  parts: [
    { type: 'text' as const, text: 'a\u2028b', meta: { x: [1] } },
    { type: 'reasoning' as const, text: 'r' },
    { type: 'image' as const, mediaType: 'image/png', data: 'AA' },
    { type: 'call' as const, id: 'c', name: 'read', input: '{', meta: 'sig' },
    { type: 'result' as const, id: 'c', name: 'read', text: 't', isError: true },
  ],
};
const displays: Display[] = [
  { kind: 'text', text: 'x' },
  { kind: 'file', path: 'p', from: 1, to: 2, total: 3 },
  {
    kind: 'diff',
    changes: [
      { path: 'p', before: 'a', after: 'b', added: 1, removed: 1 },
      { path: 'q', added: 0, removed: 0 },
    ],
  },
  { kind: 'tree', root: '.', entries: 4 },
  { kind: 'matches', hits: [{ path: 'p', line: 1, text: 't' }], more: true },
  { kind: 'process', command: 'c', exitCode: null, signal: 'SIGTERM', ms: 1.5 },
  { kind: 'process', command: 'c', exitCode: 0, ms: 1 },
  { kind: 'tests', command: 'c', passed: 1, failed: 0, skipped: 0, ok: true },
  { kind: 'plan', tasks: [{ id: 1, description: 'd', status: 'failed', error: 'e', attempts: 1 }] },
];
const samples: Record<AgentEvent['type'], AgentEvent[]> = {
  'run-start': [
    event({
      type: 'run-start',
      mode: 'coder',
      task: 't',
      provider: 'P',
      model: 'm',
      toolMode: 'native',
      permissionMode: 'default',
      workspace: '/w',
      session: 's',
    }),
  ],
  'turn-start': [event({ type: 'turn-start', turn: 1 })],
  'text-delta': [delta('x\ny')],
  'reasoning-delta': [event({ type: 'reasoning-delta', text: 'x' })],
  'turn-restart': [event({ type: 'turn-restart', reason: 'r', waitMs: 0.5, attempt: 1 })],
  'message-end': [
    event({ type: 'message-end', message, reason: 'stop' }),
    event({ type: 'message-end', message: { id: 'u', role: 'user', parts: [], time: 1 } }),
  ],
  'call-start': [
    start(),
    event({ type: 'call-start', call: { ...call(), notes: ['n'] }, label: { verb: 'plan-mark', object: '' } }),
  ],
  'call-progress': [event({ type: 'call-progress', callId: 'x', text: 'y' })],
  'approval-request': [
    event({ type: 'approval-request', call: call(), decision: { verdict: 'ask', step: 7, reason: 'r', code: 'Denied' } }),
    event({
      type: 'approval-request',
      call: call(),
      decision: {
        verdict: 'immune',
        step: 3,
        reason: 'r',
        part: 'p',
        rule: { pattern: 'p', action: 'ask', origin: 'o' },
        code: 'Blocked',
      },
    }),
  ],
  'approval-response': [event({ type: 'approval-response', callId: 'x', answer: 'stopped' })],
  'call-end': [
    ...displays.map((value) => display(value)),
    end({ isError: true, code: 'ExitCode:2', changed: ['/a'], ms: 1.25, attachment: { mediaType: 'image/png', data: 'AA' } }),
  ],
  plan: [event({ type: 'plan', tasks: [{ id: 1, description: 'd', status: 'pending', attempts: 0 }] })],
  'worker-start': [event({ type: 'worker-start', worker: 'w', kind: 'w', callId: 'c1', task: 't', model: 'm' })],
  'worker-end': [
    event({
      type: 'worker-end',
      worker: 'w',
      ms: 5,
      outcome: outcome({ cost: 1, reason: 'r', denied: [{ tool: 't', summary: 's', reason: 'r', agent: 'a', allowable: true }] }),
    }),
  ],
  usage: [event({ type: 'usage', usage: outcome().usage }), event({ type: 'usage', usage: outcome().usage, cost: 0.01 })],
  notice: [
    event({ type: 'notice', level: 'info', code: 'c', text: 't' }),
    event({ type: 'notice', level: 'error', code: 'c', text: 't', values: { a: 1 } }),
  ],
  'turn-end': [event({ type: 'turn-end', turn: 1 })],
  'run-end': [event({ type: 'run-end', outcome: outcome() })],
  'provider-event': [event({ type: 'provider-event', turn: 1, event: { type: 'end', reason: 'stop' } })],
};

/** The same schema with every field it does not name forbidden, so that nothing undocumented is sent. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in copy && 'required' in copy ? { ...copy, additionalProperties: false } : copy;
}

describe('the stream presenter', () => {
  const validator = new Validator(closed(streamSchema) as ConstructorParameters<typeof Validator>[0], '2020-12', false);

  it('writes every event but the provider stream as one line that fits the published schema, and the result last', () => {
    const out = new Sheet();
    const presenter = createStreamPresenter({ out, err: new Sheet(), session: 's' });
    const events = Object.values(samples).flat();
    for (const one of events) presenter.sink(one);
    presenter.finish(outcome({ reason: 'r' }));
    const lines = out.text.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines).toHaveLength(events.length);
    for (const line of lines) {
      const checked = validator.validate(JSON.parse(line));
      expect(checked.valid, `${line}\n${JSON.stringify(checked.errors.slice(-3))}`).toBe(true);
    }
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ type: 'result', status: 'done', session: 's', cost: null });
    expect(lines.some((line) => line.includes('provider-event'))).toBe(false);
  });

  it('has a schema that refuses what is wrong', () => {
    for (const bad of [
      {},
      { type: 'turn-start', agent: 'main', time: 1 },
      { type: 'turn-start', agent: 'main', time: 1, turn: 'x' },
      { type: 'other', agent: 'main', time: 1 },
      { ...samples['turn-end'][0], extra: 1 },
    ])
      expect(validator.validate(bad).valid, JSON.stringify(bad)).toBe(false);
  });

  it('names every type of event there is', () => {
    const branches = (streamSchema.oneOf as { properties: { type: { const: string } } }[]).map(
      (branch) => branch.properties.type.const,
    );
    expect(branches.sort()).toEqual([...Object.keys(samples).filter((type) => type !== 'provider-event'), 'result'].sort());
  });

  it('survives a value that is no JSON', () => {
    const out = new Sheet();
    const err = new Sheet();
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    const presenter = createStreamPresenter({ out, err, session: 's' });
    presenter.sink(event({ type: 'notice', level: 'info', code: 'c', text: 't', values: loop as never }));
    presenter.finish(outcome());
    expect(out.text.split('\n')).toHaveLength(2);
    expect(err.text).toContain('circular');
  });
});
