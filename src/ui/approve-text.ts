/** The content of the security question, as lines: who, what, why, and the choices. */

import type { Question } from '../types/policy.js';
import type { Facts } from '../types/tool.js';
import { type ChangeLine, changeLines } from './change-lines.js';
import type { Paint } from './paint.js';
import { visibleText } from './safe-text.js';
import type { Text, Values } from './text/index.js';
import { textWidth, wrap } from './width.js';

export interface QuestionStyle {
  readonly text: Text;
  readonly paint: Paint;
  readonly columns: number;
  /** Box lines and pictures; otherwise plain letters. */
  readonly pictures: boolean;
  /** The rules "always" and "never" would be kept as; undefined: the tool, or this command. */
  readonly always?: string;
  readonly never?: string;
}

export type Choice = 'y' | 'a' | 'n' | 'd';

const LONGEST_TASK = 120;
const LONGEST_ARGS = 150;
const BOX = 58;
const SIGNS = { lock: '🔒 ', agent: '🤖 ', task: '📋 ', action: '⚡ ', rule: '📜 ' };

/** `always` is not offered for what is always asked. */
export function choicesFor(question: Question): Choice[] {
  return question.decision.step === 3 ? ['y', 'n', 'd'] : ['y', 'a', 'n', 'd'];
}

/** Every line of the question; nothing in it is a control sequence of the model's. */
export function questionLines(question: Question, style: QuestionStyle): string[] {
  const { text, paint, pictures } = style;
  const sign = (name: keyof typeof SIGNS) => (pictures ? SIGNS[name] : '');
  const rule = paint.dim((pictures ? '─' : '-').repeat(BOX));
  const details = detailLines(question, style);
  const row = (name: keyof typeof SIGNS, label: string, value: string) => ` ${sign(name)}${label}: ${value}`;
  return [
    ...titleLines(`${sign('lock')}${text.t('approval.title')}`, style),
    row('agent', text.t('approval.agent'), oneLine(question.agent, 60)),
    row('task', text.t('approval.task'), oneLine(question.task, LONGEST_TASK)),
    ` ${rule}`,
    row('action', text.t('approval.action'), paint.bold(actionOf(question.facts.label.verb, text))),
    ...details,
    ...wrapped(row('rule', text.t('approval.rule'), ruleOf(question, text)), style),
    ...(question.decision.part ? wrapped(`    ${text.t('approval.part')}: ${oneLine(question.decision.part, 300)}`, style) : []),
    ` ${rule}`,
    ...choiceLines(question, style),
  ];
}

function titleLines(title: string, { pictures, paint }: QuestionStyle): string[] {
  if (!pictures) return [paint.bold(`== ${title} ==`)];
  const space = Math.max(0, BOX - textWidth(title));
  const left = Math.floor(space / 2);
  return [`╔${'═'.repeat(BOX)}╗`, `║${' '.repeat(left)}${paint.bold(title)}${' '.repeat(space - left)}║`, `╚${'═'.repeat(BOX)}╝`];
}

function choiceLines(question: Question, style: QuestionStyle): string[] {
  const { text } = style;
  const isCommand = question.facts.command !== undefined;
  const subject = isCommand ? text.t('approval.thisCommand') : oneLine(question.call.tool, 80);
  const words = {
    y: text.t('approval.yes'),
    a: text.t('approval.always', { subject: oneLine(style.always ?? subject, 200) }),
    n: text.t('approval.no'),
    d: text.t('approval.never', { subject: oneLine(style.never ?? subject, 200) }),
  };
  return choicesFor(question).flatMap((key) => wrapped(`   [${key}] ${words[key]}`, style));
}

function actionOf(verb: Facts['label']['verb'], text: Text): string {
  return text.find(`approval.actionOf.${verb}`) ?? text.t('approval.actionOf.unknown');
}

function ruleOf(question: Question, text: Text): string {
  const { decision, facts, call } = question;
  const reason = oneLine(decision.reason, 300);
  if (decision.verdict === 'immune') return text.t('approval.immune', { reason });
  if (decision.rule)
    return text.t('approval.byRule', {
      pattern: oneLine(decision.rule.pattern, 200),
      origin: oneLine(decision.rule.origin, 200),
    });
  return facts.command === undefined
    ? text.t('approval.noRule', { subject: oneLine(call.tool, 80) })
    : text.t('approval.execRule');
}

/** The command in full, or the paths and words of the call and what it would change; otherwise its arguments, cut. */
function detailLines(question: Question, style: QuestionStyle): string[] {
  const { facts, call } = question;
  const { text } = style;
  const lines: string[] = [];
  const add = (key: 'file' | 'dir' | 'term' | 'url' | 'query' | 'args', value: string): void => {
    lines.push(...block(text.t(`approval.detail.${key}`, { value: visibleText(value) } satisfies Values), style));
  };
  if (facts.command !== undefined) lines.push(...block(`$ ${visibleText(facts.command)}`, style));
  for (const path of new Set([...facts.writes, ...(facts.command === undefined ? facts.reads : [])])) add('file', path);
  for (const key of ['dir', 'term', 'url', 'query'] as const) {
    const value = call.args[key];
    if (typeof value === 'string' && value !== '' && !facts.reads.includes(value)) add(key, value);
  }
  for (const line of changeLines(question, text)) lines.push(...block(line.text, style, colourOf(line, style.paint)));
  if (lines.length === 0 && Object.keys(call.args).length > 0) add('args', cut(JSON.stringify(call.args), LONGEST_ARGS));
  return lines;
}

/** Text in full, each line behind a bar, so that nothing in it can pass for a line of the question. */
function block(value: string, { columns, pictures, paint }: QuestionStyle, colour = (line: string) => line): string[] {
  const bar = `     ${paint.dim(pictures ? '│' : '|')} `;
  return wrap(value.replace(/\t/g, '    '), columns - 8).map((line) => bar + colour(line));
}

function colourOf({ kind }: ChangeLine, paint: Paint): (line: string) => string {
  if (kind === 'removed') return paint.red;
  if (kind === 'added') return paint.green;
  return kind === 'note' ? paint.dim : (line) => line;
}

function wrapped(line: string, { columns }: QuestionStyle): string[] {
  return wrap(line, columns - 1).map((part, index) => (index === 0 ? part : `     ${part}`));
}

function oneLine(value: string, longest: number): string {
  return cut(
    visibleText(
      value
        .slice(0, longest * 8)
        .replace(/\s+/g, ' ')
        .trim(),
    ),
    longest,
  );
}

function cut(value: string, longest: number): string {
  const letters = [...value.slice(0, longest * 4)];
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : value;
}
