/** The plain line-by-line shell: one line in, one run out. */
import type { ModeName } from '../../agents/registry.js';
import { COMMANDS, completeSlash, parseSlash } from '../../commands/registry.js';
import { keptAs } from '../../policy/remember.js';
import type { CommandContext } from '../../types/command.js';
import { createTerminalApprover } from '../../ui/approve-terminal.js';
import { createLineInput } from '../../ui/line-input.js';
import { createTextPresenter } from '../../ui/present-text.js';
import { safeText } from '../../ui/safe-text.js';
import { createText } from '../../ui/text/index.js';
import { fitted } from '../../ui/width.js';
import { shellAgents } from '../agents-view.js';
import { askTrust } from '../ask-trust.js';
import { chooseModel } from '../choose-model.js';
import type { Config } from '../config.js';
import { type Conversation, openConversation } from '../conversation.js';
import type { RunFlags } from '../flags.js';
import { loadConfig } from '../load-config.js';
import { openSession } from '../sessions.js';
import { shellRules } from '../shell-rules.js';
import { createStopper } from '../stop.js';
import { surroundings } from '../surroundings.js';
import { UsageError } from '../usage-error.js';
import { VERSION } from '../version.js';

/** Reads lines until the user leaves; gives the exit code. */
export async function interactive(flags: RunFlags): Promise<number> {
  refuseHeadlessOptions(flags);
  const config = await trustedConfig(flags);
  const text = createText(config.language);
  const { t } = text;
  const chosen = await chooseModel(config);
  const say = (line: string): void => void process.stdout.write(`${fitted(line, process.stdout.columns)}\n`);
  const session = await openSession(config, flags, {
    onFault: (reason) => say(t('session.notSaved', { reason })),
    onDamage: (count) => say(t('session.damaged', { count })),
  });
  const input = createLineInput({
    input: process.stdin,
    output: process.stdout,
    text,
    historyFile: `${config.state}/history`,
    complete: completeSlash,
    atOnce: (line) => runsAtOnce(line, context),
  });
  const presenter = createTextPresenter({
    out: process.stdout,
    err: process.stdout,
    text,
    color: config.color,
    verbose: true,
    live: true,
  });
  const conversation: Conversation = await openConversation({
    config,
    chosen,
    open: (model) => chooseModel({ ...config, model }),
    approver: createTerminalApprover({
      input: process.stdin,
      output: process.stdout,
      text,
      hold: () => input.hold(),
      color: config.color,
      pictures: !config.dumb,
      about: async (question) => surroundings(question, conversation.app),
      subject: keptAs,
    }),
    takeTyped: () => input.takeTyped(),
    id: session.id,
    log: session.log,
    state: session.state,
    sinks: [presenter.sink],
    systemPrompt: flags.systemPrompt,
    appendSystemPrompt: flags.appendSystemPrompt,
  }).catch((error: unknown) => {
    // An open input would keep the program waiting.
    input.close();
    throw error;
  });
  let mode: ModeName = 'chat';
  let stopped = false;
  const context: CommandContext = {
    print: (text) => say(safeText(text)),
    t,
    session: {
      id: session.id,
      get mode() {
        return mode;
      },
      setMode(next) {
        mode = next as ModeName;
      },
    },
    model: { provider: chosen.service, id: chosen.model },
    ...shellAgents(config, t, conversation.workers),
    ...shellRules(config, t, conversation.app.ruleStore),
    commands: () => COMMANDS,
    undoing: conversation.undoing,
    stop() {
      stopped = true;
    },
  };
  const runTask = async (task: string): Promise<void> => {
    const stopper = createStopper({});
    const idle = input.busy(() => process.emit('SIGINT', 'SIGINT'));
    try {
      presenter.finish(await conversation.run(task, { mode, signal: stopper.signal }));
    } finally {
      idle();
      stopper.release();
      stopped ||= stopper.terminated();
    }
  };
  say(t('shell.hello', { version: VERSION, provider: chosen.service, model: chosen.model, mode: config.permissionMode }));
  while (!stopped) {
    const line = await input.next(`${mode === 'chat' ? '' : mode}> `);
    if (line.kind === 'leave') break;
    await handle(line.text.trim(), context, runTask);
  }
  input.close();
  await conversation.close();
  return 0;
}

/** The configuration, read again when the person has just trusted the folder. */
async function trustedConfig(flags: RunFlags): Promise<Config> {
  const first = loadConfig(flags);
  return (await askTrust(first, createText(first.language).t)) ? loadConfig(flags) : first;
}

/** Options that only mean something for a run without a person. Throws UsageError for the first one given. */
function refuseHeadlessOptions(flags: RunFlags): void {
  const given = { '--output': flags.output, '--replay': flags.replay, '--record': flags.record, '--timeout': flags.timeout };
  const [name] = Object.entries(given).find(([, value]) => value !== undefined && value !== 'text') ?? [];
  if (name) throw new UsageError('usage.notInteractive', { name });
}

/** Commands about what runs are of no use afterwards. */
function runsAtOnce(line: string, context: CommandContext): boolean {
  const slash = parseSlash(line.trim());
  if (slash?.command?.name !== 'agents') return false;
  void Promise.resolve(slash.command.run(slash.words, context)).catch(() => undefined);
  return true;
}

/** A slash begins a command; `/coder TASK` switches the mode and runs; everything else is a task. */
async function handle(line: string, context: CommandContext, runTask: (task: string) => Promise<void>): Promise<void> {
  if (!line) return;
  const slash = parseSlash(line);
  if (!slash) return runTask(line);
  if (!slash.command) return context.print(context.t('command.unknown', { name: slash.name }));
  await slash.command.run(slash.words, context);
  if (slash.mode && slash.words) await runTask(slash.words);
}
