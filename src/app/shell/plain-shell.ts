/** The line-by-line shell: one line in, one command or run out. */
import type { ModeName } from '../../agents/registry.js';
import { completeSlash } from '../../commands/registry.js';
import { createLineInput } from '../../ui/line-input.js';
import { createTextPresenter } from '../../ui/present-text.js';
import { safeText } from '../../ui/safe-text.js';
import type { Text } from '../../ui/text/index.js';
import type { ConfigFlags } from '../config.js';
import type { Conversation } from '../conversation.js';
import { createStopper, type Stopper } from '../stop.js';
import { createDesk, type Desk, type Front, type NextConversation } from './desk.js';
import { runOwn } from './own-command.js';
import { runSlash, runsAtOnce, type StartedTask } from './slash.js';
import type { Spending } from './spending.js';
import type { Steering } from './steering.js';
import { isForRun } from './typed-ahead.js';

export interface PlainShellOptions {
  readonly flags: ConfigFlags;
  readonly text: Text;
  readonly steering: Steering;
  readonly spending: Spending;
  say(line: string): void;
}

export class PlainShell {
  readonly input;
  readonly presenter;
  private readonly desk: Desk;
  private mode: ModeName = 'chat';
  private stopper: Stopper | undefined;
  private stopped = false;
  private started: StartedTask | undefined;
  private next: NextConversation | undefined;
  private sandbox = '';
  private conversation: Conversation | undefined;
  /** What the user's own commands printed, for the next message. */
  private heard = '';

  constructor(readonly options: PlainShellOptions) {
    const { text, steering } = options;
    const { config } = steering;
    this.input = createLineInput({
      input: process.stdin,
      output: process.stdout,
      text,
      historyFile: `${config.state}/history`,
      complete: completeSlash,
      forRun: isForRun,
      atOnce: (line) => runsAtOnce(line, () => this.conversation && this.desk.context(this.conversation)),
    });
    this.presenter = createTextPresenter({
      out: process.stdout,
      err: process.stdout,
      text,
      color: config.color,
      verbose: true,
      live: true,
    });
    this.desk = createDesk({ ...options, front: this.front() });
  }

  say(line: string): void {
    this.options.say(safeText(line));
  }

  /** Until the user leaves (undefined) or goes on with another conversation. */
  async live(conversation: Conversation): Promise<NextConversation | undefined> {
    this.next = undefined;
    this.conversation = conversation;
    void conversation.app.sandbox.state().then(({ level }) => {
      this.sandbox = this.options.steering.config.sandbox.mode === 'off' ? 'off' : level;
    });
    for (const warning of await this.desk.loadTemplates()) this.say(warning);
    while (!this.stopped && !this.next) {
      const line = await this.input.next(`${this.mode === 'chat' ? '' : this.mode}> `);
      if (line.kind === 'leave') return undefined;
      await this.one(line.text.trim(), conversation);
    }
    return this.next;
  }

  private async one(line: string, conversation: Conversation): Promise<void> {
    if (line === '') return;
    try {
      if (line.startsWith('!')) return await this.own(line.slice(1).trim());
      let isCommand = false;
      await this.busy(async () => {
        isCommand = await runSlash(line, this.desk, this.desk.context(conversation), (task) => {
          this.started = task;
        });
      });
      const task = isCommand ? this.started : { task: line };
      this.started = undefined;
      if (task) await this.run(task, conversation);
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
    }
  }

  private run({ task, mode = this.mode }: StartedTask, conversation: Conversation): Promise<void> {
    return this.busy(async (signal) => {
      const context = `${this.heard}${await this.desk.fetch(task, conversation)}`;
      this.heard = '';
      this.presenter.finish(await conversation.run(task, { mode, signal, context }));
    });
  }

  private async own(command: string): Promise<void> {
    if (command === '') return;
    const { config } = this.options.steering;
    await this.busy(async (signal) => {
      const show = (piece: string) => void process.stdout.write(safeText(piece));
      const { code, output } = await runOwn(command, { cwd: config.root, env: config.env, signal, show });
      if (output !== '' && !output.endsWith('\n')) process.stdout.write('\n');
      if (code !== 0) this.say(this.options.text.t('shell.ownEnded', { code: code ?? '?' }));
      this.heard += `The user ran this command, exit code ${code ?? 'unknown'}:\n$ ${command}\n${output}\n\n`;
    });
  }

  private async busy(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const stopper = createStopper({});
    this.stopper = stopper;
    const idle = this.input.busy(() => process.emit('SIGINT', 'SIGINT'));
    try {
      await work(stopper.signal);
    } finally {
      idle();
      stopper.release();
      this.stopper = undefined;
      this.stopped ||= stopper.terminated();
    }
  }

  private front(): Front {
    const shell = this;
    return {
      get mode() {
        return shell.mode;
      },
      setMode(next) {
        shell.mode = next;
      },
      print: (lines) => this.say(lines),
      start: (task, mode) => {
        this.started = { task, ...(mode ? { mode } : {}) };
      },
      hear: (said) => {
        this.heard += `${said}\n\n`;
      },
      stop: () => {
        this.stopped = true;
      },
      reopen: (next) => {
        this.next = next;
      },
      signal: () => this.stopper?.signal ?? new AbortController().signal,
      sandbox: () => this.sandbox,
      changed: () => undefined,
    };
  }
}
