/** `chatcli replay FILE`: a recording again, without network; with `--execute` its calls run for real in a copy. */
import { constants } from 'node:fs';
import { cp, lstat, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { helpTool } from '../../protocol/help-tool.js';
import { unifiedDiff } from '../../session/compare.js';
import { SessionFault } from '../../session/fault.js';
import { type Recording, readRecording } from '../../session/recording.js';
import { TOOLS } from '../../tools/registry.js';
import type { RunOutcome } from '../../types/agent.js';
import { denyAll } from '../../ui/approve-none.js';
import { createTextPresenter } from '../../ui/present-text.js';
import { createText } from '../../ui/text/index.js';
import { openWorkspace } from '../../workspace/open-workspace.js';
import type { Config, ConfigFlags } from '../config.js';
import { type ConversationOptions, openConversation } from '../conversation.js';
import { EXIT } from '../exit-codes.js';
import { recordedIsolation } from '../isolation/recorded.js';
import { loadConfig } from '../load-config.js';
import {
  callComparer,
  type Difference,
  recordedGate,
  recordedMode,
  recordedModel,
  recordedTools,
  usedAgents,
  withChanges,
} from '../replay-run.js';
import { sessionUsageError } from '../sessions.js';
import { createStopper } from '../stop.js';

export interface ReplayFlags extends ConfigFlags {
  readonly execute?: boolean;
  readonly diff?: boolean;
}

/** Lines of one difference that are shown without `--diff`. */
const SHORT_DIFF = 20;

/** Exit 0 when every result is the recorded one, 1 on any difference. Throws UsageError for a file that is no recording. */
export async function replayMode(file: string, flags: ReplayFlags): Promise<number> {
  const recording = await load(file);
  const loaded = loadConfig(flags);
  const config = { ...loaded, agents: { ...loaded.agents, parallel: usedAgents(recording) } };
  if (!flags.execute)
    return run(recording, config, flags, {
      tools: recordedTools([...TOOLS, helpTool(TOOLS)], recording.calls, {
        recorded: recording.header.workspace,
        replayed: config.root,
      }),
      gate: recordedGate(recording.calls),
      isolate: recordedIsolation(recording.calls, recording.header.workspace),
    });
  const copy = await copyFolder();
  try {
    await copyWorkspace(config, file, copy);
    return await run(recording, { ...config, root: copy }, flags, { aroundGate: withChanges(recording.calls) });
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function load(file: string): Promise<Recording> {
  try {
    return await readRecording(file);
  } catch (error) {
    if (error instanceof SessionFault) throw sessionUsageError(error);
    throw error;
  }
}

async function copyFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'chatcli-replay-')));
}

/** A private copy of the workspace, without backups we made and without the recording; nothing is done to the original. */
async function copyWorkspace(config: Config, recording: string, folder: string): Promise<void> {
  const { home, state, root } = config;
  const original = await openWorkspace({ root, home, state, scratch: tmpdir() });
  const left = resolve(recording);
  const filter = async (path: string): Promise<boolean> => {
    if (path === left) return false;
    const stat = await lstat(path);
    if (!stat.isFile()) return stat.isDirectory() || stat.isSymbolicLink();
    return !path.endsWith('.bak') || !(await original.isBackup(path));
  };
  await cp(root, folder, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE, force: true, filter });
}

async function run(
  recording: Recording,
  config: Config,
  flags: ReplayFlags,
  parts: Pick<ConversationOptions, 'tools' | 'gate' | 'isolate' | 'aroundGate'>,
): Promise<number> {
  const text = createText(config.language);
  const { header } = recording;
  const tmp = [tmpdir(), '/tmp'];
  const comparer = callComparer(recording, {
    recorded: { roots: [header.workspace], home: header.home, tmp },
    // Answers from the record speak of the places of the record.
    replayed: flags.execute
      ? { roots: [config.root], home: config.home, tmp }
      : { roots: [header.workspace, config.root], home: header.home, tmp },
  });
  if (flags.execute && header.permissionMode !== config.permissionMode) {
    process.stderr.write(`${text.t('replay.otherMode', { recorded: header.permissionMode, now: config.permissionMode })}\n`);
  }
  const presenter = createTextPresenter({
    out: process.stdout,
    err: process.stderr,
    text,
    color: config.color,
    verbose: false,
    resumable: false,
    live: false,
  });
  const stopper = createStopper({});
  // A run that ended at its turn limit took one more request for its last words.
  const maxTurns = recording.outcome?.status === 'turn_limit' ? Math.max(1, recording.turns.length - 1) : config.maxTurns;
  const conversation = await openConversation({
    config: { ...config, maxTurns },
    chosen: recordedModel(recording),
    approver: denyAll,
    id: 'replay',
    sinks: [presenter.sink, comparer.sink],
    toolMode: header.toolMode,
    ...parts,
  });
  let ended: RunOutcome | undefined;
  try {
    const outcome = await conversation.run(header.task, { mode: recordedMode(recording), signal: stopper.signal });
    presenter.finish(outcome);
    if (outcome.status === 'interrupted') return EXIT.interrupted;
    ended = outcome;
  } finally {
    stopper.release();
    await conversation.close();
  }
  const { differences, compared } = await comparer.differences();
  const { outcome } = recording;
  if (outcome && ended && (outcome.status !== ended.status || outcome.result.trim() !== ended.result.trim())) {
    const diff = await unifiedDiff(
      `${outcome.status}\n${outcome.result}`,
      `${ended.status}\n${ended.result}`,
      'recorded',
      'replayed',
    );
    differences.push({ call: 'the end of the run', diff });
  }
  report(differences, compared, flags.diff === true, text.t);
  const incomplete = recording.cut || recording.outcome === undefined;
  if (incomplete) process.stderr.write(`${text.t('replay.cut')}\n`);
  return differences.length > 0 || incomplete ? 1 : 0;
}

function report(
  differences: readonly Difference[],
  compared: number,
  whole: boolean,
  t: ReturnType<typeof createText>['t'],
): void {
  process.stderr.write(`${t('replay.compared', { compared, differing: differences.length })}\n`);
  for (const { call, diff } of differences) {
    const lines = diff.trimEnd().split('\n');
    const shown = whole ? lines : lines.slice(0, SHORT_DIFF);
    const rest = lines.length - shown.length;
    process.stdout.write(`${call}\n${shown.join('\n')}\n${rest > 0 ? `${t('replay.moreLines', { count: rest })}\n` : ''}\n`);
  }
}
