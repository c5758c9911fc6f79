/** One running server: greeted, kept informed of its files, asked for findings by whatever way it gives them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from '../../types/language.js';
import { ToolFault } from '../../types/tool.js';
import { answerTo, greeting } from './answers.js';
import { asObject, type Capabilities, readCapabilities, readPull } from './capabilities.js';
import { AGAIN_CODES, type Connection, openConnection, type RequestOptions, ServerError } from './connection.js';
import { createDocuments, type Documents } from './documents.js';
import type { FoundServer } from './find-server.js';
import type { ServerProcess } from './launch.js';
import { readFindings } from './plain.js';
import { createPublished, type Published } from './published.js';
import { TSSERVER_COMMAND, tsserverDiagnostics } from './tsserver.js';
import { uriOf } from './uris.js';

export interface ClientOptions {
  readonly found: FoundServer;
  readonly process: ServerProcess;
  readonly trusted: boolean;
  readonly version: string;
  readonly initializeMs: number;
  /** The server is of no use any more. Called at most once. */
  onFault(reason: string): void;
}

export interface Client {
  readonly found: FoundServer;
  readonly capabilities: Capabilities;
  readonly documents: Documents;
  readonly published: Published;
  request(method: string, params: unknown, options: RequestOptions): Promise<unknown>;
  /** Tells that files changed on the disk. */
  changedOnDisk(files: readonly { readonly path: string; readonly kind: 'created' | 'changed' | 'deleted' }[]): void;
  /**
   * What the server finds in an open file as it is now; undefined when it did not say in time. `told`: the file was just
   * changed, so a publication must follow. Throws ToolFault when the server broke.
   */
  findings(path: string, wait: FindingsWait): Promise<readonly Finding[] | undefined>;
  /** It is asked for findings; what it publishes is only a part of them. */
  asks(): boolean;
  /** Findings of any file as last published, open or not. */
  lastPublished(path: string): readonly Finding[];
  /** Asks it to end. */
  shutdown(waitMs: number): Promise<void>;
}

export interface FindingsWait {
  /** Milliseconds of `performance.now()`. */
  readonly until: number;
  /** Number of the last publication before the file was changed; undefined: it was not changed. */
  readonly told: number | undefined;
}

const KINDS = { created: 1, changed: 2, deleted: 3 } as const;
const AGAIN_MS = 100;

/** Greets the server. Throws ToolFault when it does not answer as a server should. */
export async function openClient(options: ClientOptions): Promise<Client> {
  const { found } = options;
  const published = createPublished();
  const registered = new Map<string, { readonly identifier?: string }>();
  const dynamicPull = () => [...registered.values()].at(-1);
  const connection = await openConnection(options.process, {
    notification(method, params) {
      if (method === 'textDocument/publishDiagnostics') published.accept(params);
      else if (method === '$/progress') published.progress(params);
    },
    request(method, params) {
      noteRegistration(method, params, registered);
      return answerTo(method, params, { found });
    },
    fault: (reason) => options.onFault(reason),
  });
  const hello = greeting({ ...options, processId: options.process.confined ? undefined : process.pid });
  const answer = await connection.request('initialize', hello, { timeoutMs: options.initializeMs });
  connection.notify('initialized', {});
  const capabilities = readCapabilities(answer);
  const documents = createDocuments(connection, () => capabilities.sync);
  const state: State = { connection, capabilities, documents, published, pull: () => dynamicPull() ?? capabilities.pull };
  return {
    found,
    capabilities,
    documents,
    published,
    request: (method, params, limits) => connection.request(method, params, limits),
    changedOnDisk(files) {
      const changes = files.map(({ path, kind }) => ({ uri: uriOf(path), type: KINDS[kind] }));
      if (changes.length > 0) connection.notify('workspace/didChangeWatchedFiles', { changes });
    },
    findings: (path, wait) => findingsOf(state, path, wait),
    asks: () => state.pull() !== undefined || capabilities.commands.includes(TSSERVER_COMMAND),
    lastPublished: (path) => publishedOf(state, path),
    async shutdown(waitMs) {
      try {
        await connection.request('shutdown', undefined, { timeoutMs: waitMs });
        connection.notify('exit', undefined);
      } catch {
        // It will be ended anyway.
      }
    },
  };
}

