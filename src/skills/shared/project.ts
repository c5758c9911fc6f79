/** Finds out which projects a folder belongs to or holds, through the tree tool alone. */
import type { JsonObject } from '../../types/json.js';
import type { ScriptContext } from '../../types/skill.js';
import type { ToolResult } from '../../types/tool.js';
import { foldersAbove, fromFolder, tidyPath, within } from './paths.js';
import { together } from './pool.js';
import { READ_TOOL, readWhole } from './read-whole.js';
import { filesInTree } from './tree-text.js';

export type EcosystemId = 'go' | 'javascript' | 'python' | 'rust' | 'java';

/** Files that make a folder a project, strongest first. */
const MARKERS: Readonly<Record<EcosystemId, readonly string[]>> = {
  go: ['go.mod', 'go.work'],
  rust: ['Cargo.toml'],
  java: ['pom.xml', 'build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts', 'mvnw', 'gradlew'],
  javascript: ['package.json'],
  python: ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'Pipfile'],
};
/** Further files scripts ask about. */
const BESIDE = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  'tsconfig.json',
  'biome.json',
  'biome.jsonc',
  'eslint.config.*',
  '.eslintrc*',
  '.prettierrc*',
  'prettier.config.*',
  'uv.lock',
  'poetry.lock',
  'Pipfile.lock',
  'tox.ini',
  '.flake8',
  'mypy.ini',
  'ruff.toml',
  '.ruff.toml',
  'pytest.ini',
  'Cargo.lock',
  'go.sum',
  '.golangci.*',
];
const NAMES = [...Object.values(MARKERS).flat(), ...BESIDE];
const ORDER = Object.keys(MARKERS) as EcosystemId[];
export const TREE_TOOL = '@coder tree';
/** How deep projects below a folder are looked for, and how many are taken. */
const DEPTH = 4;
const MOST_PROJECTS = 12;

export interface Level {
  readonly dir: string;
  readonly names: ReadonlySet<string>;
}

export interface Project {
  readonly id: EcosystemId;
  /** Where its marker lies; commands run there. */
  readonly dir: string;
  readonly marker: string;
  /** The part that was asked for: the same folder, or one below it. */
  readonly at: string;
  /** Its folder and those above it, nearest first. */
  readonly levels: readonly Level[];
}

export interface Found {
  readonly taken: readonly Project[];
  /** Projects seen and left alone. */
  readonly others: readonly Project[];
  /** The folder could not be listed. */
  readonly fault?: ToolResult;
}

async function namesIn(context: ScriptContext, dir: string, depth: number): Promise<Map<string, Set<string>> | ToolResult> {
  const result = await context.call(TREE_TOOL, { dir, depth, glob: NAMES, include_hidden: true, max_entries: 4000 });
  if (result.isError) return result;
  const byFolder = new Map<string, Set<string>>([[dir, new Set()]]);
  for (const file of filesInTree(result.output).files) {
    const cut = file.lastIndexOf('/');
    const folder = cut === -1 ? dir : within(dir, file.slice(0, cut));
    const names = byFolder.get(folder) ?? new Set();
    names.add(file.slice(cut + 1));
    byFolder.set(folder, names);
  }
  return byFolder;
}

const isResult = (value: Map<string, Set<string>> | ToolResult): value is ToolResult => 'isError' in value;

function projectsOf(levels: readonly Level[], at?: string): Project[] {
  const [here] = levels;
  if (!here) return [];
  return ORDER.flatMap((id) => {
    const marker = MARKERS[id].find((name) => here.names.has(name));
    return marker === undefined ? [] : [{ id, dir: here.dir, marker, at: at ?? here.dir, levels }];
  });
}

