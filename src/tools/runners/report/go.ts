/** Reads go test, in its JSON and its plain form. */
import { blockFrom, messageOf, type ReportReader, type TestFailure, type TestReport } from './report.js';

interface GoEvent {
  readonly Action?: string;
  readonly Package?: string;
  readonly ImportPath?: string;
  readonly Test?: string;
  readonly Output?: string;
}

function eventOf(line: string): GoEvent | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'Action' in value ? (value as GoEvent) : undefined;
  } catch {
    return undefined;
  }
}

const PACKAGE_FAILED = /^FAIL\t(\S+) \[(.+)\]$/;
const NOISE = /^\s*(=== (RUN|PAUSE|CONT|NAME)\b|--- (PASS|SKIP|FAIL):|PASS$|FAIL$|exit status )/;

interface Tally {
  readonly ends: Map<string, string>;
  readonly outputs: Map<string, string[]>;
  readonly parents: Set<string>;
  readonly failedPackages: Set<string>;
}

/** What the compiler said, by package: the lines under `# package`. Newer versions send them as events of their own. */
function buildErrors(lines: readonly string[], events: readonly (GoEvent | undefined)[]): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>();
  let pack: string | undefined;
  lines.forEach((given, index) => {
    const event = events[index];
    if (event !== undefined && event.Action !== 'build-output') return;
    const line = event?.Output?.replace(/\n$/, '') ?? given;
    const head = /^# (\S+)(?: \[.*\])?$/.exec(line);
    if (head) pack = head[1];
    else if (pack !== undefined && line !== '' && !/^(FAIL|ok |\?)/.test(line)) {
      const list = found.get(pack) ?? [];
      list.push(line);
      found.set(pack, list);
    }
  });
  return found;
}

/** Tests that began and neither ended nor wait for a part of themselves: what ran when it was killed. */
function runningTests(events: readonly GoEvent[], ends: Tally['ends']): string[] {
  const begun = events.filter((event) => event.Action === 'run' && event.Test !== undefined);
  const open = begun.filter((event) => !ends.has(keyOf(event.Package ?? '', event.Test))).map((event) => event.Test as string);
  return open.filter((name) => !open.some((other) => other.startsWith(`${name}/`)));
}

const keyOf = (pack: string, test: string | undefined): string => (test === undefined ? pack : `${pack} ${test}`);

function tally(events: readonly GoEvent[]): Tally {
  const result: Tally = { ends: new Map(), outputs: new Map(), parents: new Set(), failedPackages: new Set() };
  for (const event of events) {
    const pack = event.Package ?? event.ImportPath ?? '';
    const key = keyOf(pack, event.Test);
    if (event.Test?.includes('/')) result.parents.add(keyOf(pack, event.Test.slice(0, event.Test.lastIndexOf('/'))));
    if (event.Output !== undefined) {
      const list = result.outputs.get(key) ?? [];
      if (list.length < 500) list.push(event.Output.replace(/\n$/, ''));
      result.outputs.set(key, list);
    }
    if (!/^(pass|fail|skip)$/.test(event.Action ?? '')) continue;
    if (event.Test !== undefined) result.ends.set(key, event.Action as string);
    else if (event.Action === 'fail') result.failedPackages.add(pack);
  }
  return result;
}

/** A run with `-json`; the text people would have seen is rebuilt from it. Undefined when no line is an event. */
export function readGoJson(output: string): { readonly report: TestReport; readonly text: string } | undefined {
  const lines = output.split('\n');
  const events = lines.map(eventOf);
  if (!events.some((event) => event !== undefined)) return undefined;
  const text = lines.map((line, index) => (events[index] === undefined ? `${line}\n` : (events[index]?.Output ?? ''))).join('');
  const known = events.filter((event) => event !== undefined);
  const { ends, outputs, parents, failedPackages } = tally(known);
  const red = [...ends].filter(([, end]) => end === 'fail').map(([key]) => key);
  // A parent that failed although its parts did not is a failure of its own.
  const leaves = [...ends].filter(
    ([key, end]) => !parents.has(key) || (end === 'fail' && !red.some((other) => other.startsWith(`${key}/`))),
  );
  const messageFor = (key: string) => messageOf((outputs.get(key) ?? []).filter((line) => !NOISE.test(line)));
  const failures: TestFailure[] = leaves
    .filter(([, end]) => end === 'fail')
    .map(([key]) => ({ name: key, message: messageFor(key) }));
  const built = buildErrors(lines, events);
  // Older versions say in plain text which packages could not be built.
  const plain = lines.filter((_, index) => events[index] === undefined).map((line) => PACKAGE_FAILED.exec(line)?.[1]);
  for (const pack of plain) if (pack !== undefined) failedPackages.add(pack);
  for (const pack of failedPackages) {
    const faults = built.get(pack);
    if (faults !== undefined) {
      failures.push({ name: `${pack} (build failed)`, message: messageOf(faults) });
      continue;
    }
    if (failures.some((failure) => failure.name.startsWith(`${pack} `))) continue;
    const own = [...outputs].filter(([key]) => key === pack || key.startsWith(`${pack} `)).flatMap(([, list]) => list);
    failures.push({
      name: `${pack} (build failed, or the package ended early)`,
      message: messageOf(own.filter((line) => !NOISE.test(line))),
    });
  }
  const count = (end: string) => leaves.filter(([, action]) => action === end).length;
  const running = runningTests(known, ends);
  const report = { passed: count('pass'), failed: failures.length, skipped: count('skip'), failures };
  return { report: { ...report, ...(running.length > 0 ? { running } : {}) }, text };
}

/** Plain output. Without `-v` go names only what failed. */
export const readGoText: ReportReader = (lines) => {
  const packages = lines.filter(
    (line) => /^(ok {2}\t|FAIL\t|\? {3}\t|---\s+FAIL: )/.test(line) || /^--- (PASS|FAIL|SKIP): \S+ \([\d.]+s\)$/.test(line),
  );
  if (packages.length === 0) return undefined;
  const failures: TestFailure[] = [];
  lines.forEach((line, index) => {
    const match = /^(\s*)--- FAIL: (\S+) \([\d.]+s\)$/.exec(line);
    if (!match) return;
    const depth = (match[1] ?? '').length;
    const block = blockFrom(
      lines,
      index + 1,
      (next) => /^\s*(--- |=== |FAIL|ok |PASS|panic: )/.test(next) || next.length - next.trimStart().length <= depth,
    );
    const isParent = /^\s+--- FAIL: /.test(lines[index + 1 + block.length] ?? '') && block.length === 0;
    if (!isParent) failures.push({ name: match[2] ?? '', message: messageOf(block) });
  });
  const built = buildErrors(lines, []);
  for (const line of lines) {
    const [, name, why] = PACKAGE_FAILED.exec(line) ?? [];
    if (name === undefined || why === undefined) continue;
    const faults = built.get(name);
    failures.push(faults === undefined ? { name, message: why } : { name: `${name} (${why})`, message: messageOf(faults) });
  }
  const passed = lines.filter((line) => /^\s*--- PASS: /.test(line)).length;
  const good = lines.filter((line) => /^ok {2}\t/.test(line) && !line.endsWith('[no tests to run]')).length;
  const uncounted = passed === 0 && good > 0 ? { uncounted: `${good} packages ok; go test names passed tests only with -v` } : {};
  const skipped = lines.filter((line) => /^\s*--- SKIP: /.test(line)).length;
  return { passed, failed: failures.length, skipped, failures, ...uncounted };
};
