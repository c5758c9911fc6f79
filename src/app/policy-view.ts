/** What the policy judges by: the rules in force, and what the machine and the repository are like at this moment. */
import { join, relative, sep } from 'node:path';
import { isPersonalPath, personalPaths } from '../base/sensitive-paths.js';
import { forbidsReading } from '../policy/forbids-reading.js';
import { loadRules, removeRule, saveRule } from '../policy/rules-file.js';
import { accepts, type FolderTrust, wasPinned } from '../policy/trust.js';
import { spelledOut } from '../policy/word-forms.js';
import { findShell } from '../process/shell.js';
import type { Changed } from '../types/command.js';
import type { Judged, PolicyContext, Question, Rule, RuleSet } from '../types/policy.js';
import type { Tool } from '../types/tool.js';
import type { Workspace } from '../types/workspace.js';
import { createBelowLook } from '../workspace/personal-below.js';
import { repositoryTraits } from '../workspace/repository-traits.js';
import type { Config } from './config.js';
import type { Translate } from './flags.js';
import { knownTools } from './known-tools.js';
import { shownLine } from './trust-text.js';

export interface RuleStore {
  current(): RuleSet;
  /** The reason when the rule could not be written (a broken file is never replaced). */
  remember(question: Question, answer: 'always' | 'never'): Promise<string | undefined>;
  /** Takes a pattern out of the user's own file and of what was answered in this session. Throws when the file cannot be changed. */
  remove(pattern: string): Removed;
  /** The folder's own files count by this from now on. */
  trust(trust: FolderTrust): void;
  /** What the folder is trusted with now. */
  trusted(): FolderTrust;
}

export interface Removed {
  readonly count: number;
  /** Rules of that pattern that stay, as they come from elsewhere. */
  readonly left: readonly Rule[];
}

export interface PolicyViewParts {
  readonly config: Config;
  readonly workspace: Workspace;
  readonly rules: RuleStore;
  agreed(judged: Judged): boolean;
  /** Rules may name their fields by words in order. */
  tools(): readonly Tool[];
}

/** The context of a decision, made anew for each. */
export function policyView({ config, workspace, rules, agreed, tools }: PolicyViewParts): () => PolicyContext {
  const personal = personalPaths(config.home);
  const below = createBelowLook((path) => isPersonalPath(path, personal));
  const code = createBelowLook((path) => CODE.test(path) && isPersonalPath(path, personal));
  const shell = findShell(config.childEnv).kind;
  let last: { readonly from: RuleSet; readonly to: RuleSet } | undefined;
  const inForce = (): RuleSet => {
    const from = rules.current();
    if (last?.from !== from) last = { from, to: spelledOut(from, knownTools(tools())) };
    return last.to;
  };
  return () => ({
    rules: inForce(),
    mode: config.permissionMode,
    home: config.home,
    root: workspace.root,
    roots: workspace.roots,
    allowUnsafe: config.allowUnsafe,
    shell,
    locate: (path) => workspace.locate(path),
    agreed,
    traits: (dir) => {
      const all = (dir === undefined ? workspace.roots : [dir]).map((root) => repositoryTraits(root));
      return { gitRuns: all.find((one) => one.gitRuns !== undefined)?.gitRuns, npmrc: all.some((one) => one.npmrc) };
    },
    personalLink: (dir) => below.link(dir, (path) => ['personal', 'own', 'system'].includes(workspace.locate(path).zone)),
    holdsPersonal: below.personal,
    holdsPersonalCode: code.personal,
  });
}

/** Endings of files whose text a compiler takes into other files. */
const CODE = /\.([cm]?[jt]sx?|pyi?|go|rs|[ch]|cc|cpp|cxx|hpp|hh|java|kts?|rb|cs|php|lua|zig|dart|exs?|swift|scala)$/i;

/** Are there files in the workspace that must not be read? Within the bounds of the look for personal ones. */
export function hidesFiles({ rules, roots, holdsPersonalCode }: PolicyContext): boolean {
  return forbidsReading(rules) || roots.some((root) => holdsPersonalCode?.(root) ?? false);
}

/** `policy remove`: what became of a pattern, as lines. */
export function removedRule(rules: Pick<RuleStore, 'remove'>, pattern: string, t: Translate): Changed {
  try {
    const { count, left } = rules.remove(pattern);
    const shown = shownLine(pattern);
    const still = left.map(({ action, origin }) => t('policy.left', { action, pattern: shown, origin: shownLine(origin) }));
    return { done: count > 0, lines: [t(count > 0 ? 'policy.removed' : 'policy.notFound', { pattern: shown }), ...still] };
  } catch (error) {
    return { done: false, lines: [t('policy.notRemoved', { reason: error instanceof Error ? error.message : String(error) })] };
  }
}

/** The rules in force, read again after each change; answers given "always" or "never" are kept in the user's own file. */
export function ruleStore(config: Config): RuleStore {
  const globalFile = join(config.state, 'coder_policy.json');
  const localFiles = [join(config.root, 'coder_policy.json'), join(config.root, '.chatcli', 'coder_policy.json')];
  let trust = config.trust;
  const trustedLocal = (path: string, text: string) => {
    const within = relative(config.root, path).split(sep).join('/');
    return accepts(trust, within, text) || (wasPinned(trust, within) ? ('changed' as const) : false);
  };
  const load = () =>
    loadRules({
      globalFile,
      localFiles,
      trustedLocal,
      allow: config.allow,
      deny: config.deny,
      originOf: (action, pattern) => config.ruleOrigins[`${action} ${pattern}`],
      idle: config.idleRules,
    });
  let rules = load();
  /** What a person answered in this session holds in it, whatever a project's own file replaces. */
  let answered: readonly Rule[] = [];
  return {
    current: () => (answered.length === 0 ? rules : { ...rules, rules: [...rules.rules, ...answered] }),
    async remember(question, answer) {
      const { ruleFor } = await import('../policy/remember.js');
      try {
        const made = ruleFor(question, answer);
        answered = [...answered, ...made];
        for (const rule of made) saveRule(globalFile, rule);
        rules = load();
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    remove(pattern) {
      const wanted = pattern.trim();
      const isIt = (rule: Rule) => rule.pattern === wanted;
      const session = answered.filter(isIt).length;
      // What was answered is taken back also where the file is broken.
      answered = answered.filter((rule) => !isIt(rule));
      const count = removeRule(globalFile, wanted);
      rules = load();
      return { count: Math.max(count, session), left: rules.rules.filter(isIt) };
    },
    trust(next) {
      trust = next;
      rules = load();
    },
    trusted: () => trust,
  };
}
