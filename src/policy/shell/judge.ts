/** A command line -> its parts, each with a verdict before any rule. The strictest part decides. */
import type { Reason } from '../../types/policy.js';
import type { Located } from '../../types/workspace.js';
import { because, ONLY_READS } from '../reasons.js';
import { type Budget, createBudget, LOOK_UP, TOO_MUCH, TooMuchWork } from './budget.js';
import { dangerOf } from './dangerous.js';
import { immuneOf } from './immune.js';
import { inlineStrings } from './inline.js';
import { lastingOf } from './lasting.js';
import { MAX_COMMAND, oddCharacter, parseShell } from './parse.js';
import { isHarmlessDevice, judgeMention, judgePerhaps, judgeRead, type PathFinding, place, strictest } from './paths.js';
import { perhapsOf, spelledScripts } from './perhaps.js';
import { isHazardousName, leadsElsewhere } from './readers/builtins.js';
import { no, type Reading, reads } from './readers/reader.js';
import { readingOf } from './readers/registry.js';
import { judgeRedirect } from './redirects.js';
import { denyTexts, ruleTexts, writtenWords } from './render.js';
import { setByRepository } from './repository.js';
import { tellsSecrets } from './secrets.js';
import { readWhole, sweeps } from './sweeps.js';
import {
  isStricter,
  literal,
  type NamedPath,
  only,
  type Part,
  possible,
  type Severity,
  type ShellEnv,
  type Simple,
} from './types.js';
import { unwrap } from './unwrap.js';
import type { Script, Unwrapped } from './unwrapped.js';
import { brief, type Oddity, walkText } from './walk.js';
import { downloads, namesOf, runsDownload, streamImmune } from './web.js';
import { judgeWritten } from './writers.js';

const DEEPEST = 12;
const MOST_PARTS = 2000;
/** Of the work, what opening may take; the rest is for judging what was found. */
const TO_OPEN = 0.6;

interface Opened {
  readonly simple: Simple;
  readonly wrapper?: Unwrapped;
  /** Spellings of the wrappers around it, for rules that name them too. */
  readonly outer: readonly { readonly text: string; readonly least: number }[];
  /** It stands in text that may be no command at all. */
  readonly perhaps: boolean;
}

/** What a command line comes apart into. Never empty; never throws for strange text; what the budget does not cover asks. */
export function judgeLine(text: string, machine: ShellEnv, budget: Budget = createBudget()): readonly Part[] {
  const env = remembering(machine, budget);
  if (text.length > MAX_COMMAND)
    return [oddPart({ text: brief(text), verdict: 'immune', reason: because`it is too long to judge`, unread: true })];
  const odd = oddCharacter(text);
  const parts: Part[] =
    odd === undefined
      ? []
      : [
          oddPart({
            text: brief(text),
            verdict: 'ask',
            reason: because`it holds an invisible or control character (${odd})`,
            unread: true,
          }),
        ];
  parts.push(...partsOf(text, env));
  if (parseShell(text).faults.length > 0) {
    // Shells run the lines before a fault, so each is looked at for itself.
    for (const line of text.split('\n').slice(0, 500))
      parts.push(...partsOf(line, env).filter((part) => isStricter(part.verdict, 'ask')));
  }
  if (budget.spent && !parts.some((part) => part.reason === TOO_MUCH))
    parts.push(oddPart({ text: brief(text), verdict: 'immune', reason: TOO_MUCH, unread: true }));
  if (parts.length > 0) return parts;
  return [oddPart({ text: brief(text), verdict: 'allow', reason: because`it runs nothing` })];
}

/** The same machine, each place looked up once for a line. */
function remembering(machine: ShellEnv, budget: Budget): Counted {
  const places = new Map<string, Located>();
  return {
    ...machine,
    budget,
    locate(path) {
      const known = places.get(path);
      if (!known && !budget.take(LOOK_UP)) throw new TooMuchWork('too much work');
      const found = known ?? machine.locate(path);
      places.set(path, found);
      return found;
    },
  };
}

