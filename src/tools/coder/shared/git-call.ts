/** What the git-* tools share: the checked repository of a call, the bounds of what is shown, and their results. */
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { CommandOutcome } from '../../../process/command-types.js';
import { fitOutput } from '../../../process/fit-output.js';
import { checkOutcome, openRepository, type Repository, runGit } from '../../../process/git.js';
import { isWithin } from '../../../process/git-place.js';
import type { JsonObject, PropertySchema } from '../../../types/json.js';
import type { Facts, ToolContext, ToolResult } from '../../../types/tool.js';

export const GIT_LIMIT = 30_000;

export const DIR_FIELD: PropertySchema = { type: 'string', default: '.', description: 'Folder inside the repository' };

export interface GitCall {
  readonly repository: Repository;
  /** Where git starts: the folder asked for, or the workspace when the repository is larger than it. */
  readonly cwd: string;
  /** True when the repository reaches outside the workspace: only what lies inside is shown. */
  readonly narrowed: boolean;
  /** Root of the workspace folder the call works in; shown paths are relative to it. */
  readonly root: string;
  run(
    words: readonly string[],
    options?: { readonly rawText?: boolean; readonly keepBytes?: number; readonly log?: boolean },
  ): Promise<CommandOutcome>;
}

/** Opens the repository of a call. Throws ToolFault when there is none or it is not what it seems. */
export async function openGitCall(args: JsonObject, context: ToolContext): Promise<GitCall> {
  const folder = await context.workspace.directory(typeof args['dir'] === 'string' ? args['dir'] : '.');
  const { childEnv: env, scratch } = context.host;
  const common = { env, signal: context.signal };
  const repository = await openRepository({ cwd: folder.real, ...common });
  const root = context.workspace.roots.find((candidate) => isWithin(candidate, folder.real)) ?? context.workspace.root;
  const narrowed = !isWithin(root, repository.top);
  const cwd = narrowed ? root : folder.real;
  return {
    repository,
    cwd,
    narrowed,
    root,
    run(words, options = {}) {
      const logFile = options.log
        ? join(scratch, `git-${Date.now().toString(36)}-${randomBytes(4).toString('hex')}.log`)
        : undefined;
      const { rawText, keepBytes = 8 * GIT_LIMIT } = options;
      return runGit(repository, words, { cwd, ...common, rawText, keepBytes, logFile, logAbove: GIT_LIMIT });
    },
  };
}

/** A path git gave (relative to the work tree), relative to the workspace. */
export function shownPath(call: GitCall, path: string): string {
  return relative(call.root, join(call.repository.top, path)) || '.';
}

/** A path on a line of its own: quoted when it holds what would break the line. */
export function linePath(path: string): string {
  return /[\u0000-\u001f\u007f"\\]/.test(path) ? JSON.stringify(path) : path;
}

function attributesUseFilters(top: string): boolean {
  try {
    const file = join(top, '.gitattributes');
    return statSync(file).size <= 65_536 && /\bfilter=/.test(readFileSync(file, 'utf8'));
  } catch {
    return false;
  }
}

/** Says when switched-off content filters may change what is seen. */
export function filterNote(call: GitCall): string {
  const { ownFilters, filters, top } = call.repository;
  if (ownFilters.length === 0 && (filters.length === 0 || !attributesUseFilters(top))) return '';
  const names = (ownFilters.length > 0 ? ownFilters : filters).slice(0, 5).map((name) => JSON.stringify(name));
  return `note: content filters (${names.join(', ')}) are not run here; files under them may look changed\n`;
}

/** Output of a subcommand that must have ended with 0, or what stands for no output; bounded, notes last. */
export function gitResult(outcome: CommandOutcome, what: string, empty: string, notes = ''): ToolResult {
  checkOutcome(outcome, what);
  const body = outcome.totalBytes === 0 ? `${empty}\n` : fitOutput(outcome, GIT_LIMIT - notes.length - 10);
  const output = `${body}${body.endsWith('\n') ? '' : '\n'}${notes}`.replace(/\n$/, '');
  return { output, isError: false, display: { kind: 'text', text: output } };
}

/** Facts of every git tool: reads only, and sees what earlier calls of the reply wrote. */
export function gitFacts(name: string, args: JsonObject, path?: string): Facts {
  const dir = typeof args['dir'] === 'string' ? args['dir'] : '.';
  return {
    readOnly: true,
    reads: path === undefined ? [dir] : [dir, path],
    writes: [],
    order: 'tree',
    label: { verb: 'git', object: path === undefined ? name : `${name} ${path}` },
  };
}
