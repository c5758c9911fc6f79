/** A run of the loop with a scripted model and small tools, for the tests of the loop. */
import { countingIds } from '../../src/base/clock.js';
import { createGate } from '../../src/loop/gate.js';
import type { LoopPorts, RunInput } from '../../src/loop/ports.js';
import { runAgent } from '../../src/loop/run-agent.js';
import { eventCollector, fixedClock, type ScriptedTurn, scriptedApprover, scriptedProvider } from '../../src/testing.js';
import type { Answer, Verdict } from '../../src/types/policy.js';
import type { PlanTask, Tool, ToolResult } from '../../src/types/tool.js';
import type { Workspace } from '../../src/types/workspace.js';

/** A tool with one `file` field; what it does is a function. */
export function tool(
  name: string,
  native: string,
  writes: boolean,
  run: (file: string) => Promise<ToolResult> | ToolResult,
  order: 'overlap' | 'alone' = 'overlap',
): Tool {
  return {
    name,
    native,
    aliases: [],
    summary: `Test tool ${native}`,
    schema: { type: 'object', properties: { file: { type: 'string' } }, required: ['file'], additionalProperties: false },
    fieldAliases: { path: 'file' },
    positional: ['file'],
    mainField: 'file',
    example: { file: 'a.txt' },
    inFull: true,
    limit: 1000,
    cut: 'ends',
    origin: 'builtin',
    facts: (args) => ({
      readOnly: !writes,
      reads: writes ? [] : [String(args['file'])],
      writes: writes ? [String(args['file'])] : [],
      order,
      label: { verb: writes ? 'write' : 'read', object: String(args['file']) },
    }),
    run: async (args) => run(String(args['file'])),
  };
}

export const ok = (output: string, extra: Partial<ToolResult> = {}): ToolResult => ({ output, isError: false, ...extra });
export const bad = (output: string): ToolResult => ({ output, isError: true, code: 'Failed' });

export interface Setup {
  turns: (ScriptedTurn | (() => ScriptedTurn))[];
  tools?: Tool[];
  mode?: 'native' | 'text';
  verdict?: (name: string) => Verdict;
  answers?: Answer[];
  limits?: number;
  signal?: AbortSignal;
  budgetUsd?: number;
  price?: number;
  check?: LoopPorts['check'];
  typed?: string[][];
  /** Media types the model can be shown. */
  sees?: readonly string[];
}

export async function run(setup: Setup) {
  const provider = scriptedProvider(setup.turns);
  const collector = eventCollector();
  let tasks: readonly PlanTask[] = [];
  const located = (path: string) =>
    ({ given: path, real: `/ws/${path}`, shown: path.replace('/ws/', ''), zone: 'inside' }) as const;
  const ports: LoopPorts = {
    provider: setup.sees ? { ...provider, sees: (_model, mediaType) => setup.sees?.includes(mediaType) ?? false } : provider,
    tools: setup.tools ?? [
      tool('@read', 'read', false, (file) => ok(`content of ${file}`)),
      tool('@coder write', 'write', true, (file) => ok(`wrote ${file}`, { changed: [file] })),
    ],
    workspace: { locate: located } as unknown as Workspace,
    host: { childEnv: {}, home: '/h', scratch: '/s', state: '/st' },
    gate: createGate({
      decide: (judged) => ({
        verdict: setup.verdict?.(judged.call.tool) ?? 'allow',
        step: 7,
        reason: 'test says so.',
        code: 'Denied',
      }),
      approver: setup.answers ? scriptedApprover(setup.answers) : { canAsk: false, ask: async () => 'no' },
      remember: () => undefined,
      grant: () => undefined,
    }),
    clock: fixedClock(),
    ids: countingIds(),
    emit: collector.sink,
    priceOf: () => setup.price,
    ...(setup.check ? { check: setup.check } : {}),
    ...(setup.typed ? { takeTyped: () => setup.typed?.shift() ?? [] } : {}),
  };
  const input: RunInput = {
    agent: {
      name: 'coder',
      description: '',
      prompt: 'PROMPT',
      skills: [],
      readOnly: false,
      limits: { turns: setup.limits ?? 20 },
      contract: 'engineering',
    },
    agentId: 'main',
    task: 'do it',
    history: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'do it' }], time: 0 }],
    model: 'm',
    toolMode: setup.mode ?? 'native',
    modeIsGuess: true,
    plan: {
      get: () => tasks,
      set: (next) => {
        tasks = next;
      },
    },
    signal: setup.signal ?? new AbortController().signal,
    budgetUsd: setup.budgetUsd,
  };
  const outcome = await runAgent(input, ports);
  return { outcome, provider, ...collector };
}

export const textOf = (message: { parts: readonly { type: string; text?: string }[] } | undefined) =>
  message?.parts.map((part) => part.text ?? '').join('') ?? '';
