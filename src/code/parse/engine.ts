/** The one file that loads web-tree-sitter: its engine once, each grammar once, both only when asked for. */
import type * as TreeSitter from 'web-tree-sitter';
import { grammarBytes } from './grammar-bytes.js';

/** A grammar ready to parse with. */
export interface Grammar {
  readonly language: TreeSitter.Language;
  /** The same parser serves all grammars of the thread. */
  readonly parser: TreeSitter.Parser;
  /** A compiled query, kept for the next time. Throws when the query does not fit the grammar. */
  query(source: string): TreeSitter.Query;
}

interface Engine {
  readonly module: typeof TreeSitter;
  readonly parser: TreeSitter.Parser;
}

let engine: Promise<Engine> | undefined;
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

async function load(key: string): Promise<Grammar> {
  engine ??= startEngine();
  engine.catch(() => {
    engine = undefined;
  });
  const [{ module, parser }, bytes] = await Promise.all([engine, grammarBytes(key)]);
  const language = await module.Language.load(bytes);
  const queries = new Map<string, TreeSitter.Query>();
  return {
    language,
    parser,
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
  const [module, wasmBinary] = await Promise.all([import('web-tree-sitter'), grammarBytes('engine')]);
  const quiet = () => undefined;
  const options = { wasmBinary, locateFile: (name: string) => name, print: quiet, printErr: quiet };
  await module.Parser.init(options as unknown as Parameters<typeof module.Parser.init>[0]);
  return { module, parser: new module.Parser() };
}
