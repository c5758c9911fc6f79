/** A word of the tree -> the words the shell makes of it, as far as that can be known before it runs. */
import type { ParameterExpansionPart, ParsedScript, Word, WordPart } from 'unbash';
import { expandBraceText } from './braces.js';
import type { Held, Scope, VarInfo } from './scope.js';
import type { ShellWord } from './types.js';

/** A stretch of a word: what it may be. Several `options` mean: one of them. */
interface Piece {
  readonly options: readonly Option[];
  readonly unknown: boolean;
  /** Unquoted and of unknown content: may fall apart into several words. */
  readonly splits: boolean;
  readonly guesses: readonly string[];
}

interface Option {
  readonly text: string;
  readonly pattern: boolean;
}

const MOST_OPTIONS = 24;
const MOST_NESTING = 6;
const MOST_SOURCES = 64;
/** Longer values of variables are not worked with: they would grow without end. */
const LONGEST_VALUE = 20_000;
const MOST_PIECES = 20_000;
const PATTERN_CHARS = /[*?[\]\\]/g;

/** Expands one word; several for braces and for variables that hold several words. */
export function expandWord(word: Word, scope: Scope, nesting = 0): ShellWord[] {
  const parts = word.parts;
  if (!parts) return [fromPieces(word.text, barePieces(word.text, word.value, scope))];
  const lone = parts.length === 1 ? parts[0] : undefined;
  if (lone) {
    const split = splitVariable(lone, word, scope, nesting);
    if (split) return split;
  }
  if (hasHiddenBrace(word)) return [fromPieces(word.text, [unsure(true)])];
  let rows: Piece[][] = [[]];
  for (const part of parts) {
    if (part.type === 'BraceExpansion') {
      const branches = bracePieces(part.text, rows.length);
      if (rows.length * branches.length * parts.length > MOST_PIECES) return [fromPieces(word.text, [unsure(true)])];
      rows = rows.flatMap((row) => branches.map((branch) => [...row, ...branch]));
    } else {
      const pieces = piecesOf(part, scope, nesting, word.pos);
      for (const row of rows) row.push(...pieces);
    }
  }
  const active = word.text.startsWith('~') || parts[0]?.type === 'BraceExpansion';
  return rows.map((row) => fromPieces(word.text, active ? expandTilde(row, scope) : row));
}

/** The one word of a place where the shell neither splits nor opens patterns (assignment, redirection, here-string). */
export function expandWhole(word: Word, scope: Scope, nesting = 0): ShellWord {
  const [first, ...rest] = expandWord(word, scope, nesting);
  if (first && rest.length === 0) return { ...first, splits: false };
  return { source: word.text, values: [], patterns: [], unknown: true, splits: false, prefix: '', guesses: [] };
}

function barePieces(text: string, value: string, scope: Scope): Piece[] {
  const plain = text === value;
  if (plain && text.includes('{') && !text.includes('\\')) {
    const words = expandBraceText(text);
    if (!words || words.length > 1) return [unsure(true)];
  }
  return text.startsWith('~') ? expandTilde([fixed(value)], scope) : [fixed(value)];
}

/** Braces the parser did not see as such (they hold quotes or expansions). */
function hasHiddenBrace(word: Word): boolean {
  let open = false;
  for (const part of word.parts ?? []) {
    if (part.type !== 'Literal') continue;
    if (part.text.includes('{')) open = true;
    if (open && part.text.includes('}') && /,|\.\./.test(word.text)) return true;
  }
  return false;
}

