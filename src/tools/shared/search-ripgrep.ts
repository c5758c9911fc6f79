/** Searches with ripgrep: nothing of the call can become one of its options, and it ends as soon as enough is found. */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { decodeShown } from '../../base/text-encoding.js';
import { streamLines } from '../../process/stream-lines.js';
import { whichSystem } from '../../process/which.js';
import { ToolFault } from '../../types/tool.js';
import { ignoredFromAbove, repositoryOf, rulesFor } from '../../workspace/ignore-rules.js';
import { stopIfAborted } from './args.js';
import { forRipgrep, jsPattern } from './search-pattern.js';
import { LOOKED_AT } from './search-text.js';
import {
  comparePaths,
  cutToMost,
  type FoundFile,
  type FoundLine,
  type SearchFound,
  type SearchPorts,
  type SearchQuery,
} from './search-types.js';

export interface RipgrepProgram {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

let bundled: Promise<string | undefined> | undefined;

/** The program that came with this package, else one in PATH, else undefined. */
export async function findRipgrep(env: Readonly<Record<string, string>>): Promise<string | undefined> {
  bundled ??= import('@vscode/ripgrep').then(
    ({ rgPath }) => (existsSync(rgPath) ? rgPath : undefined),
    () => undefined,
  );
  return (await bundled) ?? whichSystem('rg', env);
}

/** Undefined when the program cannot be started, breaks down or is not what it should be. Throws ToolFault for a pattern it refuses. */
export async function searchWithRipgrep(
  query: SearchQuery,
  ports: SearchPorts,
  program: RipgrepProgram,
): Promise<SearchFound | undefined> {
  const started = Date.now();
  const most = query.maxResults;
  const first = await run(query, ports, program, { sorted: false, most, perFile: most + 1, timeoutMs: ports.timeoutMs });
  // Which matches came first was chance: asked again in order, it ends as soon as it has enough.
  const timeoutMs = ports.timeoutMs - (Date.now() - started);
  const again = first?.full && !query.isFile && timeoutMs > 1000;
  const raw = again ? await run(query, ports, program, { sorted: true, most, perFile: most + 1, timeoutMs }) : first;
  if (!raw) return undefined;
  const { files, matches, more } = cutToMost(raw.files, query.maxResults);
  const notes = raw.timedOut ? [`the search was ended after ${Math.round(ports.timeoutMs / 1000)} s; there may be more`] : [];
  return { files, matches, more: more || raw.full, notes };
}

/** The files that hold a plain text, in order; undefined when ripgrep did not answer for all of them. */
export async function filesHolding(
  text: string,
  query: SearchQuery,
  ports: SearchPorts,
  program: RipgrepProgram,
): Promise<string[] | undefined> {
  const plain = { ...query, term: text, regex: false, context: 0 };
  const all = { ...ports, accept: () => Promise.resolve(true) };
  const how = { sorted: false, most: Number.MAX_SAFE_INTEGER, perFile: 1, timeoutMs: ports.timeoutMs };
  const raw = await run(plain, all, program, how);
  return raw && !raw.timedOut ? raw.files.map((file) => file.path).sort(comparePaths) : undefined;
}

interface RawFound {
  readonly files: FoundFile[];
  /** Ended because there were more matches than wanted. */
  readonly full: boolean;
  readonly timedOut: boolean;
}

interface RunOptions {
  readonly sorted: boolean;
  /** Matches in all and in one file after which it may end. */
  readonly most: number;
  readonly perFile: number;
  readonly timeoutMs: number;
}

interface OpenFile {
  readonly path: string;
  readonly lines: FoundLine[];
  accepted: boolean;
  matches: number;
}

async function run(
  query: SearchQuery,
  ports: SearchPorts,
  program: RipgrepProgram,
  how: RunOptions,
): Promise<RawFound | undefined> {
  const stream = streamLines({
    file: program.path,
    args: argumentsFor(query, how),
    cwd: query.root,
    env: program.env,
    signal: ports.signal,
    timeoutMs: how.timeoutMs,
    mark: NUMBER_MARK,
  });
  const files: FoundFile[] = [];
  let open: OpenFile | undefined;
  let matches = 0;
  let complete = false;
  for await (const { text, cut, afterMark } of stream.lines) {
    const message = cut ? cutMessage(text, afterMark) : parseMessage(text);
    if (message?.type === 'begin') {
      const path = resolve(query.root, message.path);
      open = { path, lines: [], accepted: await ports.accept(path), matches: 0 };
    } else if (message?.type === 'lines' && open?.accepted) {
      open.lines.push(...message.lines);
      if (!message.isMatch) continue;
      open.matches++;
      const enough = matches + open.matches > how.most;
      // Stopped before its end, ripgrep has not seen whether the file is binary.
      if ((enough || open.matches === how.perFile) && (await ports.isBinary(open.path))) open.accepted = false;
      else if (enough) break;
    } else if (message?.type === 'end' && open) {
      if (open.accepted && !(message.zeroAt < LOOKED_AT)) {
        files.push(open);
        matches += open.matches;
      }
      open = undefined;
    } else if (message?.type === 'summary') complete = true;
  }
  const full = open?.accepted === true && matches + open.matches > how.most;
  if (open?.accepted) files.push(open);
  const end = await stream.end;
  stopIfAborted(ports.signal);
  if (end.failed) return undefined;
  if (!complete && end.stopped === undefined) {
    if (query.regex && end.exitCode === 2 && /regex|pattern|PCRE2/i.test(end.stderr)) throw refusal(query, end.stderr);
    return undefined;
  }
  return { files, full, timedOut: end.stopped === 'timeout' };
}

function argumentsFor(query: SearchQuery, { sorted, perFile }: RunOptions): string[] {
  const start = relative(query.root, query.start) || '.';
  return [
    '--json',
    '--no-config',
    '--no-messages',
    '--no-mmap',
    '--hidden',
    ...(repositoryOf(query.start) === undefined ? ['--no-require-git'] : []),
    '--no-ignore-global',
    '--crlf',
    ...(parentsMayIgnore(query) ? [] : ['--no-ignore-parent']),
    query.caseSensitive ? '--case-sensitive' : '--ignore-case',
    query.regex ? '--engine=auto' : '--fixed-strings',
    `--context=${query.context}`,
    `--max-count=${perFile}`,
    ...(sorted ? ['--sort=path'] : []),
    ...typeFilter(query.include),
    ...query.exclude.map((glob) => `--glob=!${plainBraces(glob)}`),
    ...(query.isFile ? [] : ['--glob=!.git']),
    `--regexp=${query.regex ? forRipgrep(query.term) : query.term}`,
    '--',
    start.startsWith('..') ? query.start : `./${start}`,
  ];
}

/** Ignore files above the workspace count only when they belong to its repository, and none above a folder that is itself left out. */
function parentsMayIgnore({ start, root }: SearchQuery): boolean {
  if (rulesFor(start, root).alone) return false;
  return repositoryOf(start) !== undefined || (start !== root && !ignoredFromAbove(root));
}

/**
 * The names that includes allow, as a file type: unlike a glob it never brings ignored files back. What a glob says of
 * folders is checked on what was found.
 */
function typeFilter(include: readonly string[]): string[] {
  const names = include.map((glob) => glob.slice(glob.lastIndexOf('/') + 1));
  if (names.length === 0 || names.includes('**')) return [];
  return [...names.map((name) => `--type-add=wanted:${plainBraces(name).replace(/^i(?=nclude:)/, '[i]')}`), '--type=wanted'];
}

/** Braces and open brackets left after our own expansion are plain characters. */
function plainBraces(glob: string): string {
  const escaped = glob.replace(/\\.|[{}]/gs, (found) => (found.length === 2 ? found : `\\${found}`));
  return /\[[^\]]*$/.test(escaped) ? escaped.replace(/\[(?=[^\]]*$)/, '\\[') : escaped;
}

type Message =
  | { readonly type: 'begin'; readonly path: string }
  | { readonly type: 'lines'; readonly lines: readonly FoundLine[]; readonly isMatch: boolean }
  /** `zeroAt`: where a zero byte ended the file, NaN when none did. */
  | { readonly type: 'end'; readonly zeroAt: number }
  | { readonly type: 'summary' };

interface Content {
  readonly text?: string;
  readonly bytes?: string;
}

function parseMessage(line: string): Message | undefined {
  let value: {
    type?: unknown;
    data?: {
      path?: Content;
      lines?: Content;
      line_number?: unknown;
      submatches?: { start?: unknown }[];
      binary_offset?: unknown;
    };
  };
  try {
    value = JSON.parse(line) as typeof value;
  } catch {
    return undefined;
  }
  const { type, data } = value;
  if (type === 'begin') return { type, path: textOf(data?.path).text };
  if (type === 'summary') return { type };
  if (type === 'end') return { type, zeroAt: typeof data?.binary_offset === 'number' ? data.binary_offset : Number.NaN };
  if ((type !== 'match' && type !== 'context') || typeof data?.line_number !== 'number') return undefined;
  const content = textOf(data.lines);
  // Once it nears its limit, ripgrep calls lines after a match a match too; only a real one says where in the line it is.
  const start = type === 'match' ? data.submatches?.[0]?.start : undefined;
  const at = typeof start === 'number' ? content.offset(start) : undefined;
  return { type: 'lines', isMatch: at !== undefined, lines: numbered(content.text, data.line_number, at) };
}

/** A match over several lines is one match: its first line carries it. */
function numbered(text: string, first: number, at: number | undefined): FoundLine[] {
  const lines = text.replace(/\r?\n$/, '').split('\n');
  return lines.map((line, i) => ({
    number: first + i,
    text: line.replace(/\r$/, ''),
    ...(i === 0 && at !== undefined ? { at } : {}),
  }));
}

function textOf(content: Content | undefined): { readonly text: string; offset(byte: number): number } {
  if (typeof content?.text === 'string') {
    const { text } = content;
    return {
      text,
      offset: (byte) => (byte < 200_000 ? Buffer.from(text.slice(0, byte)).subarray(0, byte).toString('utf8').length : byte),
    };
  }
  const bytes = Buffer.from(content?.bytes ?? '', 'base64');
  return { text: decodeShown(bytes).text, offset: (byte) => decodeShown(bytes.subarray(0, byte)).text.length };
}

/** Stands before a line number, and nowhere else: inside a text every quote has a backslash before it. */
const NUMBER_MARK = '"},"line_number":';

/** A line beyond all bounds still tells its kind, file and number; its text is not shown. */
function cutMessage(text: string, afterMark: string | undefined): Message | undefined {
  const number = /^\d+/.exec(afterMark ?? '')?.[0];
  if (number === undefined || !text.startsWith('{"type":"match"')) return undefined;
  return { type: 'lines', isMatch: true, lines: [{ number: Number(number), text: '(the line is too long to be shown)', at: 0 }] };
}

/** Our own words where we refuse the pattern too, so that both searches say the same. */
function refusal(query: SearchQuery, stderr: string): ToolFault {
  try {
    jsPattern(query);
  } catch (error) {
    if (error instanceof ToolFault) return error;
  }
  const text = stderr
    .replace(/^rg: /gm, '')
    .replace(/~{10,}\n?/g, '')
    .trim();
  const short = text.length > 700 ? `${text.slice(0, 700)}...` : text;
  return new ToolFault(
    'InvalidArgs',
    `invalid arguments: at /term: not a valid regular expression (regex: false searches for the plain text):\n${short}`,
  );
}
