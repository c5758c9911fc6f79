/** The security question on a terminal: only an explicit key answers; nothing typed before it counts. */
import type { Answer, Approver, AskOptions, Question } from '../types/policy.js';
import { askedLines, type Choice, isLoosened, type QuestionStyle, type Surroundings } from './approve-text.js';
import { type InputStream, openKeys } from './keys.js';
import { createOutput, type OutputStream } from './output.js';
import { createPaint } from './paint.js';
import type { Text } from './text/index.js';
import { wrap } from './width.js';

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
  /** Where the call would run and what holds it; a failure is as if nothing were known. */
  readonly about?: (question: Question) => Promise<Surroundings>;
  /** The rules "always" and "never" would be kept as; undefined: none can be made, and "always" is not offered. */
  readonly subject?: (question: Question, answer: 'always' | 'never') => string | undefined;
}

const QUIET_MS = 250;
/** What each choice answers. */
export const ANSWERS: { readonly [choice in Exclude<Choice, 'v'>]: Answer } = { y: 'yes', a: 'always', n: 'no', d: 'never' };
/** What people press or type for each choice. */
export const WORDS: Readonly<Record<string, Choice>> = {
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
  v: 'v',
  view: 'v',
  ver: 'v',
};

export interface TerminalApprover extends Approver {
  ask(question: Question, options: AskOptions): Promise<Answer>;
}

/** Asks on a terminal: one key where keys can be read singly, otherwise a key and Enter. */
export function createTerminalApprover(options: TerminalApproverOptions): TerminalApprover {
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
  const marks = single && (options.pictures ?? true);
  const about = await options.about?.(question).catch(() => undefined);
  const columns = Math.max(20, options.output.columns || 80);
  const say = (line: string, end = '\n'): void => output.write(`\n ${wrap(line, columns - 2).join('\n ')}${end}`);
  const keys = openKeys(input, { single, signal });
  // Pastes come between marks, so that none of their letters can pass for a key.
  if (marks) output.write('\x1b[?2004h');
  const show = async (full: boolean): Promise<{ readonly choices: readonly Choice[]; readonly quiet: boolean }> => {
    const { lines, choices } = askedLines(question, styleOf(question, options, about, full));
    output.write(`\n${lines.join('\n')}\n ${text.t(single ? 'approval.chooseKey' : 'approval.choose')} [${choices.join('/')}] `);
    return { choices, quiet: await keys.drop(options.quietMs ?? QUIET_MS) };
  };
  try {
    const early = await keys.drop(options.quietMs ?? QUIET_MS);
    let { choices, quiet } = await show(false);
    if (!early || !quiet) {
      say(text.t('approval.noise'));
      return 'no';
    }
    while (!output.closed) {
      const typed = await keys.next();
      if (typed.kind === 'end') return ended('no', text.t('approval.closed'), say);
      if (typed.kind === 'stopped') return ended('stopped', text.t('approval.answer.stopped'), say);
      const choice = Object.hasOwn(WORDS, typed.word) ? WORDS[typed.word] : undefined;
      if (choice !== undefined && choices.includes(choice)) {
        if (single) output.write(choice);
        if (choice === 'y' && isLoosened(question)) return ended('yes', text.t('approval.answer.yesSession'), say);
        if (choice !== 'v') return ended(ANSWERS[choice], text.t(`approval.answer.${ANSWERS[choice]}`), say);
        ({ choices } = await show(true));
      } else if (typed.word !== '') say(`${text.t('approval.invalid', { keys: choices.join(', ') })} `, '');
    }
    return 'no';
  } finally {
    if (marks) output.write('\x1b[?2004l');
    keys.close();
  }
}

function ended(answer: Answer, line: string, say: (line: string) => void): Answer {
  say(line);
  return answer;
}

const interruptSelf = (): void => void process.kill(process.pid, 'SIGINT');

function styleOf(
  question: Question,
  options: TerminalApproverOptions,
  about: Surroundings | undefined,
  full: boolean,
): QuestionStyle {
  const { subject } = options;
  const kept = (answer: 'always' | 'never') => (subject ? (subject(question, answer) ?? false) : undefined);
  return {
    text: options.text,
    paint: createPaint({ color: options.color ?? false }),
    columns: Math.max(20, options.output.columns || 80),
    pictures: options.pictures ?? true,
    always: kept('always'),
    never: kept('never'),
    about,
    full,
  };
}
