/** A tool context over a real temporary folder, with the smallest honest workspace: enough for tools that only start programs. */
import { existsSync, mkdtempSync, realpathSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { createJobs } from '../../../src/process/jobs/create-jobs.js';
import { scrubEnv } from '../../../src/process/scrub-env.js';
import { type ToolContext, ToolFault } from '../../../src/types/tool.js';
import type { Located, Workspace, Zone } from '../../../src/types/workspace.js';

function realOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  return parent === path ? path : join(realOf(parent), path.slice(parent.length).replace(/^\//, ''));
}

function zoneOf(root: string, real: string): Zone {
  const inner = relative(root, real);
  if (inner.startsWith('..') || isAbsolute(inner)) return 'outside';
  if (inner.split('/').includes('.git')) return 'git';
  return /(^|\/)\.env$/.test(inner) ? 'personal' : 'inside';
}

const unused = (): never => {
  throw new Error('not part of this test');
};

export interface PlainContext {
  readonly root: string;
  readonly context: ToolContext;
  readonly progress: string[];
  readonly abort: AbortController;
}

/** A fresh folder (or `root`) and the context of a call in it. */
export function plainContext(options: { readonly root?: string; readonly env?: Record<string, string> } = {}): PlainContext {
  const root = realpathSync(options.root ?? mkdtempSync(join(tmpdir(), 'tools-')));
  const scratch = mkdtempSync(join(tmpdir(), 'scratch-'));
  const locate = (path: string): Located => {
    if (path === '' || path.includes('\0')) throw new ToolFault('InvalidArgs', 'the path is empty or holds a NUL character');
    const real = realOf(resolve(root, path));
    const zone = zoneOf(root, real);
    return { given: path, real, shown: zone === 'outside' ? real : relative(root, real) || '.', zone };
  };
  const workspace: Workspace = {
    root,
    roots: [root],
    locate,
    async directory(path) {
      const located = locate(path);
      if (located.zone === 'outside') throw new ToolFault('OutsideWorkspace', `${located.shown} lies outside the workspace`);
      if (!existsSync(located.real)) throw new ToolFault('NotFound', `${located.shown} does not exist`);
      if (!statSync(located.real).isDirectory()) throw new ToolFault('InvalidArgs', `${located.shown} is not a folder`);
      return located;
    },
    readFile: unused,
    openFile: unused,
    writeFile: unused,
    changeFiles: unused,
    cleanBackups: unused,
    rollback: unused,
    noteRead: unused,
    lastSeen: () => undefined,
    lastKnown: () => undefined,
  };
  const progress: string[] = [];
  const abort = new AbortController();
  const childEnv = { ...scrubEnv(process.env), ...options.env };
  const context: ToolContext = {
    workspace,
    host: { childEnv, home: homedir(), scratch, state: scratch, jobs: createJobs({ scratch, state: scratch, root }) },
    plan: { get: () => [], set: () => undefined },
    agent: 'main',
    signal: abort.signal,
    progress: (text) => progress.push(text),
  };
  return { root, context, progress, abort };
}
