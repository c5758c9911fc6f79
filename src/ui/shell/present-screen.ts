/** A run on the interactive screen: finished things go to the scrollback once, what moves stands in the live region. */
import type { RunOutcome } from '../../types/agent.js';
import type { AgentEvent } from '../../types/event.js';
import type { PlanTask } from '../../types/tool.js';
import { cardLines } from '../cards.js';
import { createLiveText, type LivePiece } from '../live-text.js';
import { createHighlighter } from '../markdown/highlight.js';
import { createMarkdown, type MarkdownStep } from '../markdown/markdown.js';
import { noticeText } from '../notice-text.js';
import type { Presenter } from '../presenter.js';
import { changeNote } from '../rich-cards/diff.js';
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

type Of<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;
type RunFacts = Pick<SummaryFacts, 'calls' | 'from' | 'to' | 'hint' | 'agreesEdits'>;
type Look = 'dim' | 'warn' | 'bad';
const NEW_RUN: RunFacts = { calls: 0, from: 0, to: 0, hint: true };
const BOARD_LINES = 8;
const NOTHING: Pick<MarkdownStep, 'open'> = { open: [] };
/** Loaded after the first paint, so that the first code block need not wait. */
const USUAL_LANGUAGES = ['typescript', 'javascript', 'python', 'bash', 'json', 'go', 'diff'];

/** Never throws. One presenter for all runs of a shell. */
export class ScreenPresenter implements Presenter {
  private readonly running;
  private readonly board;
  private readonly thinking;
  private readonly live = createLiveText();
  private markdown;
  private readonly highlighter = createHighlighter();
  /** Whose `open` lines are made when a frame is drawn. */
  private step: Pick<MarkdownStep, 'open'> = NOTHING;
  private plan: readonly PlanTask[] = [];
  private facts = NEW_RUN;
  /** Text shown of the present message of the main agent. */
  private shown = '';
  /** Lines of the present message stand in the scrollback. */
  private begun = false;
  /** The scrollback ends with an empty line. */
  private gap = false;
  private folded: (() => ScreenLine[]) | undefined;
  private known = { context: 0, cost: undefined as number | undefined };

  constructor(private readonly options: ScreenPresenterOptions) {
    const { text } = options;
    this.running = createRunning(text);
    this.board = createBoard(text);
    this.thinking = createThinking(text);
    this.markdown = this.newMarkdown();
  }

  /** What the window held at the last answer, in tokens, and what all cost so far (undefined: not known). */
  get spent(): { readonly context: number; readonly cost: number | undefined } {
    return this.known;
  }

  readonly sink = (event: AgentEvent): void => {
    this.note(event);
    if (event.agent === 'main') this.main(event);
    this.board.take(event);
    this.line(event);
    if (event.type === 'call-end') this.callEnd(event);
    this.options.changed();
  };

  finish(outcome: RunOutcome): void {
    this.endMessage();
    const result = safeText(outcome.result).trim();
    if (result !== '' && !squeeze(safeText(this.shown)).includes(squeeze(result))) {
      this.block(this.markdown.push(result).done);
      this.block(this.markdown.end(), false);
      this.markdown = this.newMarkdown();
    }
    const { text } = this.options;
    const room = { columns: this.columns, separator: this.unicode ? ' · ' : ' | ' };
    const lines = summaryLines(outcome, { ...this.facts, text, paint: this.options.theme(), room });
    this.block(lines.flatMap((line) => wrap(line, this.columns)));
    this.facts = NEW_RUN;
    this.shown = '';
    this.plan = [];
    this.running.clear();
    this.board.clear();
    this.options.changed();
  }

  /** Loads what colours code. */
  warm(): void {
    for (const language of USUAL_LANGUAGES) this.highlighter.grammar(language);
  }

