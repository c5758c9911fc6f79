/** The security question on a terminal: only an explicit key answers; nothing typed before it counts. */
import type { Answer, Approver, Question } from '../types/policy.js';
import { type Choice, choicesFor, type QuestionStyle, questionLines } from './approve-text.js';
import { type InputStream, openKeys } from './keys.js';
import { createOutput, type OutputStream } from './output.js';
import { createPaint } from './paint.js';
import type { Text, TextKey } from './text/index.js';

export interface TerminalApproverOptions {
  readonly input: InputStream;
  readonly output: OutputStream;
  readonly text: Text;
  readonly color?: boolean;
  /** False: no box, no pictures (screen readers, poor terminals). */
  readonly pictures?: boolean;
  /** What is typed is dropped until nothing came for so long (default 250 ms), before and after the question appears. */
  readonly quietMs?: number;
  /** Takes the input away from whoever reads it; the function given back returns it. */
  readonly hold?: () => () => void;
  /** Ctrl+C at the question: the answer is `stopped`, and the run is to stop too. Default: the process gets SIGINT, as from a terminal. */
  readonly onStop?: () => void;
  /** What "always" and "never" would be remembered for. */
  readonly subject?: (question: Question, answer: 'always' | 'never') => string | undefined;
}

const QUIET_MS = 250;
const ANSWERS: { readonly [choice in Choice]: Answer } = { y: 'yes', a: 'always', n: 'no', d: 'never' };
const WORDS: Readonly<Record<string, Choice>> = {
  y: 'y',
  yes: 'y',
  s: 'y',
  sim: 'y',
  a: 'a',
  always: 'a',
  sempre: 'a',
  n: 'n',
  no: 'n',
  nao: 'n',
  não: 'n',
  d: 'd',
  deny: 'd',
  never: 'd',
  nunca: 'd',
};

/** Asks on a terminal: one key where keys can be read singly, otherwise a key and Enter. */
export function createTerminalApprover(options: TerminalApproverOptions): Approver {
  return {
    canAsk: true,
    async ask(question, { signal }) {
      const giveBack = options.hold?.();
      let answer: Answer;
      try {
        answer = await askOnce(question, options, signal);
      } finally {
        giveBack?.();
      }
      if (answer === 'stopped' && !signal.aborted) (options.onStop ?? interruptSelf)();
      return answer;
    },
  };
}

async function askOnce(question: Question, options: TerminalApproverOptions, signal: AbortSignal): Promise<Answer> {
  const { input, text } = options;
  const output = createOutput(options.output);
  const single = input.isTTY === true && typeof input.setRawMode === 'function';
  const choices = choicesFor(question);
  const end = (answer: Answer, line: TextKey): Answer => {
    output.write(`\n ${text.t(line)}\n`);
    return answer;
  };
  const keys = openKeys(input, { single, signal });
  try {
    await keys.drop(options.quietMs ?? QUIET_MS);
    output.write(`\n${questionLines(question, styleOf(question, options)).join('\n')}\n`);
    output.write(` ${text.t(single ? 'approval.chooseKey' : 'approval.choose')} [${choices.join('/')}] `);
    await keys.drop(options.quietMs ?? QUIET_MS);
    while (!output.closed) {
      const typed = await keys.next();
      if (typed.kind === 'end') return end('no', 'approval.closed');
      if (typed.kind === 'stopped') return end('stopped', 'approval.answer.stopped');
      const choice = Object.hasOwn(WORDS, typed.word) ? WORDS[typed.word] : undefined;
      if (choice !== undefined && choices.includes(choice)) {
        if (single) output.write(choice);
        return end(ANSWERS[choice], `approval.answer.${ANSWERS[choice]}`);
      }
      if (typed.word !== '') output.write(`\n ${text.t('approval.invalid', { keys: choices.join(', ') })} `);
    }
    return 'no';
  } finally {
    keys.close();
  }
}

const interruptSelf = (): void => void process.kill(process.pid, 'SIGINT');

function styleOf(question: Question, options: TerminalApproverOptions): QuestionStyle {
  return {
    text: options.text,
    paint: createPaint({ color: options.color ?? false }),
    columns: Math.max(40, options.output.columns || 80),
    pictures: options.pictures ?? true,
    always: options.subject?.(question, 'always'),
    never: options.subject?.(question, 'never'),
  };
}
