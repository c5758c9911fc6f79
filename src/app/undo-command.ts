/** `chatcli -p "/undo" --continue`: undo, redo and diff of a saved session without a conversation and without a model. */
import { COMMANDS, parseSlash } from '../commands/registry.js';
import { NO_USAGE } from '../loop/ports.js';
import type { RunOutcome } from '../types/agent.js';
import { createJsonPresenter } from '../ui/present-json.js';
import { createStreamPresenter } from '../ui/present-stream.js';
import { safeText } from '../ui/safe-text.js';
import { createText } from '../ui/text/index.js';
import { openWorkspace } from '../workspace/open-workspace.js';
import { createUndoing } from '../workspace/undo/undoing.js';
import type { Config } from './config.js';
import { EXIT } from './exit-codes.js';
import { type OutputForm, outputForm, type RunFlags } from './flags.js';
import { loadConfig } from './load-config.js';
import { providerKeys, textRedactor } from './redact.js';
import { openScratch } from './scratch.js';
import { type OpenSession, openSession } from './sessions.js';
import { openSessionUndo } from './undo.js';
import { UsageError } from './usage-error.js';

/** Runs the command on the session the flags name; 0 when all was done, 1 when not. Throws UsageError without a session. */
export async function undoCommand(line: string, flags: RunFlags): Promise<number> {
  const form = outputForm(flags.output);
  const slash = parseSlash(line);
  if (!slash?.command) throw new UsageError('undo.noSession', { command: line });
  if (flags.resume === undefined && !flags.continue && flags.sessionId === undefined)
    throw new UsageError('undo.noSession', { command: `/${slash.name}` });
  const config = loadConfig(flags);
  const { t } = createText(config.language);
  const warn = (text: string): void => void process.stderr.write(`${safeText(text)}\n`);
  const session = await openSession(config, flags, {
    onFault: (reason) => warn(t('session.notSaved', { reason })),
    onDamage: (count) => warn(t('session.damaged', { count })),
  });
  try {
    const { printed, complete } = await runOn(config, session, slash, warn);
    // As text it may be a patch that is applied; the forms for programs go on to others.
    const told = form === 'text' ? printed : textRedactor(providerKeys(config))(printed);
    show(form, told, complete ? 'done' : 'failed', session.id);
    return EXIT[complete ? 'done' : 'failed'];
  } finally {
    await session.log?.close();
  }
}

async function runOn(
  config: Config,
  session: OpenSession,
  { command, words }: NonNullable<ReturnType<typeof parseSlash>>,
  warn: (text: string) => void,
): Promise<{ readonly printed: string; readonly complete: boolean }> {
  const { t } = createText(config.language);
  const { root, addDirs, home, state, childEnv } = config;
  const scratch = openScratch(state, session.id);
  const workspace = await openWorkspace({ root, addDirs, home, state, scratch, env: childEnv });
  for (const sentence of workspace.recovered) warn(sentence);
  const store = openSessionUndo({
    config,
    id: session.id,
    emit: (event) => {
      if (event.type === 'notice') warn(event.text);
    },
  });
  const lines: string[] = [];
  let complete = true;
  try {
    await command?.run(words, {
      print: (text) => void lines.push(text),
      t: (key, values) => t(key as Parameters<typeof t>[0], values),
      session: { id: session.id, mode: 'chat', setMode: () => undefined },
      model: { provider: '', id: '' },
      policyLines: () => [],
      commands: () => COMMANDS,
      stop: () => undefined,
      undoing: createUndoing({ store, workspace }),
      failed: () => {
        complete = false;
      },
    });
  } finally {
    store.close();
  }
  return { printed: lines.join('\n'), complete };
}

/** The same forms as a run; a diff goes into a file byte for byte, and harmless to a terminal. */
function show(form: OutputForm, printed: string, status: 'done' | 'failed', session: string): void {
  if (form === 'text') {
    const text = process.stdout.isTTY ? safeText(printed) : printed;
    process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    return;
  }
  const outcome: RunOutcome = { status, result: printed, turns: 0, usage: NO_USAGE, denied: [], files: [] };
  const streams = { out: process.stdout, err: process.stderr, session };
  (form === 'json' ? createJsonPresenter(streams) : createStreamPresenter(streams)).finish(outcome);
}
