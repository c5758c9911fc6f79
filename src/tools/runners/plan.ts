/** The words of test detection: a project as it lies on disk, a runner found in it, and what will be started. */

import type { SandboxPort } from '../../types/sandbox.js';

/** Folders from the one asked for up to the workspace root, nearest first, with the names in each. */
export interface Project {
  /** Where the tests are wanted (real path). */
  readonly folder: string;
  /** Workspace root that holds it; nothing above is looked at. */
  readonly root: string;
  readonly levels: readonly Level[];
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Where programs of the project run. */
  readonly sandbox?: SandboxPort;
}

export interface Level {
  readonly path: string;
  readonly names: ReadonlySet<string>;
}

/** Which tests: all below the folder, or chosen files (absolute, sorted). */
export type Selection = { readonly kind: 'all' } | { readonly kind: 'files'; readonly files: readonly string[] };

export interface TestPlan {
  /** For people and models: `npm test`, `go test`. */
  readonly title: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly notes?: readonly string[];
  /** Folder below which `build/test-results` holds the counts as JUnit XML. */
  readonly xmlBelow?: string;
}

/** A runner that fits the project. */
export interface FoundRunner {
  readonly name: string;
  /** Whether a file (path relative to the folder) is one of its test files. */
  isTestFile(path: string): boolean;
  /** What to start. Throws ToolFault when it cannot be: not installed, or no way of choosing files. */
  plan(selection: Selection): TestPlan | Promise<TestPlan>;
}

export type Detector = (project: Project) => FoundRunner | undefined;
