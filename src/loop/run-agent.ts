/** The one loop: turns until the agent is done, stopped, or out of turns. Every agent runs through here. */
import { stableJson } from '../base/stable-json.js';
import type { RunOutcome } from '../types/agent.js';
import type { Message } from '../types/message.js';
import { because, english } from '../types/reason.js';
import { sightOf, withoutAttachments } from './attachments.js';
import { Corrections, textCorrection } from './correct.js';
import { type Emit, emitterFor } from './emit.js';
import { readFinal } from './final-text.js';
import { type LoopPorts, type RunInput, stopReason, stopText, type ToolMode } from './ports.js';
import { answersMessage, noteMessage, requestFor, type StablePrefix, stablePrefix } from './request.js';
import { type BatchEntry, runBatch } from './run-batch.js';
import { Tally } from './tally.js';
import { type TurnReply, takeTurn } from './turn.js';

/** Identical batches in a row that end a run. */
const STAGNATION = 3;
/** Rounds of failing check commands that go back to the model. */
const REPAIR_ROUNDS = 3;
/** Newest tool outputs that a text tag may not repeat. */
const REMEMBERED_OUTPUTS = 200;

/** State of one run; nothing of it outlives the run. */
interface Run {
  readonly input: RunInput;
  readonly ports: LoopPorts;
  readonly emit: Emit;
  readonly history: Message[];
  readonly tally: Tally;
  readonly corrections: Corrections;
  readonly outputs: string[];
  mode: ToolMode;
  prefix: StablePrefix;
  lastBatch: string;
  sameBatches: number;
  repairRounds: number;
}

/** Runs an agent to its end. Never throws; every way to end is a status. The last event is `run-end`. */
export async function runAgent(input: RunInput, ports: LoopPorts): Promise<RunOutcome> {
  const emit = emitterFor(ports, input.agentId);
  const run: Run = {
    input,
    ports,
    emit,
    history: [...input.history],
    tally: new Tally(ports, input.agentId),
    corrections: new Corrections(),
    outputs: toolTexts(input.history),
    mode: input.toolMode,
    prefix: stablePrefix(input, ports.tools, input.toolMode),
    lastBatch: '',
    sameBatches: 0,
    repairRounds: 0,
  };
  let outcome: RunOutcome;
  try {
    outcome = await turns(run);
  } catch (error) {
    outcome = run.tally.outcome('failed', '', {
      why: because`internal error: ${error instanceof Error ? error.message : String(error)}`,
    });
  }
  emit({ type: 'run-end', outcome });
  return outcome;
}

async function turns(run: Run): Promise<RunOutcome> {
  const { input, tally, emit } = run;
  while (tally.turns < input.agent.limits.turns) {
    if (input.signal.aborted) return tally.outcome(stopReason(input.signal), '', { why: stopText(input.signal) });
    if (overBudget(run)) return budgetSpent(run);
    deliverTyped(run);
    tally.turns++;
    emit({ type: 'turn-start', turn: tally.turns });
    const outcome = await oneTurn(run);
    emit({ type: 'turn-end', turn: tally.turns });
    if (outcome) return outcome;
  }
  const { turns: limit } = input.agent.limits;
  const why = limit === 1 ? because`the limit of 1 turn was reached` : because`the limit of ${limit} turns was reached`;
  return tally.outcome('turn_limit', await lastSummary(run, english(why)), { why });
}

