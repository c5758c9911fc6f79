/** Walks a parsed script in the order it runs and lists its simple commands, each with folder, input and surroundings. */

import { isAbsolute } from 'node:path';
import type { AndOr, Command, ParsedScript, Pipeline, Statement, SyntaxNode } from 'unbash';
import type { Reason } from '../../types/policy.js';
import { because } from '../reasons.js';
import { type Build, buildSimple } from './build-simple.js';
import { code } from './code.js';
import { findForkBomb } from './fork-bomb.js';
import { hazardOf, hidesCommands, testHazard } from './hazards.js';
import { forEachChild, parseShell } from './parse.js';
import { notPosix, readBySh } from './posix.js';
import { printedBy } from './printed.js';
import { isHazardousName } from './readers/builtins.js';
import { collectVars, type Scope } from './scope.js';
import { secretValueIn } from './secrets.js';
import type { Cwd, Severity, ShellEnv, Simple } from './types.js';
import { only } from './types.js';

/** Something in a script that is no simple command but has to be judged. */
export interface Oddity {
  readonly text: string;
  readonly verdict: Severity;
  readonly reason: Reason;
  /** It could not be read, so what it runs is not known. */
  readonly unread?: boolean;
}

export interface Walked {
  readonly simples: Simple[];
  readonly odd: Oddity[];
}

/** What a script inherits from the command that runs it. */
export interface Start {
  readonly cwd: Cwd;
  readonly piped: readonly Simple[];
  readonly stdin?: readonly string[];
  readonly via: readonly string[];
  readonly away: boolean;
  readonly depth: number;
  readonly positional?: ReadonlyMap<string, readonly string[]>;
}

const MOST_COMMANDS = 1000;

/** Parses and walks a script given as text. Never throws for strange text: what cannot be read becomes an oddity. */
export function walkText(text: string, start: Start, env: ShellEnv): Walked {
  const walked: Walked = { simples: [], odd: [] };
  try {
    walkInto(walked, text, start, env);
  } catch (error) {
    if (error instanceof TooManyCommands) return walked;
    // What was found so far still counts; the rest always asks.
    const reason = because`it could not be parsed to its end (${error instanceof Error ? error.message : 'unknown fault'})`;
    walked.odd.push({ text: brief(text), verdict: 'immune', reason, unread: true });
  }
  return walked;
}

function walkInto(walked: Walked, text: string, start: Start, env: ShellEnv): void {
  const { script, faults } = parseShell(text);
  for (const fault of faults) walked.odd.push({ text: brief(text), verdict: 'ask', reason: fault, unread: true });
  const plain = readBySh(start.via, env.shell) ? notPosix(script, text) : undefined;
  if (plain !== undefined)
    walked.odd.push({
      text: brief(text),
      verdict: 'ask',
      reason: because`\`sh\` will run it, and ${code(plain)} is not plain POSIX, so it may mean something else there`,
      unread: true,
    });
  const bomb = findForkBomb(script);
  if (bomb !== undefined) {
    walked.odd.push({
      text: brief(text),
      verdict: 'deny',
      reason: because`${code(brief(bomb))} starts more and more copies of itself (a fork bomb)`,
    });
  }
  const scope: Scope = {
    home: env.home,
    cwd: start.cwd?.length === 1 ? start.cwd[0] : undefined,
    vars: collectVars(script),
    positional: start.positional ?? new Map(),
    held: new Map(),
  };
  walkScript(script, { ...start, scope, source: text, walked, env });
}

interface Context extends Start {
  readonly scope: Scope;
  readonly source: string;
  readonly walked: Walked;
  readonly env: ShellEnv;
}

/** What a node leaves behind: the folders the next command may run in, and the commands that wrote to its output. */
interface Effect {
  readonly cwd: Cwd;
  readonly output: readonly Simple[];
  /** The folder change if the node succeeded; set only by a plain `cd`. */
  readonly moved?: Cwd;
  readonly isMove?: boolean;
}

function walkScript(script: ParsedScript, context: Context): Effect {
  return walkList(script.commands, script.source === undefined ? context : { ...context, source: script.source });
}

function walkList(statements: readonly Statement[], context: Context): Effect {
  let cwd = context.cwd;
  const output: Simple[] = [];
  for (const statement of statements) {
    const effect = walkNode(statement.command, { ...context, cwd });
    output.push(...effect.output);
    if (!statement.background) cwd = effect.cwd;
  }
  return { cwd, output };
}