  /** What stands above the input, the oldest first. */
  lines(): ScreenLine[] {
    const { text, theme, now } = this.options;
    const view = { columns: this.columns, now: now(), theme: theme(), unicode: this.unicode };
    const isAt = this.running.size + this.board.size > 0 || this.plan.some(({ status }) => status === 'in_progress');
    const parts = [
      this.step.open,
      this.thinking.live(view.columns, view.theme, view.unicode),
      this.running.lines({ ...view, except: (id) => this.board.has(id) }),
      this.board.lines({ ...view, most: BOARD_LINES }),
      isAt ? planLines(this.plan, view, text) : [],
    ].filter((part) => part.length > 0);
    return parts.flatMap((part, index) => (index === 0 ? part : ['', ...part]));
  }

  /** Lines of our own in the scrollback, wrapped. */
  say(text: string, look?: Look): void {
    const theme = this.options.theme();
    this.block(
      wrap(safeText(text), this.columns).map((line) => (look ? theme[look](line) : line)),
      false,
    );
  }

  /** Lines as they are, set off by an empty one. */
  print(lines: readonly ScreenLine[]): void {
    this.block(lines);
  }

  /** Prints what was folded last as a whole; false: nothing was. */
  unfold(): boolean {
    const lines = this.folded?.() ?? [];
    this.block(lines);
    return lines.length > 0;
  }

  private get columns(): number {
    return this.options.screen.features().columns;
  }

  private get unicode(): boolean {
    return this.options.screen.features().unicode;
  }

  private newMarkdown() {
    const { theme } = this.options;
    return createMarkdown({
      columns: () => this.columns,
      theme: theme(),
      unicode: this.unicode,
      highlighter: this.highlighter,
    });
  }

  /** One block, set off from what stands above by an empty line. */
  private block(lines: readonly ScreenLine[], apart = true): void {
    if (lines.length === 0) return;
    this.options.screen.print(apart && !this.gap ? ['', ...lines] : lines);
    this.gap = lines.at(-1) === '';
  }

  private main(event: AgentEvent): void {
    switch (event.type) {
      case 'run-start':
        this.plan = [];
        return;
      case 'turn-start':
        this.shown = '';
        return;
      case 'text-delta':
        this.model(this.live.push(event.text));
        return;
      case 'reasoning-delta':
        this.thinking.push(event.text, this.options.now());
        return;
      case 'message-end':
        if (event.message.role === 'assistant') this.endMessage();
        return;
      case 'turn-restart':
        this.endMessage();
        this.shown = '';
        return;
      case 'call-start':
        this.endMessage();
        this.facts = { ...this.facts, calls: this.facts.calls + 1 };
        this.running.start(event);
        return;
      case 'call-progress':
        this.running.progress(event);
        return;
      case 'plan':
        this.plan = event.tasks;
        return;
      default:
    }
  }

  private model(pieces: readonly LivePiece[]): void {
    for (const { text, reasoning } of pieces) {
      if (reasoning) this.thinking.push(text, this.options.now());
      else this.prose(text);
    }
  }

  private prose(piece: string): void {
    const first = this.shown.trim() === '';
    // Space before the first words is only what hidden tags leave behind.
    if (first && piece.trim() === '') return;
    this.foldThinking();
    this.shown += piece;
    this.take(this.markdown.push(first ? piece.trimStart() : piece));
  }

  private take(step: MarkdownStep): void {
    this.step = step;
    if (step.done.length === 0) return;
    this.block(step.done, !this.begun);
    this.begun = true;
  }

  private endMessage(): void {
    this.model(this.live.end());
    this.foldThinking();
    this.block(this.markdown.end(), !this.begun);
    this.begun = false;
    this.markdown = this.newMarkdown();
    this.step = NOTHING;
  }

  private foldThinking(): void {
    const { now, theme, verbose } = this.options;
    const lines = this.thinking.fold(now(), this.columns, theme(), this.unicode);
    if (lines.length === 0) return;
    const whole = (): ScreenLine[] => this.thinking.whole(this.columns, this.options.theme());
    this.block(verbose() ? [...lines, ...whole()] : lines);
    this.folded = whole;
  }

