/** What one server was last known to find in each file, so that only what is new is told, and all that is new once. */
import type { FileFindings, Finding } from '../../types/language.js';
import type { Client } from './client.js';
import { nameOfText } from './documents.js';
import { freshFindings, type Observed } from './fresh.js';

interface Known {
  /** Name of the text the findings are about; texts themselves would be too much to keep. */
  readonly text: string;
  readonly findings: readonly Finding[];
  /** Number of the publication this came from, or the last one then. */
  readonly seen: number;
}

export interface Ledger {
  /** Findings of exactly this text, if they are still good. */
  get(path: string, text: string): readonly Finding[] | undefined;
  set(path: string, observed: Observed, seen: number): void;
  /** What a file was like before the first edit whose findings nobody was told of. */
  untold(path: string): Observed | undefined;
  keepUntold(path: string, before: Observed): void;
  told(path: string): void;
  /** All texts may have changed behind our back. */
  spoil(): void;
  /** Everything is forgotten: the server began anew. */
  clear(): void;
  /** New findings of files that were not edited, from what was published after `since`. Takes note of them. */
  others(client: Client, options: OthersOptions): FileFindings[];
  /** What was published about files after a check had its answer. Takes note of it. */
  amended(client: Client): FileFindings[];
}

export interface OthersOptions {
  readonly since: number;
  readonly except: ReadonlySet<string>;
  /** The server has spoken about the whole project: a file it never named had nothing. */
  readonly complete: boolean;
}

const MOST_KNOWN = 3000;
/** Texts of files nobody heard of. */
const MOST_UNTOLD = 100;

export function createLedger(): Ledger {
  const known = new Map<string, Known>();
  const untold = new Map<string, Observed>();
  let spoilt = new Set<string>();

  const keep = (path: string, entry: Known) => {
    known.delete(path);
    known.set(path, entry);
    spoilt.delete(path);
    limit(known, MOST_KNOWN);
  };
  /** Compares a publication with what was known; the text is taken to be the same. */
  const compare = (client: Client, path: string, other: boolean): FileFindings | undefined => {
    const before = known.get(path) ?? { text: '', findings: [] };
    const findings = client.lastPublished(path).filter(({ severity }) => severity !== 'hint');
    const { fresh, older } = freshFindings({ text: '', findings: before.findings }, { text: '', findings });
    keep(path, { text: before.text, findings, seen: client.published.get(path)?.number ?? 0 });
    return fresh.length === 0 ? undefined : { path, fresh, older, other };
  };
  return {
    get(path, text) {
      const entry = known.get(path);
      return entry !== undefined && entry.text === nameOfText(text) && !spoilt.has(path) ? entry.findings : undefined;
    },
    set: (path, { text, findings }, seen) => keep(path, { text: nameOfText(text), findings, seen }),
    untold: (path) => untold.get(path),
    keepUntold(path, before) {
      untold.delete(path);
      untold.set(path, before);
      limit(untold, MOST_UNTOLD);
    },
    told: (path) => void untold.delete(path),
    spoil: () => {
      spoilt = new Set(known.keys());
    },
    clear() {
      known.clear();
      spoilt.clear();
    },
    others(client, { since, except, complete }) {
      const found: FileFindings[] = [];
      for (const [path, publication] of client.published.all()) {
        if (publication.number <= since || except.has(path)) continue;
        const wasKnown = known.has(path);
        const compared = compare(client, path, true);
        if (compared !== undefined && (wasKnown || complete)) found.push(compared);
      }
      return found;
    },
    amended(client) {
      const found: FileFindings[] = [];
      for (const [path, entry] of [...known]) {
        const publication = client.published.get(path);
        const document = client.documents.get(path);
        if (publication === undefined || publication.number <= entry.seen || document === undefined) continue;
        if (nameOfText(document.text) !== entry.text) continue;
        if (publication.version !== undefined && publication.version < document.version) continue;
        // A server that is asked publishes only a part of what it finds.
        if (client.asks()) continue;
        const compared = compare(client, path, false);
        if (compared !== undefined) found.push(compared);
      }
      return found;
    },
  };
}

/** The oldest go. */
function limit(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
