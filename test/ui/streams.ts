/** Streams and events for the tests of this folder. */
import { PassThrough } from 'node:stream';
import type { RunOutcome } from '../../src/types/agent.js';
import type { AgentEvent, EventBody } from '../../src/types/event.js';
import type { Question } from '../../src/types/policy.js';
import type { Facts, ToolCall, ToolResult } from '../../src/types/tool.js';

/** Collects what is written. */
export class Sheet {
  text = '';
  columns = 80;
  write(text: string): boolean {
    this.text += text;
    return true;
  }
  on(): this {
    return this;
  }
}

/** A terminal that can be typed on. */
export class FakeTerminal extends PassThrough {
  readonly isTTY = true;
  isRaw = false;
  readonly modes: boolean[] = [];
  setRawMode(mode: boolean): this {
    this.isRaw = mode;
    this.modes.push(mode);
    return this;
  }
}

let time = 1_700_000_000_000;
export function event(body: EventBody, agent = 'main'): AgentEvent {
  time += 100;
  return { ...body, agent, time } as AgentEvent;
}

export const call = (tool = '@coder read', args: ToolCall['args'] = { file: 'main.go' }, id = 't1c1'): ToolCall => ({
  id,
  tool,
  args,
  source: 'native',
  agent: 'main',
});
export const result = (output: string, more: Partial<ToolResult> = {}): ToolResult => ({ output, isError: false, ...more });
export const facts = (more: Partial<Facts> = {}): Facts => ({
  readOnly: false,
  reads: [],
  writes: [],
  order: 'overlap',
  label: { verb: 'write', object: 'x' },
  ...more,
});
export const outcome = (more: Partial<RunOutcome> = {}): RunOutcome => ({
  status: 'done',
  result: 'All good.',
  turns: 2,
  usage: { input: 12_345, output: 67, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  denied: [],
  files: [],
  ...more,
});
export const question = (more: Partial<Question> = {}): Question => ({
  call: call('@coder write', { file: 'pkg/auth/handler.go', content: 'x' }),
  facts: facts({ writes: ['pkg/auth/handler.go'] }),
  decision: { verdict: 'ask', step: 7, reason: 'no rule', code: 'Denied' },
  agent: 'coder',
  task: 'Refatorar módulo de autenticação',
  ...more,
});
