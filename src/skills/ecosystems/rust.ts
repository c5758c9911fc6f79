/** Rust: cargo and what comes with it. */
import { type Ask, type Ecosystem, noFormatter } from '../shared/ecosystem.js';
import { countOf, readExit, readFindings } from '../shared/findings.js';
import { fromFolder, shownFrom } from '../shared/paths.js';
import { textIn } from '../shared/project.js';
import { linesOf, type Ran } from '../shared/run.js';
import { gist, type Reading, type Step } from '../shared/step.js';
import { jsonDocument, listField, objectOf, textField } from './json-output.js';

const cargo = (ask: Ask, title: string, words: readonly string[], more: Partial<Step> = {}): Step => ({
  title,
  dir: ask.project.dir,
  words: ['cargo', ...words],
  hint: 'install Rust from https://rustup.rs',
  network: true,
  read: (ran) => readFindings(ran, ask.project.dir),
  ...more,
});

/** Cargo repeats a count and a "could not compile" line, which are no faults of their own. */
const readBuild = (ran: Ran, dir: string): Reading => {
  const reading = readFindings(ran, dir);
  const errors = (reading.findings ?? []).filter(({ severity }) => severity === 'error').length;
  if (reading.state === 'issues' && ran.exitCode === 0) return { ...reading, summary: `${reading.summary}, warnings only` };
  return reading.state === 'issues' ? { ...reading, summary: `${countOf(errors, 'error')}, ${reading.summary}` } : reading;
};

function readTree(ran: Ran): Reading {
  if (/lock file .* needs to be updated but --locked|cannot (?:update|create) the lock file/.test(ran.output))
    return { state: 'issues', summary: 'Cargo.lock does not match Cargo.toml', findings: [{ message: gist(ran.output) }] };
  if (ran.exitCode !== 0) return { state: 'failed', summary: gist(ran.output), output: ran.output };
  const direct = linesOf(ran.output).filter((line) => /^[├└]/.test(line));
  return {
    state: 'clean',
    summary: `Cargo.lock is up to date, ${countOf(direct.length, 'direct dependency', 'direct dependencies')}`,
    output: ran.output.slice(0, 3000),
    extra: { direct: direct.length },
  };
}

function readDuplicates(ran: Ran): Reading {
  if (ran.exitCode !== 0) return { state: 'failed', summary: gist(ran.output), output: ran.output };
  const roots = [
    ...new Set(linesOf(ran.output).flatMap((line) => /^([\w-]+) v(\S+)/.exec(line)?.slice(1, 3).join(' ') ?? [])),
  ].sort();
  return roots.length > 0
    ? {
        state: 'issues',
        summary: `${countOf(roots.length, 'version')} of crates that are there more than once`,
        findings: roots.map((message) => ({ message })),
      }
    : { state: 'clean', summary: 'no crate is there twice' };
}

function readUpdate(ran: Ran): Reading {
  if (ran.exitCode !== 0) return { state: 'failed', summary: gist(ran.output), output: ran.output };
  const updates = linesOf(ran.output).flatMap((line) => {
    const match =
      /^\s*(?:Updating|Locking|Unchanged) ([\w-]+) v(\S+?)(?: -> v(\S+))?(?: \((?:latest|available): v?(\S+?)\))?$/.exec(
        line.trim(),
      );
    if (!match || (match[3] === undefined && match[4] === undefined)) return [];
    return [{ name: match[1] ?? '', current: match[2] ?? '', wanted: match[3] ?? '', latest: match[4] ?? match[3] ?? '' }];
  });
  const findings = updates.map(({ name, current, wanted, latest }) => ({
    message: `${name} ${current} -> ${latest}${wanted !== latest && wanted !== '' ? ` (${wanted} within the range)` : ''}`,
  }));
  return updates.length > 0
    ? { state: 'issues', summary: `${countOf(updates.length, 'update')} available`, findings, extra: { updates } }
    : { state: 'clean', summary: 'no newer versions within the ranges', extra: { updates: [] } };
}

