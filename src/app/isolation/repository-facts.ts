/** What a private repository takes from the user's: the commit it stands on, the names of refs, what lies in the work tree. */
import { checkOutcome, type GitOptions, openRepository, type Repository, runGit } from '../../process/git.js';
import { because, ReasonError } from '../../types/reason.js';

export interface Tracked {
  readonly path: string;
  /** Git's mode: 120000 a link, 160000 a submodule. */
  readonly mode: string;
  /** Left out of the work tree by a sparse checkout. */
  readonly sparse: boolean;
}

export interface RepositoryFacts {
  readonly repository: Repository;
  /** Full name of the commit. */
  readonly head: string;
  /** `refs/heads/…`; undefined: no branch is checked out. */
  readonly branch: string | undefined;
  /** Branches, tags and remote branches: `NAME REF`. */
  readonly refs: readonly string[];
  /** Files of the commit: path -> git's mode and name of the bytes. */
  readonly committed: ReadonlyMap<string, { readonly mode: string; readonly id: string }>;
  readonly tracked: readonly Tracked[];
  /** New files that are not ignored. */
  readonly others: readonly string[];
  /** Settings without which the same files would look changed: `KEY`, value. */
  readonly settings: readonly (readonly [string, string])[];
  /** Real places in the user's repository. */
  readonly objects: string;
  readonly exclude: string;
  readonly shallow: string;
}

/** Bytes of one list of files. */
const LIST_BYTES = 64 * 1024 * 1024;
const MOST_REFS = 20_000;
const SETTINGS = new Set([
  'core.autocrlf',
  'core.eol',
  'core.ignorecase',
  'core.filemode',
  'core.symlinks',
  'core.precomposeunicode',
  'core.excludesfile',
  'core.attributesfile',
  'core.longpaths',
  'extensions.objectformat',
  'i18n.commitencoding',
  'user.name',
  'user.email',
]);

/** Throws an Error (where it is ours, ReasonError) that says why nothing can be isolated: no git, no repository, no commit yet. */
export async function repositoryFacts(git: GitOptions): Promise<RepositoryFacts> {
  const repository = await openRepository(git);
  const whole = { ...git, cwd: repository.top, keepBytes: LIST_BYTES, rawText: true };
  const found = await runGit(repository, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], whole);
  if (found.exitCode !== 0) throw new ReasonError(because`the repository has no commit yet`);
  const ask = async (...words: string[]): Promise<string> => {
    const outcome = await runGit(repository, words, whole);
    checkOutcome(outcome, `git ${words[0]}`, words[0] === 'symbolic-ref' ? [0, 1] : [0]);
    if (outcome.totalBytes >= LIST_BYTES) throw new ReasonError(because`the repository holds too many files to be copied`);
    return outcome.output;
  };
  const place = async (name: string): Promise<string> =>
    (await ask('rev-parse', '--path-format=absolute', '--git-path', name)).replace(/\n$/, '');
  const [tree, index, others, refs, branch, config, objects, exclude, shallow] = await Promise.all([
    ask('ls-tree', '-r', '-z', '--full-tree', 'HEAD'),
    ask('ls-files', '-z', '-t', '--stage'),
    ask('ls-files', '-z', '--others', '--exclude-standard'),
    ask('for-each-ref', `--count=${MOST_REFS}`, '--format=%(objectname) %(refname)', 'refs/heads', 'refs/tags', 'refs/remotes'),
    ask('symbolic-ref', '--quiet', 'HEAD'),
    ask('config', '--list', '-z', '--show-scope'),
    place('objects'),
    place('info/exclude'),
    place('shallow'),
  ]);
  return {
    repository,
    head: found.output.trim(),
    branch: branch.trim().startsWith('refs/heads/') ? branch.trim() : undefined,
    refs: refs.split('\n').filter(Boolean),
    committed: committedIn(tree),
    tracked: trackedIn(index),
    others: others.split('\0').filter((path) => path !== '' && !path.endsWith('/')),
    settings: settingsIn(config),
    objects,
    exclude,
    shallow,
  };
}

/** `MODE TYPE NAME\tPATH\0`… */
function committedIn(text: string): Map<string, { readonly mode: string; readonly id: string }> {
  const files = new Map<string, { readonly mode: string; readonly id: string }>();
  for (const row of text.split('\0')) {
    const parts = /^(\d+) \w+ ([0-9a-f]+)\t([\s\S]+)$/.exec(row);
    if (parts?.[1] && parts[2] && parts[3]) files.set(parts[3], { mode: parts[1], id: parts[2] });
  }
  return files;
}

/** `TAG MODE NAME STAGE\tPATH\0`…; a file in conflict stands there several times. */
function trackedIn(text: string): Tracked[] {
  const files = new Map<string, Tracked>();
  for (const row of text.split('\0')) {
    const parts = /^(\S) (\d+) [0-9a-f]+ \d\t([\s\S]+)$/.exec(row);
    if (parts?.[1] && parts[2] && parts[3]) files.set(parts[3], { path: parts[3], mode: parts[2], sparse: parts[1] === 'S' });
  }
  return [...files.values()];
}

/** `SCOPE\0KEY\nVALUE\0`…; those of the user and the system count anyway. */
function settingsIn(text: string): [string, string][] {
  const fields = text.split('\0');
  const found: [string, string][] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [key = '', ...value] = (fields[index + 1] ?? '').split('\n');
    const own = fields[index] === 'local' || fields[index] === 'worktree';
    if (own && SETTINGS.has(key.toLowerCase()) && value.length > 0) found.push([key, value.join('\n')]);
  }
  return found;
}
