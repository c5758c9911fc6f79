/** Diffs made by git from generated trees, and what `git apply` makes of them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import fc from 'fast-check';

export interface TreeFile {
  readonly bytes: Buffer;
  readonly executable: boolean;
}
export type Tree = ReadonlyMap<string, TreeFile>;

export function writeTree(folder: string, tree: Tree): void {
  for (const [path, file] of tree) {
    const full = join(folder, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, file.bytes);
    chmodSync(full, file.executable ? 0o755 : 0o644);
  }
}

/** Every regular file below `folder`, `.git` and backups left out. */
export function readTree(folder: string): Map<string, TreeFile> {
  const tree = new Map<string, TreeFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const full = join(entry.parentPath, entry.name);
    const path = relative(folder, full);
    if (!entry.isFile() || path.startsWith('.git/') || path.endsWith('.bak')) continue;
    tree.set(path, { bytes: readFileSync(full), executable: (lstatSync(full).mode & 0o100) !== 0 });
  }
  return tree;
}

/** For comparing: path -> mode and bytes. */
export function shownTree(tree: Tree): Record<string, string> {
  const entries = [...tree].map(([path, file]) => [path, `${file.executable ? 'x' : '-'} ${file.bytes.toString('latin1')}`]);
  return Object.fromEntries(entries.sort());
}

export interface Oracle {
  /** What git says changed from one tree to the other. */
  diff(old: Tree, now: Tree, options?: readonly string[]): Buffer;
  /** The tree after `git apply`; undefined when git refuses. */
  apply(tree: Tree, diff: Buffer, options?: readonly string[]): Map<string, TreeFile> | undefined;
  remove(): void;
}

const QUIET = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', PATH: process.env['PATH'] ?? '', LC_ALL: 'C' };

export function makeOracle(): Oracle {
  const base = mkdtempSync(join(tmpdir(), 'chatcli-oracle-'));
  const repo = join(base, 'repo');
  mkdirSync(repo);
  const git = (args: readonly string[]) =>
    execFileSync('git', ['-c', 'core.autocrlf=false', '-c', 'core.safecrlf=false', ...args], {
      cwd: repo,
      env: QUIET,
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  git(['init', '-q']);
  const clear = (folder: string) => {
    for (const name of readdirSync(folder)) if (name !== '.git') rmSync(join(folder, name), { recursive: true, force: true });
  };
  const written = (tree: Tree): string => {
    clear(repo);
    writeTree(repo, tree);
    git(['add', '-A', '-f']);
    return git(['write-tree']).toString().trim();
  };
  const scratch = join(base, 'scratch');
  mkdirSync(scratch);
  return {
    diff(old, now, options = []) {
      const [a, b] = [written(old), written(now)];
      return git(['diff', '--no-color', '--no-ext-diff', ...options, a, b]);
    },
    apply(tree, diff, options = []) {
      clear(scratch);
      writeTree(scratch, tree);
      const patch = join(base, 'p.diff');
      writeFileSync(patch, diff);
      const run = spawnSync('git', ['apply', '--whitespace=nowarn', ...options, patch], {
        cwd: scratch,
        env: { ...QUIET, GIT_CEILING_DIRECTORIES: base },
      });
      return run.status === 0 ? readTree(scratch) : undefined;
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

const line = fc.constantFrom(
  'alpha',
  'beta',
  '\tgamma',
  '  delta',
  'epsilon ',
  '',
  '-- minus',
  '++ plus',
  '@@ -1 +1 @@',
  'diff --git a/x b/x',
  '\u00fcml',
  '\u201cq\u201d',
  '+++ b/x',
  '--- a/x',
  '\\ No newline',
  ' ',
  '*** End Patch',
  '=======',
  '}',
  'return x;',
  '```',
  'lone\rcr',
  '-',
  '+',
);
const ending = fc.constantFrom('\n', '\n', '\n', '\r\n');
const foreign = fc.constantFrom('', '', '', '', 'caf\u00e9 ', '\u00ff\u00fe');

/** Text of lines with mixed endings, perhaps a byte order mark, bytes that are not UTF-8, no final newline. */
const content = fc
  .record({
    lines: fc.array(fc.tuple(line, ending, foreign), { maxLength: 24 }),
    one: fc.option(ending, { nil: undefined }),
    bom: fc.integer({ min: 0, max: 9 }),
    open: fc.integer({ min: 0, max: 3 }),
    latin: fc.integer({ min: 0, max: 6 }),
  })
  .map(({ lines, one, bom, open, latin }) => {
    let text = lines.map(([body, end, odd]) => (latin === 0 ? odd : '') + body + (one ?? end)).join('');
    if (open === 0) text = text.replace(/\r?\n$/, '');
    return latin === 0
      ? Buffer.from(text.replace(/[\u201c\u201d]/g, '"'), 'latin1')
      : Buffer.from((bom === 0 ? '\ufeff' : '') + text, 'utf8');
  });

/** Some lines taken out, put in or replaced. */
const edits = fc.array(fc.record({ at: fc.nat(30), take: fc.nat(3), put: fc.array(fc.tuple(line, ending), { maxLength: 3 }) }), {
  minLength: 1,
  maxLength: 3,
});

function edited(
  bytes: Buffer,
  list: readonly { at: number; take: number; put: readonly (readonly [string, string])[] }[],
  openEnd: boolean,
): Buffer {
  let lines: string[] = bytes.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? [];
  for (const { at, take, put } of list) {
    const from = lines.length === 0 ? 0 : at % (lines.length + 1);
    const added = put.map(([text, end]) => Buffer.from(text + end, 'utf8').toString('latin1'));
    lines = [...lines.slice(0, from), ...added, ...lines.slice(from + take)];
  }
  const text = lines.map((one, i) => (i < lines.length - 1 && !one.endsWith('\n') ? `${one}\n` : one)).join('');
  return Buffer.from(openEnd ? text.replace(/\r?\n$/, '') : text, 'latin1');
}

const names = fc.constantFrom(
  'a.txt',
  'b.txt',
  'src/c.ts',
  'a/a.txt',
  'b/b.txt',
  'my file.txt',
  '\u00fcn\u00ef.md',
  'q"uote.txt',
  'tab\tname',
  'deep/er/x',
  'end ',
  'back\\slash',
);

/** Two trees: some files changed, made, removed, renamed, made executable. */
export const change: fc.Arbitrary<{ old: Map<string, TreeFile>; now: Map<string, TreeFile> }> = fc
  .uniqueArray(
    fc.record({
      name: names,
      content,
      executable: fc.boolean(),
      act: fc.nat(9),
      edits,
      open: fc.boolean(),
      other: names,
      fresh: content,
    }),
    {
      selector: (file) => file.name,
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((files) => {
    const old = new Map<string, TreeFile>();
    const now = new Map<string, TreeFile>();
    const taken = new Set(files.map((file) => file.name));
    for (const file of files) {
      const { name, executable } = file;
      const before = { bytes: file.content, executable };
      const after = { bytes: edited(file.content, file.edits, file.open), executable };
      if (file.act === 0) now.set(name, before);
      else old.set(name, before);
      if (file.act === 1) continue;
      if (file.act === 2) now.set(name, { ...after, executable: !executable });
      else if ((file.act === 3 || file.act === 4) && !taken.has(file.other)) {
        taken.add(file.other);
        now.set(file.other, file.act === 3 ? before : after);
      } else if (file.act > 2) now.set(name, after);
    }
    return { old, now };
  })
  .filter(({ old, now }) => JSON.stringify(shownTree(old)) !== JSON.stringify(shownTree(now)));