  private callEnd(event: Of<'call-end'>): void {
    const { call, result, denied, reason, why, agent } = event;
    const { text, verbose } = this.options;
    const theme = this.options.theme();
    const card = { text, paint: theme, verbose: verbose(), denied, reason, why };
    if (agent !== 'main') {
      this.workerCall(event, cardLines(result, card)[0]);
      return;
    }
    const label = this.running.end(call.id) ?? safeLine(call.tool, 80);
    const find = call.args['term'];
    const isDone = !denied && !result.isError;
    const note = isDone ? changeNote(result.display, label, { text, theme, unicode: this.unicode }) : undefined;
    const rich = (open: boolean): ScreenLine[] => {
      const room = { text, theme: this.options.theme(), columns: this.columns - 2, unicode: this.unicode, open };
      return richCard(result, {
        ...room,
        ...(typeof find === 'string' ? { find } : {}),
        denied,
        reason,
        why,
        named: note !== undefined,
      });
    };
    const indented = (open: boolean): ScreenLine[] => rich(open).map((line) => (line === '' ? '' : `  ${line}`));
    const look = denied ? theme.warn : result.isError ? theme.bad : theme.good;
    const mark = look(this.unicode ? '●' : '*');
    const head = wrap(`${label}${note ?? ''}`, this.columns - 2).map((line, index) => `${index === 0 ? mark : ' '} ${line}`);
    this.block([...head, ...indented(verbose())]);
    this.folded = () => indented(true);
  }

  /** Reading is on the board while it lasts; what changed something, failed or was denied stays. */
  private workerCall({ agent, call, result, denied }: Of<'call-end'>, line: string | undefined): void {
    if (!denied && !result.isError && !result.changed?.length) return;
    const mark = this.unicode ? '◆' : '*';
    this.say(`${mark} ${safeLine(agent, 40)}: ${line === undefined ? safeLine(call.tool, 80) : plain(line)}`, 'dim');
  }

  /** Events that are a line of their own. */
  private line(event: AgentEvent): void {
    const { text } = this.options;
    if (event.type === 'turn-restart') {
      const reason = safeLine(text.why(event.why, event.reason));
      this.say(text.t('run.restart', { reason, time: text.duration(event.waitMs), attempt: event.attempt }), 'dim');
    } else if (event.type === 'worker-end') {
      const { status } = event.outcome;
      const values = { worker: safeLine(event.worker, 40), status: text.t(`status.${status}`) };
      this.say(text.t('run.workerEnd', values), status === 'done' ? 'dim' : 'warn');
    } else if (event.type === 'notice') {
      const line = text.t(`run.level.${event.level}`, { text: safeText(noticeText(event, text)).trim() });
      this.say(line, event.level === 'info' ? 'dim' : event.level === 'warn' ? 'warn' : 'bad');
    }
  }

  /** What the summary and the status line will need. */
  private note(event: AgentEvent): void {
    const { facts } = this;
    this.facts = { ...facts, from: facts.from || event.time, to: Math.max(facts.to, event.time) };
    // A person who is asked needs no hint how to be asked less.
    if (event.type === 'approval-request') this.facts = { ...this.facts, hint: false };
    if (event.type === 'run-start' && event.agent === 'main') {
      const { permissionMode } = event;
      const hint = permissionMode !== 'auto' && permissionMode !== 'plan';
      this.facts = { ...this.facts, hint, agreesEdits: permissionMode === 'accept-edits' };
    }
    if (event.type !== 'usage') return;
    const context = event.agent === 'main' ? event.usage.input + event.usage.output : this.known.context;
    const cost = event.cost === undefined ? this.known.cost : (this.known.cost ?? 0) + event.cost;
    this.known = { context, cost };
  }
}

const squeeze = (words: string): string => words.replace(/\s+/g, '');
const plain = (line: string): string => safeText(line.replace(/\x1b\[[\d;]*m/g, ''));
