/** `chatcli policy test FILE`: a list of calls with the verdicts they must and must not get. */
import { readFileSync, statSync } from 'node:fs';
import { decide } from '../../policy/decide.js';
import type { Verdict } from '../../types/policy.js';
import { safeLine } from '../../ui/safe-text.js';
import type { ConfigFlags } from '../config.js';
import { EXIT_USAGE } from '../exit-codes.js';
import type { Translate } from '../flags.js';
import { judgedOf, openJudge } from '../judge-words.js';
import { UsageError } from '../usage-error.js';

interface Line {
  readonly number: number;
  readonly not: boolean;
  readonly verdict: Verdict;
  readonly tool?: string;
  readonly words: string;
}

/** `allow git status`, `!allow git push`, `ask @coder write {"file":"a","content":""}`. */
const LINE = /^(!?)(allow|ask|immune|deny)\s+(?:(@\w+(?:[ ]+[a-z][a-z-]*(?=\s+\{))?)\s+)?(\S.*)$/u;
const MOST_BYTES = 1 << 20;

/** `-` is standard input. Prints every line that got another verdict and a count; gives 0 when all are as said, 1 otherwise, 2 when a line is no call. Throws UsageError. */
export async function policyTest(file: string, flags: ConfigFlags, t: Translate): Promise<number> {
  const { lines, bad } = parseLines(file);
  for (const number of bad) process.stderr.write(`chatcli: ${t('usage.policyTestLine', { file, line: number })}\n`);
  if (bad.length > 0) process.stderr.write(`  ${t('usage.policyTestHint', { file })}\n`);
  const app = await openJudge(flags);
  try {
    const wrong = lines.filter((line) => {
      const { verdict } = decide(judgedOf(app, [line.words], line.tool), app.policy);
      const holds = (verdict === line.verdict) !== line.not;
      if (!holds) process.stdout.write(`${t('policy.testWrong', { ...shown(line), verdict })}\n`);
      return !holds;
    });
    process.stdout.write(`${t('policy.testCount', { passed: lines.length - wrong.length, failed: wrong.length })}\n`);
    if (bad.length > 0) return EXIT_USAGE;
    return wrong.length === 0 ? 0 : 1;
  } finally {
    await app.close();
  }
}

function shown({ number, not, verdict, tool, words }: Line) {
  return { line: number, wanted: `${not ? '!' : ''}${verdict}`, call: safeLine(tool ? `${tool} ${words}` : words) };
}

function textOf(file: string): string {
  try {
    if (file === '-') return readFileSync(0, 'utf8');
    const stat = statSync(file);
    if (!stat.isFile()) throw new UsageError('usage.notPlain', { file });
    if (stat.size > MOST_BYTES) throw new UsageError('usage.tooLarge', { file, bytes: MOST_BYTES });
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError('usage.badFile', { file, reason: (error as Error).message });
  }
}

/** The calls, and the numbers of the lines that are none. */
function parseLines(file: string): { readonly lines: readonly Line[]; readonly bad: readonly number[] } {
  const lines = textOf(file)
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, at) => ({ text: line.trim(), number: at + 1 }));
  const calls = lines.filter((line) => line.text !== '' && !line.text.startsWith('#'));
  if (calls.length === 0) throw new UsageError('usage.policyTestEmpty', { file }, 'usage.policyTestHint');
  const parsed = calls.map(({ text: line, number }) => parseLine(line, number) ?? number);
  return {
    lines: parsed.filter((one) => typeof one !== 'number'),
    bad: parsed.filter((one) => typeof one === 'number'),
  };
}

function parseLine(line: string, number: number): Line | undefined {
  const match = LINE.exec(line);
  if (!match) return undefined;
  const [, not, verdict, tool, words = ''] = match;
  return { number, not: not === '!', verdict: verdict as Verdict, words, ...(tool ? { tool } : {}) };
}
