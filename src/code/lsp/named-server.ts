/** The server an operator's variable names: which one it is, and why it may not start in a folder that is not trusted. */
import { basename, isAbsolute } from 'node:path';
import { type FindOptions, isInside, realOf } from './server-env.js';
import { SERVER_KINDS, type ServerKind } from './servers.js';

/** Programs that run what a project says, or servers not in our table that do. */
const FOLLOWERS: ReadonlySet<string> = new Set([
  ...['rustup', 'cargo', 'bundle', 'bundler', 'bundlex', 'npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'yarnpkg', 'bunx', 'corepack'],
  ...[
    'mise',
    'asdf',
    'volta',
    'proto',
    'rbenv',
    'pyenv',
    'nodenv',
    'poetry',
    'pipenv',
    'uv',
    'uvx',
    'hatch',
    'pdm',
    'rye',
    'tox',
  ],
  ...[
    'mix',
    'gradle',
    'gradlew',
    'mvn',
    'mvnw',
    'sbt',
    'mill',
    'cs',
    'scala-cli',
    'bloop',
    'dotnet',
    'swift',
    'flutter',
    'direnv',
  ],
  ...['nix', 'nix-shell', 'devenv', 'make', 'just', 'task', 'bazel', 'buck2', 'composer', 'zig', 'lein', 'stack', 'cabal'],
  ...['vtsls', 'tsserver', 'typescript', 'vscode-eslint-language-server', 'eslint', 'eslint_d', 'eslint-lsp', 'volar', 'flow'],
  ...['vue-language-server', 'svelteserver', 'astro-ls', 'ngserver', 'jedi-language-server', 'pyls', 'pyre', 'mypy', 'dmypy'],
  ...[
    'rls',
    'ra-multiplex',
    'lspmux',
    'ccls',
    'cquery',
    'java-language-server',
    'kotlin-lsp',
    'sorbet',
    'srb',
    'steep',
    'typeprof',
  ],
  ...['roslyn', 'fsautocomplete', 'psalm', 'psalm-language-server', 'phan', 'next-ls', 'lexical', 'expert', 'golangci-lint'],
]);

/** Name of a program without folders and the endings of scripts and executables. */
const plainName = (word: string): string =>
  basename(word.replaceAll('\\', '/')).replace(/\.(exe|cmd|bat|sh|js|mjs|cjs|jar|rb|py)$/i, '');

/** Is a program spoken of in a word: as the word, or as a part of a path (`/x/typescript-language-server/lib/cli.mjs`)? */
function names(word: string, program: string): boolean {
  return plainName(word) === program || (/[\\/]/.test(word) && word.split(/[\\/]/).includes(program));
}

/** Which of the servers we know for these files the words start, and by which word. */
export function knownIn(
  words: readonly string[],
  variable: string,
): { readonly kind: ServerKind; readonly word: string } | undefined {
  const kinds = SERVER_KINDS.filter((kind) => kind.variable === variable);
  for (const word of words) {
    const kind = kinds.find(({ command }) => names(word, command[0] ?? ''));
    if (kind !== undefined) return { kind, word };
  }
  return undefined;
}

/** How messages call a program that we do not know: `node server.mjs`. */
export function nameOf([program = '', first]: readonly string[]): string {
  const script = first !== undefined && /[\\/.]/.test(first) && !first.startsWith('-') ? ` ${basename(first)}` : '';
  return `${basename(program)}${script}`.replace(/[^\p{L}\p{N} ._+@-]/gu, '').slice(0, 60) || 'server';
}

/** Why such a command must not start where the folder is not trusted; undefined: nothing speaks against it. */
export function doubtAbout(words: readonly string[], kind: ServerKind, { roots }: FindOptions): string | undefined {
  const own = words.find((word) => pathsIn(word).some((path) => isInside(path, roots) || isInside(realOf(path), roots)));
  if (own !== undefined) return `${own.slice(0, 200)} lies in this folder, which is not trusted`;
  const [program = ''] = words;
  const known = knownIn(words, kind.variable);
  const all = SERVER_KINDS.filter((each) => each.variable === kind.variable);
  const follows =
    known?.kind.runsProject ??
    (all.every((each) => each.runsProject) ||
      [...words, realOf(program)].some((word) => FOLLOWERS.has(plainName(word).toLowerCase())));
  return follows ? `${nameOf(words)} may run code of this folder, which is not trusted` : undefined;
}

/** Absolute paths in a word, also behind `--option=`. */
function pathsIn(word: string): string[] {
  return [word, word.slice(word.indexOf('=') + 1)].filter((text) => isAbsolute(text));
}