/** One turn; an outcome ends the run. */
async function oneTurn(run: Run): Promise<RunOutcome | undefined> {
  const { input, ports, emit, tally } = run;
  const reply = await ask(run);
  if (reply.reason === 'aborted' || input.signal.aborted) return stopped(run, reply);
  if (input.budgetUsd !== undefined && reply.usage.input + reply.usage.output === 0 && reply.reason !== 'error') {
    return tally.outcome('failed', '', { why: because`the service reports no token usage, so the budget cannot be kept` });
  }
  if (reply.reason === 'error')
    return tally.outcome('provider', '', {
      why: reply.fault ? (reply.fault.why ?? because`${reply.fault.message}`) : because`the provider failed`,
    });
  push(run, reply.message, reply.reason);
  if (run.corrections.exhausted(reply)) {
    closeCalls(run, reply);
    return tally.outcome('failed', reply.visible.trim(), {
      why: because`the model repeated the same fault after two corrections`,
    });
  }
  if (reply.calls.length === 0) {
    const correction = textCorrection(reply);
    if (correction === undefined) return finalAnswer(run, reply);
    push(run, noteMessage(correction, 'correction', ports));
    return undefined;
  }
  if (stagnates(run, reply)) {
    closeCalls(run, reply);
    const why = because`the same calls were sent ${STAGNATION} times in a row`;
    return tally.outcome('stagnation', await lastSummary(run, english(why)), { why });
  }
  const entries = await runBatch(reply.calls, input, ports, emit);
  tally.addBatch(entries);
  remember(run, entries);
  const sight = sightOf(ports.provider, input.model, run.history);
  push(run, answersMessage(reply.message, reply.form, entries, ports, sight));
  // The signal may come later than the key that stopped the run.
  if (input.signal.aborted || ports.gate.isStopped?.() || entries.some((entry) => entry.stopped))
    return tally.outcome(stopReason(input.signal), reply.visible.trim(), { why: stopText(input.signal) });
  await runChecks(run, entries);
  emit({ type: 'plan', tasks: input.plan.get() });
  return undefined;
}

/** Asks the provider; goes on without images when it may be these it refuses, and with text tags when it refuses functions. */
async function ask(run: Run): Promise<TurnReply> {
  let reply = await take(run);
  const kind = reply.fault?.kind;
  const bare = kind === 'bad-request' || kind === 'overflow' ? withoutAttachments(run.history) : undefined;
  if (bare) {
    run.history.splice(0, run.history.length, ...bare);
    const text = `The service refused a request with images or documents in it; they are left out: ${reply.fault?.message ?? ''}`;
    run.emit({
      type: 'notice',
      level: 'warn',
      code: 'attachments-refused',
      text,
      values: { reason: reply.fault?.message ?? '' },
    });
    reply = await take(run);
  }
  if (reply.fault?.kind !== 'tools-unsupported' || run.mode !== 'native' || !run.input.modeIsGuess) return reply;
  run.mode = 'text';
  run.prefix = stablePrefix(run.input, run.ports.tools, 'text');
  run.emit({
    type: 'notice',
    level: 'info',
    code: 'tools-as-text',
    text: 'The API refuses functions; calls are written as text tags from here on.',
  });
  return take(run);
}

async function take(run: Run): Promise<TurnReply> {
  const { input, ports, emit, tally } = run;
  const options = { agentId: input.agentId, turn: tally.turns, signal: input.signal, toolTexts: run.outputs };
  const reply = await takeTurn(requestFor(input, run.prefix, run.history), options, ports, emit);
  const cost = tally.addUsage(reply.usage);
  emit({ type: 'usage', usage: reply.usage, ...(cost === undefined ? {} : { cost }) });
  // In a conversation a command shown as text is an answer, not a forgotten call.
  return input.agent.contract === 'chat' ? { ...reply, problems: [] } : reply;
}

async function finalAnswer(run: Run, reply: TurnReply): Promise<RunOutcome | undefined> {
  const typed = run.ports.takeTyped?.() ?? [];
  if (typed.length > 0) {
    for (const text of typed) push(run, { ...noteMessage(text, 'note', run.ports), origin: 'person' });
    return undefined;
  }
  const final = readFinal(reply.visible);
  const { testsRed, checksRed } = run.tally;
  const why = final.failed
    ? because`the model says it failed`
    : testsRed
      ? because`the last test run was red`
      : checksRed
        ? because`the user's check command fails`
        : undefined;
  return run.tally.outcome(why ? 'failed' : 'done', final.text, { normally: true, ...(why ? { why } : {}) });
}

function stopped(run: Run, reply: TurnReply): RunOutcome {
  if (reply.message.parts.length > 0) {
    push(run, reply.message, 'aborted');
    closeCalls(run, reply);
  }
  return run.tally.outcome(stopReason(run.input.signal), reply.visible.trim(), { why: stopText(run.input.signal) });
}

