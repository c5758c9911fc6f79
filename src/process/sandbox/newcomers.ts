/** What commands brought into being that tools outside would obey: repositories that run programs, settings of git and of ours. */
import { renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { modulesIn } from './git-places.js';
import { allPrograms, type GitProgram, identityOf, programsOf, settingsThatRun } from './git-programs.js';
import { newCommands } from './git-steps.js';
import type { WorkspaceScan } from './scan-workspace.js';
import { look, stablePath } from './stable-path.js';
import type { SandboxPlan } from './types.js';

/** Sentences in full; of the others the names, and of these so many. */
const MOST_SENTENCES = 7;
const MOST_NAMES = 40;
/** Stands for what was there before. */
const DONE = '';

/** What of a plan is needed afterwards; plain data. */
export type PlanTrace = Pick<SandboxPlan, 'watched' | 'awaited' | 'loose' | 'steps' | 'repositories' | 'present' | 'scanned'> & {
  /** Places that may be written. */
  readonly writable: readonly string[];
};

export function traceOf(plan: SandboxPlan): PlanTrace {
  const { watched, awaited, loose, steps, repositories, present, scanned } = plan;
  const writable = plan.rules.flatMap(({ kind, path }) => (kind === 'write' ? [path] : []));
  return { watched, awaited, loose, steps, repositories, present, scanned, writable };
}

/** One thing that was found: what it is, and what was done. */
interface Finding {
  readonly path: string;
  readonly sentence: string;
}

/**
 * Looks for repositories and settings that were not there when the plan was made. A repository that would make git run
 * programs is put out of git's sight: its `.git` (of one without a working tree: its `HEAD`) gets another name, and so does a
 * file of settings. Settings of ours are only told of: they count for nothing before they are trusted. English sentences:
 * one for each of the first, one with the names of the others. Never throws.
 */
export function settleNewcomers(trace: PlanTrace, scan: (root: string) => WorkspaceScan, told: Set<string>): string[] {
  told.add(DONE);
  const known = new Set(trace.present);
  const views = trace.scanned.map((root) => ({ root, ...scan(root) }));
  const findings = [
    ...removePlanted(trace),
    ...putSettingsAside(trace),
    ...settleRepositories(trace, views, { known, told }),
    ...settleLoose(trace),
    ...tellSteps(trace, told),
    ...settleOwn(views, { known, told }),
  ];
  return [...inShort(findings), ...views.flatMap((view) => tellIncomplete(view, told))];
}

interface Memory {
  readonly known: ReadonlySet<string>;
  readonly told: Set<string>;
}

function newIdentity(path: string, known: ReadonlySet<string>): string | undefined {
  const identity = identityOf(path);
  return identity === undefined || known.has(identity) ? undefined : identity;
}

function settleRepositories(trace: PlanTrace, views: readonly WorkspaceScan[], { known, told }: Memory): Finding[] {
  const modules = trace.repositories.flatMap(modulesIn);
  const folders = views.flatMap(({ repositories, bare }) => [
    ...repositories.filter((path) => look(path)?.isDirectory()),
    ...bare,
  ]);
  const guarded = trace.writable.filter((path) => newIdentity(path, known) === undefined);
  const judged = { known, watched: [...folders, ...guarded] };
  const withoutTree = [...views.flatMap(({ bare }) => bare), ...modules];
  const entries = [
    ...views.flatMap(({ repositories }) => repositories.map((path) => ({ path, entry: path }))),
    ...withoutTree.map((path) => ({ path, entry: join(path, 'HEAD') })),
  ];
  // All are judged before any is put aside: one may lead to another.
  const found = entries
    .filter(({ path }) => !told.has(newIdentity(path, known) ?? DONE))
    .map((one) => ({ ...one, program: programsOf(one.path, judged)[0] }));
  return found.flatMap(({ path, entry, program }) => {
    if (program === undefined) return [];
    told.add(identityOf(path) ?? DONE);
    return [putAside(path, entry, program)];
  });
}

/** What could not be kept as it was and runs more than before. */
function settleLoose({ loose }: PlanTrace): Finding[] {
  return loose.flatMap(({ entry, marks }) => {
    const program = allPrograms(entry).find(({ mark }) => !marks.includes(mark));
    return program === undefined ? [] : [putAside(entry, entry, program)];
  });
}

/** A rebase may rightly hold commands, so they are told of and stay. */
function tellSteps({ steps }: PlanTrace, told: Set<string>): Finding[] {
  return steps.flatMap((list) =>
    newCommands(list).flatMap((command) => {
      const key = `${list.file}\0${command}`;
      if (told.has(key)) return [];
      told.add(key);
      const shown = command.length > 200 ? `${command.slice(0, 200)}…` : command;
      return [
        {
          path: list.file,
          sentence: `Sandbox: "git rebase --continue" would run ${JSON.stringify(shown)}: it is a new step in ${list.file}.`,
        },
      ];
    }),
  );
}

/** Files of settings of a known repository that were not there before. */
function putSettingsAside({ awaited }: PlanTrace): Finding[] {
  return awaited.flatMap((file) => {
    const program = settingsThatRun(file)[0];
    return program === undefined ? [] : [putAside(file, file, program)];
  });
}

function settleOwn(views: readonly WorkspaceScan[], { known, told }: Memory): Finding[] {
  return views.flatMap(({ own }) =>
    own.flatMap((path) => {
      const identity = newIdentity(path, known);
      if (identity === undefined || told.has(identity)) return [];
      told.add(identity);
      const what = 'settings of this agent count only when the user trusts them (chatcli trust)';
      return [{ path, sentence: `Sandbox: ${path} is new; ${what}.` }];
    }),
  );
}

/** Said once, and again after it was complete meanwhile. */
function tellIncomplete({ root, complete }: WorkspaceScan & { readonly root: string }, told: Set<string>): string[] {
  const key = `incomplete ${root}`;
  if (complete) told.delete(key);
  if (complete || told.has(key)) return [];
  told.add(key);
  return [
    `Sandbox: ${root} has become too large to be looked through whole. Repositories made deep in it were not checked: git there may run programs they bring. Secret files there may be readable.`,
  ];
}

function inShort(findings: readonly Finding[]): string[] {
  const full = findings.slice(0, MOST_SENTENCES).map(({ sentence }) => sentence);
  const others = findings.slice(MOST_SENTENCES).map(({ path }) => path);
  if (others.length === 0) return full;
  const names = others.slice(0, MOST_NAMES).join(', ');
  const rest = others.length > MOST_NAMES ? ` and ${others.length - MOST_NAMES} more` : '';
  return [...full, `Sandbox: the same was done, or holds, for ${others.length} more: ${names}${rest}.`];
}

/** Gives what makes git see a repository, or a file of settings, another name. */
function putAside(what: string, entry: string, { name }: GitProgram): Finding {
  const why = `${what} would make git run programs (${name}) outside the sandbox`;
  try {
    // Its folder may have been swapped for a link meanwhile.
    if (stablePath(dirname(entry), () => false) !== dirname(entry)) throw new Error('moved');
    for (let number = 1; ; number++) {
      const aside = `${entry}-blocked${number === 1 ? '' : `-${number}`}`;
      if (look(aside) !== undefined) continue;
      renameSync(entry, aside);
      const sentence = `Sandbox: ${why}; ${entry} was renamed to ${aside}. If it is wanted, the user can name it back.`;
      return { path: what, sentence };
    }
  } catch {
    return { path: what, sentence: `Sandbox: ${why} and could not be put aside.` };
  }
}

/** Removes files that appeared and would make git take its settings from elsewhere. Git never makes them in these places. */
function removePlanted({ watched }: PlanTrace): Finding[] {
  return watched.flatMap((path) => {
    if (look(path) === undefined) return [];
    try {
      rmSync(path, { recursive: true });
      const sentence = `Sandbox: ${path} was removed: it would make git take its hooks and settings from elsewhere.`;
      return [{ path, sentence }];
    } catch {
      const sentence = `Sandbox: ${path} makes git take its hooks and settings from elsewhere and could not be removed.`;
      return [{ path, sentence }];
    }
  });
}
