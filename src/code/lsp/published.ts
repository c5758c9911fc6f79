/** Diagnostics a server pushed, and the wait until it has said what it has to say about a file. */
import { asObject } from './capabilities.js';
import { markedText } from './plain.js';
import { readRange } from './positions.js';
import { pathOf } from './uris.js';

export interface Publication {
  readonly items: readonly unknown[];
  readonly version: number | undefined;
  /** Counts all publications of this server. */
  readonly number: number;
}

export interface Published {
  /** Takes what came with `textDocument/publishDiagnostics`. */
  accept(params: unknown): void;
  /** Takes what came with `$/progress`. */
  progress(params: unknown): void;
  get(path: string): Publication | undefined;
  all(): ReadonlyMap<string, Publication>;
  /** Number of the last publication. */
  last(): number;
  /**
   * Resolves with true when the server published for this path after publication `since` and then fell quiet, with false at
   * the deadline (milliseconds of `performance.now()`) or when `stopped`.
   */
  settled(path: string, wait: Wait): Promise<boolean>;
}

export interface Wait {
  readonly since: number;
  readonly version: number;
  readonly until: number;
  stopped(): boolean;
}

/** Files about which publications are kept. */
const MOST_FILES = 2000;
const MOST_ITEMS = 2000;
/** Of all files together. */
const MOST_IN_ALL = 200_000;
const LONGEST_MESSAGE = 2000;
const LONGEST_SOURCE = 200;
const MOST_TOKENS = 1000;
const STEP_MS = 20;
/** After findings, and after none: some servers first send an empty list and then what they found. */
const QUIET_MS = 150;
const QUIET_EMPTY_MS = 400;
/** After one without a version, while it is not known whether the server gives any: it may be about the file on the disk. */
const QUIET_UNKNOWN_MS = 1000;
/** Work a server began and does not end is waited for so long. */
const LONGEST_PROGRESS_MS = 30_000;

export function createPublished(): Published {
  const byPath = new Map<string, Publication>();
  const working = new Map<string, number>();
  let number = 0;
  let held = 0;
  const forget = (path: string | undefined) => {
    if (path === undefined) return;
    held -= byPath.get(path)?.items.length ?? 0;
    byPath.delete(path);
  };
  let lastAt = 0;
  let versions: 'unknown' | 'given' | 'never' = 'unknown';

  const isWorking = (): boolean => {
    for (const [token, began] of working) if (performance.now() - began > LONGEST_PROGRESS_MS) working.delete(token);
    return working.size > 0;
  };

  return {
    accept(params) {
      const { uri, diagnostics, version } = asObject(params);
      const path = pathOf(uri);
      if (path === undefined || !Array.isArray(diagnostics)) return;
      number += 1;
      lastAt = performance.now();
      forget(path);
      if (typeof version === 'number') versions = 'given';
      const items = diagnostics.slice(0, MOST_ITEMS).map(needed);
      held += items.length;
      byPath.set(path, { items, number, version: typeof version === 'number' ? version : undefined });
      while (byPath.size > 1 && (byPath.size > MOST_FILES || held > MOST_IN_ALL)) forget(byPath.keys().next().value);
    },
    progress(params) {
      const { token, value } = asObject(params);
      const { kind } = asObject(value);
      const name = JSON.stringify(token) ?? '';
      if (kind === 'begin' && working.size < MOST_TOKENS) working.set(name, performance.now());
      if (kind === 'end') {
        working.delete(name);
        lastAt = performance.now();
      }
    },
    get: (path) => byPath.get(path),
    all: () => byPath,
    last: () => number,
    async settled(path, { since, version, until, stopped }) {
      for (;;) {
        if (stopped() || performance.now() >= until) return false;
        const publication = byPath.get(path);
        const isOurs =
          publication !== undefined &&
          publication.number > since &&
          (publication.version === undefined ? versions !== 'given' : publication.version >= version);
        if (isOurs && !isWorking()) {
          const usual = publication.items.length > 0 ? QUIET_MS : QUIET_EMPTY_MS;
          const isDoubtful = publication.version === undefined && versions === 'unknown';
          if (performance.now() - lastAt >= (isDoubtful ? QUIET_UNKNOWN_MS : usual)) {
            if (isDoubtful) versions = 'never';
            return true;
          }
        }
        await new Promise((resolve) => setTimeout(resolve, STEP_MS));
      }
    },
  };
}

/** What of a diagnostic is ever used, cut so that it can be kept; what is none becomes nothing. */
function needed(item: unknown): unknown {
  const { range, severity, message, source } = asObject(item);
  const place = readRange(range);
  if (place === undefined) return undefined;
  const from = typeof source === 'string' ? cut(source, LONGEST_SOURCE) : undefined;
  return {
    range: place,
    severity: typeof severity === 'number' ? severity : undefined,
    message: cut(markedText(message), LONGEST_MESSAGE),
    source: from,
  };
}

/** A copy: a part would keep the whole alive. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : Buffer.from(text.slice(0, most)).toString();
}