function walkNode(node: SyntaxNode, context: Context): Effect {
  const still = (output: readonly Simple[] = []): Effect => ({ cwd: context.cwd, output });
  switch (node.type) {
    case 'AndOr':
      return walkAndOr(node, context);
    case 'Pipeline':
      return walkPipeline(node, context);
    case 'Command':
      return walkCommand(node, context);
    case 'Subshell':
      return still(walkList(node.body.commands, context).output);
    case 'BraceGroup':
      return walkList(node.body.commands, context);
    case 'CompoundList':
      return walkList(node.commands, context);
    case 'Redirected': {
      const shell = addSimple({ node, words: [], assignments: [], redirects: node.redirects }, context);
      const stdin = shell.stdin ?? context.stdin;
      const inner = walkNode(node.command, { ...context, stdin, piped: shell.stdin ? [] : context.piped });
      return { ...inner, output: [...inner.output] };
    }
    case 'Function':
      context.walked.odd.push({
        text: slice(node, context),
        verdict: 'ask',
        reason: because`it defines the function ${brief(node.name.value)}`,
      });
      walkNode(node.body, { ...context, cwd: undefined, piped: [], stdin: undefined });
      return still();
    case 'Coproc':
      context.walked.odd.push({ text: slice(node, context), verdict: 'ask', reason: because`it starts a coprocess` });
      return still(walkNode(node.body, context).output);
    case 'TestCommand': {
      const reason = testHazard(node.expression, context.scope);
      context.walked.odd.push({
        text: slice(node, context),
        verdict: reason ? 'ask' : 'allow',
        reason: reason ? because`it ${reason}` : because`it only tests`,
      });
      scanValues(node, context, undefined);
      return still();
    }
    case 'ArithmeticCommand':
      context.walked.odd.push({ text: slice(node, context), verdict: 'allow', reason: because`it only calculates` });
      scanValues(node, context, undefined);
      return still();
    default:
      return walkCompound(node, context);
  }
}

/** if, for, while, case, select: every branch may run, loops more than once. */
function walkCompound(node: SyntaxNode, context: Context): Effect {
  const loop = node.type === 'For' || node.type === 'While' || node.type === 'Select' || node.type === 'ArithmeticFor';
  let cwd = loop && changesFolder(node) ? undefined : context.cwd;
  const output: Simple[] = [];
  if (node.type === 'Select')
    context.walked.odd.push({
      text: slice(node, context),
      verdict: 'ask',
      reason: because`it waits for a choice at the keyboard`,
    });
  if (node.type === 'For' || node.type === 'Select') noteSetting(node.name.text, slice(node, context), context);
  const visit = (child: SyntaxNode): void => {
    if (child.type === 'CompoundList') {
      const effect = walkList(child.commands, { ...context, cwd });
      output.push(...effect.output);
      cwd = union(cwd, effect.cwd);
    } else if (child.type === 'Elif' || child.type === 'CaseItem') {
      forEachChild(child, visit);
    } else {
      const secret = node.type === 'For' ? secretValueIn(slice(child, context)) : undefined;
      if (secret !== undefined) context.walked.odd.push({ text: slice(child, context), verdict: 'ask', reason: secret });
      scanValues(child, { ...context, cwd }, undefined);
    }
  };
  forEachChild(node, visit);
  return { cwd, output };
}

/** A name that a loop or a redirection sets, like an assignment. */
function noteSetting(name: string, text: string, context: Context): void {
  if (!isHazardousName(name, false)) return;
  context.walked.odd.push({ text, verdict: 'ask', reason: because`it sets ${name}, which may change what commands do` });
}

function changesFolder(node: SyntaxNode): boolean {
  if (
    node.type === 'Command' &&
    (node.name === undefined ||
      node.name.parts !== undefined ||
      /cd|pushd|popd|eval|source|command|builtin|^\.$/.test(node.name.value))
  ) {
    if (node.name !== undefined) return true;
  }
  let found = false;
  forEachChild(node, (child) => {
    found ||= changesFolder(child);
  });
  return found;
}

function walkAndOr(node: AndOr, context: Context): Effect {
  const output: Simple[] = [];
  let current = context.cwd;
  let all = context.cwd;
  let sure = true;
  node.commands.forEach((command, index) => {
    const effect = walkNode(command, { ...context, cwd: current });
    output.push(...effect.output);
    const next = node.operators[index];
    if (next === '||') sure = false;
    current = effect.isMove && next === '&&' && sure ? effect.moved : union(current, effect.cwd);
    all = union(all, current);
  });
  return { cwd: all, output };
}

function walkPipeline(node: Pipeline, context: Context): Effect {
  const [only, ...more] = node.commands;
  if (only && more.length === 0) {
    const effect = walkNode(only, context);
    return { cwd: effect.cwd, output: effect.output };
  }
  let piped = context.piped;
  let stdin = context.stdin;
  let output: readonly Simple[] = [];
  for (const command of node.commands) {
    const effect = walkNode(command, { ...context, piped, stdin });
    output = effect.output;
    piped = [...piped, ...effect.output];
    stdin = command.type === 'Command' ? printedBy(effect.output.at(-1), stdin) : undefined;
  }
  return { cwd: context.cwd, output: piped.length > 0 ? piped : output };
}

function walkCommand(node: Command, context: Context): Effect {
  const simple = addSimple(
    {
      node,
      words: [...(node.name ? [node.name] : []), ...node.args],
      assignments: node.prefix.filter((child) => child.type === 'Assignment'),
      redirects: node.redirects,
    },
    context,
  );
  const move = moveOf(simple, context);
  if (!move) return { cwd: context.cwd, output: [simple] };
  return { cwd: union(context.cwd, move.cwd), output: [simple], moved: move.cwd, isMove: move.plain };
}

