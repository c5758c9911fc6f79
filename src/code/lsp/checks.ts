/** Checks of edits over all servers: each waits its time and no longer; what comes later is kept for the next result. */
import type { CheckOptions, CheckReport, FileFindings, TouchedFile } from '../../types/language.js';
import { type FoundServer, findServer, type NoServer } from './find-server.js';
import { stillThere } from './fresh.js';
import { createLedger, type Ledger } from './ledger.js';
import { runPass, textOnDisk } from './pass.js';
import type { Pool, Session } from './pool.js';
import type { FindOptions } from './server-env.js';

export interface Checks {
  check(files: readonly TouchedFile[], options: CheckOptions): Promise<CheckReport>;
  late(except: readonly string[]): CheckReport;
  unsettled(): void;
}

export interface ChecksOptions {
  readonly pool: Pool;
  readonly find: FindOptions;
  /** Milliseconds after which a server that has not answered is put aside. */
  readonly longestMs: number;
  /** Hears of servers that wait for trust. */
  onWaiting(server: string): void;
  /** Hears why the variable of a language names no server. */
  onMisnamed(reason: string): void;
}

/** As the seed has it. */
const MOST_FILES = 5;
/** Files of one change a server is told about. */
const MOST_TOLD = 30;
/** How long a server that was slow is waited for, once it has answered. */
const SECOND_WAIT_MS = 2000;

interface Book {
  readonly ledger: Ledger;
  generation: number;
  finished: number;
}

interface LateEntry {
  readonly file: FileFindings;
  /** The text its findings are about; undefined: a file that was not edited. */
  readonly text: string | undefined;
  readonly session: Session;
}

export function createChecks({ pool, find, longestMs, onWaiting, onMisnamed }: ChecksOptions): Checks {
  const books = new Map<Session, Book>();
  let lateEntries: LateEntry[] = [];
  const notes: string[] = [];
  const bookOf = (session: Session): Book => {
    const known = books.get(session);
    if (known) return known;
    const book = { ledger: createLedger(), generation: 0, finished: 0 };
    books.set(session, book);
    return book;
  };
  const isAbout = (paths: ReadonlySet<string>) => (entry: LateEntry) => paths.has(entry.file.path);

  const pass = (session: Session, files: readonly TouchedFile[], options: Wanted) =>
    session.run(() => passOf(session, files, { ...options, book: () => bookOf(session), longestMs }));

  const one = async (session: Session, files: readonly TouchedFile[], options: Wanted): Promise<readonly FileFindings[]> => {
    const { wanted, budgetMs, signal } = options;
    const { ledger } = bookOf(session);
    const running = pass(session, files, options);
    const ms = waitOf(session, budgetMs);
    const found = await inTime(running, ms, signal);
    if (found !== 'late') {
      for (const path of wanted) ledger.told(path);
      lateEntries = lateEntries.filter((entry) => entry.session !== session || !isAbout(wanted)(entry));
      return found ?? [];
    }
    const { patience } = session;
    if (!signal.aborted && ms > 0) {
      patience.slow = true;
      if (!patience.told) notes.push(slowNote(session, ms));
      patience.told = true;
    }
    patience.owes += 1;
    void running.then((later) => {
      patience.owes -= 1;
      lateEntries = lateEntries.filter((entry) => entry.session !== session || !isAbout(wanted)(entry));
      for (const file of later ?? []) {
        const text = file.other ? undefined : files.find(({ path }) => path === file.path)?.after;
        lateEntries.push({ file, text, session });
      }
    });
    return outstanding(
      lateEntries.filter((entry) => entry.session === session && isAbout(wanted)(entry)),
      files,
    );
  };

  return {
    async check(files, { budgetMs, signal }) {
      const groups = grouped(files, { pool, find, onWaiting, onMisnamed });
      const checked = [...groups.values()].flat().slice(0, MOST_FILES);
      const wanted = new Set(checked.map(({ path }) => path));
      const unchecked = [...groups.values()].flat().filter(({ path }) => !wanted.has(path));
      const all = [...groups].map(([session, group]) => {
        const mine = new Set(group.map(({ path }) => path).filter((path) => wanted.has(path)));
        return one(session, group.slice(0, MOST_TOLD), { wanted: mine, budgetMs, signal });
      });
      const found = (await Promise.all(all)).flat();
      return {
        files: found.filter(({ path, other }) => !other || !wanted.has(path)),
        unchecked: unchecked.map(({ path }) => path),
        notes: [...notes.splice(0), ...pool.notes()],
      };
    },
    late(except) {
      const skipped = new Set(except);
      const due = lateEntries.filter((entry) => !isAbout(skipped)(entry));
      lateEntries = lateEntries.filter(isAbout(skipped));
      const files: FileFindings[] = [];
      for (const { file, text, session } of due) {
        // About a text that is no more, it would only mislead; it counts as new with the next edit of the file.
        if (text === undefined ? !file.other : textOnDisk(file.path) !== text) continue;
        if (!file.other) bookOf(session).ledger.told(file.path);
        files.push(file);
      }
      for (const [session, book] of books) {
        const client = session.current();
        if (client === undefined || book.generation !== session.generation()) continue;
        files.push(...book.ledger.amended(client).filter(({ path }) => !skipped.has(path)));
      }
      return { files, unchecked: [], notes: [...notes.splice(0), ...pool.notes()] };
    },
    unsettled() {
      for (const { ledger } of books.values()) ledger.spoil();
    },
  };
}