function readAudit(ran: Ran): Reading {
  let report: ReturnType<typeof objectOf>;
  try {
    report = objectOf(objectOf(jsonDocument(ran.output))['vulnerabilities']);
  } catch {
    return { state: 'failed', summary: gist(ran.output), output: ran.output };
  }
  const findings = listField(report, 'list')
    .map(objectOf)
    .map((one) => ({
      rule: textField(objectOf(one['advisory']), 'id'),
      message: `${textField(objectOf(one['package']), 'name')} ${textField(objectOf(one['package']), 'version')}: ${textField(objectOf(one['advisory']), 'title')}`,
    }));
  return findings.length > 0
    ? { state: 'issues', summary: countOf(findings.length, 'known vulnerability', 'known vulnerabilities'), findings }
    : { state: 'clean', summary: 'no known vulnerabilities' };
}

function readInverse(ran: Ran): Reading {
  if (/did not match any packages|nothing to print/.test(ran.output))
    return { state: 'clean', summary: 'it is not among the dependencies', extra: { needed: false, tree: [] } };
  if (ran.exitCode !== 0) return { state: 'failed', summary: gist(ran.output), output: ran.output };
  const tree = linesOf(ran.output).filter((line) => line.trim() !== '');
  return {
    state: 'clean',
    summary: 'needed by the crates below it in this tree',
    output: tree.slice(0, 60).join('\n'),
    extra: { needed: true, tree: tree.slice(0, 500) },
  };
}

function readCoverage(ran: Ran): Reading {
  if (ran.exitCode !== 0) return { state: 'failed', summary: gist(ran.output), output: ran.output };
  const [data] = listField(objectOf(jsonDocument(ran.output)), 'data').map(objectOf);
  const percentOf = (summary: unknown, what: string): number | null => {
    const value = objectOf(objectOf(summary)[what])['percent'];
    return typeof value === 'number' ? Math.round(value * 10) / 10 : null;
  };
  const files = listField(data ?? {}, 'files')
    .map(objectOf)
    .map((one) => ({
      file: textField(one, 'filename'),
      lines: percentOf(one['summary'], 'lines'),
      functions: percentOf(one['summary'], 'functions'),
    }));
  const total = percentOf(data?.['totals'], 'lines');
  const output = [...files]
    .sort((a, b) => (a.lines ?? 0) - (b.lines ?? 0))
    .slice(0, 60)
    .map(({ file, lines }) => `${lines}% lines\t${file}`)
    .join('\n');
  return {
    state: 'clean',
    summary: `${total}% of lines in ${countOf(files.length, 'file')} (least covered first)`,
    output,
    extra: { total, files },
  };
}

const unread = (ran: Ran): Reading =>
  ran.exitCode === 0
    ? { state: 'clean', summary: 'nothing to change' }
    : { state: 'failed', summary: gist(ran.output), output: ran.output };

/** `Diff in /abs/a.rs:3` (older: `at line 3`), or the bare name with `-l`. */
function readDiffering(ran: Ran, dir: string): Reading {
  const files = linesOf(ran.output).flatMap(
    (line) => /^Diff in (.+?\.rs)(?::\d+:?| at line \d+:?)$/.exec(line)?.[1] ?? /^(\S.*\.rs)$/.exec(line)?.[1] ?? [],
  );
  const unique = [...new Set(files)].sort();
  if (unique.length === 0) return unread(ran);
  return {
    state: 'issues',
    summary: countOf(unique.length, 'file'),
    findings: unique.map((file) => ({ file: shownFrom(dir, file), message: 'not formatted' })),
  };
}

/** The edition a single file is to be read as. */
async function editionOf({ context, project }: Ask): Promise<string> {
  for (const { dir, names } of project.levels) {
    if (!names.has('Cargo.toml')) continue;
    const edition = /^\s*edition\s*=\s*"(20\d\d)"/m.exec(await textIn(context, dir, 'Cargo.toml'))?.[1];
    if (edition !== undefined) return edition;
  }
  return '2015';
}

