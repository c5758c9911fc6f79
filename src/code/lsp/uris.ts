/** Paths as file URIs and back, whatever their names hold. */
import { isAbsolute } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The URI of an absolute path. */
export function uriOf(path: string): string {
  return pathToFileURL(path).href;
}

/** The path of a file URI; undefined when it names no local file. Servers encode names in different ways; all give the same path. */
export function pathOf(uri: unknown): string | undefined {
  if (typeof uri !== 'string' || !/^file:/i.test(uri) || uri.length > 16_384) return undefined;
  try {
    const path = fileURLToPath(uri);
    return isAbsolute(path) && !path.includes('\0') ? path : undefined;
  } catch {
    return undefined;
  }
}
