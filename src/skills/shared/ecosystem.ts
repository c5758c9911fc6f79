/** What an ecosystem knows: which of its programs do what scripts ask for. */
import type { ScriptContext } from '../../types/skill.js';
import type { EcosystemId, Project } from './project.js';
import type { Step } from './step.js';

export interface Ask {
  readonly context: ScriptContext;
  readonly project: Project;
}

/** A formatter: first what it would change, then the change. */
export interface Formatter {
  /** Its findings are the files it would change. */
  readonly check: Step;
  /** The same for these files (as the workspace names them), writing. */
  write(files: readonly string[]): Step;
}

/** Regular expressions of the search tool; they match the line of a declaration. */
export interface Declarations {
  readonly include: readonly string[];
  readonly interfaces: string;
  readonly structs: string;
  readonly functions: string;
}

export interface Ecosystem {
  readonly id: EcosystemId;
  readonly declarations: Declarations;
  build(ask: Ask): Promise<readonly Step[]>;
  lint(ask: Ask): Promise<readonly Step[]>;
  coverage(ask: Ask, target?: string): Promise<readonly Step[]>;
  checkDeps(ask: Ask): Promise<readonly Step[]>;
  audit(ask: Ask): Promise<readonly Step[]>;
  outdated(ask: Ask): Promise<readonly Step[]>;
  why(ask: Ask, name: string): Promise<readonly Step[]>;
  /** `files`: only these; otherwise the whole project. */
  format(ask: Ask, files?: readonly string[]): Promise<Formatter>;
  imports(ask: Ask, files?: readonly string[]): Promise<Formatter>;
}

/** A step that cannot be run, and why. */
export const missing = (title: string, dir: string, why: string, hint?: string): Step => ({
  title,
  dir,
  missing: why,
  ...(hint !== undefined && { hint }),
  read: () => ({ state: 'not-available', summary: why }),
});

export const noFormatter = (title: string, dir: string, why: string, hint?: string): Formatter => {
  const step = missing(title, dir, why, hint);
  return { check: step, write: () => step };
};
