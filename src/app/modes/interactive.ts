/** The plain line-by-line shell: one line in, one run out. */
import { keptAs } from '../../policy/remember.js';
import { createTerminalApprover } from '../../ui/approve-terminal.js';
import { createText } from '../../ui/text/index.js';
import { fitted } from '../../ui/width.js';
import { askTrust } from '../ask-trust.js';
import { chooseModel } from '../choose-model.js';
import type { Config } from '../config.js';
import { type Conversation, openConversation } from '../conversation.js';
import type { RunFlags } from '../flags.js';
import { refuseHeadlessOptions } from '../headless-options.js';
import { loadConfig } from '../load-config.js';
import { openSession, type SessionFlags } from '../sessions.js';
import { firstRun } from '../shell/first-run/first-run.js';
import { liveThrough } from '../shell/live-through.js';
import { PlainShell } from '../shell/plain-shell.js';
import { createSpending } from '../shell/spending.js';
import { createSteering } from '../shell/steering.js';
import { surroundings } from '../surroundings.js';
import { VERSION } from '../version.js';

/** Reads lines until the user leaves; gives the exit code. */
export async function interactive(flags: RunFlags): Promise<number> {
  refuseHeadlessOptions(flags);
  const trusted = await trustedConfig(flags);
  const text = createText(trusted.language);
  const config = await firstRun({
    config: trusted,
    text,
    reload: () => loadConfig(flags),
    say: (line) => void process.stdout.write(`${fitted(line, process.stdout.columns)}\n`),
  });
  const chosen = await chooseModel(config);
  const steering = createSteering(config, chosen);
  const say = (line: string): void => void process.stdout.write(`${fitted(line, process.stdout.columns)}\n`);
  const spending = createSpending();
  const shell = new PlainShell({ flags, text, steering, spending, say });
  say(text.t('shell.hello', { version: VERSION, provider: chosen.service, model: chosen.model, mode: config.permissionMode }));
  try {
    await liveThrough(flags, text, shell, (session) => openOn(session, shell, flags));
    return 0;
  } finally {
    // An open input would keep the program waiting.
    shell.input.close();
  }
}

async function openOn(wanted: SessionFlags, shell: PlainShell, flags: RunFlags): Promise<Conversation> {
  const { text, steering, spending, say } = shell.options;
  const { config } = steering;
  const session = await openSession(config, wanted, {
    onFault: (reason) => say(text.t('session.notSaved', { reason })),
    onDamage: (count) => say(text.t('session.damaged', { count })),
  });
  const conversation: Conversation = await openConversation({
    config,
    chosen: steering.chosen,
    active: () => steering.chosen,
    open: (model) => steering.open(model),
    approver: createTerminalApprover({
      input: process.stdin,
      output: process.stdout,
      text,
      hold: () => shell.input.hold(),
      color: config.color,
      pictures: !config.dumb && flags.plain !== true,
      about: async (question) => surroundings(question, conversation.app),
      subject: keptAs,
    }),
    takeTyped: () => shell.input.takeTyped(),
    id: session.id,
    log: session.log,
    state: session.state,
    sinks: [shell.presenter.sink, (event) => spending.take(event)],
    systemPrompt: flags.systemPrompt,
    appendSystemPrompt: flags.appendSystemPrompt,
  }).catch(async (error: unknown) => {
    // What cannot be opened must not stay locked.
    await session.log?.close();
    throw error;
  });
  return conversation;
}

/** The configuration, read again when the person has just trusted the folder. */
async function trustedConfig(flags: RunFlags): Promise<Config> {
  const first = loadConfig(flags);
  return (await askTrust(first, createText(first.language).t)) ? loadConfig(flags) : first;
}