function bracePieces(text: string, rows: number): Piece[][] {
  if (/['"\\$`]/.test(text)) return [[unsure(true)]];
  const words = expandBraceText(text);
  if (!words || words.length * rows > 256) return [[unsure(true)]];
  return words.map((item) => {
    if (!/[*?[]/.test(item)) return [fixed(item)];
    return [{ options: [{ text: item, pattern: true }], unknown: false, splits: true, guesses: [] }];
  });
}

function piecesOf(part: WordPart, scope: Scope, nesting: number, pos: number): Piece[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value.includes('\0') ? [unsure(false)] : [fixed(part.value)];
    case 'Glob':
      return [{ options: [{ text: part.text, pattern: true }], unknown: false, splits: true, guesses: [] }];
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.flatMap((child) => expansionPieces(child, scope, nesting, true, pos));
    default:
      return expansionPieces(part, scope, nesting, false, pos);
  }
}

function expansionPieces(part: WordPart, scope: Scope, nesting: number, quoted: boolean, pos: number): Piece[] {
  switch (part.type) {
    case 'Literal':
      return [fixed(part.value)];
    case 'SimpleExpansion':
      return [variable(part.text.slice(1), scope, quoted, pos)];
    case 'ParameterExpansion':
      return [parameter(part, scope, nesting, quoted, pos)];
    case 'ArithmeticExpansion':
      return [unsure(false)];
    case 'CommandExpansion':
      return [{ ...unsure(!quoted), guesses: printed(part.script, scope, nesting) }];
    case 'ProcessSubstitution':
      return [fixed('/dev/fd/63')];
    default:
      return [unsure(true)];
  }
}

function parameter(part: ParameterExpansionPart, scope: Scope, nesting: number, quoted: boolean, pos: number): Piece {
  if (part.prefix || part.index) return unsure(!quoted);
  if (!part.operation) return variable(part.parameter, scope, quoted, pos);
  const guesses: string[] = [];
  const own = variable(part.parameter, scope, quoted, pos);
  guesses.push(...own.options.map((option) => option.text), ...own.guesses);
  if (part.operation.type === 'Default' && nesting < MOST_NESTING) {
    for (const word of expandWord(part.operation.operand, scope, nesting + 1)) guesses.push(...word.values, ...word.guesses);
  }
  return { ...unsure(!quoted), guesses: guesses.slice(0, MOST_OPTIONS) };
}

/** What a variable may hold. Only names that no environment is likely to have are ever sure. */
function variable(name: string, scope: Scope, quoted: boolean, pos: number): Piece {
  const info = scope.vars.get(name);
  if (/^[?#$!]$/.test(name) || (info?.numeric && info.sources.length > 0)) return unsure(false);
  if (!info) {
    if (name === 'HOME') return fixed(scope.home);
    if (name === 'PWD' && scope.cwd !== undefined) return { ...unsure(false), guesses: [scope.cwd] };
    const given = scope.positional.get(name);
    if (given) return { ...unsure(!quoted), guesses: given.slice(0, MOST_OPTIONS) };
    return unsure(!quoted);
  }
  const held = heldBy(name, info, scope);
  const guesses = name === 'HOME' ? [...held.guesses, scope.home] : held.guesses;
  const texts = [...held.options.map((option) => option.text), ...guesses];
  const sure = /^[a-z_][a-z0-9_]*$/.test(name) && !held.unknown && held.options.length > 0 && held.from < pos;
  if (!sure) return { options: [], unknown: true, splits: !quoted, guesses: texts.slice(0, MOST_OPTIONS) };
  const breaks = held.options.some((option) => option.pattern || option.text === '' || /[\s*?[]/.test(option.text));
  if (!quoted && breaks) return { options: [], unknown: true, splits: true, guesses: texts };
  return { options: held.options, unknown: false, splits: false, guesses: [] };
}

/** Worked out once for each variable; one that depends on itself is unknown. */
function heldBy(name: string, info: VarInfo, scope: Scope): Held {
  const known = scope.held.get(name);
  if (known) return known;
  const from = info.sources.reduce((least, source) => Math.min(least, source.pos), Number.POSITIVE_INFINITY);
  scope.held.set(name, { options: [], guesses: [], unknown: true, from });
  const options: Option[] = [];
  const guesses: string[] = [];
  let unknown = info.unknown || info.sources.length > MOST_SOURCES;
  for (const source of info.sources.slice(0, MOST_SOURCES)) {
    const words = source.kind === 'choice' ? expandWord(source.word, scope, 1) : [expandWhole(source.word, scope, 1)];
    for (const word of words) {
      unknown ||= word.unknown;
      guesses.push(...word.guesses);
      for (const text of word.values) options.push({ text, pattern: false });
      for (const text of word.patterns) options.push({ text, pattern: true });
    }
  }
  const tooLong = options.some((option) => option.text.length > LONGEST_VALUE);
  const held: Held =
    options.length > MOST_OPTIONS || tooLong
      ? {
          options: [],
          guesses: options.map((option) => option.text.slice(0, LONGEST_VALUE)).slice(0, MOST_OPTIONS),
          unknown: true,
          from,
        }
      : { options, guesses: guesses.slice(0, MOST_OPTIONS), unknown, from };
  scope.held.set(name, held);
  return held;
}

/** `rm $X` where X holds "-rf /": the words it falls apart into. */
function splitVariable(part: WordPart, word: Word, scope: Scope, nesting: number): ShellWord[] | undefined {
  const name =
    part.type === 'SimpleExpansion'
      ? part.text.slice(1)
      : part.type === 'ParameterExpansion' && !part.operation
        ? part.parameter
        : undefined;
  const info = name === undefined ? undefined : scope.vars.get(name);
  if (name === undefined || !info || nesting > 0) return undefined;
  const held = heldBy(name, info, scope);
  const sole = held.options.length === 1 && held.guesses.length === 0 ? held.options[0] : undefined;
  if (!sole || sole.pattern || !/\s/.test(sole.text)) return undefined;
  const words = sole.text.split(/\s+/).filter((text) => text !== '');
  return words.map((text) => ({
    source: word.text,
    values: [],
    patterns: [],
    unknown: true,
    splits: true,
    prefix: '',
    guesses: [text],
  }));
}

/** A guess at what a substitution prints: only for the search for danger. */
function printed(script: ParsedScript | undefined, scope: Scope, nesting: number): string[] {
  const command = script?.commands.length === 1 ? script.commands[0]?.command : undefined;
  if (command?.type !== 'Command' || nesting >= MOST_NESTING) return [];
  const name = command.name?.value;
  if (name === 'pwd' && scope.cwd !== undefined) return [scope.cwd];
  if (name !== 'echo' && name !== 'printf') return [];
  const words = command.args.flatMap((arg) => (arg.type === 'Word' ? expandWord(arg, scope, nesting + 1) : []));
  const texts = words.map((word) => word.values[0] ?? word.guesses[0] ?? word.patterns[0]);
  if (texts.some((text) => text === undefined)) return [];
  const shown = texts.filter((text) => text !== '-n' && text !== '-e' && text !== '%s');
  return [shown.join(' ')];
}

/** `~` at the very beginning, where no quote stands before the first slash. */
function expandTilde(pieces: Piece[], scope: Scope): Piece[] {
  const [first, ...rest] = pieces;
  const text = first?.options[0]?.text ?? '';
  const slash = text.indexOf('/');
  const user = slash < 0 ? text.slice(1) : text.slice(1, slash);
  const tail = slash < 0 ? '' : text.slice(slash);
  if (!first || !text.startsWith('~')) return pieces;
  if (user === '' && (slash >= 0 || rest.length === 0)) return [fixed(scope.home + tail), ...rest];
  const guesses = user === '' ? [scope.home] : user === 'root' ? ['/root'] : [`/home/${user}`, `/Users/${user}`];
  return [{ ...unsure(false), guesses: guesses.map((guess) => guess + tail) }, ...rest];
}

function fixed(text: string): Piece {
  return { options: [{ text, pattern: false }], unknown: false, splits: false, guesses: [] };
}

function unsure(splits: boolean): Piece {
  return { options: [], unknown: true, splits, guesses: [] };
}

function fromPieces(source: string, pieces: readonly Piece[]): ShellWord {
  const unknown = pieces.some((piece) => piece.unknown);
  const splits = pieces.some((piece) => piece.splits);
  const prefix: string[] = [];
  for (const piece of pieces) {
    const sole = piece.unknown || piece.options.length !== 1 ? undefined : piece.options[0];
    if (!sole || sole.pattern) break;
    prefix.push(sole.text);
  }
  const guesses = unknown || pieces.some((piece) => piece.guesses.length > 0) ? guessesOf(pieces) : [];
  const whole = unknown ? [] : product(pieces);
  if (!whole) return { source, values: [], patterns: [], unknown: true, splits, prefix: prefix.join(''), guesses };
  return {
    source,
    values: whole.filter((option) => !option.pattern).map((option) => option.text),
    patterns: whole.filter((option) => option.pattern).map((option) => option.text),
    unknown,
    splits,
    prefix: prefix.join(''),
    guesses,
  };
}

/** All combinations; undefined when there are too many. */
function product(pieces: readonly Piece[]): Option[] | undefined {
  const anyPattern = pieces.some((piece) => piece.options.some((option) => option.pattern));
  let rows: Option[] = [{ text: '', pattern: false }];
  for (const piece of pieces) {
    rows = rows.flatMap((row) =>
      piece.options.map((option) => ({
        text: row.text + (anyPattern && !option.pattern ? option.text.replace(PATTERN_CHARS, '\\$&') : option.text),
        pattern: row.pattern || option.pattern,
      })),
    );
    if (rows.length > MOST_OPTIONS) return undefined;
  }
  return anyPattern ? rows.map((row) => (row.pattern ? row : { text: row.text.replace(/\\(.)/gs, '$1'), pattern: false })) : rows;
}

/** Texts with each unknown piece replaced by its guesses; none when a piece has no guess. */
function guessesOf(pieces: readonly Piece[]): string[] {
  let rows = [''];
  for (const piece of pieces) {
    const options = [...piece.options.map((option) => option.text), ...piece.guesses];
    rows = rows.flatMap((row) => options.map((option) => row + option)).slice(0, MOST_OPTIONS);
  }
  return rows.filter((row) => row !== '');
}
