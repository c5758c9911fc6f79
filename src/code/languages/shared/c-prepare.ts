/** Makes C and C++ text readable for a grammar without a preprocessor: what it cannot read becomes blank, lines and offsets stay. */
import { blanksInHead, isMacroCall } from './c-heads.js';
import { cTokens, type Range, type Token } from './c-tokens.js';

/** What a brace holds: declarations, values of an enum, or code. */
type Body = 'declarations' | 'enum' | 'code';

/** One `#if … #endif` that is open. */
interface Condition {
  readonly opened: Token;
  /** What was open where it began. */
  readonly bodies: readonly Body[];
  readonly round: number;
  /** It stands between declarations, so that each of its branches can be read. */
  readonly whole: boolean;
  readonly branches: Branch[];
  readonly directives: Token[];
  skipFirst: boolean;
}

interface Branch {
  readonly start: number;
  end: number;
  bodies: readonly Body[];
  round: number;
  balanced: boolean;
}

interface State {
  readonly text: string;
  readonly blanks: Range[];
  bodies: Body[];
  /** Round and square brackets that are open. */
  round: number;
  /** Tokens of the declaration that is being read. */
  head: Token[];
  readonly conditions: Condition[];
  /** The fewest open braces since the current branch began. */
  least: number;
}

/** How much of a head is kept; longer ones are initializers. */
const LONGEST_HEAD = 400;

/** The same text with branches and macros that the grammar would stumble over made blank. */
export function prepareC(text: string): string {
  if (!text.includes('#') && !/[A-Z_]{3}/.test(text)) return text;
  const state: State = { text, blanks: [], bodies: [], round: 0, head: [], conditions: [], least: 0 };
  for (const token of cTokens(text)) {
    if (token.kind === 'directive') directive(token, state);
    else if (token.kind === 'sign') sign(token, state);
    else keep(token, state);
  }
  return blanked(text, state.blanks);
}

const atDeclarations = (state: State): boolean => state.bodies.every((body) => body === 'declarations');

function keep(token: Token, state: State): void {
  if (atDeclarations(state) && state.head.length < LONGEST_HEAD) state.head.push(token);
}

function sign(token: Token, state: State): void {
  const { text } = token;
  if (text === '{') {
    const body = state.round > 0 ? 'code' : bodyAfter(state);
    finishHead(state, true);
    state.bodies.push(body);
  } else if (text === '}') {
    state.bodies.pop();
    state.least = Math.min(state.least, state.bodies.length);
    state.round = 0;
    state.head = [];
  } else if (text === ';' && state.round === 0) finishHead(state, false);
  else {
    if (text === '(' || text === '[') state.round++;
    else if (text === ')' || text === ']') state.round = Math.max(0, state.round - 1);
    if (text === ':' && state.head.length === 1 && /^(?:public|private|protected|signals)$/.test(state.head[0]?.text ?? ''))
      state.head = [];
    else keep(token, state);
  }
}

function finishHead(state: State, opens: boolean): void {
  const initializes = opens && state.head.some((token) => token.text === '=');
  if (atDeclarations(state) && state.head.length < LONGEST_HEAD && !initializes)
    state.blanks.push(...blanksInHead(state.head, opens));
  state.head = [];
}

/** What the brace after the current head holds. */
function bodyAfter(state: State): Body {
  if (!atDeclarations(state)) return 'code';
  const words = new Set(state.head.map((token) => token.text));
  if (words.has('namespace')) return 'declarations';
  if (words.has('=')) return 'code';
  const round = state.head.findIndex((token) => token.text === '(');
  const called = round > 0 && state.head[round - 1]?.kind === 'word';
  if (words.has('enum') && !called) return 'enum';
  const typed = words.has('struct') || words.has('class') || words.has('union');
  if (words.has('extern') && !called && state.head.length <= 3) return 'declarations';
  return typed && !(called && isCallable(state.head, round)) ? 'declarations' : 'code';
}

