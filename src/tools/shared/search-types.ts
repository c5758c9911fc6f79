/** What the two engines of a search are asked and what they answer. */

export interface SearchQuery {
  readonly term: string;
  readonly regex: boolean;
  readonly caseSensitive: boolean;
  /** Lines before and after each match. */
  readonly context: number;
  readonly maxResults: number;
  /** Globs of `globList`. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Real path of a folder, or of one file. */
  readonly start: string;
  readonly isFile: boolean;
  /** Real path of the workspace: globs with a leading slash begin here. */
  readonly root: string;
}

export interface FoundLine {
  readonly number: number;
  readonly text: string;
  /** Offset of the match in `text`; undefined for a line of context. */
  readonly at?: number;
}

export interface FoundFile {
  /** Real path. */
  readonly path: string;
  readonly lines: readonly FoundLine[];
}

export interface SearchFound {
  /** In the order of their paths; lines in order. */
  readonly files: readonly FoundFile[];
  /** Matching lines in `files`, at most `maxResults`. */
  readonly matches: number;
  /** There are more matches than were asked for. */
  readonly more: boolean;
  /** Why not everything was looked at, as sentences. */
  readonly notes: readonly string[];
}

export interface SearchPorts {
  /** May this file's matches be shown? Asked once for each file that has some. */
  accept(path: string): Promise<boolean>;
  /** Does a zero byte stand in the beginning of this file? True also for one that cannot be read. */
  isBinary(path: string): Promise<boolean>;
  readonly signal: AbortSignal;
  /** Milliseconds for all of it. */
  readonly timeoutMs: number;
}

/** Folder by folder, name by name, as a walk meets them. */
export function comparePaths(a: string, b: string): number {
  const left = a.split(/[\\/]/);
  const right = b.split(/[\\/]/);
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [x = '', y = ''] = [left[i], right[i]];
    if (x !== y) return x < y ? -1 : 1;
  }
  return left.length - right.length;
}

/** Files in order, cut to `maxResults` matching lines; context beyond the last match is dropped with it. */
export function cutToMost(
  files: readonly FoundFile[],
  maxResults: number,
): { files: FoundFile[]; matches: number; more: boolean } {
  const kept: FoundFile[] = [];
  let matches = 0;
  for (const file of [...files].sort((a, b) => comparePaths(a.path, b.path))) {
    const lines: FoundLine[] = [];
    for (const line of file.lines) {
      if (line.at !== undefined && matches === maxResults) {
        if (lines.length > 0) kept.push({ path: file.path, lines: untilGap(lines) });
        return { files: kept, matches, more: true };
      }
      if (line.at !== undefined) matches++;
      lines.push(line);
    }
    kept.push({ path: file.path, lines });
  }
  return { files: kept, matches, more: false };
}

/** Without the lines after the last match that do not touch it: they stood before the next one. */
function untilGap(lines: readonly FoundLine[]): FoundLine[] {
  const last = lines.findLastIndex((line) => line.at !== undefined);
  const gap = lines.findIndex((line, i) => i > last && line.number > (lines[i - 1]?.number ?? 0) + 1);
  return gap < 0 ? [...lines] : lines.slice(0, gap);
}
