/** Sends random calls through the real application and looks at all that must hold whatever they are. */
import { realpathSync } from 'node:fs';
import { planStore } from '../../../src/app/conversation.js';
import { type App, createApp } from '../../../src/app/create-app.js';
import { directCall, noProvider, operatorApprover, parseDirect } from '../../../src/app/direct-call.js';
import { loadConfig } from '../../../src/app/load-config.js';
import { makeCaches } from '../../../src/process/sandbox/tool-caches.js';
import { TOOLS } from '../../../src/tools/registry.js';
import type { ToolResult } from '../../../src/types/tool.js';
import { denyAll } from '../../../src/ui/approve-none.js';
import { type FuzzCall, randomCall } from './generate.js';
import { type FuzzPlace, makeFuzzPlace } from './place.js';
import { randomFrom } from './random.js';

/** Longest a call may take, with much room: its own limits are seconds. */
const HANGS_MS = 60_000;
/** Calls that share one workspace. */
const PER_PLACE = 250;
/** Calls between two looks at what lies outside. */
const PER_LOOK = 25;
const CODES =
  /^(InvalidArgs|NotFound|OutsideWorkspace|Sensitive|Stale|Conflict|Blocked|Denied|Timeout|Aborted|Failed|ExitCode:\d+|E[A-Z0-9]+)$/;

export interface FuzzOutcome {
  readonly faults: readonly string[];
  /** Calls that ran without an error, by tool. */
  readonly succeeded: Readonly<Record<string, number>>;
  readonly calls: number;
}

/** Runs `count` calls of a seed; `faults` is empty when everything held. */
export async function runFuzz(seed: number, count: number): Promise<FuzzOutcome> {
  const random = randomFrom(seed);
  const faults: string[] = [];
  const succeeded: Record<string, number> = {};
  const loose: string[] = [];
  const onLoose = (error: unknown) => loose.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.on('unhandledRejection', onLoose);
  process.on('uncaughtException', onLoose);
  try {
    for (let done = 0; done < count && faults.length < 20; done += PER_PLACE) {
      const calls = Array.from({ length: Math.min(PER_PLACE, count - done) }, () => randomCall(TOOLS, random));
      await runPlace(calls, { faults, succeeded, loose, label: (index) => `seed ${seed}, call ${done + index}` });
    }
  } finally {
    process.off('unhandledRejection', onLoose);
    process.off('uncaughtException', onLoose);
  }
  return { faults, succeeded, calls: count };
}

interface Notes {
  readonly faults: string[];
  readonly succeeded: Record<string, number>;
  readonly loose: string[];
  label(index: number): string;
}

async function openApp(place: FuzzPlace): Promise<App> {
  const loaded = loadConfig({ directory: place.workspace, isolatedState: place.state });
  const config = { ...loaded, home: place.home, childEnv: { ...loaded.childEnv, HOME: place.home } };
  // An ask is answered yes; nobody is there for what always asks.
  return createApp({ config, approver: operatorApprover(denyAll), id: 'fuzz', provider: noProvider, emit: () => undefined });
}

async function runPlace(calls: readonly FuzzCall[], notes: Notes): Promise<void> {
  const place = makeFuzzPlace();
  // The sandbox makes the caches of installed tools; what calls make is another matter.
  makeCaches(place.home, { PATH: process.env['PATH'] ?? '' });
  const before = place.untouchable();
  const app = await openApp(place);
  const plan = planStore([]);
  try {
    for (const [index, call] of calls.entries()) {
      const where = `${notes.label(index)}: ${call.name} ${JSON.stringify(call.words).slice(0, 600)}`;
      const result = await withLimit(directCall(app, call.name, call.words, { plan, signal: new AbortController().signal }));
      if (result === 'hangs') notes.faults.push(`hangs: ${where}`);
      else if (result instanceof Error) notes.faults.push(`throws ${result.stack}: ${where}`);
      else judge(call, result, where, notes);
      if (notes.loose.length > 0) notes.faults.push(`loose ${notes.loose.splice(0).join('; ')}: ${where}`);
      if ((index + 1) % PER_LOOK === 0 || index + 1 === calls.length) look(place, before, where, notes);
      if (result === 'hangs' || notes.faults.length >= 20) break;
    }
  } finally {
    await app.close();
    place.remove();
  }
}

async function withLimit(work: Promise<ToolResult>): Promise<ToolResult | 'hangs' | Error> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<'hangs'>((resolve) => {
    timer = setTimeout(() => resolve('hangs'), HANGS_MS);
  });
  try {
    return await Promise.race([work, limit]);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    clearTimeout(timer);
  }
}

function judge(call: FuzzCall, result: ToolResult, where: string, notes: Notes): void {
  const parsed = parseDirect(TOOLS, call.name, call.words);
  const limit = (parsed.ok ? parsed.tool.limit : 30_000) + 2000;
  const fault = (what: string) => notes.faults.push(`${what}: ${where}\n${result.output.slice(0, 400)}`);
  if (result.output.length > limit) fault(`${result.output.length} characters, over the cap`);
  if (result.output.includes('internal error')) fault('an internal error');
  if (/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(result.output)) fault('half a character');
  if (result.isError) {
    if (!result.output.trim()) fault('an error without a message');
    if (result.code === undefined || !CODES.test(result.code)) fault(`the code ${result.code}`);
  } else {
    if (result.code !== undefined) fault(`a success with the code ${result.code}`);
    if (parsed.ok) notes.succeeded[parsed.tool.name] = (notes.succeeded[parsed.tool.name] ?? 0) + 1;
  }
}

function look(place: FuzzPlace, before: Record<string, string>, where: string, notes: Notes): void {
  const now = place.untouchable();
  for (const path of new Set([...Object.keys(before), ...Object.keys(now)]))
    if (before[path] !== now[path]) notes.faults.push(`${path} was ${before[path]}, is ${now[path]}, at or before ${where}`);
  const strays = place.strays();
  if (strays.length > 0) notes.faults.push(`left behind: ${strays.join(', ')}, at or before ${where}`);
  if (realpathSync(place.workspace) !== place.workspace) notes.faults.push(`the workspace is gone, at or before ${where}`);
}
