/** Makes one simple command of its nodes: words expanded, input texts gathered. */
import type { Assignment, CommandArgument, HereDoc, Redirection, SyntaxNode, Word } from 'unbash';
import type { Scope } from './scope.js';
import type { Cwd, ShellAssign, ShellRedirect, ShellWord, Simple } from './types.js';
import { unknownWord } from './types.js';
import { expandWhole, expandWord } from './words.js';

export interface Build {
  readonly node: SyntaxNode;
  readonly words: readonly CommandArgument[];
  readonly assignments: readonly Assignment[];
  readonly redirects: readonly Redirection[];
}

export interface Surroundings {
  readonly text: string;
  readonly scope: Scope;
  readonly source: string;
  readonly cwd: Cwd;
  readonly piped: readonly Simple[];
  readonly stdin?: readonly string[];
  readonly via: readonly string[];
  readonly away: boolean;
  readonly depth: number;
  /** Filled later with the commands of its substitutions. */
  readonly feeds: Simple[];
}

export function buildSimple(build: Build, around: Surroundings): Simple {
  const { scope } = around;
  const given = inputTexts(build.redirects, around);
  return {
    text: around.text,
    words: build.words.flatMap((word) => argument(word, scope)),
    assigns: build.assignments.map((node) => assignOf(node, scope)),
    redirects: build.redirects.filter((redirect) => redirect.type === 'Redirect').map((redirect) => redirectOf(redirect, around)),
    cwd: around.cwd,
    piped: given ? [] : around.piped,
    feeds: around.feeds,
    stdin: given ?? around.stdin,
    via: around.via,
    away: around.away,
    depth: around.depth,
  };
}

function argument(node: CommandArgument, scope: Scope): ShellWord[] {
  if (node.type === 'Word') return expandWord(node, scope);
  const { word } = assignOf(node, scope);
  const head = `${node.name}${node.append ? '+=' : '='}`;
  if (!word) return [unknownWord(node.text, { prefix: head })];
  return [
    {
      ...word,
      source: node.text,
      splits: false,
      prefix: head + word.prefix,
      values: word.values.map((value) => head + value),
      patterns: word.patterns.map((value) => head + value),
      guesses: word.guesses.map((value) => head + value),
    },
  ];
}

function assignOf(node: Assignment, scope: Scope): ShellAssign {
  const plain = node.value.type === 'Word' && !node.index;
  return {
    name: node.name,
    text: node.text,
    word: plain && node.value.type === 'Word' ? expandWhole(node.value, scope) : undefined,
  };
}

function redirectOf(node: Exclude<Redirection, HereDoc> & { type: 'Redirect' }, around: Surroundings): ShellRedirect {
  const target = node.target ? redirectTarget(node.target, around.scope) : undefined;
  return { op: node.operator, text: around.source.slice(node.pos, node.end), target };
}

function redirectTarget(word: Word, scope: Scope): ShellWord {
  const words = expandWord(word, scope);
  return words.length === 1 && words[0] ? words[0] : unknownWord(word.text);
}

/** Texts the command reads because they stand in a here-document or here-string. */
function inputTexts(redirects: readonly Redirection[], around: Surroundings): readonly string[] | undefined {
  let texts: readonly string[] | undefined;
  for (const redirect of redirects) {
    if (redirect.type === 'HereDoc') texts = [dedent(redirect, redirect.body.text)];
    else if (redirect.type === 'HereString' && redirect.target) {
      const word = expandWhole(redirect.target, around.scope);
      texts = [...word.values, ...word.guesses];
    }
  }
  return texts;
}

function dedent(node: HereDoc, text: string): string {
  return node.operator === '<<-' ? text.replace(/^\t+/gm, '') : text;
}

/** A command the judge makes up from words of another one. */
export function derive(simple: Simple, words: readonly ShellWord[], via: string, changes: Partial<Simple> = {}): Simple {
  const text = words.map((word) => word.source).join(' ');
  return { ...simple, text, words, assigns: [], redirects: [], via: [...simple.via, via], depth: simple.depth + 1, ...changes };
}
