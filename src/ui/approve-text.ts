/** The content of the security question, as lines: who, what, why, and the choices. */

import type { Question } from '../types/policy.js';
import type { Facts } from '../types/tool.js';
import { type ChangeLine, changeLines } from './change-lines.js';
import type { Paint } from './paint.js';
import { visibleText } from './safe-text.js';
import type { Text, Values } from './text/index.js';
import { textWidth, wrap } from './width.js';

/** What is known of the place a call would run in. */
export interface Surroundings {
  /** The folder, as people know it. */
  readonly folder?: string;
  /** What would hold a command: the sandbox, one without network, none that works, or one that was switched off. */
  readonly sandbox?: 'workspace' | 'strict' | 'none' | 'off';
  /** The file rules are kept in. */
  readonly keptIn?: string;
}

export interface QuestionStyle {
  readonly text: Text;
  readonly paint: Paint;
  readonly columns: number;
  /** Box lines and pictures; otherwise plain letters. */
  readonly pictures: boolean;
  /** The rules "always" and "never" would be kept as; undefined: the tool, or this command; false: none can be made. */
  readonly always?: string | false | undefined;
  readonly never?: string | false | undefined;
  readonly about?: Surroundings | undefined;
  /** Nothing is left out in the middle. */
  readonly full?: boolean;
  /** What the call would make of its files, in place of their names and of what its arguments say. */
  readonly preview?: { readonly lines: readonly string[]; readonly cut: boolean } | undefined;
  /** What `y` means here, when it means more than usual; `always` is then not offered. */
  readonly yes?: string | undefined;
}

/** The question in pieces, for who draws it himself. */
export interface AskedParts {
  readonly title: string;
  /** Who asks and for what; then what would be done. */
  readonly head: readonly (readonly string[])[];
  /** The lines of a preview stand last. */
  readonly details: readonly string[];
  readonly foot: readonly string[];
  readonly choices: readonly Choice[];
  readonly choiceLines: readonly string[];
}

export type Choice = 'y' | 'a' | 'n' | 'd' | 'v';

const LONGEST_TASK = 120;
const LONGEST_ARGS = 150;
const WIDEST_BOX = 58;
/** Lines of details that are shown; of more, the ends. */
const MOST_DETAILS = 36;
const LAST_DETAILS = 12;
const SIGNS = { lock: '🔒 ', agent: '🤖 ', task: '📋 ', folder: '📁 ', action: '⚡ ', rule: '📜 ', sandbox: '📦 ' };
type Sign = keyof typeof SIGNS;

/** Every line of the question, and the keys that answer it; nothing in it is a control sequence of the model's. */
export function askedLines(question: Question, style: QuestionStyle): { readonly lines: string[]; readonly choices: Choice[] } {
  const { paint, pictures, columns } = style;
  const box = Math.min(WIDEST_BOX, columns - 2);
  const rule = paint.dim((pictures ? '─' : '-').repeat(box - 1));
  const { title, head, details, foot, choices, choiceLines: last } = askedParts(question, style);
  const [first = [], second = []] = head;
  const lines = [...titleLines(title, box, style), ...first, ` ${rule}`, ...second, ...details, ...foot, ` ${rule}`, ...last];
  return { lines, choices: [...choices] };
}

