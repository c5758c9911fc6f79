/** The composition root: configuration in, a wired application out. The only place that builds things. */
import { countingIds, systemClock } from '../base/clock.js';
import { createGate, type Gate } from '../loop/gate.js';
import type { LoopPorts } from '../loop/ports.js';
import type { FolderTrust } from '../policy/trust.js';
import { killAllChildren } from '../process/children.js';
import { createJobs } from '../process/jobs/create-jobs.js';
import type { SessionSandbox } from '../process/sandbox/session-sandbox.js';
import { helpTool } from '../protocol/help-tool.js';
import { TOOLS } from '../tools/registry.js';
import { type BeforeChange, withCheckpointBefore } from '../tools/wrap/checkpoint-before.js';
import { withCurlyQuotes } from '../tools/wrap/curly-quotes.js';
import { type DiagnosticsWrap, withDiagnostics } from '../tools/wrap/diagnostics.js';
import { withHiddenKeys } from '../tools/wrap/hide-keys.js';
import { type SpillStore, withOutputCap } from '../tools/wrap/output-cap.js';
import { type UndoWrap, withUndo } from '../tools/wrap/undo.js';
import type { AgentEvent } from '../types/event.js';
import type { JsonObject } from '../types/json.js';
import type { Approver, Judged, PolicyContext, RuleSet } from '../types/policy.js';
import type { Provider, Usage } from '../types/provider.js';
import type { Host, Tool } from '../types/tool.js';
import { createAutomatic } from '../workspace/checkpoint/automatic.js';
import { openCheckpoints } from '../workspace/checkpoint/checkpoints.js';
import { type OpenWorkspace, openWorkspace } from '../workspace/open-workspace.js';
import type { UndoStore } from '../workspace/undo/store.js';
import type { Config } from './config.js';
import { type AppLanguages, type LanguageSettings, languageSettings, openAppLanguages } from './languages.js';
import { hidesFiles, policyView, type RuleStore, ruleStore } from './policy-view.js';
import { providerKeys, textRedactor } from './redact.js';
import { agreements, openAppSandbox } from './sandbox.js';
import { openScratch, pruneScratch, spillStore } from './scratch.js';
import { openSessionUndo, undoWrap } from './undo.js';

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
  /** Replaces the gate (replay refuses what was refused). */
  readonly gate?: Gate;
}

/** Wires everything for one session. Throws UsageError or ToolFault for a workspace that cannot be opened. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config } = options;
  const scratch = openScratch(config.state, options.id);
  const workspace = await openWorkspace({
    root: config.root,
    addDirs: config.addDirs,
    home: config.home,
    state: config.state,
    scratch,
    env: config.childEnv,
  });
  const sandbox = openAppSandbox({ config, roots: workspace.roots, scratch, approver: options.approver, emit: options.emit });
  const notice = (code: string, text: string, values: JsonObject = {}): void =>
    options.emit({ type: 'notice', level: 'warn', code, text, values, agent: 'main', time: systemClock.now() });
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
  const host: Host = {
    childEnv: config.childEnv,
    home: config.home,
    scratch,
    state: config.state,
    jobs: createJobs({ scratch, state: config.state, root: workspace.root, keptOnly: options.oneCall === true }),
    sandbox,
    languages,
  };
  const loosened = agreements();
  const policy = policyView({ config, workspace, rules, agreed: loosened.agreed, tools: () => tools });
  const gate = options.gate ?? openGate(options, { policy, rules, loosened, workspace, notice });
  const checkpoints = openCheckpoints({
    roots: workspace.roots,
    home: config.home,
    state: config.state,
    env: config.childEnv,
  });
  const automatic = createAutomatic(checkpoints, { warn: notice });
  const undo = openSessionUndo({ config, id: options.id, emit: options.emit });
  const tools: readonly Tool[] =
    options.tools ??
    withHelp(
      wrapTools(TOOLS, {
        ...(options.keepsUndo === false ? {} : { undo: undoWrap(undo, policy, checkpoints) }),
        ...(settings.checks ? { diagnostics: { languages, budgetMs: settings.budgetMs } } : {}),
        checkpoints: automatic,
        redact: textRedactor(providerKeys(config)),
        spill: spillStore(scratch),
      }),
    );
  await tellFaults(policy(), tools, options);
  const ports: LoopPorts = {
    provider: options.provider,
    tools,
    workspace,
    host,
    gate,
    clock: systemClock,
    ids: countingIds(),
    emit: options.emit,
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
    async close() {
      await automatic.settled({ stop: true });
      undo.close();
      await languages.close();
      await killAllChildren();
      sandbox.close();
      await pruneScratch(config.state, scratch, systemClock.now());
    },
  };
}

type Notice = (code: string, text: string, values: JsonObject) => void;

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

interface GateParts {
  readonly policy: () => PolicyContext;
  readonly rules: RuleStore;
  readonly loosened: ReturnType<typeof agreements>;
  readonly workspace: OpenWorkspace;
  notice(code: string, text: string, values?: JsonObject): void;
}

/** The gate over the policy of each moment. */
function openGate({ config, approver }: AppOptions, { policy, rules, loosened, workspace, notice }: GateParts): Gate {
  return createGate({
    // The judge is large, and an answer without calls needs none.
    decide: async (judged) => (await import('../policy/decide.js')).decide(judged, policy()),
    approver,
    limits: config.denialLimits,
    async remember(question, answer) {
      const reason = await rules.remember(question, answer);
      if (reason !== undefined) notice('rule-not-kept', `Kept for this session only: ${reason}`, { reason });
    },
    hidesFiles: () => hidesFiles(policy()),
    grant: (judged: Judged) => {
      loosened.agree(judged);
      for (const path of [...judged.reads, ...judged.writes]) workspace.grant(path.real);
    },
  });
}

/** Nothing to tell of: nothing is loaded for it. */
async function tellFaults(context: PolicyContext, tools: readonly Tool[], { config, emit }: AppOptions): Promise<void> {
  const { rules, broken } = context.rules;
  if (rules.length + broken.length + config.projectFaults.length === 0) return;
  const { tellRuleFaults } = await import('./rule-warnings.js');
  tellRuleFaults(context, tools, config.projectFaults, emit);
}

export interface Wraps {
  readonly undo?: UndoWrap;
  readonly diagnostics?: DiagnosticsWrap;
  readonly checkpoints: BeforeChange;
  readonly redact: (text: string) => string;
  readonly spill: SpillStore;
}

/** Everything that surrounds a tool, in one visible list, innermost first. */
export function wrapTools(tools: readonly Tool[], wraps: Wraps): Tool[] {
  const { undo, diagnostics } = wraps;
  return tools
    .map(withCurlyQuotes)
    .map((tool) => (undo ? withUndo(tool, undo) : tool))
    .map((tool) => (diagnostics ? withDiagnostics(tool, diagnostics) : tool))
    .map((tool) => withCheckpointBefore(tool, wraps.checkpoints))
    .map((tool) => withHiddenKeys(tool, wraps.redact))
    .map((tool) => withOutputCap(tool, wraps.spill));
}

function withHelp(tools: readonly Tool[]): Tool[] {
  return [...tools, helpTool(tools)];
}
