/** A desk over a real conversation for tests: real folders, files, git and gate; only the model's words are fakes. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ModeName } from '../../../src/agents/registry.js';
import type { ChosenModel } from '../../../src/app/chosen-model.js';
import type { Config, ConfigFlags } from '../../../src/app/config.js';
import { openConversation } from '../../../src/app/conversation.js';
import { loadConfig } from '../../../src/app/load-config.js';
import { openSession } from '../../../src/app/sessions.js';
import { createDesk, type Front } from '../../../src/app/shell/desk.js';
import { runSlash, type StartedTask } from '../../../src/app/shell/slash.js';
import { createSpending } from '../../../src/app/shell/spending.js';
import { createSteering } from '../../../src/app/shell/steering.js';
import { modelInfo } from '../../../src/providers/shared/catalogue.js';
import { eventCollector, type ScriptedTurn, scriptedApprover, scriptedProvider } from '../../../src/testing.js';
import type { Answer } from '../../../src/types/policy.js';
import type { ProviderRequest } from '../../../src/types/provider.js';
import { createText } from '../../../src/ui/text/index.js';

export interface PlayOptions {
  readonly turns?: readonly (ScriptedTurn | ((request: ProviderRequest) => ScriptedTurn))[];
  readonly answers?: readonly Answer[];
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: ConfigFlags;
  readonly git?: boolean;
  readonly more?: Partial<Config>;
}

/** A folder with these files, a conversation in it, and a desk; `close` removes all of it. */
export async function openPlay(options: PlayOptions = {}) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'chatcli-desk-')));
  const [root, state, home] = [join(base, 'project'), join(base, 'state'), join(base, 'home')];
  for (const dir of [root, state, home]) mkdirSync(dir);
  for (const [name, text] of Object.entries(options.files ?? {})) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  if (options.git) {
    git('init', '-q', '-b', 'main');
    git('config', 'user.email', 'a@example.com');
    git('config', 'user.name', 'A');
    git('add', '-A');
    git('commit', '-q', '-m', 'First');
  }
  const flags = { directory: root, isolatedState: state, ...options.flags };
  const loaded = loadConfig(flags);
  const env = { PATH: loaded.env['PATH'] ?? '', HOME: home, ...options.env };
  const start: Config = { ...loaded, home, env, childEnv: env, provider: undefined, sandbox: { mode: 'off' }, ...options.more };
  const provider = scriptedProvider(options.turns ?? []);
  const info = modelInfo('OPENAI', 'gpt-5');
  const first: ChosenModel = { provider, service: 'OPENAI', model: 'gpt-5', info, priceOf: () => 0.01 };
  const steering = createSteering(start, first);
  const { config } = steering;
  const text = createText('en');
  const spending = createSpending();
  const { events, sink } = eventCollector();
  const approver = scriptedApprover(options.answers ?? ['no']);
  const session = await openSession(config, {}, { onFault: () => undefined, onDamage: () => undefined });
  const conversation = await openConversation({
    config,
    chosen: first,
    active: () => steering.chosen,
    open: (model) => steering.open(model),
    approver,
    id: session.id,
    log: session.log,
    sinks: [sink, (event) => spending.take(event)],
  });
  const printed: string[] = [];
  const seen = { mode: 'chat' as ModeName, proposed: '', reopened: '', started: undefined as StartedTask | undefined };
  const heard: string[] = [];
  const signal = new AbortController().signal;
  const front: Front = {
    get mode() {
      return seen.mode;
    },
    setMode: (mode) => {
      seen.mode = mode;
    },
    print: (lines) => void printed.push(lines),
    start: (task, mode) => {
      seen.started = { task, ...(mode ? { mode } : {}) };
    },
    propose: (line) => {
      seen.proposed = line;
      return true;
    },
    hear: (said) => void heard.push(said),
    stop: () => undefined,
    reopen: ({ id }) => {
      seen.reopened = id;
    },
    signal: () => signal,
    sandbox: () => 'off',
    changed: () => undefined,
  };
  const desk = createDesk({ flags, text, steering, spending, front });
  return {
    base,
    root,
    home,
    state,
    git,
    config,
    steering,
    desk,
    seen,
    heard,
    events,
    approver,
    conversation,
    provider,
    /** Runs one command and gives what it printed. */
    async say(line: string): Promise<string> {
      printed.length = 0;
      seen.started = undefined;
      const started = (task: StartedTask) => {
        seen.started = task;
      };
      await runSlash(line, desk, desk.context(conversation), started);
      return printed.join('\n');
    },
    /** Runs one task as the shells do. */
    async run(task: string, mode: ModeName = 'coder') {
      printed.length = 0;
      const context = await desk.fetch(task, conversation);
      const outcome = await conversation.run(task, { mode, signal, context });
      return { outcome, printed: printed.join('\n') };
    },
    async close() {
      await conversation.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

export type Play = Awaited<ReturnType<typeof openPlay>>;
