/** Questions about places in one file: definition, references, hover, symbols, rename. */
import type { CodePlace, CodePosition, LanguageFile } from '../../types/language.js';
import { ToolFault } from '../../types/tool.js';
import { asObject } from './capabilities.js';
import type { Client } from './client.js';
import { followDisk, languageFor, MOST_OPEN, textOnDisk } from './pass.js';
import { markedText, oneLine, plainText } from './plain.js';
import type { Session } from './pool.js';
import { fromPosition, linesOf, type PositionEncoding, readRange, toPosition } from './positions.js';
import { readEdit } from './rename.js';
import { readSymbols } from './symbols.js';
import { pathOf, uriOf } from './uris.js';

const ANSWER_MS = 45_000;
const MOST_PLACES = 2000;

export interface OpenOptions {
  readonly session: Session;
  readonly path: string;
  readonly text: string;
  readonly signal: AbortSignal;
}

/** Opens the file in its server, which starts when need be. Throws ToolFault. */
export async function openLanguageFile({ session, path, text, signal }: OpenOptions): Promise<LanguageFile> {
  const { name } = session.found;
  /** Nothing else happens in the server meanwhile, and what is open there is as on the disk. */
  const ask = <T>(work: (client: Client) => Promise<T>): Promise<T> =>
    session.run(async () => {
      const client = await withSignal(session.client(), signal);
      followDisk(client, new Set([path]));
      client.documents.set(path, text, languageFor(session.found.kind, path));
      client.documents.trim(MOST_OPEN);
      try {
        return await work(client);
      } catch (error) {
        throw error instanceof ToolFault ? new ToolFault(error.code, `${name}: ${oneLine(error.message, 400)}`) : error;
      }
    });
  const question = (client: Client, provider: string, method: string, params: object): Promise<unknown> => {
    if (!client.capabilities.has(provider)) throw new ToolFault('Failed', `it cannot do this (${method})`);
    return client.request(method, params, { timeoutMs: ANSWER_MS, signal });
  };
  const at = (client: Client, position: CodePosition) => {
    const line = linesOf(text)[position.line - 1];
    if (line === undefined) throw new ToolFault('InvalidArgs', `the file has only ${linesOf(text).length} lines`);
    const place = fromPosition(position, line, client.capabilities.encoding);
    return { textDocument: { uri: uriOf(path) }, position: place };
  };
  return {
    server: name,
    definition: (position) =>
      ask(async (client) =>
        readPlaces(await question(client, 'definitionProvider', 'textDocument/definition', at(client, position)), client),
      ),
    references: (position) =>
      ask(async (client) => {
        const params = { ...at(client, position), context: { includeDeclaration: true } };
        return readPlaces(await question(client, 'referencesProvider', 'textDocument/references', params), client);
      }),
    hover: (position) =>
      ask(async (client) => {
        const answer = await question(client, 'hoverProvider', 'textDocument/hover', at(client, position));
        const said = plainText(markedText(asObject(answer)['contents']));
        return said === '' ? undefined : said;
      }),
    symbols: () =>
      ask(async (client) => {
        const params = { textDocument: { uri: uriOf(path) } };
        const answer = await question(client, 'documentSymbolProvider', 'textDocument/documentSymbol', params);
        return readSymbols(answer, { path, place: (uri, range) => placeOf(uri, range, client) });
      }),
    workspaceSymbols: (query) =>
      ask(async (client) => {
        const answer = await question(client, 'workspaceSymbolProvider', 'workspace/symbol', { query });
        return readSymbols(answer, { path, place: (uri, range) => placeOf(uri, range, client) });
      }),
    findings: () =>
      ask(async (client) => {
        const told = client.published.last();
        if (!client.asks()) client.documents.set(path, text, languageFor(session.found.kind, path), true);
        const found = await withSignal(client.findings(path, { until: performance.now() + ANSWER_MS, told }), signal);
        if (found === undefined) throw new ToolFault('Timeout', `it did not answer within ${ANSWER_MS / 1000} s`);
        return found;
      }),
    rename: (position, newName) =>
      ask(async (client) => {
        const params = at(client, position);
        if (
          client.capabilities.prepares &&
          (await question(client, 'renameProvider', 'textDocument/prepareRename', params)) === null
        )
          throw new ToolFault('InvalidArgs', 'nothing at this place can be renamed');
        const answer = await question(client, 'renameProvider', 'textDocument/rename', { ...params, newName });
        return readEdit(answer, {
          lineOf: lineReader(client),
          versionOf: (file) => client.documents.get(file)?.version,
          encoding: client.capabilities.encoding,
        });
      }),
  };
}

async function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw new ToolFault('Aborted', 'the run was stopped');
  let onAbort: () => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    onAbort = () => reject(new ToolFault('Aborted', 'the run was stopped'));
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    work.catch(() => undefined);
  }
}

/** Lines of files, read once each; servers that count other units than we do need them. */
function lineReader(client: Client): (path: string, line: number) => string | undefined {
  const texts = new Map<string, readonly string[]>();
  return (path, line) => {
    const known = texts.get(path) ?? linesOf(client.documents.get(path)?.text ?? textOnDisk(path) ?? '');
    texts.set(path, known);
    return known[line];
  };
}

function placeOf(uri: unknown, range: unknown, client: Client, lineOf = lineReader(client)): CodePlace | undefined {
  const found = readRange(range);
  if (found === undefined || typeof uri !== 'string') return undefined;
  const path = pathOf(uri);
  const { encoding } = client.capabilities;
  const position = (place: typeof found.start) => toPosition(place, lineFor(path, place.line, { encoding, lineOf }), encoding);
  return { path: path ?? oneLine(uri, 400), isFile: path !== undefined, start: position(found.start), end: position(found.end) };
}

function lineFor(
  path: string | undefined,
  line: number,
  { encoding, lineOf }: { encoding: PositionEncoding; lineOf: ReturnType<typeof lineReader> },
): string | undefined {
  return path === undefined || encoding === 'utf-16' ? undefined : lineOf(path, line);
}

/** A location, a list of them, or of links; each place once, in the order of the files. */
function readPlaces(answer: unknown, client: Client): readonly CodePlace[] {
  const list = Array.isArray(answer) ? answer : answer === null || answer === undefined ? [] : [answer];
  const lineOf = lineReader(client);
  const places = new Map<string, CodePlace>();
  for (const entry of list.slice(0, MOST_PLACES)) {
    const { uri, range, targetUri, targetSelectionRange } = asObject(entry);
    const place = placeOf(targetUri ?? uri, targetSelectionRange ?? range, client, lineOf);
    if (place !== undefined) places.set(`${place.path}\0${place.start.line}\0${place.start.column}`, place);
  }
  return [...places.values()].sort(byPlace);
}

function byPlace(a: CodePlace, b: CodePlace): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.start.line - b.start.line || a.start.column - b.start.column;
}
