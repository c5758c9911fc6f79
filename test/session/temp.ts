/** Temporary folders and small event makers for the tests of this folder. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { AgentEvent, EventBody } from '../../src/types/event.js';
import type { Message, Part } from '../../src/types/message.js';
import type { ToolCall, ToolResult } from '../../src/types/tool.js';

const made: string[] = [];

export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'session-test-'));
  made.push(dir);
  return dir;
}

afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

let clock = 1_700_000_000_000;
export const tick = (): number => ++clock;

export const event = (body: EventBody, agent = 'main'): AgentEvent => ({ ...body, agent, time: tick() }) as AgentEvent;

export const say = (role: Message['role'], parts: readonly Part[], origin?: Message['origin']): Message => ({
  id: `m${tick()}`,
  role,
  parts,
  time: tick(),
  ...(origin ? { origin } : {}),
});

export const said = (message: Message, agent = 'main'): AgentEvent => event({ type: 'message-end', message }, agent);
export const text = (value: string): Part => ({ type: 'text', text: value });
export const call = (id: string, name = 'read'): Part => ({ type: 'call', id, name, input: '{"file":"a"}' });
export const answer = (id: string, value = 'fine'): Part => ({ type: 'result', id, name: 'read', text: value, isError: false });

export const toolCall = (id: string, tool = '@coder read'): ToolCall => ({
  id,
  tool,
  args: { file: 'a.ts' },
  source: 'native',
  agent: 'main',
});
export const started = (id: string): AgentEvent =>
  event({ type: 'call-start', call: toolCall(id), label: { verb: 'read', object: 'a.ts' } });
export const ended = (id: string, output: string, result: Partial<ToolResult> = {}): AgentEvent =>
  event({ type: 'call-end', call: toolCall(id), result: { output, isError: false, ...result }, denied: false });
export const runStart = (workspace = '/w', task = 'do it'): AgentEvent =>
  event({
    type: 'run-start',
    mode: 'coder',
    task,
    provider: 'OPENAI',
    model: 'm-1',
    toolMode: 'native',
    permissionMode: 'default',
    workspace,
    session: 's',
  });
