/** Detects tests of JavaScript and TypeScript packages: the test script, Vitest, Jest, Mocha, node:test, Bun. */
import { join, relative } from 'node:path';
import { which } from '../../process/which.js';
import { ToolFault } from '../../types/tool.js';
import { hasFile, listFiles } from './find-test-files.js';
import { nodeTestWords, type ScriptRunner, scriptRunner } from './node-script.js';
import type { Detector, FoundRunner, Level, Project, Selection, TestPlan } from './plan.js';
import { fileArguments, levelWith, localProgram, needProgram, readText } from './project.js';

const TEST_FILE = /(^|\/)(__tests__\/.+|[^/]+\.(test|spec))\.[cm]?[jt]sx?$/;
/** What `node --test` takes without being told. */
const NODE_TEST_FILE = /(^|\/)(test\/.+|test|test-[^/]+|[^/]+[._-]test|[^/]+\.spec)\.[cm]?[jt]s$/;

interface Package {
  readonly scripts?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, unknown>>;
  readonly devDependencies?: Readonly<Record<string, unknown>>;
  readonly packageManager?: unknown;
  readonly jest?: unknown;
}

interface NodeProject {
  readonly project: Project;
  readonly base: string;
  readonly script: string | undefined;
  readonly runner: ScriptRunner;
  readonly has: (name: string) => boolean;
  readonly manager: 'npm' | 'pnpm' | 'yarn' | 'bun';
}

function readPackage(level: Level): Package {
  try {
    const value: unknown = JSON.parse(readText(level.path, 'package.json').replace(/^\ufeff/, ''));
    return typeof value === 'object' && value !== null ? (value as Package) : {};
  } catch {
    return {};
  }
}

function managerOf(project: Project, own: Package): NodeProject['manager'] {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(typeof own.packageManager === 'string' ? own.packageManager : '')?.[1];
  if (named !== undefined) return named as NodeProject['manager'];
  for (const level of project.levels) {
    if (level.names.has('bun.lock') || level.names.has('bun.lockb')) return 'bun';
    if (level.names.has('pnpm-lock.yaml')) return 'pnpm';
    if (level.names.has('yarn.lock')) return 'yarn';
    if (level.names.has('package-lock.json') || level.names.has('npm-shrinkwrap.json')) return 'npm';
  }
  return 'npm';
}

/** Without a script: the runner the package depends on or has a configuration for. */
function runnerByDependencies(level: Level, own: Package, has: NodeProject['has']): ScriptRunner {
  const config = (name: string) => [...level.names].some((file) => file.startsWith(`${name}.config.`));
  if (has('vitest') || config('vitest')) return 'vitest';
  if (has('jest') || config('jest') || own.jest !== undefined) return 'jest';
  if (has('mocha') || [...level.names].some((file) => file.startsWith('.mocharc'))) return 'mocha';
  return 'other';
}

/** `npm test -- FILES`, in the manager's own way. */
function scriptPlan(node: NodeProject, files: readonly string[], notes: readonly string[]): TestPlan {
  const { project, manager, base } = node;
  const found = which(manager, project.env) === undefined ? 'npm' : manager;
  const missing = found === manager ? [] : [`${manager} is not installed; npm ran the script`];
  const program = needProgram(
    project,
    found,
    `the test script of ${join(relative(project.root, base), 'package.json')} needs a package manager`,
  );
  const words = found === 'npm' ? ['test', ...(files.length > 0 ? ['--', ...files] : [])] : ['run', 'test', ...files];
  const quiet = { NO_UPDATE_NOTIFIER: '1', npm_config_update_notifier: 'false', npm_config_fund: 'false' };
  const env = /\breact-scripts test\b/.test(node.script ?? '') ? { ...quiet, CI: 'true' } : quiet;
  return { title: `${found} test`, file: program, args: words, cwd: base, env, notes: [...missing, ...notes] };
}

function localBin(node: NodeProject, name: string): string {
  const bin = localProgram(node.project, join('node_modules', '.bin', name));
  if (bin !== undefined) return bin;
  throw new ToolFault(
    'Failed',
    `${name} is what this package tests with, but it is not installed: run ${node.manager} install, or give cmd`,
  );
}