function partsOf(text: string, env: Counted): Part[] {
  const cwd = env.cwd ?? env.root;
  const opening: Opening = { opened: [], odd: [], inside: new Map(), env };
  openText({ text, start: { cwd: [cwd], piped: [], via: [], away: false, depth: 0 } }, false, opening);
  for (const script of spelledScripts(opening.opened.map((entry) => entry.simple))) openText(script, true, opening);
  const insideOf = (simple: Simple): readonly Simple[] => opening.inside.get(simple) ?? [];
  const files = downloads(opening.opened.map((entry) => entry.simple));
  const parts = opening.opened
    .filter((entry) => affords(sizeOf(entry.simple), entry.simple.text, opening))
    .map((entry) => ({ perhaps: entry.perhaps, part: safely(entry, insideOf, files, env) }));
  const said = new Set(parts.flatMap(({ perhaps, part }) => (perhaps ? [] : [`${part.verdict} ${part.text}`])));
  const isNew = (part: Part) => said.size < said.add(`${part.verdict} ${part.text}`).size;
  return [
    ...opening.odd.map(oddPart),
    ...parts.flatMap(({ perhaps, part }) => {
      if (!perhaps) return [part];
      return isStricter(part.verdict, 'ask') && isNew(part) ? [milder(part)] : [];
    }),
  ];
}

/** Everything found so far while wrappers are opened. */
interface Opening {
  readonly opened: Opened[];
  readonly odd: Oddity[];
  readonly inside: Map<Simple, Simple[]>;
  readonly env: Counted;
}

/** The machine, and what may still be done for this line. */
interface Counted extends ShellEnv {
  readonly budget: Budget;
}

/** Pays for the next step; what cannot be paid for asks. */
function affords(units: number, text: string, opening: Opening, share?: number): boolean {
  if (opening.env.budget.take(units, share)) return true;
  if (!opening.odd.some((entry) => entry.reason === TOO_MUCH))
    opening.odd.push({ text: brief(text), verdict: 'immune', reason: TOO_MUCH, unread: true });
  return false;
}

/** Letters and words of a command, guesses included. */
function sizeOf(simple: Simple): number {
  let letters = 0;
  for (const word of simple.words) for (const text of possible(word)) letters += text.length;
  return Math.max(letters, simple.text.length) + 20 * (simple.words.length + simple.assigns.length + simple.redirects.length);
}

/** Walks a script and opens its wrappers until nothing is left to open. */
function openText(script: Script, perhaps: boolean, opening: Opening): void {
  if (script.start.depth > DEEPEST) {
    tooDeep(brief(script.text), opening);
    return;
  }
  if (!affords(script.text.length, script.text, opening, TO_OPEN)) return;
  const walked = walkText(script.text, script.start, opening.env);
  const uncertain = perhaps || script.perhaps === true;
  for (const entry of walked.odd) {
    const found = uncertain || script.start.away ? milder(entry) : entry;
    if (!uncertain || isStricter(entry.verdict, 'ask')) opening.odd.push(found);
  }
  for (const simple of walked.simples) openOne(simple, [], uncertain, opening);
}

function openOne(simple: Simple, outer: Opened['outer'], perhaps: boolean, opening: Opening): void {
  const { opened, inside } = opening;
  if (opened.length >= MOST_PARTS || simple.depth > DEEPEST) {
    tooDeep(simple.text, opening);
    return;
  }
  if (!affords(sizeOf(simple), simple.text, opening, TO_OPEN)) return;
  const wrapper = unwrap(simple, opening.env);
  opened.push({ simple, wrapper, outer, perhaps });
  const from = opened.length;
  const maybe = perhapsOf(simple);
  for (const inner of maybe.inner) openOne(inner, [], true, opening);
  for (const script of maybe.scripts) openText(script, true, opening);
  for (const inner of wrapper?.inner ?? []) {
    const texts = ruleTexts(simple).map((text) => ({ text, least: reach(text, inner) }));
    openOne(inner, [...outer, ...texts], perhaps, opening);
  }
  for (const script of wrapper?.scripts ?? []) openText(script, perhaps, opening);
  inside.set(
    simple,
    opened.slice(from).map((entry) => entry.simple),
  );
}

function tooDeep(text: string, opening: Opening): void {
  if (opening.odd.at(-1)?.reason !== TOO_DEEP) opening.odd.push({ text, verdict: 'immune', reason: TOO_DEEP });
}

/** Where it may not run at all, or not here, what would be refused is only asked. */
function milder<T extends { readonly verdict: Severity }>(entry: T): T {
  return entry.verdict === 'deny' ? { ...entry, verdict: 'immune' } : entry;
}

const TOO_DEEP = because`it is nested too deep to judge`;

/** How much of the outer spelling a rule must name to speak of the inner command. */
function reach(text: string, inner: Simple): number {
  const name = inner.words[0]?.source ?? '';
  const at = text.lastIndexOf(inner.words.map((word) => word.source).join(' '));
  return at < 0 ? text.length : at + name.length;
}

