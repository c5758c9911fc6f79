/** The interactive shell: keys in, runs and commands out, one at a time; what is typed meanwhile waits its turn. */
import type { ModeName } from '../../agents/registry.js';
import { parseSlash } from '../../commands/registry.js';
import type { AgentEvent } from '../../types/event.js';
import type { PermissionMode } from '../../types/policy.js';
import { createEditor } from '../../ui/editor/editor.js';
import type { Editor, EditorEvent } from '../../ui/editor/port.js';
import { openHistory } from '../../ui/history-file.js';
import { safeText } from '../../ui/safe-text.js';
import type { Screen } from '../../ui/screen/port.js';
import type { ScreenApprover } from '../../ui/shell/approval/screen-approver.js';
import { ScreenPresenter } from '../../ui/shell/present-screen.js';
import { shellView } from '../../ui/shell/shell-view.js';
import type { StatusPart } from '../../ui/shell/status-line.js';
import type { Text } from '../../ui/text/index.js';
import { chooseTheme, type Theme } from '../../ui/theme/theme.js';
import { wrap } from '../../ui/width.js';
import type { ConfigFlags } from '../config.js';
import type { Conversation } from '../conversation.js';
import { createStopper, type Stopper } from '../stop.js';
import { shellCompleter } from './completions.js';
import { createDesk, type Desk, type Front, type NextConversation } from './desk.js';
import { editOutside } from './external-editor.js';
import { mentionsOf } from './mentions.js';
import { runOwn } from './own-command.js';
import { runSlash, runsAtOnce, type StartedTask } from './slash.js';
import { createSpending } from './spending.js';
import type { Steering } from './steering.js';

export interface ShellOptions {
  readonly screen: Screen;
  readonly text: Text;
  readonly steering: Steering;
  readonly flags: ConfigFlags;
  /** Its question stands in the place of the input while it is open. */
  readonly asking: ScreenApprover;
}

const TICK_MS = 1000;
/** The end of a run that took so long is worth a call. */
const LONG_RUN_MS = 30_000;
/** What Shift+Tab goes through; `auto` needs a word. */
const ROUND: readonly PermissionMode[] = ['default', 'accept-edits', 'plan'];

export class Shell {
  private readonly presenter: ScreenPresenter;
  private readonly editor: Editor;
  private conversation: Conversation | undefined;
  private mode: ModeName = 'chat';
  private queue: string[] = [];
  private verbose = false;
  private stopper: Stopper | undefined;
  private leaving = false;
  private done: (() => void) | undefined;
  /** What the user's own commands printed, for the next message. */
  private heard: string[] = [];
  private sandbox = '';
  private readonly spending = createSpending();
  private readonly desk: Desk;
  private started: StartedTask | undefined;
  private next: NextConversation | undefined;

