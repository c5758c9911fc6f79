/** One conversation after the other in one shell: the first as the flags say, the next as the user asks. */
import type { Text } from '../../ui/text/index.js';
import type { Conversation } from '../conversation.js';
import type { SessionFlags } from '../sessions.js';
import { UsageError } from '../usage-error.js';
import type { NextConversation } from './desk.js';

/** A shell that shows a conversation until it is put away. */
interface Showing {
  say(line: string): void;
  live(conversation: Conversation): Promise<NextConversation | undefined>;
}

/** Until the user leaves. Throws what the first opening throws; a later one that fails leaves the present conversation open anew. */
export async function liveThrough(
  flags: SessionFlags,
  text: Text,
  shell: Showing,
  open: (session: SessionFlags) => Promise<Conversation>,
): Promise<void> {
  const { sessionId, resume, continue: last } = flags;
  let conversation = await open({ sessionId, resume, continue: last });
  for (;;) {
    const { id } = conversation;
    let next: NextConversation | undefined;
    try {
      next = await shell.live(conversation);
    } finally {
      await conversation.close();
    }
    if (!next) return;
    try {
      conversation = await open({ resume: next.id });
      if (next.id !== id) shell.say(text.t('resume.now', { id: next.id }));
    } catch (error) {
      for (const line of error instanceof UsageError ? error.lines(text) : [(error as Error).message]) shell.say(line);
      shell.say(text.t('resume.failed'));
      conversation = await open({ sessionId: id });
    }
  }
}
