/** Detects Cargo tests. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Detector, Project, Selection, TestPlan } from './plan.js';
import { levelWith, needProgram, readText } from './project.js';

/** Names of integration tests (`tests/NAME.rs`, `tests/NAME/main.rs`) and module paths of unit tests. */
function chosenTargets(base: string, files: readonly string[]): { readonly integration: string[]; readonly modules: string[] } {
  const integration = new Set<string>();
  const modules = new Set<string>();
  for (const file of files) {
    const path = relative(base, file);
    const test = /^tests\/(?:([^/]+)\.rs|([^/]+)\/.+\.rs)$/.exec(path);
    if (test) integration.add((test[1] ?? test[2]) as string);
    else
      modules.add(
        path
          .replace(/^src\//, '')
          .replace(/\.rs$/, '')
          .replace(/(^|\/)(mod|lib|main)$/, '')
          .split('/')
          .filter(Boolean)
          .join('::'),
      );
  }
  return { integration: [...integration], modules: [...modules] };
}

function plan(project: Project, base: string, selection: Selection): TestPlan {
  const file = needProgram(project, 'cargo', 'this is a Cargo package');
  const common = {
    title: 'cargo test',
    file,
    cwd: selection.kind === 'files' ? base : project.folder,
    env: { RUST_BACKTRACE: '0', CARGO_TERM_COLOR: 'never' },
  };
  const words = ['test', '--no-fail-fast'];
  if (selection.kind === 'all') return { ...common, args: words };
  const { integration, modules } = chosenTargets(base, selection.files);
  const targets = integration.flatMap((name) => ['--test', name]);
  if (modules.length === 0) return { ...common, args: [...words, ...targets] };
  const units = [
    ...(/^\s*\[lib\]/m.test(readText(base, 'Cargo.toml')) || readText(base, 'src/lib.rs') !== '' ? ['--lib'] : []),
    '--bins',
  ];
  if (integration.length > 0)
    return {
      ...common,
      args: [...words, ...targets, ...units],
      notes: ['unit tests of all modules ran beside the chosen integration tests'],
    };
  const filters = modules.includes('') ? [] : modules.map((name) => `${name}::`);
  return { ...common, args: [...words, ...units, ...(filters.length > 0 ? ['--', ...filters] : [])] };
}

function holdsTests(file: string): boolean {
  try {
    return /#\[(?:\w+::)*test\b|#\[cfg\(test\)\]/.test(readFileSync(file, 'utf8'));
  } catch {
    return false;
  }
}

export const detectRust: Detector = (project) => {
  const level = levelWith(project, 'Cargo.toml');
  if (level === undefined) return undefined;
  return {
    name: 'cargo test',
    isTestFile: (path) => path.endsWith('.rs') && (/(^|\/)tests\//.test(path) || holdsTests(join(project.folder, path))),
    plan: (selection) => plan(project, level.path, selection),
  };
};
