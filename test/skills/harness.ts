/** A real script context: real files, real tools, the real gate under the given rules. Nothing is asked. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { planStore } from '../../src/app/conversation.js';
import { createApp } from '../../src/app/create-app.js';
import { directCall, noProvider } from '../../src/app/direct-call.js';
import { loadConfig } from '../../src/app/load-config.js';
import { validateArgs } from '../../src/protocol/validate.js';
import type { JsonObject } from '../../src/types/json.js';
import type { ScriptContext, ScriptOutcome, ScriptSkill } from '../../src/types/skill.js';
import type { ToolResult } from '../../src/types/tool.js';
import { makePlace, type Place } from '../helpers/run-program.js';

export interface Bench {
  readonly place: Place;
  readonly root: string;
  /** Every call that was made, in order. */
  readonly calls: { readonly tool: string; readonly args: JsonObject; readonly result: ToolResult }[];
  readonly context: ScriptContext;
  run(script: ScriptSkill, args?: JsonObject): Promise<ScriptOutcome>;
  read(path: string): string;
  put(path: string, text: string): void;
  git(...words: string[]): string;
  close(): Promise<void>;
}

export interface BenchOptions {
  readonly files: Record<string, string>;
  /** Rules that allow; default: all that does more than read. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly env?: Record<string, string>;
  /** A folder of the workspace that stands first in PATH. */
  readonly path?: string;
  readonly signal?: AbortSignal;
  /** Answers instead of a tool, for tools that are not in this tree. */
  readonly extra?: Readonly<Record<string, (args: JsonObject) => Promise<ToolResult>>>;
}

const ALL = ['@coder exec', '@coder test', '@coder write', '@coder patch', '@coder multipatch'];

export async function makeBench(options: BenchOptions): Promise<Bench> {
  const place = makePlace({ files: options.files });
  const root = place.workspace;
  const loaded = loadConfig({
    directory: root,
    isolatedState: join(place.home, '.chatcli'),
    allow: [...(options.allow ?? ALL)],
    deny: [...(options.deny ?? [])],
  });
  const path = options.path === undefined ? [] : [join(root, options.path)];
  const PATH = [...path, loaded.childEnv['PATH'] ?? ''].join(':');
  const config = { ...loaded, childEnv: { ...loaded.childEnv, ...options.env, PATH } };
  const app = await createApp({
    config,
    approver: { canAsk: false, ask: async () => 'no' },
    id: 'skills',
    provider: noProvider,
    emit: () => undefined,
  });
  const signal = options.signal ?? new AbortController().signal;
  const calls: Bench['calls'] = [];
  const context: ScriptContext = {
    signal,
    root: app.workspace.root,
    progress: () => undefined,
    async call(tool, args) {
      const made = options.extra?.[tool];
      const result = made
        ? await made(args)
        : await directCall(app, tool, [JSON.stringify(args)], { plan: planStore([]), signal });
      calls.push({ tool, args, result });
      return result;
    },
  };
  return {
    place,
    root,
    calls,
    context,
    async run(script, args = {}) {
      const fault = validateArgs({ schema: script.schema } as never, args);
      if (fault) throw new Error(`invalid arguments at ${fault.pointer}: ${fault.message}`);
      const before = calls.length;
      const outcome = await script.run(args, context);
      JSON.parse(JSON.stringify(outcome.data));
      for (const { tool } of calls.slice(before))
        if (!script.calls.includes(tool)) throw new Error(`${script.name} called ${tool}, which it does not declare`);
      if (outcome.text.length > 30_000) throw new Error(`text of ${outcome.text.length} characters`);
      return outcome;
    },
    read: (path) => readFileSync(join(root, path), 'utf8'),
    put(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    git: (...words) =>
      execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', ...words], { cwd: root, encoding: 'utf8' }),
    async close() {
      await app.close();
      place.remove();
    },
  };
}

export const sections = (data: JsonObject): JsonObject[] => (data['sections'] ?? []) as JsonObject[];

/** A list of objects in data, empty when it is not there. */
export const listIn = (data: JsonObject | undefined, name: string): JsonObject[] => (data?.[name] ?? []) as JsonObject[];
