/** The interactive shell: keys in, runs and commands out, one at a time; what is typed meanwhile waits its turn. */
import type { ModeName } from '../../agents/registry.js';
import type { AgentEvent } from '../../types/event.js';
import { createEditor } from '../../ui/editor/editor.js';
import type { Editor, EditorEvent } from '../../ui/editor/port.js';
import { openHistory } from '../../ui/history-file.js';
import type { Screen } from '../../ui/screen/port.js';
import type { ScreenApprover } from '../../ui/shell/approval/screen-approver.js';
import { ScreenPresenter } from '../../ui/shell/present-screen.js';
import type { Text } from '../../ui/text/index.js';
import { chooseTheme, type Theme } from '../../ui/theme/theme.js';
import type { Config, ConfigFlags } from '../config.js';
import type { Conversation } from '../conversation.js';
import { shellCompleter } from './completions.js';
import { createDesk, type Desk, type Front, type NextConversation } from './desk.js';
import { shellFrame } from './frame.js';
import { createKeyActions } from './key-actions.js';
import { mentionsOf } from './mentions.js';
import { OneLine } from './one-line.js';
import { runsAtOnce } from './slash.js';
import { createSpending } from './spending.js';
import type { Steering } from './steering.js';
import { createTypedAhead } from './typed-ahead.js';

export interface ShellOptions {
  readonly screen: Screen;
  readonly text: Text;
  readonly steering: Steering;
  readonly flags: ConfigFlags;
  /** Its question stands in the place of the input while it is open. */
  readonly asking: ScreenApprover;
}

export class Shell {
  private readonly presenter: ScreenPresenter;
  private readonly editor: Editor;
  private readonly work: OneLine;
  private readonly act: (event: EditorEvent) => void;
  private readonly typed = createTypedAhead();
  private readonly spending = createSpending();
  private readonly desk: Desk;
  private conversation: Conversation | undefined;
  private mode: ModeName = 'chat';
  private done: (() => void) | undefined;
  private sandbox = '';
  private next: NextConversation | undefined;

  constructor(private readonly options: ShellOptions) {
    const { screen, text, steering } = options;
    const changed = (): void => this.draw();
    this.desk = createDesk({ ...options, spending: this.spending, front: this.front() });
    const theme = (): Theme => this.theme;
    const presenter = new ScreenPresenter({ screen, text, theme, verbose: () => false, now: Date.now, changed });
    this.presenter = presenter;
    this.editor = this.newEditor();
    const { desk, editor } = this;
    const terminated = (): void => this.leave();
    this.work = new OneLine({ screen, text, steering, presenter, desk, theme, mode: () => this.mode, changed, terminated });
    this.act = createKeyActions({
      ...{ screen, text, steering, editor, presenter, changed },
      work: this.work,
      submit: (line) => this.submit(line),
      leave: () => this.leave(),
    });
  }

  /** Takes what happens in a run. */
  sink(event: AgentEvent): void {
    this.spending.take(event);
    this.presenter.sink(event);
  }

  print(lines: readonly string[]): void {
    this.presenter.print(lines);
  }

  say(line: string): void {
    this.presenter.say(line, 'warn');
  }

  /** What was typed while a run works; it belongs to that run. */
  takeTyped(): readonly string[] {
    const taken = this.typed.forRun((line) => this.fetch(line));
    return taken.map(({ line, context }) => {
      if (context === undefined) this.work.echo(line);
      return `${context ?? ''}${line}`;
    });
  }

  private async fetch(line: string): Promise<string | undefined> {
    const { conversation, work } = this;
    const { signal } = work;
    work.echo(line);
    const context = conversation && (await this.desk.fetch(line, conversation));
    return signal.aborted ? undefined : context;
  }

