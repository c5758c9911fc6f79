/** `chatcli demo`: a whole coder run on a bundled sample, the model's side from a bundled recording, everything else real. */
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../process/run-command.js';
import { readRecording } from '../../session/recording.js';
import type { RunOutcome } from '../../types/agent.js';
import type { AgentEvent } from '../../types/event.js';
import { denyAll } from '../../ui/approve-none.js';
import { createTextPresenter } from '../../ui/present-text.js';
import { createText } from '../../ui/text/index.js';
import type { Config } from '../config.js';
import { openConversation } from '../conversation.js';
import { EXIT } from '../exit-codes.js';
import { loadConfig } from '../load-config.js';
import { recordedMode, recordedModel } from '../replay-run.js';
import { createStopper } from '../stop.js';

/** Copies left behind by a killed demo go after this long (milliseconds). */
const OLD_MS = 24 * 3600 * 1000;
const PREFIX = 'chatcli-demo-';

/** Exit 0 when the sample's tests were seen red, then green; 1 otherwise. */
export async function demoMode(flags: { readonly lang?: string }): Promise<number> {
  await removeOldCopies();
  const folder = await realpath(await mkdtemp(join(tmpdir(), PREFIX)));
  const stopper = createStopper({});
  try {
    const workspace = join(folder, 'sample');
    await cp(join(demoFolder(), 'sample'), workspace, { recursive: true });
    await mkdir(join(folder, 'state'), { mode: 0o700 });
    const config = loadConfig({
      directory: workspace,
      lang: flags.lang,
      isolatedState: join(folder, 'state'),
      permissionMode: 'auto',
    });
    return await play(config, stopper.signal);
  } finally {
    stopper.release();
    await rm(folder, { recursive: true, force: true });
  }
}

async function play(config: Config, signal: AbortSignal): Promise<number> {
  const text = createText(config.language);
  const { t } = text;
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  say(t('demo.intro', { folder: config.root }));
  say('');
  const recording = await readRecording(join(demoFolder(), 'recording.jsonl'));
  const git = await commitSample(config);
  const tests: boolean[] = [];
  const presenter = createTextPresenter({
    out: process.stdout,
    err: process.stdout,
    text,
    color: config.color,
    verbose: true,
    live: true,
  });
  const watch = (event: AgentEvent): void => {
    presenter.sink(event);
    if (event.type === 'call-end' && event.result.display?.kind === 'tests') tests.push(event.result.display.ok);
  };
  const conversation = await openConversation({
    config,
    chosen: recordedModel(recording),
    approver: denyAll,
    id: 'demo',
    sinks: [watch],
    toolMode: recording.header.toolMode,
  });
  let outcome: RunOutcome;
  try {
    say(t('demo.task', { task: recording.header.task }));
    outcome = await conversation.run(recording.header.task, { mode: recordedMode(recording), signal });
  } finally {
    await conversation.close();
  }
  presenter.finish(outcome);
  if (outcome.status === 'interrupted') return EXIT.interrupted;
  say('');
  say(git ? await sampleDiff(config) : t('demo.noGit'));
  const turned = tests.length >= 2 && tests[0] === false && tests.at(-1) === true;
  const isDone = turned && outcome.status === 'done';
  say(t(isDone ? 'demo.done' : 'demo.failed'));
  if (isDone) say(t('demo.next'));
  return isDone ? 0 : EXIT.failed;
}

/** Commits the untouched sample, so that the change can be shown; false without git. */
async function commitSample(config: Config): Promise<boolean> {
  const identity = [
    '-c',
    'user.name=Demo',
    '-c',
    'user.email=demo@example.invalid',
    '-c',
    'core.hooksPath=/dev/null',
    '-c',
    'commit.gpgsign=false',
  ];
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...identity, 'commit', '-q', '-m', 'the sample as shipped'],
  ]) {
    const done = await git(config, args);
    if (done === undefined) return false;
  }
  return true;
}

async function sampleDiff(config: Config): Promise<string> {
  return ((await git(config, ['diff', '--no-ext-diff', '--no-color', '--', '.', ':(exclude)*.bak'])) ?? '').trimEnd();
}

async function git(config: Config, args: readonly string[]): Promise<string | undefined> {
  try {
    const outcome = await runCommand({
      file: 'git',
      args: [...args],
      cwd: config.root,
      env: config.childEnv,
      timeoutMs: 30_000,
      keepBytes: 100_000,
      signal: AbortSignal.timeout(40_000),
    });
    return outcome.exitCode === 0 ? outcome.output : undefined;
  } catch {
    return undefined;
  }
}

/** The folder with sample and recording: beside `dist` in the package, at the root of the repository. */
function demoFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let i = 0; i < 4; i++) {
    if (existsSync(join(folder, 'demo', 'sample'))) return join(folder, 'demo');
    folder = dirname(folder);
  }
  throw new Error('the demo files are missing from this installation');
}

async function removeOldCopies(): Promise<void> {
  try {
    for (const name of await readdir(tmpdir())) {
      if (!name.startsWith(PREFIX)) continue;
      const folder = join(tmpdir(), name);
      if (Date.now() - (await stat(folder)).mtimeMs > OLD_MS) await rm(folder, { recursive: true, force: true });
    }
  } catch {
    // Tidying is best effort.
  }
}
