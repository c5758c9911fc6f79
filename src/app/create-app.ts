/** The composition root: configuration in, a wired application out. The only place that builds things. */
import { countingIds, systemClock } from '../base/clock.js';
import { createGate, type Gate } from '../loop/gate.js';
import type { LoopPorts } from '../loop/ports.js';
import type { FolderTrust } from '../policy/trust.js';
import { killAllChildren } from '../process/children.js';
import { createJobs } from '../process/jobs/create-jobs.js';
import type { SessionSandbox } from '../process/sandbox/session-sandbox.js';
import type { AgentEvent } from '../types/event.js';
import type { JsonObject } from '../types/json.js';
import type { LanguageServers } from '../types/language.js';
import type { Approver, Judged, PolicyContext, RuleSet } from '../types/policy.js';
import type { Provider, Usage } from '../types/provider.js';
import type { Host, Tool } from '../types/tool.js';
import { type AgentViews, createAgentViews } from '../workspace/agent-view.js';
import { createAutomatic } from '../workspace/checkpoint/automatic.js';
import { openCheckpoints } from '../workspace/checkpoint/checkpoints.js';
import { type OpenWorkspace, openWorkspace } from '../workspace/open-workspace.js';
import type { UndoStore } from '../workspace/undo/store.js';
import type { Config } from './config.js';
import { createElsewhere, type Elsewhere } from './isolation/elsewhere.js';
import { type AppLanguages, type LanguageSettings, languageSettings, openAppLanguages } from './languages.js';
import { openPlugins, type Plugins } from './plugins/present.js';
import { hidesFiles, policyView, type RuleStore, ruleStore } from './policy-view.js';
import { providerKeys, textRedactor } from './redact.js';
import { agreements, openAppSandbox } from './sandbox.js';
import { openScratch, pruneScratch, spillStore } from './scratch.js';
import { openSessionUndo, undoWrap } from './undo.js';
import { type Wraps, withHelp, wrapTools } from './wrap-tools.js';

export interface App {
  readonly config: Config;
  readonly ports: LoopPorts;
  readonly workspace: OpenWorkspace;
  readonly host: Host;
  readonly policy: PolicyContext;
  rules(): RuleSet;
  readonly ruleStore: RuleStore;
  /** What this session changed and can take back. */
  readonly undo: UndoStore;
  readonly sandbox: SessionSandbox;
  /** Lets tools and commands read these folders (real paths), never write; replaces what was said before. */
  allowReading(folders: readonly string[]): void;
  /** Folders in which single agents work instead of the workspace. */
  readonly elsewhere: Elsewhere;
  /** Programs of the user's own as tools; what changes counts from `begin` on. */
  readonly plugins: Plugins;
  /** The wrappers of every tool that changes the workspace. */
  wrapped(tool: Tool): Tool;
  /** Ends children, removes nothing of the user's. */
  close(): Promise<void>;
}

export interface AppOptions {
  readonly config: Config;
  readonly approver: Approver;
  /** Names the scratch folder; the session's id where there is one. */
  readonly id: string;
  readonly provider: Provider;
  priceOf?(usage: Usage): number | undefined;
  emit(event: AgentEvent): void;
  takeTyped?(): readonly string[];
  /** Replaces the tools (replay answers calls from a record). */
  readonly tools?: readonly Tool[];
  readonly check?: LoopPorts['check'];
  /** False: nothing is kept for undo (calls without a conversation). */
  readonly keepsUndo?: boolean;
  /** True: the program ends with this one call, so nothing may be left to run in the background but what is kept. */
  readonly oneCall?: boolean;
  /** Tools that need the loop itself: those that call agents and scripts. */
  readonly moreTools?: readonly Tool[];
  /** Replaces the gate (replay refuses what was refused). */
  readonly gate?: Gate;
  /** Put around the gate that is not replaced. */
  readonly aroundGate?: ((gate: Gate) => Gate) | undefined;
}

