/** One security question on the screen: what it shows, and what keys make of it. It answers nothing by itself. */
import type { ChangedCall, Question } from '../../../types/policy.js';
import { askedParts, type Choice, type QuestionStyle, type Surroundings } from '../../approve-text.js';
import { clipped } from '../../markdown/cells.js';
import type { Features, KeyName, LiveView, ScreenLine } from '../../screen/port.js';
import type { Text } from '../../text/index.js';
import type { Theme } from '../../theme/theme.js';
import { textWidth, wrap } from '../../width.js';
import { type ProposedFile, withHunks } from './hunks.js';
import { type PreviewFile, previewFile, previewLines } from './preview.js';

/** What an edit would make of its files. */
export interface Proposal {
  readonly files: readonly ProposedFile[];
  /** The call that leads to exactly these texts; undefined: there is none, or the files are no longer as shown. */
  changed(wanted: readonly ProposedFile[]): Promise<ChangedCall | undefined>;
}

export interface DialogOptions {
  readonly question: Question;
  readonly text: Text;
  readonly about?: Surroundings | undefined;
  readonly proposal?: Proposal | undefined;
  readonly always?: string | false | undefined;
  readonly never?: string | false | undefined;
  /** The text can be edited. */
  readonly canEdit: boolean;
  /** How many other questions wait. */
  waiting(): number;
}

interface Room {
  readonly features: Features;
  readonly theme: Theme;
  /** Rows there are for it. */
  readonly rows: number;
}

/** What the person wants, when it is not simply what was asked. */
export interface Wanted {
  readonly files: readonly ProposedFile[];
  readonly taken: number;
  readonly all: number;
  readonly isEdited: boolean;
}

export class Dialog {
  /** One line for the person: why a key did not answer. */
  note = '';
  private files: readonly PreviewFile[];
  private edited = false;
  private at = 0;
  private full = false;
  private top = 0;
  /** The change at the keys is to be seen in the next view. */
  private follows = false;
  private shownRows = 1;
  private version = 0;
  private made: { readonly key: string; readonly body: Body } | undefined;

  constructor(private readonly options: DialogOptions) {
    this.files = (options.proposal?.files ?? []).map(previewFile);
  }

  /** The keys that answer now. */
  choices(room: Room): readonly Choice[] {
    return this.body(room).choices;
  }

  get canEdit(): boolean {
    return this.options.canEdit && this.files.length > 0;
  }

  get hunks(): number {
    return this.files.reduce((sum, { hunks }) => sum + hunks.length, 0);
  }

  /** Undefined: the call as it was proposed. */
  wanted(): Wanted | undefined {
    const left = this.files.reduce((sum, file) => sum + file.left.size, 0);
    if (left === 0 && !this.edited) return undefined;
    const files = this.files.map(({ file, hunks, left: out }) =>
      file.before === undefined ? file : { ...file, after: withHunks(file.before, hunks, (index) => !out.has(index)) },
    );
    return { files, taken: this.hunks - left, all: this.hunks, isEdited: this.edited };
  }

  /** The file the keys are at: that of the change, or the first. */
  current(): ProposedFile | undefined {
    const wanted = this.wanted()?.files ?? this.files.map(({ file }) => file);
    return wanted[this.place().file];
  }

  /** Puts an edited text in the place of the current file's. */
  replace(after: string): void {
    const { file: index } = this.place();
    this.files = this.files.map((one, at) => (at === index ? previewFile({ ...one.file, after }) : one));
    this.edited = true;
    this.at = Math.min(this.at, Math.max(0, this.hunks - 1));
    this.version++;
  }

  /** Begins anew with what is there now. */
  renew(files: readonly ProposedFile[]): void {
    this.files = files.map(previewFile);
    this.edited = false;
    this.at = 0;
    this.top = 0;
    this.version++;
  }

  showAll(): void {
    this.full = true;
    this.version++;
  }

  /** Leaves the change at the keys out, or takes it back in. */
  toggle(): void {
    if (this.hunks < 2) return;
    const { file: index, hunk } = this.place();
    this.files = this.files.map((one, at) => {
      if (at !== index) return one;
      const left = new Set(one.left);
      if (!left.delete(hunk)) left.add(hunk);
      return { ...one, left };
    });
    this.version++;
  }

  move(key: KeyName): void {
    const page = Math.max(1, this.shownRows - 1);
    if (key === 'pagedown') this.top += page;
    else if (key === 'pageup') this.top -= page;
    else if (key === 'home') this.top = 0;
    else if (key === 'end') this.top = Number.MAX_SAFE_INTEGER;
    else if (key === 'up' || key === 'down') {
      const step = key === 'up' ? -1 : 1;
      if (this.hunks < 2) this.top += step;
      else {
        this.at = Math.max(0, Math.min(this.hunks - 1, this.at + step));
        this.follows = true;
        this.version++;
      }
    }
  }

