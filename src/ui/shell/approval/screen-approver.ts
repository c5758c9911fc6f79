/** The security question inside the interactive screen: only an explicit key answers; nothing typed before it counts. */
import type { Answer, Approver, AskOptions, FullAnswer, Question } from '../../../types/policy.js';
import { ANSWERS, WORDS } from '../../approve-terminal.js';
import { actionOf, isLoosened, oneLine, type Surroundings } from '../../approve-text.js';
import { safeLine } from '../../safe-text.js';
import type { Key, LiveView, Screen } from '../../screen/port.js';
import type { Text } from '../../text/index.js';
import type { Theme } from '../../theme/theme.js';
import { wrap } from '../../width.js';
import { Dialog, type Proposal, type Wanted } from './dialog.js';

export interface ScreenApproverOptions {
  readonly screen: Screen;
  readonly text: Text;
  theme(): Theme;
  /** What `view` gives has changed. */
  changed(): void;
  /** The question and its answer, for good. */
  print(lines: readonly string[]): void;
  /** Where the call would run and what holds it; a failure is as if nothing were known. */
  about?(question: Question): Promise<Surroundings>;
  /** The rules "always" and "never" would be kept as; undefined: none can be made. */
  subject?(question: Question, answer: 'always' | 'never'): string | undefined;
  /** What an edit would make of its files. */
  proposal?(question: Question): Promise<Proposal | undefined>;
  /** The text in the user's own editor; undefined: it ended badly. The screen is handed over by it. */
  edit?(text: string, path: string): Promise<string | undefined>;
  /** Ctrl+C at the question: the run is to stop too. */
  onStop(): void;
  /** Nothing may come for so long before the question appears and after (default 250 ms). */
  readonly quietMs?: number;
}

const QUIET_MS = 250;
const MOST_QUIET = 40;
/** A key with more right behind it is no answer. */
const SETTLE_MS = 30;

export interface ScreenApprover extends Approver {
  /** A question is on the screen: `view` stands in the place of the input. */
  readonly isOpen: boolean;
  /** True: the key was the question's, and nobody else's. */
  key(key: Key): boolean;
  view(rows: number): LiveView;
}

export function createScreenApprover(options: ScreenApproverOptions): ScreenApprover {
  return new OnScreen(options);
}

/** `early`: it will appear as soon as nobody types; `quiet`: it is there, keys are dropped; `open`: keys answer; `held`: busy. */
type Phase = 'closed' | 'early' | 'quiet' | 'open' | 'held';

class OnScreen implements ScreenApprover {
  readonly canAsk = true;
  private phase: Phase = 'closed';
  private heard = false;
  private dialog: Dialog | undefined;
  private question: Question | undefined;
  private proposal: Proposal | undefined;
  private pressed: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private end: ((answer: Ended) => void) | undefined;

  constructor(private readonly options: ScreenApproverOptions) {}

  get isOpen(): boolean {
    return this.dialog !== undefined;
  }

  async ask(question: Question, { signal, waiting }: AskOptions): Promise<FullAnswer> {
    const { text, screen } = this.options;
    let end: (ended: Ended) => void = () => undefined;
    const ended = new Promise<Ended>((resolve) => {
      end = resolve;
    });
    this.end = end;
    const onAbort = (): void => end({ answer: 'stopped', line: text.t('approval.answer.stopped') });
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    const offEnd = screen.onEnd(() => end({ answer: 'no', line: text.t('approval.closed') }));
    this.phase = 'early';
    void this.open(question, waiting ?? (() => 0), end).catch(() => end({ answer: 'no', line: text.t('approval.closed') }));
    const { answer, line, changed, wanted } = await ended;
    signal.removeEventListener('abort', onAbort);
    offEnd();
    this.close();
    this.options.print(this.spoken(question, line, wanted));
    this.options.changed();
    if (answer === 'stopped' && !signal.aborted) this.options.onStop();
    return changed ? { answer, changed } : { answer };
  }

