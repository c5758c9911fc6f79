/** `chatcli coder|agent|-p`: one task from start to end, no questions, an exit code that says what happened. */
import type { ModeName } from '../../agents/registry.js';
import { parseSlash } from '../../commands/registry.js';
import { NO_USAGE, stopReason, stopText } from '../../loop/ports.js';
import type { RunOutcome } from '../../types/agent.js';
import type { AgentEvent } from '../../types/event.js';
import { english } from '../../types/reason.js';
import { denyAll } from '../../ui/approve-none.js';
import { createJsonPresenter } from '../../ui/present-json.js';
import { createStreamPresenter } from '../../ui/present-stream.js';
import { createTextPresenter } from '../../ui/present-text.js';
import type { Presenter } from '../../ui/presenter.js';
import { createText } from '../../ui/text/index.js';
import { chooseModel, replayedModel } from '../choose-model.js';
import type { Config } from '../config.js';
import { openConversation } from '../conversation.js';
import { EXIT } from '../exit-codes.js';
import { type OutputForm, outputForm, type RunFlags } from '../flags.js';
import { loadConfig } from '../load-config.js';
import { readPrompt } from '../read-input.js';
import { startRecording } from '../recorded.js';
import { openSession } from '../sessions.js';
import { createStopper, type Stopper } from '../stop.js';
import { UsageError } from '../usage-error.js';

/** Runs one task; gives the exit code. Throws UsageError before anything ran. */
export async function runHeadless(mode: ModeName, text: string | undefined, flags: RunFlags): Promise<number> {
  const form = outputForm(flags.output);
  const config = loadConfig(flags);
  const stopper = createStopper({ timeoutMs: flags.timeout });
  try {
    return await runTask(mode, text, flags, { form, config, stopper });
  } finally {
    stopper.release();
  }
}

interface Started {
  readonly form: OutputForm;
  readonly config: Config;
  readonly stopper: Stopper;
}

async function runTask(mode: ModeName, text: string | undefined, flags: RunFlags, started: Started): Promise<number> {
  const { form, config, stopper } = started;
  const command = mode === 'chat' && text !== undefined ? parseSlash(text)?.command : undefined;
  if (command) throw new UsageError('usage.noSuchSlash', { name: `/${command.name}` }, 'usage.noSuchSlashHint');
  const task = await promptOrStop(text, config, stopper.signal);
  if (task === undefined) {
    const outcome = stoppedEarly(stopper.signal);
    presenterFor(form, config, '', () => undefined).finish(outcome);
    return EXIT[outcome.status];
  }
  const chosen = flags.replay === undefined ? await chooseModel(config) : await replayedModel(flags.replay);
  for (const warning of chosen.warnings ?? []) process.stderr.write(`chatcli: ${warning}\n`);
  const faults: string[] = [];
  const recorder = flags.record === undefined ? undefined : await startRecording(flags.record, { config, chosen, mode, task });
  const session = await openSession(config, flags, {
    onFault: (reason) => faults.push(reason),
    onDamage: (count) => void process.stderr.write(`${createText(config.language).t('session.damaged', { count })}\n`),
  });
  const presenter = presenterFor(form, config, session.id, () => stopper.stop());
  const sinks = [(event: AgentEvent) => presenter.sink(event), ...(recorder ? [recorder.sink] : [])];
  const conversation = await openConversation({
    config,
    chosen,
    approver: denyAll,
    id: session.id,
    log: session.log,
    state: session.state,
    sinks,
    ...(mode === 'chat' ? { agents: false } : {}),
    systemPrompt: flags.systemPrompt,
    appendSystemPrompt: flags.appendSystemPrompt,
    ...(chosen.toolMode ? { toolMode: chosen.toolMode } : {}),
    ...(flags.replay === undefined ? { open: (model) => chooseModel({ ...config, model }) } : {}),
  });
  let outcome: RunOutcome;
  try {
    outcome = await conversation.run(task, { mode, signal: stopper.signal });
  } finally {
    await conversation.close();
  }
  const recordFault = recorder?.close();
  presenter.finish(outcome);
  warn(config, faults, recordFault);
  return EXIT[outcome.status];
}

/** The outcome of a run that was stopped before it began. */
function stoppedEarly(signal: AbortSignal): RunOutcome {
  const why = stopText(signal);
  return { status: stopReason(signal), result: '', reason: english(why), why, turns: 0, usage: NO_USAGE, denied: [], files: [] };
}

/** The prompt; undefined when the time limit or an interruption came while it was read. */
async function promptOrStop(text: string | undefined, config: Config, signal: AbortSignal): Promise<string | undefined> {
  const { t } = createText(config.language);
  const onCut = (limit: number): void => void process.stderr.write(`${t('usage.inputCut', { bytes: limit })}\n`);
  try {
    const task = await readPrompt(text, process.stdin, { signal, onCut });
    return signal.aborted ? undefined : task;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** `onClosed`: nobody reads any more (a closed pipe), so the run stops. */
function presenterFor(form: OutputForm, config: Config, session: string, onClosed: () => void): Presenter {
  const streams = { out: process.stdout, err: process.stderr, onClosed };
  if (form === 'json') return createJsonPresenter({ ...streams, session });
  if (form === 'stream-json') return createStreamPresenter({ ...streams, session });
  return createTextPresenter({
    ...streams,
    text: createText(config.language),
    color: config.color,
    verbose: false,
    resumable: true,
    live: process.stdout.isTTY === true,
  });
}

/** What could not be kept is told, never silently dropped. */
function warn(config: Config, logFaults: readonly string[], recordFault: string | undefined): void {
  const { t } = createText(config.language);
  for (const reason of logFaults) process.stderr.write(`${t('session.notSaved', { reason })}\n`);
  if (recordFault !== undefined) process.stderr.write(`${t('record.notSaved', { reason: recordFault })}\n`);
}
