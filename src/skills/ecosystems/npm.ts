/** The package managers of JavaScript: what they are called with, and what they answer. */
import { countOf } from '../shared/findings.js';
import { nearest, type Project } from '../shared/project.js';
import { linesOf, type Ran } from '../shared/run.js';
import { type Finding, gist, networkFault, type Reading } from '../shared/step.js';
import { jsonDocument, jsonStream, listField, objectOf, textField } from './json-output.js';

export type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun';

const LOCKS: readonly (readonly [string, Manager])[] = [
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];

/** By the nearest lock file; npm where there is none. */
export function managerOf(project: Project): { manager: Manager; lock?: string } {
  const found = nearest(project, ...LOCKS.map(([name]) => name));
  const lock = LOCKS.find(([name]) => name === found?.name);
  return lock ? { manager: lock[1], lock: lock[0] } : { manager: 'npm' };
}

export const GET: Readonly<Record<Manager, string>> = {
  npm: 'npm comes with Node.js',
  pnpm: 'get it with: npm install -g pnpm (needs a network)',
  yarn: 'get it with: npm install -g yarn (needs a network)',
  bun: 'see https://bun.sh',
};

export const AUDIT: Readonly<Record<Manager, readonly string[]>> = {
  npm: ['npm', 'audit', '--json'],
  pnpm: ['pnpm', 'audit', '--json'],
  yarn: ['yarn', 'audit', '--json'],
  bun: ['bun', 'audit', '--json'],
};
export const OUTDATED: Readonly<Record<Manager, readonly string[]>> = {
  npm: ['npm', 'outdated', '--json', '--long'],
  pnpm: ['pnpm', 'outdated', '--format', 'json'],
  yarn: ['yarn', 'outdated', '--json'],
  bun: ['bun', 'outdated'],
};
export const WHY: Readonly<Record<Manager, readonly string[]>> = {
  npm: ['npm', 'explain', '--json', '--'],
  pnpm: ['pnpm', 'why', '--json', '--'],
  yarn: ['yarn', 'why', '--'],
  bun: ['bun', 'why', '--'],
};
export const LIST: Readonly<Record<Manager, readonly string[]>> = {
  npm: ['npm', 'ls', '--all', '--json'],
  pnpm: ['pnpm', 'ls', '--json', '--depth', '0'],
  yarn: ['yarn', 'check', '--verify-tree'],
  bun: ['bun', 'pm', 'ls'],
};

const failed = (ran: Ran): Reading => ({ state: 'failed', summary: gist(ran.output), output: ran.output });

/** The registry answered with a fault, or could not be reached. */
function unreachable(summary: string, ran: Ran): Reading {
  const why = networkFault(`${summary}\n${ran.output}`);
  return why === undefined
    ? { state: 'failed', summary: summary || gist(ran.output), output: ran.output }
    : { state: 'not-available', summary: `the registry could not be asked: ${why}` };
}

/** npm 7+ (`vulnerabilities`), npm 6 and pnpm (`advisories`), yarn 1 (one JSON object a line). */
export function readAudit(ran: Ran): Reading {
  const documents = jsonStream(ran.output).map(objectOf);
  const fault = documents
    .map((one) => one['error'] ?? (textField(one, 'type') === 'error' ? one['data'] : undefined))
    .find((one) => one);
  if (fault !== undefined)
    return unreachable(
      typeof fault === 'string'
        ? fault
        : `${textField(objectOf(fault), 'code')} ${textField(objectOf(fault), 'summary')} ${textField(objectOf(fault), 'message')}`.trim(),
      ran,
    );
  const whole = documents.find((one) => 'vulnerabilities' in one || 'advisories' in one);
  const lines = documents.filter((one) => textField(one, 'type') === 'auditAdvisory');
  const isYarn = documents.some((one) => textField(one, 'type') === 'auditSummary');
  if (!whole && !isYarn) return unreachable(ran.exitCode === 0 ? 'there is no report in its output' : '', ran);
  const message = textField(whole ?? {}, 'message');
  if (whole && message !== '' && !('auditReportVersion' in whole)) return unreachable(message, ran);
  const findings = [
    ...Object.values(objectOf(whole?.['vulnerabilities'])).map((one) => npmFinding(objectOf(one))),
    ...Object.values(objectOf(whole?.['advisories'])).map((one) => advisoryFinding(objectOf(one))),
    ...lines.map((one) => advisoryFinding(objectOf(objectOf(one['data'])['advisory']))),
  ];
  return findings.length > 0
    ? { state: 'issues', summary: countOf(findings.length, 'vulnerable package'), findings }
    : { state: 'clean', summary: 'no known vulnerabilities' };
}

function npmFinding(one: ReturnType<typeof objectOf>): Finding {
  const causes = listField(one, 'via').map((via) =>
    typeof via === 'string' ? `through ${via}` : textField(objectOf(via), 'title'),
  );
  const fix = one['fixAvailable'];
  const by =
    typeof fix === 'object' && fix !== null ? `${textField(objectOf(fix), 'name')}@${textField(objectOf(fix), 'version')}` : '';
  const way = by !== '' ? `; fixed by ${by}` : fix === true ? '; a fix is available' : '; no fix yet';
  return {
    rule: textField(one, 'name'),
    severity: textField(one, 'severity'),
    message: `${textField(one, 'range')}: ${causes.filter(Boolean).join(', ').slice(0, 500)}${way}`,
  };
}

