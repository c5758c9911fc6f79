/** What people see of agent calls and of the calls scripts make. */
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/types/event.js';
import { createTextPresenter } from '../../src/ui/present-text.js';
import { createText } from '../../src/ui/text/index.js';
import { call, event, outcome, result, Sheet } from './streams.js';

type Options = Partial<Parameters<typeof createTextPresenter>[0]>;

function present(events: readonly AgentEvent[], end = outcome(), options: Options = {}) {
  const out = new Sheet();
  const err = new Sheet();
  const presenter = createTextPresenter({
    out,
    err,
    text: createText('en'),
    color: false,
    verbose: false,
    live: false,
    ...options,
  });
  for (const one of events) presenter.sink(one);
  presenter.finish(end);
  return { out: out.text, err: err.text };
}

const start = (id = 't1c1', object = 'main.go', agent = 'main') =>
  event({ type: 'call-start', call: call('@coder read', { file: object }, id), label: { verb: 'read', object } }, agent);
const end = (more: Parameters<typeof result>[1] = {}, id = 't1c1', output = 'out', denied = false, agent = 'main') =>
  event({ type: 'call-end', call: call('@coder read', {}, id), result: result(output, more), denied }, agent);

describe('agents and scripts', () => {
  const calls = (id: string, tool: string, verb: 'agent' | 'call' | 'read', object: string, agent = 'main') =>
    event({ type: 'call-start', call: call(tool, {}, id), label: { verb, object } }, agent);
  const begins = (worker: string, callId: string) =>
    event({ type: 'worker-start', worker, kind: 'file', task: 'look at it', callId });

  it('say the task once', () => {
    const { err } = present([
      calls('t1c1', 'agent', 'agent', 'file: look at it'),
      begins('file', 't1c1'),
      begins('file-2', 't9c9'),
    ]);
    expect(err).toContain('Agent: file: look at it\nfile starts\nfile-2 starts: look at it\n');
  });

  it('are named at the calls a script makes; what it looked for in vain is no failure', () => {
    const probe = end({ isError: true, code: 'NotFound' }, 't1c1s1', 'error [NotFound]: no x');
    const events = [calls('t1c1', 'skill', 'call', 'skill scan-lint'), start('t1c1s1', 'node_modules/.bin/eslint'), probe];
    expect(present(events).err).toMatch(/\[scan-lint\] Reading: node_modules\/\.bin\/eslint\nDone/);
    expect(present(events, outcome(), { verbose: true }).err).toContain('NotFound');
    const own = [start('t1c1', 'x'), end({ isError: true, code: 'NotFound' }, 't1c1', 'error [NotFound]: no x')];
    expect(present(own).err).toContain('NotFound');
  });
});