/** The folder's own projects; else those of the nearest folder above; else those below it. */
export async function findProjects(context: ScriptContext, folder: string, only?: string): Promise<Found> {
  const dir = tidyPath(folder);
  const below = await namesIn(context, dir, DEPTH);
  if (isResult(below)) return { taken: [], others: [], fault: below };
  const above: Level[] = [];
  const looked = await together(foldersAbove(dir), async (path) => ({ path, names: await namesIn(context, path, 1) }));
  for (const { path, names } of looked) {
    if (isResult(names)) break;
    above.push({ dir: path, names: names.get(path) ?? new Set() });
  }
  const levels = [{ dir, names: below.get(dir) ?? new Set<string>() }, ...above];
  const wanted = (project: Project) => only === undefined || project.id === only;
  const nested = [...below]
    .filter(([path]) => path !== dir)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, names]) => projectsOf(levelsAt(path, names, below, levels)));
  for (let start = 0; start < levels.length; start++) {
    const all = projectsOf(levels.slice(start), dir);
    const taken = all.filter(wanted);
    if (taken.length > 0) {
      const ids = new Set(all.map(({ id }) => id));
      const others = [...all.filter((project) => !wanted(project)), ...nested.filter(({ id }) => !ids.has(id))];
      return { taken, others };
    }
  }
  const taken = outermost(nested.filter(wanted));
  return { taken: taken.slice(0, MOST_PROJECTS), others: [...taken.slice(MOST_PROJECTS), ...nested.filter((p) => !wanted(p))] };
}

/** Packages of a workspace are run from its root, not once more each. */
function outermost(projects: readonly Project[]): Project[] {
  return projects.filter(
    (one) => !projects.some((other) => other !== one && other.id === one.id && one.dir.startsWith(`${other.dir}/`)),
  );
}

function levelsAt(
  path: string,
  names: ReadonlySet<string>,
  below: ReadonlyMap<string, Set<string>>,
  levels: readonly Level[],
): Level[] {
  const top = levels[0]?.dir ?? '.';
  const between = foldersAbove(path).filter((folder) => (top === '.' ? folder !== '.' : folder.startsWith(`${top}/`)));
  return [{ dir: path, names }, ...between.map((dir) => ({ dir, names: below.get(dir) ?? new Set<string>() })), ...levels];
}

/** The nearest level that has one of the names, and the name. */
export function nearest(project: Project, ...names: readonly string[]): { dir: string; name: string } | undefined {
  for (const { dir, names: here } of project.levels) {
    const name = names.find((wanted) =>
      wanted.endsWith('*') ? [...here].some((n) => n.startsWith(wanted.slice(0, -1))) : here.has(wanted),
    );
    if (name !== undefined) return { dir, name };
  }
  return undefined;
}

const SMALL = 1024 * 1024;

/** Text of a small file of the project's own folder, or an empty string. */
export async function textIn(context: ScriptContext, dir: string, name: string): Promise<string> {
  return (await readWhole(context, within(dir, name), SMALL)) ?? '';
}

/** A program of the project itself below one of its levels (`node_modules/.bin/x`), as its folder names it. */
export async function localProgram(context: ScriptContext, project: Project, path: string): Promise<string | undefined> {
  for (const { dir } of project.levels) {
    const file = within(dir, path);
    const result = await context.call(READ_TOOL, { file, head: 1 });
    if (!result.isError) {
      const word = fromFolder(project.dir, file);
      return word.includes('/') ? (word.startsWith('.') || word.startsWith('/') ? word : `./${word}`) : `./${word}`;
    }
  }
  return undefined;
}

/** `go (go.mod in api)`. */
export const shownProject = ({ id, marker, dir }: Project): string => `${id} (${marker}${dir === '.' ? '' : ` in ${dir}`})`;

/** Sentences on what was taken and what was not. */
export function projectNotes({ taken, others }: Found): string[] {
  const notes = taken.length === 0 ? [] : [`taken: ${taken.map(shownProject).join(', ')}`];
  if (others.length > 0)
    notes.push(
      `also here, not looked at: ${others.slice(0, 10).map(shownProject).join(', ')}${others.length > 10 ? `, and ${others.length - 10} more` : ''} (dir or ecosystem chooses)`,
    );
  return notes;
}

export const projectData = (projects: readonly Project[]): JsonObject[] =>
  projects.map(({ id, dir, marker }) => ({ ecosystem: id, dir, marker }));

export const NO_PROJECT =
  'no project was found: looked for go.mod, package.json, pyproject.toml, setup.py, setup.cfg, requirements.txt, Cargo.toml, pom.xml and build.gradle here, above and below';