/** Wires everything for one session. Throws UsageError or ToolFault for a workspace that cannot be opened. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, approver, emit } = options;
  const scratch = openScratch(config.state, options.id);
  const workspace = await openWorkspace({
    root: config.root,
    addDirs: config.addDirs,
    home: config.home,
    state: config.state,
    scratch,
    env: config.childEnv,
  });
  const readable = [scratch];
  const sandbox = openAppSandbox({ config, roots: workspace.roots, readable, approver, emit });
  const notice = noticeOf(emit);
  const settings = languageSettings(config.env);
  const rules = ruleStore(config);
  const languages = openAppLanguages({
    config,
    settings,
    trust: () => rules.trusted(),
    roots: workspace.roots,
    sandbox,
    ...serverNotices(settings, notice),
  });
  const host = hostOf(options, { scratch, root: workspace.root, sandbox, languages });
  const loosened = agreements();
  const view = (own: OpenWorkspace) =>
    policyView({ config, workspace: own, rules, agreed: loosened.agreed, tools: () => plugins.tools });
  const policy = view(workspace);
  const elsewhere = createElsewhere({ config, scratch, readable, approver, emit, view });
  const gate = options.gate ?? openGate(options, { policy, workspace, elsewhere, rules, loosened, notice });
  const checkpoints = openCheckpoints({ ...config, roots: workspace.roots, env: config.childEnv });
  const automatic = createAutomatic(checkpoints, { warn: notice });
  const undo = openSessionUndo({ config, id: options.id, emit });
  const redact = textRedactor(providerKeys(config));
  const views = createAgentViews('main');
  const wraps: Wraps = {
    ...(options.keepsUndo === false ? {} : { undo: undoWrap(undo, policy, checkpoints) }),
    ...(settings.checks ? { diagnostics: { languages, budgetMs: settings.budgetMs } } : {}),
    views,
    checkpoints: automatic,
    redact,
    spill: spillStore(scratch),
  };
  const plugins = await openTools(options, sandbox, wraps);
  await tellFaults(policy(), plugins.tools, options);
  const ports: LoopPorts = {
    provider: options.provider,
    get tools() {
      return plugins.tools;
    },
    workspace,
    host,
    gate,
    clock: systemClock,
    ids: countingIds(),
    emit: forgetting(emit, views),
    priceOf: options.priceOf ?? (() => undefined),
    takeTyped: options.takeTyped,
    check: options.check,
  };
  return {
    config,
    ports,
    workspace,
    host,
    get policy() {
      return policy();
    },
    rules: () => rules.current(),
    ruleStore: followed(rules, languages),
    undo,
    sandbox,
    allowReading(folders) {
      workspace.allowReading(folders);
      readable.splice(1, readable.length, ...folders);
    },
    wrapped: (tool) => wrapTools([tool], wraps)[0] ?? tool,
    elsewhere,
    plugins,
    async close() {
      elsewhere.close();
      await automatic.settled({ stop: true });
      undo.close();
      await languages.close();
      await killAllChildren();
      sandbox.close();
      await pruneScratch(config.state, scratch, systemClock.now());
    },
  };
}

/** What is built in, plugins, and the tools of the loop; or what was recorded in their place. */
function openTools(
  { config, emit, tools, moreTools: more = [] }: AppOptions,
  sandbox: SessionSandbox,
  wraps: Wraps,
): Promise<Plugins> {
  const list = (own: readonly Tool[]) => withHelp(wrapTools([...own, ...more], wraps));
  return openPlugins({ config, sandbox, emit, recorded: tools && [...tools, ...more], list });
}

/** Says at once which settings cannot be used, and what counts in their place; the rest when it comes to it. */
function serverNotices({ odd = [] }: LanguageSettings, notice: Notice) {
  for (const { variable, value, used } of odd)
    notice('setting-odd', `${variable}=${value} cannot be used; ${used} counts`, { variable, value, used });
  return {
    onWaiting: (server: string) => notice('server-untrusted', `The folder is not trusted, so ${server} is not used`, { server }),
    onMisnamed: (reason: string) => notice('server-misnamed', `Edits are not checked: ${reason}`, { reason }),
  };
}

/** The same rules; language servers follow what is said about trust at once. */
function followed(rules: RuleStore, languages: AppLanguages): RuleStore {
  const trust = (next: FolderTrust): void => {
    rules.trust(next);
    languages.trustChanged();
  };
  return { ...rules, trust };
}

/** What a worker saw of files is let go when it ends. */
function forgetting(emit: AppOptions['emit'], views: AgentViews): AppOptions['emit'] {
  return (event) => {
    emit(event);
    if (event.type === 'worker-end') views.forget(event.worker);
  };
}

/** What tools have of the machine. */
function hostOf(
  { config, oneCall = false }: AppOptions,
  own: { readonly root: string; readonly scratch: string; readonly sandbox: SessionSandbox; readonly languages: LanguageServers },
): Host {
  const { childEnv, home, state } = config;
  const { root, scratch, sandbox, languages } = own;
  const jobs = createJobs({ scratch, state, root, keptOnly: oneCall });
  return { childEnv, home, scratch, state, jobs, sandbox, languages };
}

type Notice = (code: string, text: string, values?: JsonObject) => void;

function noticeOf(emit: AppOptions['emit']): Notice {
  return (code, text, values = {}) =>
    emit({ type: 'notice', level: 'warn', code, text, values, agent: 'main', time: systemClock.now() });
}

/** The gate over rules and mode as they are at each call. */
function openGate(
  { config, approver, aroundGate = (gate) => gate }: AppOptions,
  parts: {
    policy(): PolicyContext;
    readonly rules: RuleStore;
    readonly loosened: ReturnType<typeof agreements>;
    readonly workspace: OpenWorkspace;
    readonly elsewhere: Elsewhere;
    readonly notice: Notice;
  },
): Gate {
  const { policy, workspace, elsewhere, rules, loosened, notice } = parts;
  return aroundGate(
    createGate({
      // The judge is large, and an answer without calls needs none.
      decide: async (judged, agent) =>
        (await import('../policy/decide.js')).decide(judged, (elsewhere.of(agent)?.policy ?? policy)()),
      approver,
      limits: config.denialLimits,
      async remember(question, answer) {
        const reason = await rules.remember(question, answer);
        if (reason !== undefined) notice('rule-not-kept', `Kept for this session only: ${reason}`, { reason });
      },
      hidesFiles: () => hidesFiles(policy()),
      grant: (judged: Judged, agent) => {
        loosened.agree(judged);
        const place = elsewhere.of(agent)?.workspace ?? workspace;
        for (const path of [...judged.reads, ...judged.writes]) place.grant(path.real);
      },
    }),
  );
}

/** Nothing to tell of: nothing is loaded for it. */
async function tellFaults(context: PolicyContext, tools: readonly Tool[], { config, emit }: AppOptions): Promise<void> {
  const { rules, broken } = context.rules;
  if (rules.length + broken.length + config.projectFaults.length === 0) return;
  const { tellRuleFaults } = await import('./rule-warnings.js');
  tellRuleFaults(context, tools, config.projectFaults, emit);
}
