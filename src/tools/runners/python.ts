/** Detects Python tests: pytest where it is meant or there, otherwise unittest. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runCommand } from '../../process/run-command.js';
import { which } from '../../process/which.js';
import { ToolFault } from '../../types/tool.js';
import { hasFile, listFiles } from './find-test-files.js';
import type { Detector, Project, Selection, TestPlan } from './plan.js';
import { fileArguments, levelWith, readText } from './project.js';

const TEST_FILE = /(^|\/)(test_[^/]*|[^/]+_test|tests)\.py$/;
const MARKERS = [
  'pytest.ini',
  '.pytest.ini',
  'pyproject.toml',
  'tox.ini',
  'setup.cfg',
  'setup.py',
  'conftest.py',
  'requirements.txt',
  'Pipfile',
  'manage.py',
];
const CHECK_MS = 20_000;

/** The project's own interpreter first. */
function interpreterOf(project: Project, base: string): string | undefined {
  const virtual = project.env['VIRTUAL_ENV'];
  const own = [
    join(base, '.venv', 'bin', 'python'),
    join(base, 'venv', 'bin', 'python'),
    ...(virtual ? [join(virtual, 'bin', 'python')] : []),
  ];
  return own.find((file) => existsSync(file)) ?? which('python3', project.env) ?? which('python', project.env);
}

function wantsPytest(project: Project, base: string): boolean {
  if (levelWith(project, 'pytest.ini', '.pytest.ini', 'conftest.py') !== undefined) return true;
  const texts = [
    'pyproject.toml',
    'tox.ini',
    'setup.cfg',
    'requirements.txt',
    'requirements-dev.txt',
    'dev-requirements.txt',
    'Pipfile',
  ];
  return texts.some((name) => /\bpytest\b/.test(readText(base, name)));
}

/** Whether the interpreter finds pytest. Nothing of the project is imported: only the search is asked. */
async function hasPytest(project: Project, python: string, base: string): Promise<boolean> {
  const outcome = await runCommand({
    file: python,
    args: ['-c', 'import sys, importlib.util; sys.path = sys.path[1:]; sys.exit(importlib.util.find_spec("pytest") is None)'],
    cwd: base,
    env: project.env,
    signal: project.signal,
    timeoutMs: CHECK_MS,
    ...(project.sandbox && { sandbox: project.sandbox }),
  });
  return outcome.exitCode === 0;
}

function filesOf(project: Project, base: string, selection: Selection): string[] {
  if (selection.kind === 'files') return fileArguments(base, selection.files);
  return project.folder === base ? [] : [relative(base, project.folder)];
}

async function plan(project: Project, base: string, selection: Selection): Promise<TestPlan> {
  const python = interpreterOf(project, base);
  if (python === undefined)
    throw new ToolFault(
      'Failed',
      'there are Python tests here, but neither python3 nor python is installed; give cmd to run them another way',
    );
  if (existsSync(join(base, 'manage.py')) && !wantsPytest(project, base)) return djangoPlan(project, base, python, selection);
  const words = ['-m', 'pytest', '-q', '--color=no'];
  const files = filesOf(project, base, selection);
  if (await hasPytest(project, python, base)) return { title: 'pytest', file: python, args: [...words, ...files], cwd: base };
  const program = which('pytest', project.env);
  if (program !== undefined) return { title: 'pytest', file: program, args: ['-q', '--color=no', ...files], cwd: base };
  if (wantsPytest(project, base))
    throw new ToolFault(
      'Failed',
      `this project tests with pytest, which ${python} does not have: install it (pip install pytest), or give cmd`,
    );
  return unittestPlan(project, base, python, selection);
}

/** Django's own runner takes modules by their dotted names. */
function djangoPlan(project: Project, base: string, python: string, selection: Selection): TestPlan {
  const files = filesOf(project, base, selection);
  const labels = files.map((path) => path.replace(/\.py$/, '').replaceAll('/', '.'));
  return { title: 'manage.py test', file: python, args: ['manage.py', 'test', '--noinput', ...labels], cwd: base };
}

/** Files by name: discovery would pass over test folders that are not packages. */
function unittestPlan(project: Project, base: string, python: string, selection: Selection): TestPlan {
  const chosen =
    selection.kind === 'files'
      ? selection.files
      : listFiles(project.folder, (path) => TEST_FILE.test(path)).map((path) => join(project.folder, path));
  const args = chosen.length <= 300 || selection.kind === 'files' ? fileArguments(base, chosen) : ['discover'];
  return { title: 'python -m unittest', file: python, args: ['-m', 'unittest', ...args], cwd: base };
}

/** A folder with a Python project file or Python test files. */
export const detectPython: Detector = (project) => {
  const level = levelWith(project, ...MARKERS);
  const tests = hasFile(project.folder, (path) => TEST_FILE.test(path));
  if (!tests && (level === undefined || !wantsPytest(project, level.path))) return undefined;
  const base = level?.path ?? project.folder;
  return {
    name: wantsPytest(project, base) ? 'pytest' : 'pytest or unittest',
    isTestFile: (path) => TEST_FILE.test(path),
    plan: (selection) => plan(project, base, selection),
  };
};
