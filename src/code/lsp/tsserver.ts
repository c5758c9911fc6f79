/** Asks typescript-language-server for the findings of one file directly: what it pushes comes in parts, at its leisure. */
import { asObject } from './capabilities.js';
import type { Connection } from './connection.js';

/** Its command that passes a request on to the compiler. */
export const TSSERVER_COMMAND = 'typescript.tsserverRequest';

const CATEGORIES: Readonly<Record<string, number>> = { error: 1, warning: 2, suggestion: 4, message: 3 };

/** Diagnostics in the protocol's form, or undefined when the server does not answer so. Throws ToolFault. */
export async function tsserverDiagnostics(
  connection: Pick<Connection, 'request'>,
  path: string,
  timeoutMs: number,
): Promise<unknown> {
  const lists = await Promise.all(
    ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync'].map(async (command) => {
      const params = { command: TSSERVER_COMMAND, arguments: [command, { file: path }] };
      const { body } = asObject(await connection.request('workspace/executeCommand', params, { timeoutMs }));
      return body;
    }),
  );
  if (!lists.every((list) => Array.isArray(list))) return undefined;
  return lists.flat().map(converted);
}

function converted(entry: unknown): unknown {
  const { start, end, text, category, code } = asObject(entry);
  const range = { start: place(start), end: place(end) };
  const severity = CATEGORIES[typeof category === 'string' ? category : ''] ?? 1;
  return { range, message: text, severity, code, source: 'typescript' };
}

/** Compilers count from 1; an error about the whole file has no place. */
function place(value: unknown): { readonly line: unknown; readonly character: unknown } {
  const { line, offset } = asObject(value);
  return { line: typeof line === 'number' ? line - 1 : 0, character: typeof offset === 'number' ? offset - 1 : 0 };
}