interface Wanted extends CheckOptions {
  readonly wanted: ReadonlySet<string>;
}

interface PassUse extends Wanted {
  book(): Book;
  readonly longestMs: number;
}

/** Runs to its end whatever its caller does; the findings, or undefined when there will be none. */
async function passOf(session: Session, files: readonly TouchedFile[], use: PassUse) {
  if (session.aside() !== undefined) return undefined;
  const began = performance.now();
  try {
    const client = await session.client();
    const book = use.book();
    if (book.generation !== session.generation()) book.ledger.clear();
    book.generation = session.generation();
    const until = performance.now() + use.longestMs;
    const found = await runPass({ client, ledger: book.ledger, files, wanted: use.wanted, until, earlier: book.finished });
    if (found === undefined) session.putAside(`it did not answer within ${use.longestMs / 1000} s`);
    else book.finished += 1;
    session.patience.slow = performance.now() - began > use.budgetMs;
    return found;
  } catch {
    // What is to be said about a server that broke, the pool says.
    return undefined;
  }
}

/** What came late about texts that were edited again, and which nobody was told: as far as its lines are still there. */
function outstanding(entries: readonly LateEntry[], files: readonly TouchedFile[]): FileFindings[] {
  return entries.flatMap(({ file, text }) => {
    const touched = files.find(({ path }) => path === file.path);
    if (file.other || text === undefined || touched?.after === undefined || touched.before !== text) return [];
    return [{ ...file, fresh: stillThere({ text, findings: file.fresh }, touched.after) }];
  });
}

/** One that owes an answer is not waited for; one that was slow only a little. */
function waitOf({ patience }: Session, budgetMs: number): number {
  if (patience.owes > 0) return 0;
  return patience.slow ? Math.min(budgetMs, SECOND_WAIT_MS) : budgetMs;
}

function slowNote(session: Session, ms: number): string {
  const name = session.found.name;
  return `The language server ${name} did not answer within ${ms / 1000} s; what it finds comes with a later result, or ask @lsp diagnostics.`;
}

async function inTime<T>(work: Promise<T>, ms: number, signal: AbortSignal): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  let stop: () => void = () => undefined;
  const end = new Promise<'late'>((resolve) => {
    stop = () => resolve('late');
    timer = setTimeout(stop, ms);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

function grouped(
  files: readonly TouchedFile[],
  { pool, find, onWaiting, onMisnamed }: Omit<ChecksOptions, 'longestMs'>,
): Map<Session, TouchedFile[]> {
  const groups = new Map<Session, TouchedFile[]>();
  for (const file of files) {
    const found: FoundServer | NoServer = findServer(file.path, find);
    if (!('file' in found)) {
      if (found.waiting !== undefined) onWaiting(found.waiting);
      if (found.misnamed) onMisnamed(found.reason);
      continue;
    }
    const session = pool.session(found);
    groups.set(session, [...(groups.get(session) ?? []), file]);
  }
  return groups;
}
