/** Guards for the display data of results: one per kind; what does not fit its kind is no display at all. */
import type { Display, FileChange, PlanTask, SearchHit } from '../types/tool.js';
import { isCount, isObject, isText, type Loose, listOf, oneOf } from './guards.js';

const STATUSES = ['pending', 'in_progress', 'completed', 'failed'] as const;

export function asPlanTask(value: unknown): PlanTask | undefined {
  if (!isObject(value)) return undefined;
  const { id, description, status, error, attempts } = value;
  if (!isCount(id) || !isText(description) || !oneOf(status, STATUSES) || !isCount(attempts)) return undefined;
  if (error !== undefined && !isText(error)) return undefined;
  return { id, description, status, attempts, ...(error === undefined ? {} : { error }) };
}

type Guard = (value: Loose) => Display | undefined;

const GUARDS: { readonly [kind in Display['kind']]: Guard } = {
  text: ({ text }) => (isText(text) ? { kind: 'text', text } : undefined),
  file: ({ path, from, to, total }) =>
    isText(path) && isCount(from) && isCount(to) && isCount(total) ? { kind: 'file', path, from, to, total } : undefined,
  diff: (value) => {
    const changes = listOf(value.changes, asChange);
    return changes && { kind: 'diff', changes };
  },
  tree: ({ root, entries }) => (isText(root) && isCount(entries) ? { kind: 'tree', root, entries } : undefined),
  matches: ({ hits, more }) => {
    const clean = listOf(hits, asHit);
    return clean && typeof more === 'boolean' ? { kind: 'matches', hits: clean, more } : undefined;
  },
  process: ({ command, exitCode, signal, ms }) => {
    if (!isText(command) || typeof ms !== 'number' || !(exitCode === null || Number.isSafeInteger(exitCode))) return undefined;
    if (signal !== undefined && !isText(signal)) return undefined;
    return { kind: 'process', command, exitCode: exitCode as number | null, ms, ...(signal === undefined ? {} : { signal }) };
  },
  tests: ({ command, passed, failed, skipped, ok }) => {
    if (!isText(command) || !isCount(passed) || !isCount(failed) || !isCount(skipped) || typeof ok !== 'boolean')
      return undefined;
    return { kind: 'tests', command, passed, failed, skipped, ok };
  },
  plan: (value) => {
    const tasks = listOf(value.tasks, asPlanTask);
    return tasks && { kind: 'plan', tasks };
  },
};

export function asDisplay(value: unknown): Display | undefined {
  if (!isObject(value) || !isText(value.kind) || !Object.hasOwn(GUARDS, value.kind)) return undefined;
  return GUARDS[value.kind as Display['kind']](value);
}

function asChange(value: unknown): FileChange | undefined {
  if (!isObject(value)) return undefined;
  const { path, before, after, added, removed } = value;
  if (!isText(path) || !isCount(added) || !isCount(removed)) return undefined;
  if ((before !== undefined && !isText(before)) || (after !== undefined && !isText(after))) return undefined;
  return { path, added, removed, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

function asHit(value: unknown): SearchHit | undefined {
  if (!isObject(value)) return undefined;
  const { path, line, text } = value;
  return isText(path) && isCount(line) && isText(text) ? { path, line, text } : undefined;
}