  /** The question, no higher than the room; the choices are always seen. */
  view(room: Room): LiveView {
    const { features, theme, rows } = room;
    const { columns, unicode } = features;
    const { text } = this.options;
    const { title, lines, last, choices, starts } = this.body(room);
    const waiting = this.options.waiting();
    const more = waiting > 0 ? text.t('approval.waiting', { count: waiting }) : '';
    const name = theme.warn(theme.strong(title));
    const isOne = textWidth(title) + textWidth(more) + 2 <= columns;
    const head =
      more === '' ? [name] : isOne ? [`${name}  ${theme.dim(more)}`] : [name, ` ${theme.dim(clipped(more, columns - 1))}`];
    const note = this.note === '' ? [] : wrap(this.note, columns - 2).map((line) => ` ${theme.warn(line)}`);
    const ask = ` ${text.t('approval.chooseKey')} [${choices.join('/')}] `;
    const end = [...last, ...note, ask];
    const free = Math.max(3, rows - head.length - end.length);
    const isWhole = lines.length <= free;
    // The choices stand off where nothing is hidden for it.
    const gap = lines.length < free ? [''] : [];
    const shownRows = isWhole ? lines.length : free - 1;
    this.shownRows = shownRows;
    this.follow(starts, shownRows);
    this.top = isWhole ? 0 : Math.max(0, Math.min(this.top, lines.length - shownRows));
    const shown = lines.slice(this.top, this.top + shownRows);
    const place = { from: this.top + 1, to: this.top + shown.length, all: lines.length };
    const mark = unicode ? '↕ ' : '';
    const scroll = isWhole ? [] : [theme.accent(clipped(` ${mark}${text.t('approval.scroll', place)}`, columns))];
    const all = [...head, ...shown, ...scroll, ...gap, ...end];
    return { lines: all, cursor: { row: all.length - 1, column: Math.min(columns - 1, textWidth(ask)) } };
  }

  private follow(starts: readonly number[], rows: number): void {
    const start = starts[this.at];
    if (!this.follows || start === undefined) return;
    this.follows = false;
    if (start < this.top || start + 3 > this.top + rows) this.top = Math.max(0, start - 1);
  }

  private place(): { readonly file: number; readonly hunk: number } {
    let before = 0;
    for (const [file, { hunks }] of this.files.entries()) {
      if (this.at < before + hunks.length) return { file, hunk: this.at - before };
      before += hunks.length;
    }
    return { file: 0, hunk: 0 };
  }

  /** Made once for each state and size: a long change is not laid out anew with every frame. */
  private body(room: Room): Body {
    const { columns, unicode } = room.features;
    const key = [this.version, columns, unicode, room.theme.name, room.theme.depth].join(' ');
    if (this.made?.key !== key) this.made = { key, body: this.newBody(room) };
    return this.made.body;
  }

  private newBody({ features, theme }: Room): Body {
    const { question, text, about, always, never } = this.options;
    const { columns, unicode } = features;
    const wanted = this.wanted();
    const yes =
      wanted === undefined
        ? undefined
        : wanted.isEdited
          ? text.t('approval.yesEdited')
          : text.t('approval.yesSome', { count: wanted.taken, all: wanted.all });
    const plain: QuestionStyle = {
      text,
      paint: theme,
      columns,
      pictures: unicode,
      always,
      never,
      about,
      full: this.full,
      yes,
    };
    const preview = this.files.length === 0 ? undefined : previewLines(this.files, this.at, plain, { theme, unicode });
    const parts = askedParts(question, { ...plain, preview });
    const head = parts.head.flat();
    const offset = head.length + parts.details.length - (preview?.lines.length ?? 0);
    const keys = [
      ...(this.canEdit ? [text.t('approval.editKey')] : []),
      ...(this.hunks > 1 ? [text.t('approval.hunkKeys')] : []),
    ];
    return {
      title: parts.title,
      lines: [...head, ...parts.details, ...parts.foot],
      last: [
        ...parts.choiceLines,
        ...keys.flatMap((line) =>
          wrap(line, columns - 6).map((part, index) => theme.dim(`${index === 0 ? '   ' : '     '}${part}`)),
        ),
      ],
      choices: parts.choices,
      starts: (preview?.starts ?? []).map((start) => start + offset),
    };
  }
}

interface Body {
  readonly title: string;
  readonly lines: readonly ScreenLine[];
  readonly last: readonly ScreenLine[];
  readonly choices: readonly Choice[];
  /** Lines at which changes begin. */
  readonly starts: readonly number[];
}