/** Answers every call of a reply with "not executed", so that the history stays valid. */
function closeCalls(run: Run, reply: TurnReply): void {
  if (reply.calls.length === 0) return;
  const entries = reply.calls.map((parsed) => {
    const output = parsed.ok ? 'not executed: the run ended before this call' : `error [${parsed.code}]: ${parsed.message}`;
    return { parsed, denied: false, result: { output, isError: true, code: parsed.ok ? ('Aborted' as const) : parsed.code } };
  });
  push(run, answersMessage(reply.message, reply.form, entries, run.ports));
}

function stagnates(run: Run, reply: TurnReply): boolean {
  const batch = stableJson(reply.calls.map((call) => (call.ok ? [call.call.tool, call.call.args] : [call.name, call.raw])));
  run.sameBatches = batch === run.lastBatch ? run.sameBatches + 1 : 1;
  run.lastBatch = batch;
  return run.sameBatches >= STAGNATION;
}

/** One more request for a summary, its calls ignored; a sentence of our own when that brings nothing. */
async function lastSummary(run: Run, reason: string): Promise<string> {
  const fallback = `Stopped: ${reason}. Files changed: ${run.tally.outcome('done', '').files.join(', ') || 'none'}.`;
  if (run.input.signal.aborted || overBudget(run)) return fallback;
  push(
    run,
    noteMessage(
      `The run ends here: ${reason}. Say in a few sentences what was done and what is left. No calls.`,
      'note',
      run.ports,
    ),
  );
  const reply = await take(run);
  if (reply.reason === 'error' || reply.reason === 'aborted') return fallback;
  push(run, reply.message, reply.reason);
  closeCalls(run, reply);
  return readFinal(reply.visible).text || fallback;
}

async function runChecks(run: Run, entries: readonly BatchEntry[]): Promise<void> {
  if (!run.ports.check || !Tally.edited(entries)) return;
  const { ran, failure } = await run.ports.check({ signal: run.input.signal });
  for (const { command, ok, how } of ran) {
    const [level, code] = ok ? (['info', 'check-passed'] as const) : (['warn', 'check-failed'] as const);
    run.emit({ type: 'notice', level, code, text: `The check command ${how}: ${command}`, values: { command, how } });
  }
  run.tally.checksRed = failure !== undefined;
  if (failure === undefined || run.repairRounds >= REPAIR_ROUNDS) return;
  run.repairRounds++;
  push(run, noteMessage(failure, 'note', run.ports));
}

function remember(run: Run, entries: readonly BatchEntry[]): void {
  run.outputs.push(...entries.map((entry) => entry.result.output));
  run.outputs.splice(0, Math.max(0, run.outputs.length - REMEMBERED_OUTPUTS));
}

/** What tools have said in a history, whatever form it was sent in: a resumed session remembers it too. */
function toolTexts(history: readonly Message[]): string[] {
  const parts = history.flatMap((message) => (message.role === 'tool' || message.origin === 'tool-results' ? message.parts : []));
  const texts = parts.flatMap((part) => (part.type === 'result' || part.type === 'text' ? [part.text] : []));
  return texts.slice(-REMEMBERED_OUTPUTS);
}

function deliverTyped(run: Run): void {
  for (const text of run.ports.takeTyped?.() ?? []) push(run, { ...noteMessage(text, 'note', run.ports), origin: 'person' });
}

function overBudget(run: Run): boolean {
  const { budgetUsd, spent } = run.input;
  const cost = spent ? spent() : run.tally.cost;
  return budgetUsd !== undefined && cost !== undefined && (spent !== undefined || run.tally.turns > 0) && cost >= budgetUsd;
}

function budgetSpent(run: Run): RunOutcome {
  return run.tally.outcome('budget', run.tally.workersFound(), {
    why: because`the budget of ${run.input.budgetUsd ?? 0} dollars is spent`,
  });
}

function push(run: Run, message: Message, reason?: TurnReply['reason']): void {
  run.history.push(message);
  run.emit({ type: 'message-end', message, ...(reason ? { reason } : {}) });
}