export const rust: Ecosystem = {
  id: 'rust',
  declarations: {
    include: ['*.rs'],
    interfaces: '^\\s*(pub(\\([^)]*\\))?\\s+)?(unsafe\\s+)?trait\\s+\\w+',
    structs: '^\\s*(pub(\\([^)]*\\))?\\s+)?(struct|enum|union)\\s+\\w+',
    functions: '^\\s*(pub(\\([^)]*\\))?\\s+)?((const|async|unsafe|extern\\s+"[^"]*")\\s+)*fn\\s+\\w+',
  },
  build: async (ask) => [
    cargo(ask, 'cargo check', ['check', '--workspace', '--all-targets', '--message-format=short'], {
      // Warnings are no red build.
      read: (ran) => {
        const reading = readBuild(ran, ask.project.dir);
        return ran.exitCode === 0 ? { ...reading, state: 'clean' } : reading;
      },
    }),
  ],
  lint: async (ask) => [
    cargo(ask, 'cargo clippy', ['clippy', '--workspace', '--all-targets', '--message-format=short'], {
      hint: 'get it with: rustup component add clippy (needs a network)',
      read: (ran) => readBuild(ran, ask.project.dir),
    }),
  ],
  coverage: async (ask) => [
    cargo(ask, 'cargo llvm-cov', ['llvm-cov', '--workspace', '--json', '--summary-only'], {
      hint: 'get it with: cargo install cargo-llvm-cov (needs a network)',
      read: readCoverage,
    }),
  ],
  checkDeps: async (ask) => [
    cargo(ask, 'cargo tree --locked', ['tree', '--locked', '--workspace', '--depth', '1'], { read: readTree }),
    cargo(ask, 'cargo tree --duplicates', ['tree', '--locked', '--workspace', '--duplicates', '--depth', '0'], {
      read: readDuplicates,
    }),
  ],
  audit: async (ask) => [
    cargo(ask, 'cargo audit', ['audit', '--json'], {
      hint: 'get it with: cargo install cargo-audit (needs a network)',
      read: readAudit,
    }),
  ],
  outdated: async (ask) => [cargo(ask, 'cargo update --dry-run', ['update', '--dry-run', '--verbose'], { read: readUpdate })],
  why: async (ask, name) => [
    cargo(ask, 'cargo tree --invert', ['tree', '--locked', '--workspace', '--target', 'all', `--invert=${name}`], {
      read: readInverse,
    }),
  ],
  async format(ask, files) {
    const { dir } = ask.project;
    const hint = 'get it with: rustup component add rustfmt (needs a network)';
    if (files === undefined) {
      const all = (flags: readonly string[], read: (ran: Ran) => Reading): Step => ({
        title: 'cargo fmt',
        dir,
        words: ['cargo', 'fmt', '--all', ...flags],
        hint,
        read,
      });
      return {
        check: all(['--', '--check', '-l'], (ran) => readDiffering(ran, dir)),
        write: () => all([], (ran) => readExit(ran, 'written')),
      };
    }
    const edition = await editionOf(ask);
    const one = (flags: readonly string[], list: readonly string[], read: (ran: Ran) => Reading): Step => ({
      title: 'rustfmt',
      dir,
      words: ['rustfmt', '--edition', edition, ...flags, ...list.map((file) => fromFolder(dir, file))],
      hint,
      read,
    });
    return {
      check: one(['--check', '-l'], files, (ran) => readDiffering(ran, dir)),
      write: (list) => one([], list, (ran) => readExit(ran, 'written')),
    };
  },
  imports: async (ask) =>
    noFormatter('imports', ask.project.dir, 'Rust has no tool that only sorts imports; format-code orders the use lines'),
};
