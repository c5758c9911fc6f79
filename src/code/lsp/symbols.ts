/** Symbols as servers list them, flat or nested, as one flat list. */
import type { CodePlace, CodeSymbol } from '../../types/language.js';
import { asObject } from './capabilities.js';
import { oneLine } from './plain.js';
import { uriOf } from './uris.js';

const KINDS = (
  'file module namespace package class method property field constructor enum interface function variable constant string ' +
  'number boolean array object key null enum-member struct event operator type-parameter'
).split(' ');
const MOST_SYMBOLS = 5000;
const MOST_DEPTH = 30;
const LONGEST_NAME = 200;

interface SymbolsOptions {
  /** File of symbols that do not say where they are. */
  readonly path: string;
  place(uri: unknown, range: unknown): CodePlace | undefined;
}

/** In the order of the server; entries that are none are passed over. */
export function readSymbols(answer: unknown, options: SymbolsOptions): CodeSymbol[] {
  const symbols: CodeSymbol[] = [];
  add(answer, { symbols, options, depth: 0, container: '' });
  return symbols;
}

interface Adding {
  readonly symbols: CodeSymbol[];
  readonly options: SymbolsOptions;
  readonly depth: number;
  readonly container: string;
}

function add(list: unknown, adding: Adding): void {
  if (!Array.isArray(list) || adding.depth > MOST_DEPTH) return;
  const { symbols, options, depth, container } = adding;
  for (const entry of list) {
    if (symbols.length >= MOST_SYMBOLS) return;
    const { name, kind, location, selectionRange, range, containerName, children } = asObject(entry);
    if (typeof name !== 'string') continue;
    const { uri, range: there } = asObject(location);
    const whole = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    const place = options.place(uri ?? uriOf(options.path), selectionRange ?? there ?? range ?? whole);
    if (place === undefined) continue;
    const plain = oneLine(name, LONGEST_NAME);
    const outer = typeof containerName === 'string' ? oneLine(containerName, LONGEST_NAME) : container;
    const word = typeof kind === 'number' ? KINDS[kind - 1] : undefined;
    symbols.push({ name: plain, kind: word ?? 'symbol', container: outer, depth, place });
    add(children, { symbols, options, depth: depth + 1, container: plain });
  }
}