function addSimple(build: Build, context: Context): Simple {
  const { walked } = context;
  const feeds: Simple[] = [];
  const simple = buildSimple(build, { ...context, text: slice(build.node, context), feeds });
  if (walked.simples.length >= MOST_COMMANDS) {
    walked.odd.push({ text: brief(simple.text), verdict: 'immune', reason: TOO_MANY });
    throw new TooManyCommands('too many commands');
  }
  walked.simples.push(simple);
  for (const { descriptor } of build.redirects)
    if (descriptor?.type === 'FileDescriptorVariable') noteSetting(descriptor.name, simple.text, context);
  const from = walked.simples.length;
  for (const child of [...build.words, ...build.assignments, ...build.redirects]) scanValues(child, context, simple);
  feeds.push(...walked.simples.slice(from));
  return simple;
}

const TOO_MANY = because`it holds too many commands to judge`;

/** Ends the walk; what was found before still counts. */
class TooManyCommands extends Error {}

/** Looks through words and other values: hazards become oddities, nested scripts are walked. */
function scanValues(node: SyntaxNode, context: Context, owner: Simple | undefined): void {
  const hazard = hazardOf(node, context.scope);
  if (hazard) {
    const text = owner?.text ?? slice(node, context);
    context.walked.odd.push({ text, verdict: 'ask', reason: because`it ${hazard}`, unread: hidesCommands(hazard) });
  }
  if (node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution' || node.type === 'ArithmeticCommandExpansion') {
    walkNested(node.script, node.type === 'ProcessSubstitution' && node.operator === '>', context, owner);
    return;
  }
  forEachChild(node, (child) => scanValues(child, context, owner));
}

function walkNested(script: ParsedScript | undefined, takesOutput: boolean, context: Context, owner: Simple | undefined): void {
  if (!script) {
    context.walked.odd.push({
      text: owner?.text ?? brief(context.source),
      verdict: 'ask',
      reason: because`a substitution in it could not be parsed`,
      unread: true,
    });
    return;
  }
  for (const fault of script.errors ?? []) {
    context.walked.odd.push({
      text: owner?.text ?? brief(context.source),
      verdict: 'ask',
      reason: because`a substitution in it could not be parsed (${fault.message})`,
      unread: true,
    });
  }
  const piped = takesOutput && owner ? [...owner.piped, owner] : context.piped;
  walkScript(script, { ...context, piped, stdin: takesOutput ? undefined : context.stdin, depth: context.depth + 1 });
}

/** Where a `cd` may lead. */
function moveOf(simple: Simple, context: Context): { cwd: Cwd; plain: boolean } | undefined {
  const names = simple.words.map((word) => only(word));
  let at = 0;
  while (names[at] === 'command' || names[at] === 'builtin') at++;
  if (simple.words[at]?.unknown && at === 0 && simple.words.length > 0) return undefined;
  const name = names[at];
  if (name === 'pushd' || name === 'popd') return { cwd: undefined, plain: false };
  if (name !== 'cd') return undefined;
  const args = simple.words.slice(at + 1).filter((word) => !/^-[LPe@]+$|^--$/.test(word.source));
  const target = args.length === 0 ? context.env.home : only(args[0]);
  if (target === undefined || target === '-' || args.length > 1) return { cwd: undefined, plain: true };
  return { cwd: enter(target, context), plain: true };
}

const DEEPEST_FOLDER = 100;

/** The real folder behind each place the target may mean; with `..` also the one its spelling leads to. */
function enter(target: string, context: Context): Cwd {
  if (!isAbsolute(target) && context.cwd === undefined) return undefined;
  if (target.includes('$') || target === '') return undefined;
  const from = isAbsolute(target) ? [''] : (context.cwd ?? []);
  const places = from.map((base) => (base === '' ? target : `${base}/${target}`));
  if (places.some((place) => place.split('/').length > DEEPEST_FOLDER)) return undefined;
  try {
    return [
      ...new Set(
        places.flatMap((place) => [
          context.env.locate(place).real,
          ...(target.includes('..') ? [context.env.locate(plainPath(place)).real] : []),
        ]),
      ),
    ];
  } catch {
    return undefined;
  }
}

/** Removes `.` and `..` by spelling alone, as `cd` does. */
function plainPath(path: string): string {
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') kept.pop();
    else if (part !== '' && part !== '.') kept.push(part);
  }
  return `/${kept.join('/')}`;
}

function union(a: Cwd, b: Cwd): Cwd {
  if (!a || !b) return undefined;
  const all = [...new Set([...a, ...b])];
  return all.length > 8 ? undefined : all;
}

function slice(node: { readonly pos: number; readonly end: number }, context: Context): string {
  return brief(context.source.slice(node.pos, node.end));
}

/** A text cut for messages. */
export function brief(text: string): string {
  const line = text.trim();
  return line.length <= 400 ? line : `${line.slice(0, 397)}...`;
}
