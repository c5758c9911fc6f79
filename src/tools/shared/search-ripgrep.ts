/** Searches with ripgrep: nothing of the call can become one of its options, and it ends as soon as enough is found. */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { decodeShown } from '../../base/text-encoding.js';
import { streamLines } from '../../process/stream-lines.js';
import { which } from '../../process/which.js';
import { ToolFault } from '../../types/tool.js';
import { ignoredFromAbove, repositoryOf, rulesFor } from '../../workspace/ignore-rules.js';
import { stopIfAborted } from './args.js';
import {
  cutToMost,
  type FoundFile,
  type FoundLine,
  type SearchFound,
  type SearchPorts,
  type SearchQuery,
} from './search-types.js';

let bundled: Promise<string | undefined> | undefined;

/** The program that came with this package, else one in PATH, else undefined. */
export async function findRipgrep(env: Readonly<Record<string, string>>): Promise<string | undefined> {
  bundled ??= import('@vscode/ripgrep').then(
    ({ rgPath }) => (existsSync(rgPath) ? rgPath : undefined),
    () => undefined,
  );
  return (await bundled) ?? which('rg', env);
}

/** Undefined when the program cannot be started. Throws ToolFault for a pattern or glob it refuses. */
export async function searchWithRipgrep(
  query: SearchQuery,
  ports: SearchPorts,
  program: string,
  env: Readonly<Record<string, string>>,
): Promise<SearchFound | undefined> {
  const started = Date.now();
  const first = await run(query, ports, program, env, { sorted: false, timeoutMs: ports.timeoutMs });
  // Which matches came first was chance: asked again in order, it ends as soon as it has enough.
  const timeoutMs = ports.timeoutMs - (Date.now() - started);
  const raw =
    first?.full && !query.isFile && timeoutMs > 1000 ? await run(query, ports, program, env, { sorted: true, timeoutMs }) : first;
  if (!raw) return undefined;
  const { files, matches, more } = cutToMost(raw.files, query.maxResults);
  const notes = raw.timedOut ? [`the search was ended after ${Math.round(ports.timeoutMs / 1000)} s; there may be more`] : [];
  return { files, matches, more: more || raw.full, notes };
}

interface RawFound {
  readonly files: FoundFile[];
  /** Ended because there were more matches than wanted. */
  readonly full: boolean;
  readonly timedOut: boolean;
}

async function run(
  query: SearchQuery,
  ports: SearchPorts,
  program: string,
  env: Readonly<Record<string, string>>,
  how: { readonly sorted: boolean; readonly timeoutMs: number },
): Promise<RawFound | undefined> {
  const stream = streamLines({
    file: program,
    args: argumentsFor(query, how.sorted),
    cwd: query.root,
    env,
    signal: ports.signal,
    timeoutMs: how.timeoutMs,
    mark: NUMBER_MARK,
  });
  const files: FoundFile[] = [];
  let open: { path: string; lines: FoundLine[]; accepted: boolean } | undefined;
  let matches = 0;
  for await (const { text, cut, afterMark } of stream.lines) {
    const message = cut ? cutMessage(text, afterMark) : parseMessage(text);
    if (!message) continue;
    if (message.type === 'begin') {
      const path = resolve(query.root, message.path);
      open = { path, lines: [], accepted: await ports.accept(path) };
    } else if (message.type === 'lines' && open?.accepted) {
      open.lines.push(...message.lines);
      matches += message.isMatch ? 1 : 0;
      if (matches > query.maxResults) break;
    } else if (message.type === 'end') {
      if (open?.accepted && !message.binary) files.push(open);
      else if (open?.accepted) matches -= open.lines.filter((line) => line.at !== undefined).length;
      open = undefined;
    }
  }
  if (open?.accepted) files.push(open);
  const end = await stream.end;
  stopIfAborted(ports.signal);
  if (end.failed) return undefined;
  if (end.exitCode === 2 && end.stderr.trim() !== '') throw refusal(end.stderr);
  return { files, full: matches > query.maxResults, timedOut: end.stopped === 'timeout' };
}

function argumentsFor(query: SearchQuery, sorted: boolean): string[] {
  const multiline = query.term.includes('\n') || (query.regex && query.term.includes('\\n'));
  const literal = !query.regex && !multiline;
  const term = query.regex || literal ? query.term : escapedLines(query.term);
  const start = relative(query.root, query.start) || '.';
  return [
    '--json',
    '--no-config',
    '--no-messages',
    '--hidden',
    ...(repositoryOf(query.start) === undefined ? ['--no-require-git'] : []),
    '--no-ignore-global',
    '--crlf',
    ...(parentsMayIgnore(query) ? [] : ['--no-ignore-parent']),
    query.caseSensitive ? '--case-sensitive' : '--ignore-case',
    literal ? '--fixed-strings' : '--engine=auto',
    ...(multiline ? ['--multiline'] : []),
    `--context=${query.context}`,
    `--max-count=${query.maxResults + 1}`,
    ...(sorted ? ['--sort=path'] : []),
    ...typeFilter(query.include),
    ...query.exclude.map((glob) => `--glob=!${plainBraces(glob)}`),
    ...(query.isFile ? [] : ['--glob=!.git']),
    `--regexp=${term}`,
    '--',
    start.startsWith('..') ? query.start : `./${start}`,
  ];
}

/** Ignore files above the workspace count only when they belong to its repository, and none above a folder that is itself left out. */
function parentsMayIgnore({ start, root }: SearchQuery): boolean {
  if (rulesFor(start, root).alone) return false;
  return repositoryOf(start) !== undefined || (start !== root && !ignoredFromAbove(root));
}

/** Text over several lines as a pattern that takes either line ending. */
function escapedLines(term: string): string {
  return term
    .split(/\r?\n/)
    .map((line) => line.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('\\r?\\n');
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
  | { readonly type: 'end'; readonly binary: boolean };

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
  if (type === 'end') return { type, binary: typeof data?.binary_offset === 'number' };
  if ((type !== 'match' && type !== 'context') || typeof data?.line_number !== 'number') return undefined;
  const content = textOf(data.lines);
  const start = data.submatches?.[0]?.start;
  const at = type === 'match' ? content.offset(typeof start === 'number' ? start : 0) : undefined;
  return { type: 'lines', isMatch: type === 'match', lines: numbered(content.text, data.line_number, at) };
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

function refusal(stderr: string): ToolFault {
  const text = stderr
    .replace(/^rg: /gm, '')
    .replace(/~{10,}\n?/g, '')
    .trim();
  const short = text.length > 700 ? `${text.slice(0, 700)}...` : text;
  if (/regex|pattern|PCRE2|look-around|backreference|literal/i.test(text)) {
    return new ToolFault(
      'InvalidArgs',
      `invalid arguments: at /term: not a valid regular expression (regex: false searches for the plain text):\n${short}`,
    );
  }
  return new ToolFault(/glob/i.test(text) ? 'InvalidArgs' : 'Failed', `the search failed: ${short}`);
}
