/** What the policy judges by: the rules in force, and what the machine and the repository are like at this moment. */
import { join, relative, sep } from 'node:path';
import { isPersonalPath, personalPaths } from '../base/sensitive-paths.js';
import { ruleFor } from '../policy/remember.js';
import { loadRules, saveRule } from '../policy/rules-file.js';
import { accepts } from '../policy/trust.js';
import type { Judged, PolicyContext, Question, Rule, RuleSet } from '../types/policy.js';
import type { Workspace } from '../types/workspace.js';
import { linkBelow, personalBelow } from '../workspace/personal-below.js';
import { repositoryTraits } from '../workspace/repository-traits.js';
import type { Config } from './config.js';

export interface RuleStore {
  current(): RuleSet;
  /** The reason when the rule could not be written (a broken file is never replaced). */
  remember(question: Question, answer: 'always' | 'never'): string | undefined;
}

/** The context of a decision, made anew for each. */
export function policyView(
  config: Config,
  workspace: Workspace,
  rules: RuleStore,
  agreed: (judged: Judged) => boolean,
): () => PolicyContext {
  const personal = personalPaths(config.home);
  return () => ({
    rules: rules.current(),
    mode: config.permissionMode,
    home: config.home,
    root: workspace.root,
    roots: workspace.roots,
    allowUnsafe: config.allowUnsafe,
    locate: (path) => workspace.locate(path),
    agreed,
    traits: () => {
      const all = workspace.roots.map((root) => repositoryTraits(root));
      return { gitRuns: all.find((one) => one.gitRuns !== undefined)?.gitRuns, npmrc: all.some((one) => one.npmrc) };
    },
    personalLink: (dir) => linkBelow(dir, (path) => ['personal', 'own', 'system'].includes(workspace.locate(path).zone)),
    holdsPersonal: (dir) => personalBelow(dir, (path) => isPersonalPath(path, personal)),
  });
}

/** The rules in force, read again after each change; answers given "always" or "never" are kept in the user's own file. */
export function ruleStore(config: Config): RuleStore {
  const globalFile = join(config.state, 'coder_policy.json');
  const localFiles = [join(config.root, 'coder_policy.json'), join(config.root, '.chatcli', 'coder_policy.json')];
  const trustedLocal = (path: string, text: string) =>
    accepts(config.trust, relative(config.root, path).split(sep).join('/'), text);
  const load = () => loadRules({ globalFile, localFiles, trustedLocal, allow: [...config.allow], deny: [...config.deny] });
  let rules = load();
  /** What a person answered in this session holds in it, whatever a project's own file replaces. */
  const answered: Rule[] = [];
  return {
    current: () => (answered.length === 0 ? rules : { ...rules, rules: [...rules.rules, ...answered] }),
    remember(question: Question, answer: 'always' | 'never'): string | undefined {
      try {
        const made = ruleFor(question, answer);
        answered.push(...made);
        for (const rule of made) saveRule(globalFile, rule);
        rules = load();
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  };
}
