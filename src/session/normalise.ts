/** Takes out of a text what differs from run to run without meaning anything: times, pids, ports, hashes, temporary and home paths. */

export interface Places {
  /** Real paths of the workspace folders. */
  readonly roots: readonly string[];
  readonly home: string;
  /** Folders for temporary files. */
  readonly tmp: readonly string[];
}

/**
 * Every pattern is anchored at its start by something it cannot run over, and every repetition is bounded, so that the
 * time is linear in the length of the text whatever it holds.
 */
const MARKS: readonly (readonly [RegExp, string | ((found: string) => string)])[] = [
  [/\b\d{8}-\d{6}-[0-9a-z]{4}\b/g, '<session>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<uuid>'],
  // Dates and times, longest forms first.
  [/\b\d{4}[-/]\d{2}[-/]\d{2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z| ?[+-]\d{2}:?\d{2})?)?\b/g, '<time>'],
  [
    /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:\d{1,2} )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?: \d{1,2})?,?(?: \d{4})?(?: \d{2}:\d{2}(?::\d{2})?)?(?: (?:GMT|UTC|[+-]\d{4}))?(?: \d{4})?(?: [+-]\d{4})?\b/g,
    '<time>',
  ],
  [/\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2} (?:\d{2}:\d{2}(?::\d{2})?| ?\d{4})\b/g, '<time>'],
  [/\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?: ?[AaPp][Mm])?\b/g, '<time>'],
  [/\b\d{1,9} (?:second|minute|hour|day|week|month|year)s? ago\b/g, '<time>'],
  [/\b1[6-9]\d{8}(?:\d{3}|\d{6}|\d{9})?\b/g, '<time>'],
  // Durations.
  [/\bduration_ms:? {0,4}\d{1,12}(?:\.\d{1,12})?/g, 'duration_ms <duration>'],
  [
    /(?<![\w.])(?:\d{1,6}h ?)?(?:\d{1,6}m ?)?\d{1,9}(?:[.,]\d{1,9})? ?(?:ns|us|µs|μs|ms|msecs?|millis(?:econds?)?|secs?|seconds?|s|mins?|minutes?|hours?)(?![\w])/g,
    '<duration>',
  ],
  [/(?<![\w.])\d{1,6}h ?\d{1,6}m(?![\w])/g, '<duration>'],
  // Processes and ports.
  [/\b(pid|process|PID|Process)([ :=#]{1,3})\d{1,10}\b/g, '<pid>'],
  [/\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0):\d{1,5}\b/g, '<address>'],
  [/\[::1?\]:\d{1,5}\b/g, '<address>'],
  [/\b[Pp]ort([ :=]{1,2})\d{1,5}\b/g, '<port>'],
  // Hashes: hexadecimal with a digit and a letter in it.
  [/\b(?:[0-9a-f]{7,128}|[0-9A-F]{32,128})\b/g, (found) => (/\d/.test(found) && /[a-fA-F]/.test(found) ? '<hash>' : found)],
  [/\bsha(?:256|384|512)-[A-Za-z0-9+/]{20,90}={0,2}/g, '<hash>'],
];

/** The text with marks in place of what may differ. Line ends become line feeds, spaces at line ends go. */
export function normalise(text: string, places: Places): string {
  let out = text.replace(/\r\n/g, '\n');
  for (const [path, mark] of pathMarks(places)) out = replacePath(out, path, mark);
  for (const dir of byLength(places.tmp)) out = replaceTemporary(out, dir);
  for (const [pattern, mark] of MARKS) out = typeof mark === 'string' ? out.replace(pattern, mark) : out.replace(pattern, mark);
  return out
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Workspace and home, longest first, so that a folder inside another is met before it. */
function pathMarks({ roots, home }: Places): [string, string][] {
  const marks: [string, string][] = roots.map((root, index) => [root, index === 0 ? '<workspace>' : `<workspace ${index + 1}>`]);
  marks.push([home, '<home>']);
  return marks.filter(([path]) => path.length > 1).sort(([a], [b]) => b.length - a.length);
}

const byLength = (paths: readonly string[]): string[] =>
  paths.filter((path) => path.length > 1).sort((a, b) => b.length - a.length);

/** Replaces a path where it stands as a whole or as the start of a longer one. */
function replacePath(text: string, path: string, mark: string): string {
  return replaceAt(text, path, (rest) => [mark, rest]);
}

/** A temporary folder with the name below it, which is made up anew in every run. */
function replaceTemporary(text: string, dir: string): string {
  return replaceAt(text, dir, (rest) => ['<tmp>', rest.slice(/^\/[\w.@+~-]{1,255}/.exec(rest)?.[0].length ?? 0)]);
}

/** Cuts the text at a path; `replace` gives the mark and what stays of the text behind it. */
function replaceAt(text: string, path: string, replace: (rest: string) => readonly [string, string]): string {
  const bare = path.endsWith('/') ? path.slice(0, -1) : path;
  const pieces = text.split(bare);
  const out = [pieces[0] ?? ''];
  for (let i = 1; i < pieces.length; i++) {
    const rest = pieces[i] ?? '';
    const before = i === 1 ? (pieces[0] ?? '') : pieces[i - 1] || bare;
    if (isPathEnd(rest) && (before.endsWith('://') || !isPathLetter(before.at(-1)))) out.push(...replace(rest));
    else out.push(bare, rest);
  }
  return out.join('');
}

const isPathLetter = (letter: string | undefined): boolean => letter !== undefined && /[\w/.~-]/.test(letter);
const isPathEnd = (rest: string): boolean => rest === '' || !/^[\w.@+~-]/.test(rest) || /^\.(?:\s|$)/.test(rest);
