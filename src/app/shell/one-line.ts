/** Carries out one line of the user: a message, a slash command, a command of their own. One at a time, each can be stopped. */
import type { ModeName } from '../../agents/registry.js';
import { parseSlash } from '../../commands/registry.js';
import { safeText } from '../../ui/safe-text.js';
import type { Screen } from '../../ui/screen/port.js';
import type { ScreenPresenter } from '../../ui/shell/present-screen.js';
import type { Text } from '../../ui/text/index.js';
import type { Theme } from '../../ui/theme/theme.js';
import { wrap } from '../../ui/width.js';
import type { Conversation } from '../conversation.js';
import { createStopper, type Stopper } from '../stop.js';
import type { Desk } from './desk.js';
import { runOwn, shownOutput } from './own-command.js';
import { runSlash, type StartedTask } from './slash.js';
import type { Steering } from './steering.js';
import type { Fetched } from './typed-ahead.js';

export interface OneLineOptions {
  readonly screen: Screen;
  readonly text: Text;
  readonly steering: Steering;
  readonly presenter: Pick<ScreenPresenter, 'say' | 'finish'>;
  readonly desk: Desk;
  theme(): Theme;
  mode(): ModeName;
  /** What is shown has changed. */
  changed(): void;
  /** The whole program was asked to end. */
  terminated(): void;
}

const TICK_MS = 1000;
/** The end of a run that took so long is worth a call. */
const LONG_RUN_MS = 30_000;

export class OneLine {
  private stopper: Stopper | undefined;
  /** What the next message tells the model besides its words. */
  private heard: string[] = [];
  private started: StartedTask | undefined;

  constructor(private readonly options: OneLineOptions) {}

  get busy(): boolean {
    return this.stopper !== undefined;
  }

  /** Of what runs now; one that is never aborted when nothing does. */
  get signal(): AbortSignal {
    return this.stopper?.signal ?? new AbortController().signal;
  }

  stop(): void {
    this.stopper?.stop();
  }

  hear(said: string): void {
    this.heard.push(said);
  }

  /** The task that is run once the present command has ended. */
  start(task: StartedTask): void {
    this.started = task;
  }

  /** True: the user stopped what was carried out last. */
  stopped = false;

  /** Never throws: what goes wrong is said. `fetched`: the line was shown, and what it names is on its way. */
  async carryOut(line: string, conversation: Conversation, fetched?: Fetched): Promise<void> {
    this.stopped = false;
    if (line === '') return;
    if (!fetched) this.echo(line);
    try {
      if (line.startsWith('!')) return await this.own(line.slice(1).trim());
      if (!parseSlash(line)) return await this.run({ task: line }, conversation, fetched);
      await this.command(line, conversation);
      const { started } = this;
      this.started = undefined;
      if (started) await this.run(started, conversation);
    } catch (error) {
      this.options.presenter.say(error instanceof Error ? error.message : String(error), 'bad');
    }
  }

  /** The line as it was said, in the scrollback. */
  echo(line: string): void {
    const { screen, theme } = this.options;
    const { columns, unicode } = screen.features();
    const { accent, strong } = theme();
    const lines = wrap(safeText(line), columns - 2);
    screen.print(['', ...lines.map((one, index) => `${accent(index === 0 ? (unicode ? '❯' : '>') : ' ')} ${strong(one)}`)]);
  }

  private async command(line: string, conversation: Conversation): Promise<void> {
    const { desk } = this.options;
    await this.stoppable(async () => {
      await runSlash(line, desk, desk.context(conversation), (task) => this.start(task));
    });
  }

  private async run(
    { task, mode = this.options.mode() }: StartedTask,
    conversation: Conversation,
    fetched?: Fetched,
  ): Promise<void> {
    const { screen, text, desk, presenter } = this.options;
    await this.stoppable(async (signal) => {
      const named = (await fetched) ?? (await desk.fetch(task, conversation));
      const heard = this.heard.map((one) => `${one}\n\n`).join('');
      this.heard = [];
      const began = performance.now();
      presenter.finish(await conversation.run(task, { mode, signal, context: `${heard}${named}` }));
      if (performance.now() - began >= LONG_RUN_MS) screen.ring(text.t('shell.runEnded'));
    });
  }

  private async own(command: string): Promise<void> {
    if (command === '') return;
    const { screen, steering, text } = this.options;
    const { config } = steering;
    const theme = this.options.theme();
    await this.stoppable(async (signal) => {
      const shown = shownOutput((lines) =>
        screen.print(lines.flatMap((line) => wrap(safeText(line), screen.features().columns))),
      );
      const { code, output } = await runOwn(command, {
        cwd: config.root,
        env: config.env,
        signal,
        show: shown.take,
      });
      shown.end((count) => text.t('shell.ownCut', { count }));
      if (code !== 0) screen.print([theme.warn(text.t('shell.ownEnded', { code: code ?? '?' }))]);
      this.hear(`The user ran this command, exit code ${code ?? 'unknown'}:\n$ ${command}\n${output}`);
    });
  }

  /** The clock ticks only while it lasts. */
  private async stoppable(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { changed, terminated } = this.options;
    const stopper = createStopper({});
    this.stopper = stopper;
    const tick = setInterval(changed, TICK_MS);
    try {
      await work(stopper.signal);
    } finally {
      clearInterval(tick);
      stopper.release();
      this.stopped = stopper.signal.aborted;
      this.stopper = undefined;
      if (stopper.terminated()) terminated();
      changed();
    }
  }
}