/** `struct a f(int x)`: the bracket closes at the end, and its word is not an attribute before the name of the type. */
function isCallable(head: readonly Token[], round: number): boolean {
  const typeAt = head.findIndex((token) => ['struct', 'class', 'union', 'namespace'].includes(token.text));
  return !(round === typeAt + 2 && head.at(-1)?.text !== ')');
}

function directive(token: Token, state: State): void {
  if (isMacroCall(state.head) && state.round === 0) {
    state.blanks.push([state.head[0]?.start ?? token.start, state.head.at(-1)?.end ?? token.start]);
    state.head = [];
  }
  switch (token.text) {
    case 'if':
    case 'ifdef':
    case 'ifndef':
      openCondition(token, state);
      return;
    case 'elif':
    case 'elifdef':
    case 'elifndef':
    case 'else':
      nextBranch(token, state);
      return;
    case 'endif':
      closeCondition(token, state);
      return;
    default:
      if (state.head.length > 0 || state.round > 0) state.blanks.push([token.start, token.end]);
  }
}

function openCondition(token: Token, state: State): void {
  state.conditions.push({
    opened: token,
    bodies: [...state.bodies],
    round: state.round,
    whole: atDeclarations(state) && state.head.length === 0 && state.round === 0,
    branches: [branchFrom(token)],
    directives: [token],
    skipFirst: /^#\s*if\s+0\s*(?:$|\/)/.test(state.text.slice(token.start, token.end)),
  });
  state.least = state.bodies.length;
}

const branchFrom = (token: Token): Branch => ({ start: token.end, end: token.end, bodies: [], round: 0, balanced: true });

function endBranch(token: Token, state: State, condition: Condition): void {
  const branch = condition.branches.at(-1);
  if (!branch) return;
  branch.end = token.start;
  branch.bodies = [...state.bodies];
  branch.round = state.round;
  const same = state.bodies.length === condition.bodies.length && state.least >= condition.bodies.length;
  branch.balanced = same && state.round === condition.round && state.head.length === 0;
}

function nextBranch(token: Token, state: State): void {
  const condition = state.conditions.at(-1);
  if (!condition) return;
  endBranch(token, state, condition);
  condition.branches.push(branchFrom(token));
  condition.directives.push(token);
  state.bodies = [...condition.bodies];
  state.round = condition.round;
  state.least = state.bodies.length;
  if (condition.whole) state.head = [];
}

/** Branches that can be read as they are stay; otherwise one stays, the first that is not `#if 0`. */
function closeCondition(token: Token, state: State): void {
  const condition = state.conditions.pop();
  if (!condition) return;
  endBranch(token, state, condition);
  condition.directives.push(token);
  const { branches } = condition;
  const chosen = (condition.skipFirst && branches[1]) || branches[0];
  const readable = condition.whole && branches.every((branch) => branch.balanced);
  for (const branch of branches) {
    const dropped = readable
      ? condition.skipFirst && branch === branches[0]
      : branch !== chosen || (condition.skipFirst && branches.length === 1);
    if (dropped) state.blanks.push([branch.start, branch.end]);
  }
  if (!readable) for (const one of condition.directives) state.blanks.push([one.start, one.end]);
  const only = condition.skipFirst && branches.length === 1;
  state.bodies = [...(only ? condition.bodies : (chosen?.bodies ?? condition.bodies))];
  state.round = only ? condition.round : (chosen?.round ?? condition.round);
  state.least = Math.min(state.least, state.bodies.length, ...branches.map((branch) => branch.bodies.length));
}

/** Spaces for everything but line breaks. */
function blanked(text: string, blanks: readonly Range[]): string {
  const sorted = [...blanks].sort((a, b) => a[0] - b[0]);
  let result = '';
  let at = 0;
  for (const [start, end] of sorted) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    result += text.slice(at, from) + text.slice(from, end).replace(/[^\r\n]/g, ' ');
    at = end;
  }
  return result + text.slice(at);
}
