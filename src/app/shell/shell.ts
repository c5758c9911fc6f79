/** The interactive shell: keys in, runs and commands out, one at a time; what is typed meanwhile waits its turn. */
import type { ModeName } from '../../agents/registry.js';
import { COMMANDS, parseSlash } from '../../commands/registry.js';
import type { CommandContext } from '../../types/command.js';
import type { AgentEvent } from '../../types/event.js';
import { createEditor } from '../../ui/editor/editor.js';
import type { Editor, EditorEvent } from '../../ui/editor/port.js';
import { openHistory } from '../../ui/history-file.js';
import { safeText } from '../../ui/safe-text.js';
import type { Screen } from '../../ui/screen/port.js';
import { ScreenPresenter } from '../../ui/shell/present-screen.js';
import { shellView } from '../../ui/shell/shell-view.js';
import type { StatusPart } from '../../ui/shell/status-line.js';
import type { Text } from '../../ui/text/index.js';
import { chooseTheme, type Theme } from '../../ui/theme/theme.js';
import { wrap } from '../../ui/width.js';
import { shellAgentLines } from '../agents-view.js';
import type { ChosenModel } from '../chosen-model.js';
import type { Config } from '../config.js';
import type { Conversation } from '../conversation.js';
import { shellRules } from '../shell-rules.js';
import { createStopper, type Stopper } from '../stop.js';
import { shellCompleter } from './completions.js';
import { editOutside } from './external-editor.js';
import { runOwn } from './own-command.js';

export interface ShellOptions {
  readonly screen: Screen;
  readonly text: Text;
  readonly config: Config;
  readonly chosen: ChosenModel;
}

const TICK_MS = 1000;

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

  constructor(private readonly options: ShellOptions) {
    const { screen, text, config } = options;
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
      complete: shellCompleter(text, () => this.conversation?.app.workspace),
      changed: () => this.draw(),
    });
  }

  /** Takes what happens in a run. */
  sink(event: AgentEvent): void {
    this.presenter.sink(event);
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

  /** Until the user leaves. */
  async live(conversation: Conversation): Promise<number> {
    this.conversation = conversation;
    const { screen, config } = this.options;
    void conversation.app.sandbox.state().then(({ level }) => {
      this.sandbox = config.sandbox.mode === 'off' ? 'off' : level;
      this.draw();
    });
    const off = [
      screen.onKey((key) => {
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
    this.editor.close();
    screen.show({ lines: [] });
    screen.flush();
    return 0;
  }

  private get theme(): Theme {
    const { screen, config } = this.options;
    return chooseTheme(config.color ? 'auto' : 'none', screen.features());
  }

  private draw(): void {
    const { screen, text } = this.options;
    const features = screen.features();
    const { theme } = this;
    const busy = this.stopper !== undefined;
    const input = this.editor.view({
      columns: features.columns,
      rows: Math.max(3, Math.floor(features.rows / 2)),
      theme,
      unicode: features.unicode,
      prompt: this.mode === 'chat' ? '> ' : `${this.mode}> `,
      placeholder: text.t(busy ? 'shell.placeholderBusy' : 'shell.placeholder'),
    });
    const running = this.presenter.lines();
    screen.show(shellView({ features, theme, text, running, queued: this.queue, input, status: this.status() }));
  }

  private status(): StatusPart[] {
    const { chosen, config, text } = this.options;
    const { context, cost } = this.presenter.spent;
    const percent = Math.round((100 * context) / chosen.info.contextWindow);
    const rights = config.permissionMode;
    return [
      { text: rights, ...(rights === 'auto' ? { look: 'warn' as const } : {}) },
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
      case 'mode':
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
      const edited = await editOutside(given, this.options.config);
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
    }
  }

  private async one(line: string): Promise<void> {
    if (line === '') return;
    this.echo(line);
    try {
      if (line.startsWith('!')) return await this.own(line.slice(1).trim());
      const slash = parseSlash(line);
      if (!slash) return await this.run(line);
      if (!slash.command) return this.say(this.options.text.t('command.unknown', { name: slash.name }));
      await slash.command.run(slash.words, this.context());
      if (slash.mode && slash.words) await this.run(slash.words);
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

  private async run(task: string): Promise<void> {
    const { conversation } = this;
    if (!conversation) return;
    const given = [...this.heard, task].join('\n\n');
    this.heard = [];
    await this.busy(async (signal) => {
      this.presenter.finish(await conversation.run(given, { mode: this.mode, signal }));
    });
  }

  private async own(command: string): Promise<void> {
    if (command === '') return;
    const { screen, config, text } = this.options;
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

  private context(): CommandContext {
    const { config, text, chosen } = this.options;
    const { conversation } = this;
    if (!conversation) throw new Error('no conversation');
    const shell = this;
    return {
      print: (lines) => this.presenter.say(lines),
      t: (key, values) => text.t(key as Parameters<Text['t']>[0], values),
      session: {
        id: conversation.id,
        get mode() {
          return shell.mode;
        },
        setMode(next) {
          shell.mode = next as ModeName;
        },
      },
      model: { provider: chosen.service, id: chosen.model },
      agentLines: () => shellAgentLines(config, text.t),
      ...shellRules(config, text.t, conversation.app.ruleStore),
      commands: () => COMMANDS,
      undoing: conversation.undoing,
      stop: () => this.leave(),
    };
  }
}

const isCommand = (line: string): boolean => line.startsWith('!') || parseSlash(line) !== undefined;