  constructor(private readonly options: ShellOptions) {
    const { screen, text, steering } = options;
    const { config } = steering;
    this.desk = createDesk({ ...options, spending: this.spending, front: this.front() });
    this.presenter = new ScreenPresenter({
      screen,
      text,
      theme: () => this.theme,
      verbose: () => this.verbose,
      now: Date.now,
      changed: () => this.draw(),
    });
    const history = openHistory(`${config.state}/history`);
    const entries = history.entries.toReversed();
    this.editor = createEditor({
      text,
      history: {
        all: () => entries,
        add: (line) => {
          entries.push(line);
          history.add(line);
        },
      },
      // The summary of a template is no key: it stands for itself.
      complete: shellCompleter({ ...text, find: (key) => text.find(key) ?? key }, () => this.conversation?.app.workspace, {
        context: () => this.conversation && this.desk.context(this.conversation),
        mentions: () => mentionsOf(config, text.t),
        commands: () => this.desk.commands(),
      }),
      changed: () => this.draw(),
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
    const [first] = this.queue;
    if (first === undefined || isCommand(first)) return [];
    const lines = this.queue.slice(0, this.queue.findIndex(isCommand) >>> 0);
    this.queue = this.queue.slice(lines.length);
    for (const line of lines) this.echo(line);
    return lines;
  }

  /** Until the user leaves (undefined) or goes on with another conversation. */
  async live(conversation: Conversation): Promise<NextConversation | undefined> {
    this.conversation = conversation;
    this.next = undefined;
    const { screen, steering } = this.options;
    const { config } = steering;
    for (const warning of await this.desk.loadTemplates()) this.say(warning);
    void conversation.app.sandbox.state().then(({ level }) => {
      this.sandbox = config.sandbox.mode === 'off' ? 'off' : level;
      this.draw();
    });
    const off = [
      screen.onKey((key) => {
        if (this.options.asking.key(key)) return this.draw();
        const event = this.editor.key(key);
        if (event) this.handle(event);
        this.draw();
      }),
      screen.onResize(() => this.draw()),
    ];
    this.draw();
    setTimeout(() => this.presenter.warm(), 200).unref();
    await new Promise<void>((resolve) => {
      this.done = resolve;
      void this.work();
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
    return chooseTheme(steering.config.color ? 'auto' : 'none', screen.features());
  }

  /** Shows what is so now. */
  draw(): void {
    const { screen, text, asking } = this.options;
    const features = screen.features();
    const { theme } = this;
    const input = asking.isOpen
      ? asking.view(features.rows - 5 - Math.min(4, this.queue.length))
      : this.editor.view({
          columns: features.columns,
          rows: Math.max(3, Math.floor(features.rows / 2)),
          theme,
          unicode: features.unicode,
          prompt: this.mode === 'chat' ? '> ' : `${this.mode}> `,
          placeholder: text.t(this.stopper ? 'shell.placeholderBusy' : 'shell.placeholder'),
        });
    const running = this.presenter.lines();
    screen.show(shellView({ features, theme, text, running, queued: this.queue, input, status: this.status() }));
  }

  private status(): StatusPart[] {
    const { steering, text } = this.options;
    const { chosen, mode: rights } = steering;
    const { context, cost } = this.presenter.spent;
    const percent = Math.round((100 * context) / chosen.info.contextWindow);
    return [
      { text: rights, ...(rights === 'auto' ? { look: 'warn' as const } : rights === 'plan' ? { look: 'accent' as const } : {}) },
      { text: `${chosen.service}/${chosen.model}` },
      ...(context > 0
        ? [{ text: text.t('shell.contextShort', { percent }), ...(percent >= 80 ? { look: 'warn' as const } : {}) }]
        : []),
      ...(cost === undefined ? [] : [{ text: text.t('run.cost', { amount: text.number(cost, cost < 0.1 ? 4 : 2) }) }]),
      ...(this.sandbox === '' ? [] : [{ text: text.t('shell.sandboxShort', { level: this.sandbox }) }]),
    ];
  }

  private handle(event: EditorEvent): void {
    switch (event.kind) {
      case 'submit':
        this.leaving = false;
        if (this.stopper && runsAtOnce(event.text, () => this.conversation && this.desk.context(this.conversation))) return;
        this.queue.push(event.text);
        void this.work();
        return;
      case 'interrupt':
        this.interrupt(event.empty);
        return;
      case 'escape':
        if (this.stopper) this.stopper.stop();
        return;
      case 'leave':
        if (!this.stopper) this.leave();
        return;
      case 'unfold':
        if (!this.presenter.unfold()) this.presenter.say(this.options.text.t('shell.nothingFolded'), 'dim');
        return;
      case 'external':
        return void this.editOutside(event.text);
      case 'suspend':
        process.kill(process.pid, 'SIGTSTP');
        return;
      case 'mode': {
        const { steering } = this.options;
        steering.setMode(ROUND[(ROUND.indexOf(steering.mode) + 1) % ROUND.length] ?? 'default');
        return;
      }
      case 'redraw':
        return;
    }
  }

  /** Ctrl+C: stops what runs; at rest it clears the text, and leaves when pressed twice. */
  private interrupt(empty: boolean): void {
    if (this.stopper) {
      process.emit('SIGINT', 'SIGINT');
      this.presenter.say(this.options.text.t('shell.stopping'), 'dim');
      return;
    }
    if (!empty) return;
    if (this.leaving) {
      this.leave();
      return;
    }
    this.leaving = true;
    this.presenter.say(this.options.text.t('shell.leaveHint'), 'dim');
  }

  private leave(): void {
    this.done?.();
  }

  private async editOutside(given: string): Promise<void> {
    const giveBack = this.options.screen.suspend();
    try {
      const edited = await editOutside(given, this.options.steering.config);
      if (edited !== undefined) this.editor.set(edited);
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
    } finally {
      giveBack();
      this.draw();
    }
  }

  /** Works off what waits; only one at a time. */
  private async work(): Promise<void> {
    if (this.stopper || !this.conversation) return;
    for (let line = this.queue.shift(); line !== undefined; line = this.queue.shift()) {
      await this.one(line.trim());
      this.draw();
      if (!this.next) continue;
      this.leave();
      return;
    }
  }

  private async one(line: string): Promise<void> {
    if (line === '') return;
    this.echo(line);
    try {
      if (line.startsWith('!')) return await this.own(line.slice(1).trim());
      if (!parseSlash(line)) return await this.run({ task: line });
      await this.command(line);
      const { started } = this;
      this.started = undefined;
      if (started) await this.run(started);
    } catch (error) {
      this.presenter.say(error instanceof Error ? error.message : String(error), 'bad');
    }
  }

  /** The line as it was said, in the scrollback. */
  private echo(line: string): void {
    const { screen } = this.options;
    const { columns, unicode } = screen.features();
    const lines = wrap(safeText(line), columns - 2);
    screen.print([
      '',
      ...lines.map((one, index) => `${this.theme.accent(index === 0 ? (unicode ? '❯' : '>') : ' ')} ${this.theme.strong(one)}`),
    ]);
  }

  private async command(line: string): Promise<void> {
    const { conversation } = this;
    if (!conversation) return;
    await this.busy(async () => {
      await runSlash(line, this.desk, this.desk.context(conversation), (task) => {
        this.started = task;
      });
    });
  }

  private async run({ task, mode = this.mode }: StartedTask): Promise<void> {
    const { conversation } = this;
    if (!conversation) return;
    await this.busy(async (signal) => {
      const named = await this.desk.fetch(task, conversation);
      const heard = this.heard.map((one) => `${one}\n\n`).join('');
      this.heard = [];
      const began = performance.now();
      this.presenter.finish(await conversation.run(task, { mode, signal, context: `${heard}${named}` }));
      const { screen, text } = this.options;
      if (performance.now() - began >= LONG_RUN_MS) screen.ring(text.t('shell.runEnded'));
    });
  }

  private async own(command: string): Promise<void> {
    if (command === '') return;
    const { screen, steering, text } = this.options;
    const { config } = steering;
    const { theme } = this;
    await this.busy(async (signal) => {
      let rest = '';
      const { code, output } = await runOwn(command, {
        cwd: config.root,
        env: config.env,
        signal,
        show: (piece) => {
          const lines = (rest + piece).split('\n');
          rest = lines.pop() ?? '';
          if (lines.length > 0) screen.print(lines.flatMap((line) => wrap(safeText(line), screen.features().columns)));
        },
      });
      if (rest !== '') screen.print(wrap(safeText(rest), screen.features().columns));
      if (code !== 0) screen.print([theme.warn(text.t('shell.ownEnded', { code: code ?? '?' }))]);
      this.heard.push(`The user ran this command, exit code ${code ?? 'unknown'}:\n$ ${command}\n${output}`);
    });
  }

  /** One thing that can be stopped; the clock ticks only while it lasts. */
  private async busy(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const stopper = createStopper({});
    this.stopper = stopper;
    const tick = setInterval(() => this.draw(), TICK_MS);
    try {
      await work(stopper.signal);
    } finally {
      clearInterval(tick);
      stopper.release();
      this.stopper = undefined;
      if (stopper.terminated()) this.leave();
      this.draw();
    }
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
      start: (task, mode) => {
        this.started = { task, ...(mode ? { mode } : {}) };
      },
      propose: (line) => {
        if (this.editor.text !== '') return false;
        this.editor.set(line);
        return true;
      },
      hear: (said) => void this.heard.push(said),
      stop: () => this.leave(),
      reopen: (next) => {
        this.next = next;
      },
      signal: () => this.stopper?.signal ?? new AbortController().signal,
      sandbox: () => this.sandbox,
      changed: () => this.draw(),
    };
  }
}

const isCommand = (line: string): boolean => line.startsWith('!') || parseSlash(line) !== undefined;