const MOST_REGISTRATIONS = 200;

/** A server may register anew before it takes the old registration back; only the id tells them apart. */
function noteRegistration(method: string, params: unknown, registered: Map<string, { readonly identifier?: string }>): void {
  const adds = method === 'client/registerCapability';
  if (!adds && method !== 'client/unregisterCapability') return;
  const list = asObject(params)[adds ? 'registrations' : 'unregisterations'];
  for (const entry of Array.isArray(list) ? list.slice(0, MOST_REGISTRATIONS) : []) {
    const { id, method: name, registerOptions } = asObject(entry);
    if (name !== 'textDocument/diagnostic' || typeof id !== 'string') continue;
    if (!adds) registered.delete(id);
    else if (registered.size < MOST_REGISTRATIONS) registered.set(id, readPull(registerOptions));
  }
}

interface State {
  readonly connection: Connection;
  readonly capabilities: Capabilities;
  readonly documents: Documents;
  readonly published: Published;
  pull(): { readonly identifier?: string } | undefined;
}

async function findingsOf(state: State, path: string, wait: FindingsWait): Promise<readonly Finding[] | undefined> {
  if (state.capabilities.commands.includes(TSSERVER_COMMAND)) {
    const items = await patiently(wait.until, (timeoutMs) => tsserverDiagnostics(state.connection, path, timeoutMs));
    if (items !== undefined) return read(state, path, items);
  }
  const pull = state.pull();
  if (pull !== undefined) return pulled(state, path, { ...pull, until: wait.until });
  if (wait.told !== undefined) {
    const version = state.documents.get(path)?.version ?? 0;
    const stopped = () => state.connection.fault() !== undefined || state.pull() !== undefined;
    const settled = await state.published.settled(path, { since: wait.told, version, until: wait.until, stopped });
    const fault = state.connection.fault();
    if (fault !== undefined) throw new ToolFault('Failed', fault);
    // It told us only now that it wants to be asked.
    if (!settled) return state.pull() === undefined ? undefined : findingsOf(state, path, wait);
  }
  return publishedOf(state, path);
}

async function pulled(
  state: State,
  path: string,
  { until, identifier }: { readonly until: number; readonly identifier?: string },
): Promise<readonly Finding[] | undefined> {
  const params = { textDocument: { uri: uriOf(path) }, ...(identifier === undefined ? {} : { identifier }) };
  const answer = await patiently(until, (timeoutMs) =>
    state.connection.request('textDocument/diagnostic', params, { timeoutMs }),
  );
  if (answer === undefined) return undefined;
  const { items } = asObject(answer);
  // Some servers publish beside what they are asked for: what a compiler found on saving.
  return read(state, path, [...(Array.isArray(items) ? items : []), ...(state.published.get(path)?.items ?? [])]);
}

/** Asks again while the server says that it is not ready; undefined at the deadline. */
async function patiently(until: number, ask: (timeoutMs: number) => Promise<unknown>): Promise<unknown> {
  for (;;) {
    const left = until - performance.now();
    if (left <= 0) return undefined;
    try {
      return (await ask(left)) ?? null;
    } catch (error) {
      if (error instanceof ToolFault && error.code === 'Timeout') return undefined;
      if (!(error instanceof ServerError) || !AGAIN_CODES.has(error.number)) throw error;
      await sleep(Math.min(AGAIN_MS, Math.max(1, left)));
    }
  }
}

function publishedOf(state: State, path: string): readonly Finding[] {
  return read(state, path, state.published.get(path)?.items ?? []);
}

function read({ capabilities, documents }: State, path: string, items: unknown): readonly Finding[] {
  const list = items === null ? [] : items;
  return readFindings(list, { path, text: documents.get(path)?.text, encoding: capabilities.encoding });
}