const advisoryFinding = (one: ReturnType<typeof objectOf>): Finding => ({
  rule: textField(one, 'module_name'),
  severity: textField(one, 'severity'),
  message: `${textField(one, 'vulnerable_versions')}: ${textField(one, 'title')}; ${textField(one, 'recommendation') || `patched in ${textField(one, 'patched_versions')}`}`,
});

/** `npm outdated` ends with 1 when there is something to say. */
export function readOutdated(ran: Ran): Reading {
  if (ran.output.trim() === '' && ran.exitCode === 0) return { state: 'clean', summary: 'all packages are up to date' };
  const documents = jsonStream(ran.output).map(objectOf);
  const table = documents.find((one) => textField(one, 'type') === 'table');
  if (table) return updatesReading(yarnRows(table));
  const whole = documents.find((one) => !('error' in one)) ?? {};
  const fault = objectOf(documents.find((one) => 'error' in one)?.['error']);
  if ('summary' in fault || 'code' in fault)
    return unreachable(`${textField(fault, 'code')} ${textField(fault, 'summary')}`, ran);
  if (documents.length === 0)
    return ran.exitCode === 0
      ? { state: 'failed', summary: `no report: ${gist(ran.output)}`, output: ran.output }
      : unreachable('', ran);
  return updatesReading(
    Object.entries(whole).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one) => {
        const entry = objectOf(one);
        return {
          name,
          current: textField(entry, 'current'),
          wanted: textField(entry, 'wanted'),
          latest: textField(entry, 'latest'),
          kind: textField(entry, 'type') || textField(entry, 'dependencyType'),
        };
      }),
    ),
  );
}

interface Update {
  readonly name: string;
  readonly current: string;
  readonly wanted: string;
  readonly latest: string;
  readonly kind: string;
}

const yarnRows = (table: ReturnType<typeof objectOf>): Update[] =>
  listField(objectOf(table['data']), 'body').map((row) => {
    const [name = '', current = '', wanted = '', latest = '', kind = ''] = Array.isArray(row) ? row.map(String) : [];
    return { name, current, wanted, latest, kind };
  });

function updatesReading(all: readonly Update[]): Reading {
  const updates = all.filter(({ current, latest }) => latest !== '' && current !== latest);
  const findings = updates.map(({ name, current, wanted, latest, kind }) => ({
    message: `${name} ${current || '(not installed)'} -> ${latest}${wanted !== '' && wanted !== latest ? ` (${wanted} within the range)` : ''}${kind.startsWith('dev') ? ' (dev)' : ''}`,
  }));
  return updates.length > 0
    ? {
        state: 'issues',
        summary: `${countOf(updates.length, 'update')} available`,
        findings,
        extra: { updates: updates.map((one) => ({ ...one })) },
      }
    : { state: 'clean', summary: 'all packages are up to date', extra: { updates: [] } };
}

/** Who asks for a package: the chains npm knows. */
export function readWhy(ran: Ran): Reading {
  if (ran.exitCode !== 0 || /No dependencies found matching/.test(ran.output))
    return /No dependencies found|npm (?:ERR!|error) .*explain/.test(ran.output)
      ? { state: 'clean', summary: 'it is not installed here', extra: { needed: false, chains: [] } }
      : failed(ran);
  let nodes: unknown;
  try {
    nodes = jsonDocument(ran.output);
  } catch {
    const text = linesOf(ran.output).filter((line) => line.trim() !== '');
    return {
      state: 'clean',
      summary: 'what the package manager says',
      output: text.join('\n'),
      extra: { needed: text.length > 0 },
    };
  }
  const chains = (Array.isArray(nodes) ? nodes : [nodes]).map(objectOf).flatMap((node) => chainsOf(node, 0).slice(0, 20));
  return {
    state: 'clean',
    summary: `${countOf(chains.length, 'way')} in which it is needed`,
    output: chains.slice(0, 40).join('\n'),
    extra: { needed: chains.length > 0, chains: chains.slice(0, 200) },
  };
}

/** `a@1 <- b@2 (prod) <- the project`. */
function chainsOf(node: ReturnType<typeof objectOf>, depth: number): string[] {
  const own = textField(node, 'name') === '' ? 'the project' : `${textField(node, 'name')}@${textField(node, 'version')}`;
  const edges = listField(node, 'dependents').map(objectOf);
  if (edges.length === 0 || depth > 20) return [own];
  return edges.slice(0, 20).flatMap((edge) => {
    const spec = textField(edge, 'spec');
    const kind = textField(edge, 'type');
    return chainsOf(objectOf(edge['from']), depth + 1)
      .slice(0, 20)
      .map((rest) => `${own} <- [${kind}${spec === '' ? '' : ` ${spec}`}] ${rest}`);
  });
}

/** `npm ls --json`: its problems, in its words. */
export function readList(ran: Ran): Reading {
  let tree: ReturnType<typeof objectOf>;
  try {
    tree = objectOf(jsonDocument(ran.output));
  } catch {
    return ran.exitCode === 0 ? { state: 'clean', summary: 'the tree is as it should be' } : failed(ran);
  }
  const problems = listField(tree, 'problems').map(String);
  const count = Object.keys(objectOf(tree['dependencies'])).length;
  if (problems.length > 0)
    return {
      state: 'issues',
      summary: countOf(problems.length, 'problem'),
      findings: problems.map((message) => ({ message })),
      extra: { direct: count },
    };
  return ran.exitCode === 0
    ? {
        state: 'clean',
        summary: `${countOf(count, 'direct dependency', 'direct dependencies')}, all as asked for`,
        extra: { direct: count },
      }
    : failed(ran);
}
