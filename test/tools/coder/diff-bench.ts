/** Situations for `patch` with `diff`: files before, the call, files after or the refusal. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { patchTool } from '../../../src/tools/coder/patch.js';
import type { ToolResult } from '../../../src/types/tool.js';
import { type Bench, makeBench } from '../context.js';

export type Files = Record<string, string | Buffer>;

export interface DiffBench {
  readonly bench: Bench;
  /** Files and links of the workspace without backups, as Latin-1. */
  files(): Files;
  done(before: Files, args: Record<string, string> | string, after: Files, says?: string | RegExp): Promise<ToolResult>;
  /** Also: nothing was changed and no backup made. */
  refused(before: Files, args: Record<string, string> | string, code: string, says: string | RegExp): Promise<void>;
}

export const unified = (file: string, body: string, header = '@@ -1,3 +1,3 @@') =>
  `--- a/${file}\n+++ b/${file}\n${header}\n${body}`;
export const ABC = { 'x.txt': 'a\nb\nc\n' };
export const BODY = ' a\n-b\n+B\n c\n';
export const DONE = { 'x.txt': 'a\nB\nc\n' };

/** A new workspace for each test. */
export function useDiffBench(): DiffBench {
  let bench: Bench;
  beforeEach(async () => {
    bench = await makeBench();
  });
  afterEach(() => bench.remove());

  function all(): string[] {
    const entries = readdirSync(bench.ws, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  }
  const backups = () => all().filter((path) => path.endsWith('.bak'));
  function files(): Files {
    const shown = all().filter((path) => !path.endsWith('.bak'));
    return Object.fromEntries(shown.map((path) => [path.slice(bench.ws.length + 1), readFileSync(path, 'latin1')]));
  }
  // Files that are there already begin in a new workspace, which never saw them.
  async function put(before: Files): Promise<void> {
    if (Object.keys(before).some((path) => files()[path] !== undefined)) {
      bench.remove();
      bench = await makeBench();
    }
    for (const [path, content] of Object.entries(before)) bench.put(path, content);
  }
  const call = (args: Record<string, string> | string) => bench.run(patchTool, typeof args === 'string' ? { diff: args } : args);
  return {
    get bench() {
      return bench;
    },
    files,
    async done(before, args, after, says) {
      await put(before);
      const result = await call(args);
      expect(result.output).not.toMatch(/^(error|invalid)/);
      const wanted = Object.entries(after).map(([path, content]) => [path, Buffer.from(content).toString('latin1')]);
      expect(files()).toEqual(Object.fromEntries(wanted));
      if (says !== undefined) expect(result.output).toMatch(says);
      return result;
    },
    async refused(before, args, code, says) {
      await put(before);
      const [start, kept] = [files(), backups()];
      const result = await call(args);
      expect(result).toMatchObject({ isError: true, code });
      expect(result.output).toMatch(says);
      expect(files()).toEqual(start);
      expect(backups()).toEqual(kept);
    },
  };
}
