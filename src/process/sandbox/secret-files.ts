/** Decides how a sandbox treats each `.env` of a workspace: hidden, but never so that git would record the emptiness. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { gitEnv, safeWords } from '../git-settings.js';
import { whichSystem } from '../which.js';
import { isBelow, look, stablePath } from './stable-path.js';
import type { PlaceRule } from './types.js';

export interface SecretOptions {
  /** Folders files are judged from: the workspace and every repository in it. */
  readonly repositories: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The empty document that stands for a hidden file. */
  readonly stub: string | undefined;
}

const GIT_MS = 5000;
const MOST_BYTES = 1024 * 1024;
const MOST_GROUPS = 12;
const EXAMPLE_ENDINGS = ['example', 'sample', 'template', 'dist'];
const MOST_FILES = 500;

/**
 * `empty`: git ignores it (or there is no git), programs find an empty file. `closed`: it cannot be opened, since git would
 * record an empty file. `open`: exactly this content stands in the index, where anybody can read it, or in the example beside it.
 */
type Treatment = 'empty' | 'closed' | 'open';

/** Makes rules for secret files; asks git again only when a file that matters changed. One for the life of a sandbox. */
export function createSecretRules(): (files: readonly string[], options: SecretOptions) => Promise<PlaceRule[]> {
  let kept: { readonly stamp: string; readonly treatments: ReadonlyMap<string, Treatment> } | undefined;
  return async (files, options) => {
    if (files.length === 0) return [];
    const groups = groupsOf(files, options.repositories);
    const stamp = stampOf(groups);
    if (kept?.stamp !== stamp) kept = { stamp, treatments: await allTreatments(groups, options) };
    const { treatments } = kept;
    return files.flatMap((file): PlaceRule[] => {
      const treatment = treatments.get(file) ?? 'closed';
      const path = stablePath(file, () => false);
      if (treatment === 'open' || path === undefined || look(path)?.isFile() !== true) return [];
      return [
        treatment === 'empty' && options.stub !== undefined
          ? { kind: 'hide-file', path, stub: options.stub }
          : { kind: 'hide-file', path },
      ];
    });
  };
}

/** Files by the deepest repository (or workspace) they lie in. */
function groupsOf(files: readonly string[], repositories: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const file of files) {
    let top = '/';
    for (const folder of repositories) if (isBelow(file, folder) && folder.length > top.length) top = folder;
    groups.set(top, [...(groups.get(top) ?? []), file]);
  }
  return groups;
}

async function allTreatments(
  groups: ReadonlyMap<string, readonly string[]>,
  options: SecretOptions,
): Promise<Map<string, Treatment>> {
  const found = new Map<string, Treatment>();
  for (const [top, all] of [...groups].slice(0, MOST_GROUPS)) {
    const files = all.slice(0, MOST_FILES);
    const treatments = await treatmentsOf(top, files, options);
    for (const [index, file] of files.entries()) found.set(file, isExample(file) ? 'open' : (treatments[index] ?? 'closed'));
  }
  return found;
}

/** Times of everything the answer depends on: the files, the ignore files above them, index and excludes. */
function stampOf(groups: ReadonlyMap<string, readonly string[]>): string {
  const paths = new Set<string>();
  for (const [top, files] of groups) {
    for (const path of gitFiles(top)) paths.add(path);
    for (const file of files) {
      paths.add(file);
      for (const ending of EXAMPLE_ENDINGS) paths.add(join(dirname(file), `.env.${ending}`));
      for (let folder = dirname(file); isBelow(folder, top) && folder !== '/'; folder = dirname(folder))
        paths.add(join(folder, '.gitignore'));
    }
  }
  return [...paths]
    .map((path) => {
      const stat = look(path);
      return stat === undefined ? `${path}\0-` : `${path}\0${stat.ino}.${stat.size}.${stat.mtimeMs}.${stat.ctimeMs}`;
    })
    .join('\0');
}

/** What of the repository a folder lies in decides about tracking and ignoring. */
function gitFiles(top: string): string[] {
  for (let folder = top; ; folder = dirname(folder)) {
    const entry = join(folder, '.git');
    if (look(entry) !== undefined) {
      const pointer = look(entry)?.isFile()
        ? /^gitdir: (.+?)\s*$/m.exec(smallBytes(entry)?.toString('utf8') ?? '')?.[1]
        : undefined;
      const data = pointer === undefined ? entry : resolve(folder, pointer);
      return [entry, ...['index', 'info/exclude', 'config', 'HEAD'].map((name) => join(data, name)), join(folder, '.gitignore')];
    }
    if (folder === '/') return [];
  }
}

async function treatmentsOf(top: string, files: readonly string[], options: SecretOptions): Promise<Treatment[]> {
  const git = whichSystem('git', options.env);
  if (git === undefined) return files.map(() => 'empty');
  const names = files.map((file) => relative(top, file));
  const [listed, ignored] = await Promise.all([
    // Both read the index and the ignore files only: no content filter, no hook and no monitor of the repository runs.
    runGit(git, ['--literal-pathspecs', 'ls-files', '-z', '--stage', '--', ...names], { top, env: options.env }, ''),
    runGit(
      git,
      ['check-ignore', '-z', '--stdin', '--no-index'],
      { top, env: options.env },
      names.map((name) => `${name}\0`).join(''),
    ),
  ]);
  if (listed === 'no repository') return files.map(() => 'empty');
  if (listed === undefined || ignored === undefined || ignored === 'no repository') return files.map(() => 'closed');
  const tracked = new Map(
    listed
      .split('\0')
      .map((line) => /^\d+ ([0-9a-f]+) (\d)\t([\s\S]*)$/.exec(line))
      .filter((match) => match !== null)
      .map((match) => [match[3] as string, match[2] === '0' ? (match[1] as string) : 'conflict']),
  );
  const skipped = new Set(ignored.split('\0'));
  return files.map((file, index) => {
    const name = names[index] as string;
    const blob = tracked.get(name);
    if (blob !== undefined) return isBlob(file, blob) ? 'open' : 'closed';
    return skipped.has(name) ? 'empty' : 'closed';
  });
}

/** Is it a mere copy of the example beside it? Then there is nothing in it to hide. */
function isExample(file: string): boolean {
  const bytes = smallBytes(file);
  if (bytes === undefined || bytes.length === 0) return false;
  return EXAMPLE_ENDINGS.some((ending) => smallBytes(join(dirname(file), `.env.${ending}`))?.equals(bytes) === true);
}

function smallBytes(file: string): Buffer | undefined {
  try {
    const stat = look(file);
    return stat?.isFile() && stat.size <= MOST_BYTES ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  }
}

/** Is this the file's content, byte for byte, under git's name for it? */
function isBlob(file: string, name: string): boolean {
  const bytes = smallBytes(file);
  if (bytes === undefined) return false;
  const hash = createHash(name.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex') === name;
}

function runGit(
  git: string,
  words: readonly string[],
  options: { readonly top: string; readonly env: SecretOptions['env'] },
  input: string,
): Promise<string | 'no repository' | undefined> {
  return new Promise((done) => {
    const child = execFile(
      git,
      [...safeWords(), ...words],
      { cwd: options.top, env: gitEnv(options.env, []), timeout: GIT_MS, maxBuffer: 4 * 1024 * 1024, encoding: 'utf8' },
      (error, stdout, stderr) => {
        // check-ignore ends with 1 when nothing is ignored.
        if (error === null || error.code === 1) done(stdout);
        else done(error.code === 128 && /not a git repository/.test(stderr) ? 'no repository' : undefined);
      },
    );
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}
