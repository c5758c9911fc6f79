/** The last lines of a run: how it ended, what was denied, what it took. */
import type { RunOutcome } from '../types/agent.js';
import type { Paint } from './paint.js';
import { safeLine } from './safe-text.js';
import type { Text } from './text/index.js';
import { textWidth } from './width.js';

export interface SummaryFacts {
  readonly calls: number;
  /** Times of the first and last event, milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Something that rules or a mode could have allowed: the hint how is of use. */
  readonly hint: boolean;
  /** The mode agrees to edits already, so it is not named as a way. */
  readonly agreesEdits?: boolean;
  /** The session that can be resumed. */
  readonly session?: string | undefined;
  readonly text: Text;
  readonly paint: Paint;
  /** Lines break between what they list; absent: they are as long as they are. */
  readonly room?: { readonly columns: number; readonly separator: string };
}

const MOST_DENIED = 20;

export function summaryLines(outcome: RunOutcome, facts: SummaryFacts): string[] {
  const { text, paint } = facts;
  const lines: string[] = [];
  if (outcome.denied.length > 0) {
    lines.push(paint.yellow(text.t('run.deniedTitle', { count: outcome.denied.length })));
    for (const call of outcome.denied.slice(0, MOST_DENIED)) {
      const who = call.agent === 'main' ? '' : ` [${safeLine(call.agent, 40)}]`;
      lines.push(`  - ${safeLine(`${call.tool} ${call.summary}`, 140)}: ${safeLine(text.why(call.why, call.reason), 200)}${who}`);
    }
    const rest = outcome.denied.length - MOST_DENIED;
    if (rest > 0) lines.push(`  ${text.t('card.moreLines', { count: rest })}`);
    const rules = rulesFor(outcome, text);
    if (facts.hint && rules !== '') lines.push(paint.dim(text.t(hintKey(outcome, facts), { rules })));
  }
  const reason = outcome.reason ? `: ${safeLine(text.why(outcome.why, outcome.reason), 300)}` : '';
  const head = `${text.t(`status.${outcome.status}`)}${reason}`;
  const style =
    outcome.status === 'done'
      ? paint.green
      : outcome.status === 'denied' || outcome.status === 'interrupted'
        ? paint.yellow
        : paint.red;
  const { columns, separator } = facts.room ?? { columns: Number.POSITIVE_INFINITY, separator: ' · ' };
  return [...lines, ...listed([style(head), ...numbers(outcome, facts)], paint.dim(separator), columns)];
}

/** Items beside each other; lines after the first are indented. */
function listed(items: readonly string[], separator: string, columns: number): string[] {
  const lines: string[] = [];
  const widthOf = (line: string): number => textWidth(line.replace(/\x1b\[[\d;]*m/g, ''));
  for (const item of items) {
    const last = lines.at(-1);
    const joined = last === undefined ? item : `${last}${separator}${item}`;
    if (last === undefined || widthOf(joined) <= columns) lines.splice(-1, 1, joined);
    else lines.push(`  ${item}`);
  }
  return lines;
}

/** A mode is named where it would have agreed to one of the calls. */
function hintKey(outcome: RunOutcome, { agreesEdits = false }: SummaryFacts): 'run.deniedHint' | 'run.deniedHintMode' {
  const edits = outcome.denied.some((call) => call.allowable && call.tool !== '@coder exec');
  return edits && !agreesEdits ? 'run.deniedHintMode' : 'run.deniedHint';
}

/** Options that allow calls such as those that were denied; none for what always asks. */
function rulesFor(outcome: RunOutcome, text: Text): string {
  const tools = outcome.denied.filter((call) => call.allowable).map((call) => safeLine(call.tool, 60));
  return [...new Set(tools)]
    .map((name) => (name === '@coder exec' ? `${name} --cmd ${text.t('run.commandWords')}` : name))
    .map((rule) => `--allow "${rule}"`)
    .join(' ');
}

function numbers(outcome: RunOutcome, { calls, from, to, session, text }: SummaryFacts): string[] {
  const { input, output, cacheRead } = outcome.usage;
  const tokens = (): string => {
    const counted = { input: text.number(input), output: text.number(output) };
    if (cacheRead === 0 || input === 0) return text.t('run.tokens', counted);
    return text.t('run.tokensCached', { ...counted, cached: Math.round((100 * cacheRead) / input) });
  };
  return [
    text.t('run.turns', { count: outcome.turns }),
    ...(calls > 0 ? [text.t('run.calls', { count: calls })] : []),
    ...(outcome.files.length > 0 ? [text.t('run.filesChanged', { count: outcome.files.length })] : []),
    ...(input + output > 0 ? [tokens()] : []),
    ...(outcome.cost === undefined || outcome.cost === 0
      ? []
      : [text.t('run.cost', { amount: text.number(outcome.cost, outcome.cost < 0.1 ? 4 : 2) })]),
    ...(to > from ? [text.duration(to - from)] : []),
    ...(session === undefined ? [] : [text.t('run.session', { id: safeLine(session, 100) })]),
  ];
}
