/** The interactive shell behind its header: configuration, conversation, then keys until the user leaves. */

import { keptAs } from '../../policy/remember.js';
import { createTerminalApprover } from '../../ui/approve-terminal.js';
import type { Screen } from '../../ui/screen/port.js';
import type { Text } from '../../ui/text/index.js';
import { askTrust } from '../ask-trust.js';
import { chooseModel } from '../choose-model.js';
import type { Config } from '../config.js';
import { openConversation } from '../conversation.js';
import type { RunFlags } from '../flags.js';
import { refuseHeadlessOptions } from '../headless-options.js';
import { loadConfig } from '../load-config.js';
import { openSession } from '../sessions.js';
import { surroundings } from '../surroundings.js';
import { Shell } from './shell.js';

/** Gives the exit code. Throws UsageError as every mode does. */
export async function runShell(
  flags: RunFlags,
  { screen, text }: { readonly screen: Screen; readonly text: Text },
): Promise<number> {
  refuseHeadlessOptions(flags);
  const config = await trustedConfig(flags, screen, text);
  const chosen = await chooseModel(config);
  const shell = new Shell({ screen, text, config, chosen });
  const session = await openSession(config, flags, {
    onFault: (reason) => shell.say(text.t('session.notSaved', { reason })),
    onDamage: (count) => shell.say(text.t('session.damaged', { count })),
  });
  const conversation = await openConversation({
    config,
    chosen,
    open: (model) => chooseModel(model === undefined ? config : { ...config, model }),
    approver: createTerminalApprover({
      input: process.stdin,
      output: process.stdout,
      text,
      hold: () => screen.suspend(),
      color: config.color,
      pictures: !config.dumb,
      about: async (question) => surroundings(question, conversation.app),
      subject: keptAs,
    }),
    takeTyped: () => shell.takeTyped(),
    id: session.id,
    log: session.log,
    state: session.state,
    sinks: [(event) => shell.sink(event)],
    systemPrompt: flags.systemPrompt,
    appendSystemPrompt: flags.appendSystemPrompt,
  });
  try {
    return await shell.live(conversation);
  } finally {
    await conversation.close();
  }
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