/** The same, without a box around it. */
export function askedParts(question: Question, style: QuestionStyle): AskedParts {
  const { text, paint, pictures } = style;
  const sign = (name: Sign) => (pictures ? SIGNS[name] : '');
  const row = (name: Sign, label: string, value: string, colour?: (part: string) => string) =>
    wrapped(` ${sign(name)}${label}: ${value}`, style, colour);
  const { lines: all, cut: shortened } = detailLines(question, style);
  const tooLong = style.full !== true && style.preview === undefined && all.length > MOST_DETAILS;
  const choices = choicesFor(question, style, tooLong || shortened);
  const { decision } = question;
  const more = (label: string, value: string) => wrapped(`    ${label}: ${value}`, style);
  const { folder } = style.about ?? {};
  const reason = reasonOf(question, text);
  return {
    title: `${sign('lock')}${text.t('approval.title')}`,
    head: [
      [
        ...row('agent', text.t('approval.agent'), oneLine(question.agent, 60)),
        ...row('task', text.t('approval.task'), oneLine(question.task, LONGEST_TASK)),
        ...(folder === undefined ? [] : row('folder', text.t('approval.folder'), oneLine(folder, 300))),
      ],
      row('action', text.t('approval.action'), actionOf(question.facts.label.verb, text), paint.bold),
    ],
    details: tooLong ? cutLines(all, style) : all,
    foot: [
      ...row('rule', text.t('approval.rule'), ruleOf(question, text)),
      ...(reason === undefined ? [] : more(text.t('approval.reason'), reason)),
      ...(decision.part && decision.part !== question.facts.command
        ? more(text.t('approval.part'), oneLine(decision.part, 300))
        : []),
      ...sandboxLines(question, style, (value, colour) => row('sandbox', text.t('approval.sandbox'), value, colour)),
    ],
    choices,
    choiceLines: choiceLines(question, choices, style),
  };
}

/** `always` and `never` are offered only where rules can be made that answer the call. */
function choicesFor(question: Question, style: QuestionStyle, cutOff: boolean): Choice[] {
  const always = question.decision.step !== 3 && style.always !== false && style.yes === undefined;
  const never = style.never !== false;
  return ['y', ...(always ? (['a'] as const) : []), 'n', ...(never ? (['d'] as const) : []), ...(cutOff ? (['v'] as const) : [])];
}

