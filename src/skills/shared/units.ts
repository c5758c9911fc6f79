/** Finds what a language makes public, and which names its tests use. Reads lines, not syntax: see `find-untested`. */
import { posix } from 'node:path';
import type { SearchHit } from '../../types/tool.js';
import type { EcosystemId } from './project.js';

export interface Unit {
  readonly name: string;
  /** The type a method belongs to. */
  readonly owner?: string;
  readonly file: string;
  readonly line: number;
}

export interface Language {
  readonly include: readonly string[];
  /** Search term for the lines that `units` wants. */
  readonly term: string;
  readonly isTest: (path: string) => boolean;
  /** Globs of test files. */
  readonly tests: readonly string[];
  /** Public units of one file, its hits in order of lines. */
  units(file: string, hits: readonly SearchHit[]): Unit[];
  /** Lines of a source file that are tests themselves. */
  inlineTests?(hits: readonly SearchHit[]): readonly SearchHit[];
  /** Tests of a unit lie in its own folder, if anywhere. */
  readonly sameFolder?: boolean;
}

const go: Language = {
  include: ['*.go'],
  term: '^func\\s',
  isTest: (path) => path.endsWith('_test.go'),
  tests: ['*_test.go'],
  sameFolder: true,
  units: (file, hits) =>
    hits.flatMap(({ line, text }) => {
      const match =
        /^func\s+(?:\(\s*(?:[\p{L}_][\p{L}\p{N}_]*\s+)?\*?\s*([\p{L}_][\p{L}\p{N}_]*)(?:\[[^\]]*\])?\s*\)\s*)?(\p{Lu}[\p{L}\p{N}_]*)/u.exec(
          text,
        );
      const [, owner, name] = match ?? [];
      // A method of a type that is not exported is no part of the package's face.
      if (name === undefined || (owner !== undefined && !/^\p{Lu}/u.test(owner))) return [];
      return [{ name, ...(owner !== undefined && { owner }), file, line }];
    }),
};

const javascript: Language = {
  include: ['*.ts', '*.tsx', '*.mts', '*.cts', '*.js', '*.jsx', '*.mjs', '*.cjs'],
  term: '^(export\\s|(module\\.)?exports\\.)',
  isTest: (path) => /[._-](?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)(?:__tests__|tests?|spec)\//.test(path),
  tests: ['*.test.*', '*.spec.*', '*-test.*', '*_test.*', '**/__tests__/**', '**/test/**', '**/tests/**', '**/spec/**'],
  units: (file, hits) =>
    /\.d\.[cm]?ts$/.test(file)
      ? []
      : hits.flatMap(({ line, text }) => {
          const match =
            /^export\s+(?:default\s+)?(?:async\s+)?(?:function\s*\*?|(?:abstract\s+)?class)\s+([\p{L}_$][\p{L}\p{N}_$]*)/u.exec(
              text,
            ) ??
            /^export\s+(?:const|let|var)\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|\(|<|[\p{L}_$][\p{L}\p{N}_$]*\s*=>)/u.exec(
              text,
            ) ??
            /^(?:module\.)?exports\.([\p{L}_$][\p{L}\p{N}_$]*)\s*=/u.exec(text);
          return match ? [{ name: match[1] as string, file, line }] : [];
        }),
};

/** Functions of the top level and methods right below a class; a leading underscore is private. */
function pythonUnits(file: string, hits: readonly SearchHit[]): Unit[] {
  const units: Unit[] = [];
  let owner: string | undefined;
  let indent: number | undefined;
  for (const { line, text } of hits) {
    const match = /^(\s*)(?:(class)|(?:async\s+)?def)\s+([\p{L}_][\p{L}\p{N}_]*)/u.exec(text);
    if (!match) continue;
    const depth = (match[1] ?? '').length;
    const name = match[3] as string;
    if (depth === 0) {
      owner = match[2] === undefined ? undefined : name;
      indent = undefined;
      if (owner === undefined && !name.startsWith('_')) units.push({ name, file, line });
    } else if (owner !== undefined && match[2] === undefined) {
      indent ??= depth;
      if (depth === indent && !name.startsWith('_') && !owner.startsWith('_')) units.push({ name, owner, file, line });
    }
  }
  return units;
}

