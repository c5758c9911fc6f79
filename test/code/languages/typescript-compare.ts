/** The TypeScript compiler over the declarations and scripts of installed packages. */
import { join } from 'node:path';
import { referenceOf } from './reference-typescript.js';
import { type Compared, compareAll, filesBelow, ROOT, sample } from './references.js';

/** Compares about `count` files below `folder` whose names fit. Scripts in one line cannot be told apart by lines. */
export async function compareTypescript(folder: string, name: RegExp, count: number): Promise<Compared> {
  const files = sample(filesBelow(join(ROOT, folder), name), count);
  return await compareAll(files, (path, text, _index, outline) => {
    if (text.split('\n').some((line) => line.length > 400)) return undefined;
    const { symbols, expressions, broken } = referenceOf(path, text);
    if (broken) return undefined;
    const isExpression = (line: number) => expressions.some(([from, to]) => line >= from && line <= to);
    return { symbols, ours: outline.symbols.filter((symbol) => !isExpression(symbol.startLine)) };
  });
}
