/** Language servers over a temporary workspace, the scripted server standing for TypeScript's. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type LanguageServersOptions, openLanguageServers } from '../../src/code/lsp/language-servers.js';
import { type DiagnosticsWrap, withDiagnostics } from '../../src/tools/wrap/diagnostics.js';
import type { JsonObject } from '../../src/types/json.js';
import type { LanguageServers } from '../../src/types/language.js';
import type { Tool, ToolResult } from '../../src/types/tool.js';
import { type Bench, makeBench } from '../tools/context.js';

const SERVER = resolve(import.meta.dirname, 'scripted-server.mjs');

export interface LanguageBench extends Bench {
  readonly languages: LanguageServers;
  /** What the server was told, in order. */
  log(): Record<string, unknown>[];
  /** Runs a tool inside the wrapper, with `host.languages`. */
  edit(tool: Tool, args: JsonObject, budgetMs?: number): Promise<ToolResult>;
  close(): Promise<void>;
}

/** Command line of the scripted server. */
export function scripted(how: Record<string, unknown>): string {
  const quoted = (text: string) => `'${text}'`;
  return [process.execPath, SERVER, JSON.stringify(how)].map(quoted).join(' ');
}

/** `how` is what the server is asked to do wrong. */
export async function languageBench(
  how: Record<string, unknown> = {},
  options: Partial<LanguageServersOptions> = {},
): Promise<LanguageBench> {
  const bench = await makeBench();
  const log = join(bench.base, 'server.log');
  const other = typeof how['other'] === 'string' ? { other: join(bench.ws, how['other']) } : {};
  const languages = openLanguageServers({
    roots: [bench.ws],
    trusted: true,
    env: bench.context.host.childEnv,
    commands: { CHATCLI_LSP_TS_CMD: scripted({ ...how, ...other, log }) },
    version: '0',
    ...options,
  });
  const context = { ...bench.context, host: { ...bench.context.host, languages } };
  return {
    ...bench,
    context,
    languages,
    log: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as Record<string, unknown>)
        : [],
    edit(tool, args, budgetMs = 20_000) {
      const wrap: DiagnosticsWrap = { languages, budgetMs };
      return withDiagnostics(tool, wrap).run(args, context);
    },
    async close() {
      await languages.close();
      bench.remove();
    },
  };
}

/** Is a process there and not just waiting to be collected? */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

/** Waits until `is` holds, at most ten seconds; gives whether it does. */
export async function eventually(is: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let i = 0; i < 400; i++) {
    if (await is()) return true;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return is();
}
