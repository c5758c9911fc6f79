/** The interactive shell behind its header: configuration, conversation, then keys until the user leaves. */

import type { Approver } from '../../types/policy.js';
import type { Screen } from '../../ui/screen/port.js';
import type { Text } from '../../ui/text/index.js';
import { wrap } from '../../ui/width.js';
import { askTrust } from '../ask-trust.js';
import { chooseModel } from '../choose-model.js';
import type { Config } from '../config.js';
import { type Conversation, openConversation } from '../conversation.js';
import type { RunFlags } from '../flags.js';
import { refuseHeadlessOptions } from '../headless-options.js';
import { loadConfig } from '../load-config.js';
import { openSession, type SessionFlags } from '../sessions.js';
import { shellApprover } from './approval/shell-approver.js';
import { firstRun } from './first-run/first-run.js';
import { liveThrough } from './live-through.js';
import { Shell } from './shell.js';
import { createSteering, type Steering } from './steering.js';

/** Gives the exit code. Throws UsageError as every mode does. */
export async function runShell(
  flags: RunFlags,
  { screen, text }: { readonly screen: Screen; readonly text: Text },
): Promise<number> {
  refuseHeadlessOptions(flags);
  const config = await firstRun({
    config: await trustedConfig(flags, screen, text),
    text,
    reload: () => loadConfig(flags),
    say: (line) => screen.print(wrap(line, screen.features().columns)),
    hold: () => screen.suspend(),
  });
  const chosen = await chooseModel(config);
  const steering = createSteering(config, chosen);
  let open: Conversation | undefined;
  const asking = shellApprover({ screen, text, config, shell: () => shell, app: () => open?.app });
  const shell = new Shell({ screen, text, steering, flags, asking });
  try {
    await liveThrough(flags, text, shell, async (session) => {
      open = await openOn(session, { text, flags, shell, steering, asking });
      return open;
    });
    return 0;
  } finally {
    shell.end();
  }
}

interface Parts {
  readonly text: Text;
  readonly flags: RunFlags;
  readonly shell: Shell;
  readonly steering: Steering;
  readonly asking: Approver;
}

async function openOn(wanted: SessionFlags, { text, flags, shell, steering, asking }: Parts): Promise<Conversation> {
  const { config } = steering;
  const session = await openSession(config, wanted, {
    onFault: (reason) => shell.say(text.t('session.notSaved', { reason })),
    onDamage: (count) => shell.say(text.t('session.damaged', { count })),
  });
  const conversation: Conversation = await openConversation({
    config,
    chosen: steering.chosen,
    active: () => steering.chosen,
    open: (model) => steering.open(model),
    approver: asking,
    takeTyped: () => shell.takeTyped(),
    id: session.id,
    log: session.log,
    state: session.state,
    sinks: [(event) => shell.sink(event)],
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
async function trustedConfig(flags: RunFlags, screen: Screen, text: Text): Promise<Config> {
  const first = loadConfig(flags);
  const giveBack = screen.suspend();
  try {
    return (await askTrust(first, text.t)) ? loadConfig(flags) : first;
  } finally {
    giveBack();
  }
}
