/** Asks the security question and answers it, for the tests of this folder. */
import type { PassThrough } from 'node:stream';
import type { Answer, Question } from '../../src/types/policy.js';
import { createTerminalApprover, type TerminalApproverOptions } from '../../src/ui/approve-terminal.js';
import { createText } from '../../src/ui/text/index.js';
import { question, Sheet } from './streams.js';

export const QUIET = 15;
export const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks; `type` is called once the question is on the screen and may be answered. */
export async function ask(
  input: PassThrough,
  type: (input: PassThrough) => void | Promise<void>,
  options: Partial<TerminalApproverOptions> & { asked?: Question; signal?: AbortSignal } = {},
): Promise<{ answer: Answer; screen: string }> {
  const output = new Sheet();
  const approver = createTerminalApprover({
    input,
    output,
    text: createText('en'),
    quietMs: QUIET,
    onStop: () => undefined,
    ...options,
  });
  const answer = approver.ask(options.asked ?? question(), { signal: options.signal ?? new AbortController().signal });
  while (!output.text.includes('[y/')) {
    if ((await Promise.race([answer, wait(2)])) !== undefined) break;
  }
  await wait(QUIET * 3);
  await type(input);
  return { answer: await answer, screen: output.text };
}

export const typed =
  (...chunks: string[]) =>
  (input: PassThrough) => {
    for (const chunk of chunks) input.write(chunk);
  };

/** Key by key, as a person presses them. */
export const pressed =
  (...keys: string[]) =>
  async (input: PassThrough) => {
    for (const key of keys) {
      input.write(key);
      await wait(50);
    }
  };