  key(key: Key): boolean {
    this.heard = true;
    if (this.dialog === undefined) return false;
    const { text } = this.options;
    if (isCtrl(key, 'c')) this.end?.({ answer: 'stopped', line: text.t('approval.answer.stopped') });
    else if (this.phase === 'open') this.press(key);
    return true;
  }

  view(rows: number): LiveView {
    return this.dialog?.view(this.room(rows)) ?? { lines: [] };
  }

  private room(rows: number) {
    return { features: this.options.screen.features(), theme: this.options.theme(), rows };
  }

  /** Shows the question once nobody types, and lets keys answer once nobody has typed on. */
  private async open(question: Question, waiting: () => number, end: (ended: Ended) => void): Promise<void> {
    const { text, screen, subject, changed } = this.options;
    const [about, proposal] = await Promise.all([
      this.options.about?.(question).catch(() => undefined),
      this.options.proposal?.(question).catch(() => undefined),
    ]);
    await this.silence();
    if (this.end !== end) return;
    const kept = (answer: 'always' | 'never'): string | false | undefined =>
      subject ? (subject(question, answer) ?? false) : undefined;
    const canEdit = this.options.edit !== undefined;
    this.question = question;
    this.proposal = proposal;
    const rules = { always: kept('always'), never: kept('never') };
    this.dialog = new Dialog({ question, text, about, proposal, ...rules, canEdit, waiting });
    this.phase = 'quiet';
    changed();
    screen.ring(text.t('approval.ring', { action: `${actionOf(question.facts.label.verb, text)} ${objectOf(question)}` }));
    if (await this.silence()) {
      if (this.end === end && this.phase === 'quiet') this.phase = 'open';
    } else end({ answer: 'no', line: text.t('approval.noise') });
  }