function directPlan(node: NodeProject, files: readonly string[]): TestPlan {
  const { base, runner } = node;
  if (runner === 'vitest') return { title: 'vitest run', file: localBin(node, 'vitest'), args: ['run', ...files], cwd: base };
  if (runner === 'jest') {
    const chosen = files.length > 0 ? ['--runTestsByPath', ...files] : [];
    return { title: 'jest', file: localBin(node, 'jest'), args: chosen, cwd: base };
  }
  if (runner === 'mocha') {
    const notes = files.length > 0 ? ['a mocha configuration may add files of its own'] : [];
    return { title: 'mocha', file: localBin(node, 'mocha'), args: [...files], cwd: base, notes };
  }
  if (runner === 'bun')
    return {
      title: 'bun test',
      file: needProgram(node.project, 'bun', 'the tests run with bun'),
      args: ['test', ...files],
      cwd: base,
    };
  return nodeTestPlan(node, files);
}

function nodeTestPlan(node: NodeProject, files: readonly string[]): TestPlan {
  const { project, base, script } = node;
  const file = needProgram(project, 'node', 'the tests run with node:test');
  const own = script === undefined ? undefined : nodeTestWords(script);
  const loader = files.some((name) => /\.[cm]?tsx?$/.test(name)) && node.has('tsx') ? ['--import', 'tsx'] : [];
  const flags = own ?? [...loader, '--test', '--test-reporter=tap'];
  return { title: 'node --test', file, args: [...flags, ...files], cwd: base };
}

function planOf(node: NodeProject, selection: Selection): TestPlan {
  const { project, base, script, runner } = node;
  const wanted =
    selection.kind === 'files' ? selection.files : project.folder === base ? undefined : testFilesOf(node, project.folder);
  if (wanted?.length === 0)
    throw new ToolFault(
      'NotFound',
      `there are no test files below ${relative(project.root, project.folder)}. No tests were run.`,
    );
  const files = wanted === undefined ? [] : fileArguments(base, wanted);
  if (script === undefined) return directPlan(node, wanted === undefined && runner === 'node' ? nodeTestDefault(node) : files);
  if (files.length === 0) return scriptPlan(node, [], []);
  if (runner === 'vitest-last' || runner === 'ava-last') return scriptPlan(node, files, []);
  if (runner === 'jest-last') return scriptPlan(node, ['--runTestsByPath', ...files], []);
  if (runner === 'other')
    return scriptPlan(node, files, ['the test script got the files as arguments; whether it keeps to them is its own matter']);
  return directPlan(node, files);
}

function testFilesOf(node: NodeProject, folder: string): string[] {
  return listFiles(folder, (path) => isTestFile(node, path)).map((path) => join(folder, path));
}

/** All files, so that no folder of dependencies is searched; too many are left to node itself. */
function nodeTestDefault(node: NodeProject): string[] {
  const files = testFilesOf(node, node.base);
  return files.length <= 300 ? fileArguments(node.base, files) : [];
}

function isTestFile(node: NodeProject, path: string): boolean {
  return TEST_FILE.test(path) || ((node.runner === 'node' || node.runner === 'other') && NODE_TEST_FILE.test(path));
}

function found(node: NodeProject, name: string): FoundRunner {
  return { name, isTestFile: (path) => isTestFile(node, path), plan: (selection) => planOf(node, selection) };
}

/** The nearest package.json with a test script, a known runner, or files node:test would run. */
export const detectNode: Detector = (project) => {
  const level = levelWith(project, 'package.json');
  if (level === undefined) return undefined;
  const own = readPackage(level);
  const all = { ...own.dependencies, ...own.devDependencies };
  const has = (name: string) => Object.hasOwn(all, name);
  const given = own.scripts?.['test'];
  const script = typeof given === 'string' && given.trim() !== '' && !given.includes('no test specified') ? given : undefined;
  const manager = managerOf(project, own);
  const base = level.path;
  const common = { project, base, script, has, manager };
  if (script !== undefined) return found({ ...common, runner: scriptRunner(script) }, `${manager} test`);
  const runner = runnerByDependencies(level, own, has);
  if (runner !== 'other') return found({ ...common, runner }, runner);
  const node: NodeProject = { ...common, runner: manager === 'bun' ? 'bun' : 'node' };
  return hasFile(base, (path) => isTestFile(node, path))
    ? found(node, node.runner === 'bun' ? 'bun test' : 'node --test')
    : undefined;
};

/** JavaScript test files without any package.json: node:test. The last resort of the JavaScript family. */
export const detectLooseNodeTests: Detector = (project) => {
  const node: NodeProject = {
    project,
    base: project.folder,
    script: undefined,
    runner: 'node',
    has: () => false,
    manager: 'npm',
  };
  return hasFile(project.folder, (path) => isTestFile(node, path) && /\.[cm]?js$/.test(path))
    ? found(node, 'node --test')
    : undefined;
};