function cutLines(all: readonly string[], style: QuestionStyle): string[] {
  const first = all.slice(0, MOST_DETAILS - LAST_DETAILS);
  const hidden = all.slice(first.length, -LAST_DETAILS);
  const note = style.text.t('approval.hidden', {
    count: hidden.length,
    letters: style.text.number(hidden.reduce((sum, line) => sum + [...line.replace(/\x1b\[\d+m/g, '')].length - 7, 0)),
  });
  return [...first, ...wrapped(`     ${note}`, style, style.paint.yellow), ...all.slice(-LAST_DETAILS)];
}

/** What would hold a command, or what it would be freed from. */
function sandboxLines(
  { facts, call }: Question,
  style: QuestionStyle,
  row: (value: string, colour?: (part: string) => string) => string[],
): string[] {
  const { text, paint, about } = style;
  if (facts.label.verb !== 'run' && facts.label.verb !== 'test') return [];
  if (call.args['outside'] === true) return row(text.t('approval.sandbox.outside'), paint.yellow);
  if (call.args['agent'] === true) return row(text.t('approval.sandbox.agent'), paint.yellow);
  return about?.sandbox === undefined ? [] : row(text.t(`approval.sandbox.${about.sandbox}`));
}

function titleLines(title: string, box: number, { pictures, paint }: QuestionStyle): string[] {
  if (!pictures || textWidth(title) > box - 2) return [paint.bold(`== ${title} ==`)];
  const space = Math.max(0, box - textWidth(title));
  const left = Math.floor(space / 2);
  return [`╔${'═'.repeat(box)}╗`, `║${' '.repeat(left)}${paint.bold(title)}${' '.repeat(space - left)}║`, `╚${'═'.repeat(box)}╝`];
}

function choiceLines(question: Question, choices: readonly Choice[], style: QuestionStyle): string[] {
  const { text, about } = style;
  const { call, facts } = question;
  const subject = facts.command === undefined ? oneLine(call.tool, 80) : text.t('approval.thisCommand');
  const loosened = isLoosened(question);
  const words = {
    y: style.yes ?? text.t(loosened ? 'approval.yesSession' : 'approval.yes'),
    a: text.t('approval.always', { subject: oneLine(style.always || subject, 400) }),
    n: text.t('approval.no'),
    d: text.t('approval.never', { subject: oneLine(style.never || subject, 400) }),
    v: text.t('approval.view'),
  };
  const note = choices.includes('a') ? 'approval.keptIn' : choices.includes('d') ? 'approval.blockKeptIn' : undefined;
  const kept =
    about?.keptIn === undefined || note === undefined
      ? []
      : wrapped(`   ${text.t(note, { file: oneLine(about.keptIn, 200) })}`, style);
  return [...choices.flatMap((key) => wrapped(`   [${key}] ${words[key]}`, style)), ...kept];
}

/** Would it run without the sandbox, or with the SSH agent? A yes to that counts for the session. */
export function isLoosened({ facts, call }: Pick<Question, 'facts' | 'call'>): boolean {
  return facts.command !== undefined && (call.args['outside'] === true || call.args['agent'] === true);
}

/** Why it is asked, where the rule does not say it. */
function reasonOf({ decision, facts }: Question, text: Text): string | undefined {
  if (decision.rule) return undefined;
  if (decision.step === 7 && facts.command === undefined) return undefined;
  return oneLine(text.why(decision.why, decision.reason), 400);
}

/** What a call does, in a word or two. */
export function actionOf(verb: Facts['label']['verb'], text: Text): string {
  return text.find(`approval.actionOf.${verb}`) ?? text.t('approval.actionOf.unknown');
}

function ruleOf(question: Question, text: Text): string {
  const { decision, facts, call } = question;
  if (decision.verdict === 'immune') return text.t('approval.immune');
  if (decision.rule)
    return text.t('approval.byRule', {
      pattern: oneLine(decision.rule.written ?? decision.rule.pattern, 200),
      origin: oneLine(decision.rule.origin, 200),
    });
  return facts.command === undefined
    ? text.t('approval.noRule', { subject: oneLine(call.tool, 80) })
    : text.t('approval.execRule');
}

/** The command in full, or the paths and words of the call and what it would change; otherwise its arguments, cut. */
function detailLines(question: Question, style: QuestionStyle): { readonly lines: string[]; readonly cut: boolean } {
  const { facts, call } = question;
  const { text } = style;
  const lines: string[] = [];
  const add = (key: 'file' | 'dir' | 'term' | 'url' | 'query' | 'args', value: string): void => {
    lines.push(...block(text.t(`approval.detail.${key}`, { value: visibleText(value) } satisfies Values), style));
  };
  if (facts.command !== undefined)
    lines.push(...block(`$ ${visibleText(facts.command).replaceAll('\n', style.pictures ? ' ⏎\n' : ' \\n\n')}`, style));
  const writes = style.preview ? [] : facts.writes;
  for (const path of new Set([...writes, ...(facts.command === undefined ? facts.reads : [])])) add('file', path);
  for (const key of ['dir', 'term', 'url', 'query'] as const) {
    const value = call.args[key];
    if (typeof value === 'string' && value !== '' && !facts.reads.includes(value)) add(key, value);
  }
  if (style.preview) return { lines: [...lines, ...style.preview.lines], cut: style.preview.cut };
  const changes = changeLines(question, text, style.full === true);
  for (const line of changes) lines.push(...block(line.text, style, colourOf(line, style.paint)));
  const args = lines.length === 0 && Object.keys(call.args).length > 0 ? JSON.stringify(call.args) : '';
  const short = style.full === true ? args : cut(args, LONGEST_ARGS);
  if (args !== '') add('args', short);
  return { lines, cut: short !== args || changes.some((line) => line.cut === true) };
}

/** The same for one named value: `file: PATH`. */
export function detailBlock(value: string, style: QuestionStyle): string[] {
  return block(visibleText(value), style);
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

function wrapped(line: string, { columns }: QuestionStyle, colour = (part: string) => part): string[] {
  return wrap(line, columns - 6).map((part, index) => (index === 0 ? colour(part) : `     ${colour(part.trimStart())}`));
}

/** On one line, nothing in it invisible, cut at so many letters. */
export function oneLine(value: string, longest: number): string {
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