function oddPart(entry: Oddity): Part {
  const unread = entry.unread === true;
  return {
    text: entry.text,
    verdict: entry.verdict,
    reason: entry.reason,
    readOnly: entry.verdict === 'allow',
    opaque: unread,
    unread,
    outside: false,
    extra: true,
    away: false,
    written: '',
    denyTexts: [],
    ruleTexts: [],
    paths: [],
  };
}

/** A fault of the judge itself never lets anything pass, and never hides what was found elsewhere. */
function safely(entry: Opened, insideOf: (simple: Simple) => readonly Simple[], files: ReadonlySet<string>, env: ShellEnv): Part {
  try {
    return partOf(entry, insideOf, files, env);
  } catch (error) {
    if (error instanceof TooMuchWork)
      return oddPart({ text: brief(entry.simple.text), verdict: 'immune', reason: TOO_MUCH, unread: true });
    const reason = because`it could not be judged (internal error: ${error instanceof Error ? error.message : String(error)})`;
    return oddPart({ text: brief(entry.simple.text), verdict: 'immune', reason, unread: true });
  }
}

function partOf(entry: Opened, insideOf: (simple: Simple) => readonly Simple[], files: ReadonlySet<string>, env: ShellEnv): Part {
  const { simple, wrapper } = entry;
  const placed = insideFolder(simple, env);
  const reading = readSimple(placed, wrapper, env);
  const redirects = strictest(simple.redirects.map((redirect) => judgeRedirect(redirect, simple.cwd, env)));
  const setting = hazardousSetting(simple);
  const places = simple.away ? strictest([]) : pathsOf(placed, reading, wrapper, env);
  const writes = simple.redirects.some((redirect) => writesFile(redirect.op, redirect.target));
  const danger = dangerOf(simple, env);
  const immune = wrapper?.immune ?? streamImmune(simple, insideOf) ?? runsDownload(simple, files) ?? immuneOf(simple, env);
  const hidden =
    wrapper?.opaque ??
    (simple.words[0] && only(simple.words[0]) === undefined ? because`what it runs is only known when it runs` : undefined);
  const lasting = reading.ok ? undefined : lastingOf(simple);
  const swept = simple.away ? undefined : sweeps(simple, env);
  const found = worst([
    danger ? { verdict: simple.away ? 'immune' : 'deny', reason: danger } : undefined,
    immune ? { verdict: 'immune', reason: immune } : undefined,
    redirects.verdict === 'immune' ? redirects : undefined,
    places.verdict === 'immune' ? places : undefined,
    swept ? { verdict: 'immune', reason: swept } : undefined,
    hidden ? { verdict: 'ask', reason: hidden } : undefined,
    redirects,
    setting ? { verdict: 'ask', reason: setting } : undefined,
    reading.ok ? undefined : { verdict: 'ask', reason: reading.reason },
    places,
  ]);
  return {
    text: brief(simple.text),
    verdict: found.verdict,
    reason: found.reason,
    ...(swept !== undefined && found.reason === swept ? { code: 'Sensitive' as const } : {}),
    ...(lasting ? { lasting } : {}),
    readOnly: reading.ok && !writes && !setting && !danger && !hidden && redirects.verdict === 'allow',
    opaque: hidden !== undefined,
    unread: false,
    outside: redirects.outside || places.outside,
    extra: writes || setting !== undefined,
    away: simple.away,
    written: writtenWords(simple),
    denyTexts: denyTexts(simple),
    ruleTexts: [...ruleTexts(simple).map((text) => ({ text, least: 0 })), ...entry.outer],
    paths: [...redirects.paths, ...places.paths, ...(simple.away ? [] : perhapsNamed(placed, reading, env))],
  };
}

interface Found {
  readonly verdict: Part['verdict'];
  readonly reason: Reason;
}

function worst(findings: readonly (Found | undefined)[]): Found {
  let found: Found = { verdict: 'allow', reason: ONLY_READS };
  for (const finding of findings) if (finding && isStricter(finding.verdict, found.verdict)) found = finding;
  return found;
}

