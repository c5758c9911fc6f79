/** The one file that loads web-tree-sitter: its engine once, each grammar once, both only when asked for. */
import { setFlagsFromString } from 'node:v8';
import type * as TreeSitter from 'web-tree-sitter';
import { grammarBytes } from './grammar-bytes.js';

/** A grammar ready to parse with. */
export interface Grammar {
  readonly language: TreeSitter.Language;
  /** The same parser serves all grammars of the thread. */
  readonly parser: TreeSitter.Parser;
  /** A compiled query, kept for the next time. Throws when the query does not fit the grammar. */
  query(source: string): TreeSitter.Query;
  /** Bytes the engine of this thread has taken; it never gives any back. */
  heap(): number;
}

interface Memory {
  readonly buffer: ArrayBuffer;
}

/** What is used of the runtime's own; its types come with those of browsers only. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => Memory;
    readonly RuntimeError: new () => Error;
  };
};

interface Engine {
  readonly module: typeof TreeSitter;
  readonly parser: TreeSitter.Parser;
  readonly memory: Memory;
}

/** What the engine starts with, and the most it can ever have (pages); a few grammars take 20 MiB. */
const FIRST_PAGES = 512;
const MOST_PAGES = 5_120;

let engine: Promise<Engine> | undefined;
let broken = false;
const grammars = new Map<string, Promise<Grammar>>();

/** Loads a grammar by its key in grammars.json. A failure is not remembered. */
export function loadGrammar(key: string): Promise<Grammar> {
  let loading = grammars.get(key);
  if (!loading) {
    loading = load(key);
    grammars.set(key, loading);
    loading.catch(() => grammars.delete(key));
  }
  return loading;
}

/** Whether the engine of this thread failed in the middle of its work: it is not to be used again, only another thread has a new one. */
export function isEngineBroken(): boolean {
  return broken;
}

/** To be called with what was thrown while the engine worked: when it cannot go on after that, it is let go, and the answer is true. */
export function breaksEngine(error: unknown): boolean {
  if (!(error instanceof wasm.RuntimeError || error instanceof RangeError)) return false;
  broken = true;
  engine = undefined;
  grammars.clear();
  return true;
}

async function load(key: string): Promise<Grammar> {
  engine ??= startEngine();
  engine.catch(() => {
    engine = undefined;
  });
  const [{ module, parser, memory }, bytes] = await Promise.all([engine, grammarBytes(key)]);
  const language = await module.Language.load(bytes);
  const queries = new Map<string, TreeSitter.Query>();
  return {
    language,
    parser,
    heap: () => memory.buffer.byteLength,
    query(source) {
      const known = queries.get(source);
      if (known) return known;
      const query = new module.Query(language, source);
      queries.set(source, query);
      return query;
    },
  };
}

async function startEngine(): Promise<Engine> {
  // The lexer of a grammar is one huge function: optimising it takes seconds, more than it saves in any one run.
  setFlagsFromString('--liftoff-only');
  const [module, wasmBinary] = await Promise.all([import('web-tree-sitter'), grammarBytes('engine')]);
  const quiet = () => undefined;
  const memory = new wasm.Memory({ initial: FIRST_PAGES, maximum: MOST_PAGES });
  const options = { wasmBinary, wasmMemory: memory, locateFile: (name: string) => name, print: quiet, printErr: quiet };
  await module.Parser.init(options as unknown as Parameters<typeof module.Parser.init>[0]);
  return { module, parser: new module.Parser(), memory };
}
