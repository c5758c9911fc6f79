/** A run on the interactive screen: finished things go to the scrollback once, what moves stands in the live region. */
import type { RunOutcome } from '../../types/agent.js';
import type { AgentEvent } from '../../types/event.js';
import type { PlanTask } from '../../types/tool.js';
import { cardLines } from '../cards.js';
import { createLiveText } from '../live-text.js';
import { createMarkdown } from '../markdown/markdown.js';
import { noticeText } from '../notice-text.js';
import type { Presenter } from '../presenter.js';
import { richCard } from '../rich-cards/rich-card.js';
import { safeLine, safeText } from '../safe-text.js';
import type { Screen, ScreenLine } from '../screen/port.js';
import { type SummaryFacts, summaryLines } from '../summary.js';
import type { Text } from '../text/index.js';
import type { Theme } from '../theme/theme.js';
import { wrap } from '../width.js';
import { createBoard } from './board.js';
import { planLines } from './plan-panel.js';
import { createRunning } from './running.js';
import { createThinking } from './thinking.js';

export interface ScreenPresenterOptions {
  readonly screen: Screen;
  readonly text: Text;
  theme(): Theme;
  /** Results are shown whole, reasoning too. */
  verbose(): boolean;
  /** Milliseconds since 1970. */
  now(): number;
  /** What `lines` gives has changed. */
  changed(): void;
}

export interface ScreenPresenter extends Presenter {
  /** What stands above the input, the oldest first. */
  lines(): ScreenLine[];
  /** A line of our own in the scrollback, wrapped. */
  say(text: string, look?: 'dim' | 'warn' | 'bad'): void;
  /** Prints what was folded last as a whole; false: nothing was. */
  unfold(): boolean;
  /** What the window held at the last answer, in tokens, and what all cost so far (undefined: not known). */
  readonly spent: { readonly context: number; readonly cost: number | undefined };
}

type Of<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;
type RunFacts = Pick<SummaryFacts, 'calls' | 'from' | 'to' | 'hint' | 'agreesEdits'>;
const NEW_RUN: RunFacts = { calls: 0, from: 0, to: 0, hint: true };
const BOARD_LINES = 8;