const python: Language = {
  include: ['*.py'],
  term: '^\\s*(class|(async\\s+)?def)\\s+\\w+',
  isTest: (path) => /(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.py$|(?:^|\/)tests?\//.test(path),
  tests: ['test_*.py', '*_test.py', '**/tests/**/*.py', '**/test/**/*.py'],
  units: pythonUnits,
};

function rustUnits(file: string, hits: readonly SearchHit[]): Unit[] {
  const units: Unit[] = [];
  let owner: string | undefined;
  for (const { line, text } of hits) {
    if (/^#\[cfg\(test\)\]/.test(text)) break;
    if (/^\}/.test(text)) owner = undefined;
    const block = /^(?:unsafe\s+)?impl(?:<.*?>)?\s+(?:.*\sfor\s+)?(?:[\w]+::)*([\p{L}_][\p{L}\p{N}_]*)/u.exec(text);
    if (block) owner = block[1];
    const match = /^\s*pub\s+(?:(?:const|async|unsafe|extern\s+"[^"]*")\s+)*fn\s+([\p{L}_][\p{L}\p{N}_]*)/u.exec(text);
    if (match) units.push({ name: match[1] as string, ...(owner !== undefined && /^\s/.test(text) && { owner }), file, line });
  }
  return units;
}

const rust: Language = {
  include: ['*.rs'],
  term: '\\S',
  isTest: (path) => /(?:^|\/)tests\//.test(path),
  tests: ['**/tests/**/*.rs'],
  units: rustUnits,
  inlineTests(hits) {
    const from = hits.findIndex(({ text }) => /^#\[cfg\(test\)\]/.test(text));
    return from === -1 ? [] : hits.slice(from);
  },
};

const java: Language = {
  include: ['*.java'],
  term: '^\\s+([\\w@]+\\s+)*public\\s+.*\\(',
  isTest: (path) => /(?:^|\/)src\/(?:test|it|integrationTest)\/|(?:Tests?|IT)\.java$/.test(path),
  tests: ['**/src/test/**/*.java', '*Test.java', '*Tests.java', '*IT.java'],
  units: (file, hits) =>
    hits.flatMap(({ line, text }) => {
      const match =
        /\bpublic\s+(?:(?:static|final|synchronized|default|abstract)\s+)*(?:<[^>]+>\s+)?[\w<>[\],.? ]+\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*\(/u.exec(
          text,
        );
      const name = match?.[1];
      if (name === undefined || name === 'main' || /\b(?:class|record|enum|interface|new)\b/.test(text)) return [];
      return [{ name, owner: posix.basename(file, '.java'), file, line }];
    }),
};

export const LANGUAGES: Readonly<Record<EcosystemId, Language>> = { go, javascript, python, rust, java };

/** What the tests of one file mention, comments and strings taken out. */
export interface Mentions {
  readonly file: string;
  readonly words: ReadonlySet<string>;
  /** Names that stand behind a dot. */
  readonly members: ReadonlySet<string>;
}

const STRINGS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g;

export function mentionsOf(file: string, lines: readonly string[]): Mentions {
  const words = new Set<string>();
  const members = new Set<string>();
  for (const line of lines) {
    const code = line.replace(STRINGS, '""').replace(/(?:\/\/|(?:^|\s)#(?!\[)).*$/, '');
    for (const match of code.matchAll(/(\.|::)?([\p{L}_$][\p{L}\p{N}_$]*)/gu)) {
      words.add(match[2] as string);
      if (match[1] !== undefined) members.add(match[2] as string);
    }
  }
  return { file, words, members };
}

/** Whether some test mentions the unit: a method together with its type, a Go name in its own package or behind a dot. */
export function isMentioned(unit: Unit, tests: readonly Mentions[], language: Language): boolean {
  const folder = posix.dirname(unit.file);
  const { owner, name } = unit;
  return tests.some(({ file, words, members }) => {
    const isNear = posix.dirname(file) === folder;
    if (owner !== undefined) {
      const named = [`Test${owner}_${name}`, `Test${owner}${name}`, `test_${owner}_${name}`.toLowerCase()].some((test) =>
        words.has(test),
      );
      return (
        (named && (isNear || language.sameFolder !== true)) ||
        (members.has(name) && (words.has(owner) || words.has(`New${owner}`)))
      );
    }
    if (language.sameFolder === true && !isNear) return members.has(name);
    return words.has(name) || words.has(`Test${name}`) || words.has(`Test_${name}`);
  });
}
