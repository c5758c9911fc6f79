/** A yes or no by one key on a terminal. */
import { openKeys } from '../ui/keys.js';

const QUIET_MS = 250;
const YES: ReadonlySet<string> = new Set(['y', 'yes', 's', 'sim']);
const NO: ReadonlySet<string> = new Set(['n', 'no', 'nao', 'não']);

/** Only an explicit key answers; what was typed before the question is dropped. Undefined: the input ended or Ctrl+C. */
export async function answerKey(ask: () => void): Promise<boolean | undefined> {
  const { stdin } = process;
  const keys = openKeys(stdin, { single: typeof stdin.setRawMode === 'function', signal: new AbortController().signal });
  try {
    await keys.drop(QUIET_MS);
    ask();
    for (;;) {
      const typed = await keys.next();
      if (typed.kind !== 'word') return undefined;
      if (YES.has(typed.word)) return true;
      if (NO.has(typed.word)) return false;
    }
  } finally {
    keys.close();
  }
}