  private close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.pressed = undefined;
    this.phase = 'closed';
    this.dialog = undefined;
    this.proposal = undefined;
    this.question = undefined;
    this.end = undefined;
  }

  /** Until no key came for a while; false: it never fell silent. */
  private async silence(): Promise<boolean> {
    const { phase } = this;
    for (let i = 0; i < MOST_QUIET; i++) {
      this.heard = false;
      await new Promise((resolve) => setTimeout(resolve, this.options.quietMs ?? QUIET_MS));
      if (!this.heard || this.phase !== phase) return true;
    }
    return false;
  }

  /** One key; it counts when nothing else comes with it or right behind it, but for its Enter. */
  private press(key: Key): void {
    if (isCtrl(key, 'd')) {
      this.end?.({ answer: 'no', line: this.options.text.t('approval.closed') });
      return;
    }
    const pending = this.timer !== undefined;
    if (key.kind === 'key' && key.name === 'enter' && !key.alt && !key.ctrl) return;
    clearTimeout(this.timer);
    if (key.kind === 'key' && !pending) {
      this.timer = undefined;
      this.dialog?.move(key.name);
      this.options.changed();
      return;
    }
    const single = key.kind === 'text' && [...key.text].length === 1 && !pending;
    this.pressed = single && key.kind === 'text' ? key.text.toLowerCase() : undefined;
    this.timer = setTimeout(() => this.settle(), SETTLE_MS);
  }

  private settle(): void {
    const { dialog, pressed, options } = this;
    this.timer = undefined;
    this.pressed = undefined;
    if (!dialog || this.phase !== 'open') return;
    const choices = dialog.choices(this.room(24));
    const choice = pressed !== undefined && Object.hasOwn(WORDS, pressed) ? WORDS[pressed] : undefined;
    dialog.note = '';
    if (pressed === ' ' && dialog.hunks > 1) dialog.toggle();
    else if (pressed === 'e' && dialog.canEdit) void this.edit(dialog);
    else if (choice === 'v' && choices.includes('v')) dialog.showAll();
    else if (choice !== undefined && choice !== 'v' && choices.includes(choice)) void this.answer(ANSWERS[choice], dialog);
    else dialog.note = options.text.t('approval.invalid', { keys: choices.join(', ') });
    options.changed();
  }

  private async answer(answer: Answer, dialog: Dialog): Promise<void> {
    const { text } = this.options;
    const wanted = answer === 'yes' ? dialog.wanted() : undefined;
    if (!wanted) {
      const loosened = answer === 'yes' && this.question !== undefined && isLoosened(this.question);
      this.end?.({ answer, line: text.t(loosened ? 'approval.answer.yesSession' : `approval.answer.${answer}`) });
      return;
    }
    if (wanted.files.every(({ before, after }) => before === after)) {
      dialog.note = text.t('approval.nothingTaken');
      return;
    }
    this.phase = 'held';
    const changed = await this.proposal?.changed(wanted.files).catch(() => undefined);
    if (this.dialog !== dialog) return;
    if (changed) this.end?.({ answer, line: text.t('approval.answer.yes'), changed, wanted });
    else await this.renew(dialog);
  }

  /** What is on the screen is not what would happen: it is shown anew, and asked again. */
  private async renew(dialog: Dialog): Promise<void> {
    const { question, options } = this;
    const proposal = question && (await options.proposal?.(question).catch(() => undefined));
    if (this.dialog !== dialog) return;
    this.proposal = proposal ?? this.proposal;
    dialog.renew(proposal?.files ?? []);
    dialog.note = options.text.t('approval.notAlone');
    await this.listenAgain(dialog);
  }

  private async edit(dialog: Dialog): Promise<void> {
    const { edit, text } = this.options;
    const file = dialog.current();
    if (!edit || !file) return;
    this.phase = 'held';
    try {
      const edited = await edit(file.after, file.path);
      if (edited === undefined) dialog.note = text.t('approval.editFailed', { reason: '' }).trim();
      else if (edited !== file.after) dialog.replace(edited);
    } catch (error) {
      dialog.note = text.t('approval.editFailed', {
        reason: safeLine(String(error instanceof Error ? error.message : error), 200),
      });
    }
    await this.listenAgain(dialog);
  }

  /** Keys that came meanwhile were for somebody else. */
  private async listenAgain(dialog: Dialog): Promise<void> {
    if (this.dialog !== dialog) return;
    this.phase = 'quiet';
    this.options.changed();
    const fell = await this.silence();
    if (this.dialog !== dialog || this.phase !== 'quiet') return;
    if (fell) this.phase = 'open';
    else this.end?.({ answer: 'no', line: this.options.text.t('approval.noise') });
  }

  private spoken(question: Question, line: string, wanted: Wanted | undefined): string[] {
    const { text, screen } = this.options;
    const theme = this.options.theme();
    const { columns, unicode } = screen.features();
    const who = question.agent === 'main' ? '' : `${oneLine(question.agent, 40)} · `;
    const some =
      wanted === undefined
        ? ''
        : ` (${wanted.isEdited ? text.t('approval.wentEdited') : text.t('approval.wentSome', { count: wanted.taken, all: wanted.all })})`;
    const asked = `${who}${actionOf(question.facts.label.verb, text)}: ${objectOf(question)}`;
    const lines = wrap(`${asked} ${unicode ? '→' : '->'} ${line}${some}`, columns - 2);
    return lines.map((part, index) => theme.dim(`${index === 0 ? '?' : ' '} ${part}`));
  }
}

interface Ended extends FullAnswer {
  /** What is said of it. */
  readonly line: string;
  readonly wanted?: Wanted;
}

const objectOf = ({ facts, call }: Question): string => oneLine(facts.command ?? (facts.label.object || call.tool), 120);
const isCtrl = (key: Key, letter: string): boolean =>
  key.kind === 'key' && key.name === 'letter' && key.letter === letter && key.ctrl && !key.alt;
