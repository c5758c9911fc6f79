/** Values of the rarer attributes of an agent call: a yes, a no, or an answer that says what is wrong. */
import { describe, expect, it } from 'vitest';
import { agentTool } from '../../src/loop/agent-tool.js';
import { parseReply } from '../../src/protocol/parse-reply.js';
import type { Dispatcher } from '../../src/types/dispatch.js';
import { counter } from './fake-tools.js';

function isolation(attribute: string): unknown {
  const text = `<agent_call agent="coder" task="x" ${attribute}/>`;
  const [parsed] = parseReply(text, { tools: [agentTool({} as Dispatcher)], agent: 'main', nextId: counter() }).calls;
  return parsed?.ok ? parsed.call.args['isolate'] : parsed?.code;
}

describe('isolate', () => {
  it.each([
    ['', undefined],
    ['isolate=""', true],
    ['isolate="true"', true],
    ['isolate="YES"', true],
    ['isolation="worktree"', true],
    ['isolate="false"', false],
    ['isolate="off"', false],
    ['isolate="none"', false],
    ['isolate="maybe"', 'InvalidArgs'],
    ['isolate="container"', 'InvalidArgs'],
  ])('%s', (attribute, value) => {
    expect(isolation(attribute)).toBe(value);
  });
});
