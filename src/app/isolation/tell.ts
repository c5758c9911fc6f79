/** What people and the orchestrator are told of an isolated change: where it is, and what of it is not in the workspace. */
import { emitterFor } from '../../loop/emit.js';
import type { LoopPorts } from '../../loop/ports.js';
import type { Json, JsonObject } from '../../types/json.js';
import { because, type Reason } from '../../types/reason.js';
import { noticeText } from '../../ui/notice-text.js';
import { createText } from '../../ui/text/index.js';
import type { Found, TreeChange } from './compare.js';

const MOST_NAMED = 8;
const UNITS = ['bytes', 'KB', 'MB', 'GB'];

/** What of a change does not come back by itself. */
export interface Rest {
  readonly found: Pick<Found, 'ignored' | 'repositories'>;
  readonly withheld: readonly { readonly change: TreeChange; readonly why: 'link' | 'private' | 'special' | 'outside' }[];
  /** Commits made in there; undefined: its repository cannot be read any more. */
  readonly commits: readonly string[] | undefined;
}

type Told =
  | { readonly code: 'agent-branch'; readonly why: Reason; readonly branch: string }
  | { readonly code: 'agent-worktree'; readonly why: Reason; readonly folder: string }
  | { readonly code: 'agent-rest'; readonly folder: string; readonly rest: string }
  | { readonly code: 'agent-left'; readonly agent: string; readonly session: string; readonly folder: string };

/** A notice to people, in their language. */
export function tell(ports: LoopPorts, agent: string, { code, ...named }: Told): void {
  const values: JsonObject = { agent };
  for (const [name, value] of Object.entries(named))
    values[name] = typeof value === 'string' ? value : { ...value, values: value.values as Json };
  const text = noticeText({ code, text: '', values }, createText('en'));
  emitterFor(ports, agent)({ type: 'notice', level: 'warn', code, text, values });
}

/** Sentences for the orchestrator about what is only in the folder; empty: nothing. */
export function restText({ found, withheld, commits }: Rest): string[] {
  const rows: string[] = [];
  if (found.ignored.length > 0) {
    const files = found.ignored.reduce((sum, one) => sum + one.files, 0);
    const bytes = found.ignored.reduce((sum, one) => sum + one.bytes, 0);
    const named = found.ignored.map(
      (one) => `${one.path}${one.path.endsWith('/') ? ` (${one.files}, ${sizeText(one.bytes)})` : ''}`,
    );
    rows.push(`${counted(files, 'new file')} that git ignores (${sizeText(bytes)}) not brought back: ${some(named)}.`);
  }
  const kinds = {
    link: 'a link',
    private: 'private or settings',
    special: 'no ordinary file',
    outside: 'outside of the workspace folder',
  };
  if (withheld.length > 0)
    rows.push(`Not brought back: ${some(withheld.map(({ change, why }) => `${change.path} (${kinds[why]})`))}.`);
  if (found.repositories.length > 0)
    rows.push(`A repository was made in ${some(found.repositories)}: its files came as files, its history is only there.`);
  if (commits === undefined) rows.push('Its own repository cannot be read any more.');
  else if (commits.length > 0) rows.push(`Commits made there are not in the repository of the workspace: ${some(commits)}.`);
  return rows;
}

/** The same for people, short: names and counts, no words. */
export function restNames({ found, withheld, commits }: Rest): string {
  return some([
    ...found.ignored.map(({ path, files, bytes }) => `${path} (${files}, ${sizeText(bytes)})`),
    ...withheld.map(({ change }) => change.path),
    ...found.repositories.map((path) => `${path}/.git`),
    ...(commits ?? ['.git']),
  ]);
}

/** How a worker ended, where its change is not to come back because of it. */
export function notWell(status: string): Reason {
  if (status === 'interrupted') return because`the agent was stopped`;
  if (status === 'timeout') return because`the agent reached its time limit`;
  if (status === 'turn_limit') return because`the agent reached its limit of turns`;
  return because`the agent did not end well (${status})`;
}

function some(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function sizeText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit]}`;
}
