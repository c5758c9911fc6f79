/** The composition root: configuration in, a wired application out. The only place that builds things. */
import { join, relative, sep } from 'node:path';
import { countingIds, systemClock } from '../base/clock.js';
import { isPersonalPath, personalPaths } from '../base/sensitive-paths.js';
import { createGate, type Gate } from '../loop/gate.js';
import type { LoopPorts } from '../loop/ports.js';
import { decide } from '../policy/decide.js';
import { ruleFor } from '../policy/remember.js';
import { loadRules, saveRule } from '../policy/rules-file.js';
import { accepts } from '../policy/trust.js';
import { killAllChildren } from '../process/children.js';
import { helpTool } from '../protocol/help-tool.js';
import { TOOLS } from '../tools/registry.js';
import { withHiddenKeys } from '../tools/wrap/hide-keys.js';
import { type SpillStore, withOutputCap } from '../tools/wrap/output-cap.js';
import type { AgentEvent } from '../types/event.js';
import type { Approver, Judged, PolicyContext, Question, RuleSet } from '../types/policy.js';
import type { Provider, Usage } from '../types/provider.js';
import type { Host, Tool } from '../types/tool.js';
import { type OpenWorkspace, openWorkspace } from '../workspace/open-workspace.js';
import { linkBelow, personalBelow } from '../workspace/personal-below.js';
import { repositoryTraits } from '../workspace/repository-traits.js';
import type { Config } from './config.js';
import { providerKeys, textRedactor } from './redact.js';
import { openScratch, pruneScratch, spillStore } from './scratch.js';

export interface App {
  readonly config: Config;
  readonly ports: LoopPorts;
  readonly workspace: OpenWorkspace;
  readonly host: Host;
  readonly policy: PolicyContext;
  rules(): RuleSet;
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
  /** Replaces the gate (replay refuses what was refused). */
  readonly gate?: Gate;
}

/** Wires everything for one session. Throws UsageError or ToolFault for a workspace that cannot be opened. */
export async function createApp(options: AppOptions): Promise<App> {
  const { config } = options;
  const scratch = openScratch(config.state, options.id);
  const host: Host = { childEnv: config.childEnv, home: config.home, scratch, state: config.state };
  const workspace = await openWorkspace({
    root: config.root,
    addDirs: config.addDirs,
    home: config.home,
    state: config.state,
    scratch,
    env: config.childEnv,
  });
  const rules = ruleStore(config);
  const personal = personalPaths(config.home);
  const policy = (): PolicyContext => ({
    rules: rules.current(),
    mode: config.permissionMode,
    home: config.home,
    root: workspace.root,
    roots: workspace.roots,
    allowUnsafe: config.allowUnsafe,
    locate: (path) => workspace.locate(path),
    traits: () => {
      const all = workspace.roots.map((root) => repositoryTraits(root));
      return { gitRuns: all.find((one) => one.gitRuns !== undefined)?.gitRuns, npmrc: all.some((one) => one.npmrc) };
    },
    personalLink: (dir) => linkBelow(dir, (path) => ['personal', 'own', 'system'].includes(workspace.locate(path).zone)),
    holdsPersonal: (dir) => personalBelow(dir, (path) => isPersonalPath(path, personal)),
  });
  const gate =
    options.gate ??
    createGate({
      decide: (judged) => decide(judged, policy()),
      approver: options.approver,
      limits: config.denialLimits,
      remember(question, answer) {
        const fault = rules.remember(question, answer);
        if (fault === undefined) return;
        const text = `The rule could not be kept: ${fault}`;
        options.emit({ type: 'notice', level: 'warn', code: 'rule-not-kept', text, agent: 'main', time: systemClock.now() });
      },
      grant: (judged: Judged) => {
        for (const path of [...judged.reads, ...judged.writes]) workspace.grant(path.real);
      },
    });
  const tools = options.tools ?? withHelp(wrapTools(TOOLS, spillStore(scratch), textRedactor(providerKeys(config))));
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
    async close() {
      await killAllChildren();
      await pruneScratch(config.state, scratch, systemClock.now());
    },
  };
}

/** Everything that surrounds a tool, in one visible list, innermost first. */
export function wrapTools(tools: readonly Tool[], spill: SpillStore, redact: (text: string) => string): Tool[] {
  return tools.map((tool) => withOutputCap(withHiddenKeys(tool, redact), spill));
}

function withHelp(tools: readonly Tool[]): Tool[] {
  return [...tools, helpTool(tools)];
}

/** The rules in force, read again after each change; answers given "always" or "never" are kept in the user's own file. */
function ruleStore(config: Config) {
  const globalFile = join(config.state, 'coder_policy.json');
  const localFiles = [join(config.root, 'coder_policy.json'), join(config.root, '.chatcli', 'coder_policy.json')];
  const trustedLocal = (path: string, text: string) =>
    accepts(config.trust, relative(config.root, path).split(sep).join('/'), text);
  const load = () => loadRules({ globalFile, localFiles, trustedLocal, allow: [...config.allow], deny: [...config.deny] });
  let rules = load();
  return {
    current: () => rules,
    /** The reason when the rule could not be written (a broken file is never replaced). */
    remember(question: Question, answer: 'always' | 'never'): string | undefined {
      try {
        for (const rule of ruleFor(question, answer)) saveRule(globalFile, rule);
        rules = load();
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  };
}