/** Never throws. One presenter for all runs of a shell. */
export function createScreenPresenter(options: ScreenPresenterOptions): ScreenPresenter {
  const { screen, text } = options;
  const theme = (): Theme => options.theme();
  const columns = (): number => screen.features().columns;
  const unicode = (): boolean => screen.features().unicode;
  const running = createRunning(text);
  const board = createBoard(text);
  const thinking = createThinking(text);
  const live = createLiveText();
  const newMarkdown = () => createMarkdown({ columns, theme: theme(), unicode: unicode() });
  let markdown = newMarkdown();
  let open: readonly ScreenLine[] = [];
  let plan: readonly PlanTask[] = [];
  let facts = NEW_RUN;
  /** Text shown of the present message of the main agent. */
  let shown = '';
  let folded: (() => ScreenLine[]) | undefined;
  let spent = { context: 0, cost: undefined as number | undefined };
  let gap = true;
  /** Lines of the present message stand in the scrollback. */
  let begun = false;

  /** One block, set off from what stands above by an empty line. */
  const block = (lines: readonly ScreenLine[], apart = true): void => {
    if (lines.length === 0) return;
    screen.print(apart && !gap ? ['', ...lines] : lines);
    gap = lines.at(-1) === '';
  };
  const say: ScreenPresenter['say'] = (line, look) => {
    const paint = look ? theme()[look] : (plain: string) => plain;
    block(wrap(safeText(line), columns()).map(paint), false);
  };
  const foldThinking = (): void => {
    const lines = thinking.fold(options.now(), columns(), theme(), unicode());
    if (lines.length === 0) return;
    block(options.verbose() ? [...lines, ...thinking.whole(columns(), theme())] : lines);
    folded = () => thinking.whole(columns(), theme());
  };
  const prose = (piece: string): void => {
    if (shown.trim() === '' && piece.trim() === '') return;
    foldThinking();
    const first = shown.trim() === '';
    shown += piece;
    const { done, open: rest } = markdown.push(first ? piece.trimStart() : piece);
    open = rest;
    if (done.length === 0) return;
    block(done, !begun);
    begun = true;
  };
  const model = (pieces: ReturnType<typeof live.push>): void => {
    for (const { text: piece, reasoning } of pieces) {
      if (reasoning) thinking.push(piece, options.now());
      else prose(piece);
    }
  };
  const endMessage = (): void => {
    model(live.end());
    foldThinking();
    block(markdown.end(), !begun);
    begun = false;
    markdown = newMarkdown();
    open = [];
  };
  const callEnd = (event: Of<'call-end'>): void => {
    const { call, result, denied, reason, why } = event;
    const main = event.agent === 'main';
    const label = (main ? running.end(call.id) : undefined) ?? safeLine(call.tool, 80);
    const card = { text, paint: theme(), verbose: options.verbose(), denied, reason, why };
    if (!main) {
      const [line] = cardLines(result, card);
      // Reading is on the board while it lasts; what changed something or failed stays.
      if (denied || result.isError || result.changed?.length)
        say(`  ${unicode() ? '◆' : '*'} ${safeLine(event.agent, 40)}: ${safeText(line ?? label)}`, 'dim');
      return;
    }
    const rich = (isOpen: boolean): ScreenLine[] =>
      denied
        ? cardLines(result, card).flatMap((line) => wrap(line, columns() - 2))
        : richCard(result, { text, theme: theme(), columns: columns() - 2, unicode: unicode(), open: isOpen });
    const mark = unicode() ? '●' : '*';
    const look = denied ? theme().warn : result.isError ? theme().bad : theme().good;
    const head = wrap(label, columns() - 2).map((line, index) => (index === 0 ? `${look(mark)} ${line}` : `  ${line}`));
    block([...head, ...rich(options.verbose()).map((line) => (line === '' ? '' : `  ${line}`))]);
    folded = () => rich(true).map((line) => `  ${line}`);
  };
  const lineOf = (event: AgentEvent): void => {
    switch (event.type) {
      case 'turn-restart': {
        const values = {
          reason: safeLine(text.why(event.why, event.reason)),
          time: text.duration(event.waitMs),
          attempt: event.attempt,
        };
        return say(text.t('run.restart', values), 'dim');
      }
      case 'worker-end': {
        const values = { worker: safeLine(event.worker, 40), status: text.t(`status.${event.outcome.status}`) };
        return say(text.t('run.workerEnd', values), event.outcome.status === 'done' ? 'dim' : 'warn');
      }
      case 'notice': {
        const line = text.t(`run.level.${event.level}`, { text: safeText(noticeText(event, text)).trim() });
        return say(line, event.level === 'info' ? 'dim' : event.level === 'warn' ? 'warn' : 'bad');
      }
      default:
    }
  };
  const main = (event: AgentEvent): void => {
    if (event.type === 'text-delta') model(live.push(event.text));
    else if (event.type === 'reasoning-delta') thinking.push(event.text, options.now());
    else if (event.type === 'turn-start') shown = '';
    else if (event.type === 'message-end' && event.message.role === 'assistant') endMessage();
    else if (event.type === 'turn-restart') {
      endMessage();
      shown = '';
    } else if (event.type === 'call-start') {
      endMessage();
      facts = { ...facts, calls: facts.calls + 1 };
      running.start(event);
    } else if (event.type === 'call-progress') running.progress(event);
    else if (event.type === 'plan') plan = event.tasks;
    else if (event.type === 'run-start') plan = [];
  };
  const noted = (event: AgentEvent): void => {
    facts = { ...facts, from: facts.from || event.time, to: Math.max(facts.to, event.time) };
    if (event.type === 'approval-request') facts = { ...facts, hint: false };
    if (event.type === 'run-start' && event.agent === 'main') {
      const { permissionMode } = event;
      const hint = permissionMode !== 'auto' && permissionMode !== 'plan';
      facts = { ...facts, hint, agreesEdits: permissionMode === 'accept-edits' };
    }
    if (event.type !== 'usage') return;
    const context = event.agent === 'main' ? event.usage.input + event.usage.output : spent.context;
    spent = { context, cost: event.cost === undefined ? spent.cost : (spent.cost ?? 0) + event.cost };
  };
  return {
    sink(event) {
      noted(event);
      if (event.agent === 'main') main(event);
      board.take(event);
      lineOf(event);
      if (event.type === 'call-end') callEnd(event);
      options.changed();
    },
    finish(outcome: RunOutcome) {
      endMessage();
      const result = safeText(outcome.result).trim();
      if (result !== '' && !squeeze(shown).includes(squeeze(result))) {
        block(markdown.push(result).done);
        block(markdown.end(), false);
        markdown = newMarkdown();
      }
      const lines = summaryLines(outcome, { ...facts, text, paint: theme() });
      block(lines.flatMap((line) => wrap(line, columns())));
      facts = NEW_RUN;
      shown = '';
      plan = [];
      running.clear();
      board.clear();
      options.changed();
    },
    lines() {
      const view = { columns: columns(), now: options.now(), theme: theme(), unicode: unicode() };
      const parts = [
        [...open],
        thinking.live(view.columns, view.theme, view.unicode),
        running.lines(view),
        board.lines({ ...view, most: BOARD_LINES }),
        running.size + board.size > 0 || plan.some(({ status }) => status === 'in_progress') ? planLines(plan, view, text) : [],
      ].filter((part) => part.length > 0);
      return parts.flatMap((part, index) => (index === 0 ? part : ['', ...part]));
    },
    say,
    unfold() {
      const lines = folded?.() ?? [];
      block(lines);
      return lines.length > 0;
    },
    get spent() {
      return spent;
    },
  };
}

const squeeze = (words: string): string => words.replace(/\s+/g, '');