  /** Until the user leaves (undefined) or goes on with another conversation. */
  async live(conversation: Conversation): Promise<NextConversation | undefined> {
    this.conversation = conversation;
    this.next = undefined;
    const { screen, steering, asking } = this.options;
    const { config } = steering;
    for (const warning of await this.desk.loadTemplates()) this.say(warning);
    void conversation.app.sandbox.state().then(({ level }) => {
      this.sandbox = config.sandbox.mode === 'off' ? 'off' : level;
      this.draw();
    });
    const off = [
      screen.onKey((key) => {
        if (asking.key(key)) return this.draw();
        const event = this.editor.key(key);
        if (event) this.act(event);
        this.draw();
      }),
      screen.onResize(() => this.draw()),
    ];
    this.draw();
    setTimeout(() => this.presenter.warm(), 200).unref();
    await new Promise<void>((resolve) => {
      this.done = resolve;
      void this.workOff();
    });
    for (const end of off) end();
    this.conversation = undefined;
    return this.next;
  }

  /** Gives the screen back. */
  end(): void {
    this.editor.close();
    this.options.screen.show({ lines: [] });
    this.options.screen.flush();
  }

  get theme(): Theme {
    const { screen, steering } = this.options;
    return chooseTheme(steering.config.color ? steering.config.theme : 'none', screen.features());
  }

  /** Shows what is so now. */
  draw(): void {
    const { screen, text, asking, steering } = this.options;
    const { theme, editor, presenter, mode, sandbox } = this;
    const shown = { features: screen.features(), theme, text, asking, editor, presenter, steering, mode, sandbox };
    screen.show(shellFrame({ ...shown, queued: this.typed.lines, busy: this.work.busy }));
  }

  private newEditor(): Editor {
    const { text, steering } = this.options;
    const { config } = steering;
    const history = openHistory(`${config.state}/history`);
    const entries = history.entries.toReversed();
    return createEditor({
      text,
      history: {
        all: () => entries,
        add: (line) => {
          entries.push(line);
          history.add(line);
        },
      },
      complete: this.newCompleter(config),
      changed: () => this.draw(),
    });
  }

  private newCompleter(config: Config) {
    const { text } = this.options;
    // The summary of a template is no key: it stands for itself.
    return shellCompleter({ ...text, find: (key) => text.find(key) ?? key }, () => this.conversation?.app.workspace, {
      context: () => this.context(),
      mentions: () => mentionsOf(config, text.t),
      commands: () => this.desk.commands(),
    });
  }

  private context() {
    return this.conversation && this.desk.context(this.conversation);
  }

  private submit(line: string): void {
    if (this.work.busy && runsAtOnce(line, () => this.context())) return;
    this.typed.add(line);
    void this.workOff();
  }

  private leave(): void {
    this.done?.();
  }

  /** Works off what waits; only one at a time. */
  private async workOff(): Promise<void> {
    const { conversation } = this;
    if (this.work.busy || !conversation) return;
    for (let next = this.typed.next(); next; next = this.typed.next()) {
      await this.work.carryOut(next.line.trim(), conversation, next.fetched);
      if (this.work.stopped) this.giveBack();
      this.draw();
      if (!this.next) continue;
      this.leave();
      return;
    }
  }

  /** Who stops a run did not mean what waits for it to start another: it stands in the input again. */
  private giveBack(): void {
    const lines = this.typed.takeAll();
    if (lines.length > 0) this.editor.set([...lines, this.editor.text].filter(Boolean).join('\n'));
  }

  /** What commands do to the shell. */
  private front(): Front {
    const shell = this;
    return {
      get mode() {
        return shell.mode;
      },
      setMode(next) {
        shell.mode = next;
      },
      print: (lines) => this.presenter.say(lines),
      start: (task, mode) => this.work.start({ task, ...(mode ? { mode } : {}) }),
      propose: (line) => {
        if (this.editor.text !== '') return false;
        this.editor.set(line);
        return true;
      },
      hear: (said) => this.work.hear(said),
      stop: () => this.leave(),
      reopen: (next) => {
        this.next = next;
      },
      signal: () => this.work.signal,
      sandbox: () => this.sandbox,
      changed: () => this.draw(),
    };
  }
}