function readSimple(simple: Simple, wrapper: Unwrapped | undefined, env: ShellEnv): Reading {
  const told = simple.away ? undefined : tellsSecrets(simple);
  if (told !== undefined) return no(told);
  if (simple.words.length === 0) return reads([]);
  const set = simple.away ? undefined : setByRepository(simple, env);
  if (set !== undefined) return no(set);
  if (namesOf(simple).some((name) => name === 'git' || name === 'gh') && !simple.cwd?.every((folder) => isKnown(folder, env))) {
    return no(because`\`git\` in another folder may find a repository there whose settings run programs`);
  }
  if (wrapper && (wrapper.inner.length + wrapper.scripts.length > 0 || !wrapper.self.ok)) return wrapper.self;
  return wrapper ? wrapper.self : readingOf(simple);
}

/** `git -C FOLDER`, in a known folder of the workspace, reads as git does there. */
function insideFolder(simple: Simple, env: ShellEnv): Simple {
  const [name, option, folder, ...rest] = simple.words;
  const text = only(folder);
  if (!name || only(name) !== 'git' || only(option) !== '-C' || text === undefined) return simple;
  const places = place(text, simple.cwd, env);
  if (!places?.every((located) => located.zone === 'inside' && isKnown(located.real, env))) return simple;
  return { ...simple, words: [name, ...rest], cwd: places.map((located) => located.real) };
}

/** A folder whose repository is the workspace's own, or was looked at and runs nothing. */
function isKnown(folder: string, env: ShellEnv): boolean {
  if (env.roots.includes(folder)) return true;
  const facts = env.roots.some((root) => folder.startsWith(`${root}/`)) ? env.traits?.(folder) : undefined;
  return facts !== undefined && facts.gitRuns === undefined;
}

/** Variables in front of a command go to its environment; alone they change the shell. */
function hazardousSetting(simple: Simple): Reason | undefined {
  const exported = simple.words.length > 0;
  const bad = simple.assigns.find((assign) => isHazardousName(assign.name, exported) || leadsElsewhere(assign));
  return bad ? because`it sets ${bad.name}, which may change what commands do` : undefined;
}

function writesFile(op: string, target: Simple['words'][number] | undefined): boolean {
  if (!op.includes('>')) return false;
  const text = only(target);
  return !(text !== undefined && (isHarmlessDevice(text) || (op.endsWith('&') && /^\d*-?$/.test(text))));
}

/** For rules about files: folders it reads whole, and words of a command that is not known, each of which may be a file. */
function perhapsNamed(simple: Simple, reading: Reading, env: ShellEnv): NamedPath[] {
  const placed = (word: Simple['words'][number]) =>
    [...word.values, ...word.guesses].flatMap((text) => place(text, simple.cwd, env) ?? []);
  const whole: NamedPath[] = readWhole(simple).flatMap((word) => [
    ...placed(word).map((located) => ({ located, write: false, reach: 'all' as const })),
    ...judgeRead(word, simple.cwd, env).paths.flatMap((path) =>
      typeof path.reach === 'object' ? [{ ...path, reach: { ...path.reach, deep: true } }] : [],
    ),
  ]);
  // Names that a listing of the workspace hands over may be any in it.
  if (simple.words.some((word) => word.listed)) whole.push({ located: env.locate(env.root), write: false, reach: 'all' });
  if (reading.ok || simple.words.length > 50) return whole;
  const plain = simple.words.slice(1).filter((word) => /^[^-]/.test(word.prefix));
  return [...whole, ...plain.flatMap((word) => placed(word).map((located) => ({ located, write: false, doubtful: true })))];
}

function pathsOf(simple: Simple, reading: Reading, wrapper: Unwrapped | undefined, env: ShellEnv): PathFinding {
  const own = simple.assigns.flatMap((assign) => (assign.word ? [assign.word] : []));
  if (reading.ok) {
    const here =
      reading.folder && !(simple.cwd?.length === 1 && simple.cwd[0] === env.root)
        ? [judgeRead(literal('.'), simple.cwd, env)]
        : [];
    return strictest([
      ...reading.reads.map((word) => judgeRead(word, simple.cwd, env)),
      judgePerhaps(reading.perhaps, simple.cwd, env),
      ...here,
    ]);
  }
  if (wrapper && wrapper.inner.length + wrapper.scripts.length > 0 && !wrapper.mentions) return strictest([]);
  const strings = namesOf(simple).flatMap((name) => inlineStrings(name, simple));
  const found = judgeMention([...simple.words.slice(1), ...own, ...strings.map((text) => literal(text))], simple.cwd, env);
  const written = judgeWritten(simple, env);
  const outside =
    found.outside || simple.cwd === undefined || simple.cwd.some((folder) => judgeRead(literal('.'), [folder], env).outside);
  return strictest([{ ...found, outside }, written]);
}
