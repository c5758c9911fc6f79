/** What the commands of both shells work on: one conversation with all that may be asked and changed about it. */
import { realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ModeName } from '../../agents/registry.js';
import { reviewerAgent } from '../../agents/reviewer.js';
import { COMMANDS } from '../../commands/registry.js';
import { NO_TRUST } from '../../policy/trust.js';
import type { Changed, Command, CommandContext } from '../../types/command.js';
import type { Text } from '../../ui/text/index.js';
import { shellAgents } from '../agents-view.js';
import type { Config, ConfigFlags } from '../config.js';
import type { Conversation } from '../conversation.js';
import { currentTrust } from '../current-trust.js';
import { shellPlugins } from '../plugins/shell-port.js';
import { settingsPort } from '../settings.js';
import { shellRules } from '../shell-rules.js';
import { addContext } from './add-context.js';
import { checkpointsPort } from './checkpoints-port.js';
import { commitPort, type SeenFiles } from './commit-port.js';
import { filesPort } from './files-port.js';
import { skillLines } from './listings.js';
import { modelsPort } from './models.js';
import { sessionsPort } from './sessions-port.js';
import type { Spending } from './spending.js';
import type { Steering } from './steering.js';
import { loadTemplates, templateCommands } from './templates.js';
import { windowView } from './window-view.js';

/** The conversation a shell goes on with when the present one is put away. */
export interface NextConversation {
  readonly id: string;
}

/** What a shell does for its commands. */
export interface Front {
  readonly mode: ModeName;
  setMode(mode: ModeName): void;
  print(lines: string): void;
  start(task: string, mode?: ModeName): void;
  propose?(line: string): boolean;
  /** The model is told this with the next message. */
  hear(said: string): void;
  stop(): void;
  /** Closes the conversation once the command has ended and opens this one. */
  reopen(next: NextConversation): void;
  /** Aborted when the user stops what runs. */
  signal(): AbortSignal;
  sandbox(): string;
  changed(): void;
}

export interface DeskOptions {
  readonly flags: ConfigFlags;
  readonly text: Text;
  readonly steering: Steering;
  readonly spending: Spending;
  readonly front: Front;
}

export interface Desk {
  context(conversation: Conversation): CommandContext;
  /** Templates read anew; what is wrong with files is given once. */
  loadTemplates(): Promise<readonly string[]>;
  /** Our own and the templates. */
  commands(): readonly Command[];
  find(name: string): Command | undefined;
  /** What the message names with `@`; tells people what was added. */
  fetch(message: string, conversation: Conversation): Promise<string>;
}

export function createDesk(options: DeskOptions): Desk {
  const { text, steering, spending, front } = options;
  const { config } = steering;
  const taken = new Set(COMMANDS.flatMap((command) => [command.name, ...command.aliases]));
  const models = modelsPort(steering, text);
  const seen: SeenFiles = { names: undefined };
  const warned = new Set<string>();
  let own: readonly Command[] = [];
  const commands = () => (own.length === 0 ? COMMANDS : [...COMMANDS, ...own]);
  return {
    commands,
    find: (name) => commands().find((one) => one.name === name),
    async loadTemplates() {
      const { templates, warnings } = await loadTemplates(templateFolders(config));
      own = templateCommands(templates, taken);
      const fresh = warnings.filter((line) => !warned.has(line));
      for (const line of fresh) warned.add(line);
      return fresh;
    },
    async fetch(message, { app }) {
      const { context, lines } = await addContext(message, { app, text, env: config.env, signal: front.signal() });
      if (lines.length > 0) front.print(lines.join('\n'));
      return context;
    },
    context: (conversation) => ({
      ...basics(options, conversation),
      models,
      commands,
      spent: () => spending.rows(),
      window: () => windowView(conversation.window(front.mode), steering.chosen, spending.window()),
      settings: settingsPort({ config, flags: options.flags, text, changed: steering.changed }),
      sessions: sessionsPort(config, text, (id) => front.reopen({ id })),
      checkpoints: checkpointsPort(conversation.app, text, (said) => front.hear(said)),
      commits: commitPort({ seen, app: conversation.app, text, active: () => steering.chosen, signal: front.signal }),
      files: filesPort(config.root, config.home, text),
      addFolder: (dir) => addFolder(dir, conversation, options),
      doctor: () => doctorLines(options),
      listing: async () => skillLines(config, text),
      plugins: shellPlugins(conversation.app, text, front.signal),
    }),
  };
}

/** What needs no port of its own. */
function basics({ text, steering, front }: DeskOptions, conversation: Conversation): Omit<CommandContext, 'commands'> {
  const { config } = steering;
  return {
    print: (lines) => front.print(lines),
    t: (key, values) => text.t(key as Parameters<Text['t']>[0], values),
    number: text.number,
    session: {
      id: conversation.id,
      get mode() {
        return front.mode;
      },
      setMode: (mode) => front.setMode(mode as ModeName),
    },
    get model() {
      return { provider: steering.chosen.service, id: steering.chosen.model };
    },
    rights: {
      get mode() {
        return steering.mode;
      },
      get before() {
        return steering.before;
      },
      set(mode) {
        steering.setMode(mode);
        front.changed();
      },
      sandbox: () => front.sandbox(),
    },
    ...shellAgents(config, text.t, conversation.workers),
    ...shellRules(config, text.t, conversation.app.ruleStore),
    undoing: conversation.undoing,
    stop: () => front.stop(),
    start: (task, mode) => front.start(task, mode),
    ...(front.propose ? { propose: (line: string) => front.propose?.(line) ?? false } : {}),
    prompt: () => reviewerAgent.prompt,
  };
}

/** The project's first, once the folder is trusted; then the user's. */
function templateFolders(config: Config): readonly string[] {
  const project =
    currentTrust(config) !== NO_TRUST ? [join(config.root, '.chatcli/commands'), join(config.root, '.claude/commands')] : [];
  return [...project, join(config.state, 'commands'), join(config.home, '.claude/commands')];
}

function addFolder(dir: string, { id, app }: Conversation, { text, steering, front }: DeskOptions): Changed {
  const path = resolve(app.workspace.root, dir.replace(/^~(?=\/|$)/, steering.config.home));
  try {
    if (!statSync(path).isDirectory()) return { done: false, lines: [text.t('addDir.none', { dir })] };
    const real = realpathSync(path);
    if (app.workspace.roots.includes(real)) return { done: true, lines: [text.t('addDir.already', { dir: real })] };
    steering.addFolder(real);
    front.reopen({ id });
    return { done: true, lines: [text.t('addDir.added', { dir: real })] };
  } catch {
    return { done: false, lines: [text.t('addDir.none', { dir })] };
  }
}

async function doctorLines({ flags }: DeskOptions): Promise<readonly string[]> {
  const [{ doctorPlace }, { findings, findingLines }] = await Promise.all([
    import('../doctor/place.js'),
    import('../doctor/report.js'),
  ]);
  const place = doctorPlace(flags);
  return findingLines(await findings(place), place.text, false);
}
