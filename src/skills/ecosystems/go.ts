/** Go: the go command, gofmt and goimports, staticcheck, govulncheck. */
import { shellWord } from '../../base/shell-words.js';
import { type Ask, type Ecosystem, type Formatter, noFormatter } from '../shared/ecosystem.js';
import { batchLine, filesBelow } from '../shared/files.js';
import { countOf, findingsIn, readFindings } from '../shared/findings.js';
import { fromFolder, shownFrom } from '../shared/paths.js';
import { nearest } from '../shared/project.js';
import { linesOf, type Ran } from '../shared/run.js';
import { type Finding, gist, type Reading, type Step } from '../shared/step.js';
import { readGoCoverage } from './go-coverage.js';
import { jsonStream, objectOf, textField } from './json-output.js';

const INSTALL = 'install it with: go install';

const step = (ask: Ask, title: string, words: readonly string[], more: Partial<Step> = {}): Step => ({
  title,
  dir: ask.project.at,
  words,
  hint: 'install Go from https://go.dev/dl',
  read: (ran) => readFindings(ran, ask.project.at),
  ...more,
});

/** Packages without Go files are no fault of the code. */
const nothingToBuild = (ran: Ran): boolean =>
  ran.output.length < 2000 && /matched no packages|no packages to vet/.test(ran.output);

function readBuild(ran: Ran, dir: string): Reading {
  if (nothingToBuild(ran)) return { state: 'not-available', summary: 'there are no Go packages here' };
  return readFindings(ran, dir);
}

function readVerify(ran: Ran): Reading {
  if (ran.exitCode === 0)
    return { state: 'clean', summary: linesOf(ran.output).find((line) => line.trim() !== '') ?? 'verified' };
  const findings = linesOf(ran.output)
    .map((line) => /^(\S+ \S+): (.+)$/.exec(line))
    .flatMap((match) => (match ? [{ message: `${match[1]}: ${match[2]}` }] : []));
  return findings.length > 0 && !/^go: /m.test(ran.output)
    ? { state: 'issues', summary: countOf(findings.length, 'module does not match', 'modules do not match'), findings }
    : { state: 'failed', summary: gist(ran.output), output: ran.output };
}

/** `go mod tidy -diff` (Go 1.23) tells and changes nothing. Older ones have nothing like it. */
function readTidy(ran: Ran): Reading {
  if (/flag provided but not defined: -diff/.test(ran.output))
    return { state: 'not-available', summary: 'go mod tidy cannot tell without changing files before Go 1.23' };
  if (ran.exitCode === 0) return { state: 'clean', summary: 'go.mod and go.sum are tidy' };
  const findings = linesOf(ran.output)
    .filter((line) => /^[+-](?![+-]{2} )/.test(line))
    .map((message) => ({ message }));
  return findings.length > 0
    ? { state: 'issues', summary: `go mod tidy would change ${countOf(findings.length, 'line')}`, findings }
    : { state: 'failed', summary: gist(ran.output), output: ran.output };
}

function readListed(ran: Ran): Reading {
  if (ran.exitCode !== 0) {
    const summary = /updates to go\.mod needed|missing go\.sum entry|no required module provides/.test(ran.output)
      ? `the module files are not complete: ${gist(ran.output)}`
      : gist(ran.output);
    return { state: 'issues', summary, findings: findingsIn(ran.output, '.'), output: ran.output };
  }
  const modules = linesOf(ran.output).filter((line) => line.trim() !== '');
  return {
    state: 'clean',
    summary: `${countOf(modules.length, 'module')} in the build list`,
    extra: { modules: modules.slice(0, 500), moduleCount: modules.length },
    output: modules.slice(0, 50).join('\n'),
  };
}

function readOutdated(ran: Ran): Reading {
  if (ran.exitCode !== 0) return { state: 'failed', summary: gist(ran.output), output: ran.output };
  const modules = jsonStream(ran.output).map(objectOf);
  const broken = modules.map((module) => textField(objectOf(module['Error']), 'Err')).filter((text) => text !== '');
  const updates = modules
    .map((module) => ({
      name: textField(module, 'Path'),
      current: textField(module, 'Version'),
      latest: textField(objectOf(module['Update']), 'Version'),
      indirect: module['Indirect'] === true,
    }))
    .filter(({ latest }) => latest !== '');
  const findings = updates.map(({ name, current, latest, indirect }) => ({
    message: `${name} ${current} -> ${latest}${indirect ? ' (indirect)' : ''}`,
  }));
  if (broken.length > 0 && updates.length === 0)
    return { state: 'not-available', summary: `the module source could not be asked: ${broken[0]?.slice(0, 300)}` };
  const unknown = broken.length > 0 ? `; ${countOf(broken.length, 'module')} could not be looked up` : '';
  return {
    state: updates.length > 0 ? 'issues' : 'clean',
    summary: `${updates.length > 0 ? `${countOf(updates.length, 'update')} available` : 'all modules are up to date'}${unknown}`,
    findings,
    extra: { updates },
  };
}

function readVulnerabilities(ran: Ran): Reading {
  if (ran.exitCode !== 0 && ran.exitCode !== 3) return { state: 'failed', summary: gist(ran.output), output: ran.output };
  const entries = jsonStream(ran.output).map(objectOf);
  if (!entries.some((entry) => 'config' in entry))
    return { state: 'failed', summary: `no report: ${gist(ran.output)}`, output: ran.output };
  const summaries = new Map(
    entries.map((entry) => objectOf(entry['osv'])).map((osv) => [textField(osv, 'id'), textField(osv, 'summary')]),
  );
  const seen = new Map<string, Finding>();
  for (const found of entries.filter((entry) => 'finding' in entry).map((entry) => objectOf(entry['finding']))) {
    const id = textField(found, 'osv');
    const [first] = Array.isArray(found['trace']) ? found['trace'].map(objectOf) : [];
    const isCalled = textField(first ?? {}, 'function') !== '';
    const fixed = textField(found, 'fixed_version');
    const where = `${textField(first ?? {}, 'module')} ${textField(first ?? {}, 'version')}`.trim();
    const message = `${summaries.get(id) ?? ''} (${where}${fixed === '' ? ', no fix yet' : `, fixed in ${fixed}`}${isCalled ? ', called' : ''})`;
    if (!seen.has(id) || isCalled) seen.set(id, { rule: id, severity: isCalled ? 'called' : 'present', message });
  }
  const findings = [...seen.values()];
  return findings.length > 0
    ? { state: 'issues', summary: countOf(findings.length, 'known vulnerability', 'known vulnerabilities'), findings }
    : { state: 'clean', summary: 'no known vulnerabilities' };
}

function readWhy(ran: Ran): Reading {
  const lines = linesOf(ran.output).filter((line) => line.trim() !== '');
  const chain = lines.filter((line) => !line.startsWith('#') && !line.startsWith('('));
  if (ran.exitCode !== 0) return { state: 'failed', summary: gist(ran.output), output: ran.output };
  const isNeeded = chain.length > 0;
  return {
    state: 'clean',
    summary: isNeeded ? 'it is needed by this chain of imports' : 'the main module does not need it',
    output: lines.join('\n'),
    extra: { needed: isNeeded, chain },
  };
}

function readGraph(ran: Ran, name: string): Reading {
  if (ran.exitCode !== 0) return { state: 'failed', summary: gist(ran.output), output: ran.output };
  const into = linesOf(ran.output)
    .map((line) => line.split(' '))
    .filter(([from, to]) => from !== undefined && to !== undefined && (to === name || to.startsWith(`${name}@`)))
    .map(([from]) => from as string);
  const parents = [...new Set(into)].sort();
  return {
    state: 'clean',
    summary: parents.length === 0 ? 'no module requires it' : `required by ${countOf(parents.length, 'module')}`,
    output: parents.slice(0, 50).join('\n'),
    extra: { requiredBy: parents.slice(0, 500) },
  };
}

/** With `-l` the files that differ stand on lines of their own; what cannot be parsed is named with a place. */
const readNames = (ran: Ran, dir: string): Reading => {
  const files = linesOf(ran.output).filter((line) => line.endsWith('.go'));
  const broken = ran.exitCode === 0 ? [] : findingsIn(ran.output, dir);
  if (files.length === 0 && ran.exitCode !== 0)
    return { state: 'failed', summary: `not formatted: ${gist(ran.output)}`, findings: broken, output: ran.output };
  return {
    state: files.length > 0 ? 'issues' : 'clean',
    summary: files.length > 0 ? countOf(files.length, 'file') : 'nothing to change',
    findings: files.map((file) => ({ file: shownFrom(dir, file), message: 'not formatted' })),
    broken,
  };
};

/** gofmt or goimports over chosen files; both list what they change. */
async function formatter(ask: Ask, program: 'gofmt' | 'goimports', files: readonly string[] | undefined): Promise<Formatter> {
  const { at } = ask.project;
  const chosen = files ?? (await filesBelow(ask.context, at, ['*.go'])).files;
  const words = chosen.filter((file) => file.endsWith('.go')).map((file) => fromFolder(at, file));
  const hint = program === 'gofmt' ? 'it comes with Go' : `${INSTALL} golang.org/x/tools/cmd/goimports@latest (needs a network)`;
  if (words.length === 0) return noFormatter(program, at, 'there are no Go files here');
  const of = (flag: string, list: readonly string[]): Step => ({
    title: program,
    dir: at,
    line: batchLine([program, flag], list),
    hint,
    read: (ran) => readNames(ran, at),
  });
  return {
    check: of('-l', words),
    write: (list) =>
      of(
        '-w',
        list.map((file) => fromFolder(at, file)),
      ),
  };
}

export const go: Ecosystem = {
  id: 'go',
  declarations: {
    include: ['*.go'],
    interfaces: '^\\s*(type\\s+)?[A-Za-z_]\\w*(\\[[^\\]]*\\])?\\s+interface\\s*\\{',
    structs: '^\\s*(type\\s+)?[A-Za-z_]\\w*(\\[[^\\]]*\\])?\\s+struct\\s*\\{',
    functions: '^func\\s',
  },
  build: async (ask) => [
    // With the null device nothing is left behind, not even for a single program.
    step(ask, 'go build', ['go', 'build', '-o', '/dev/null', './...'], { read: (ran) => readBuild(ran, ask.project.at) }),
    step(ask, 'go vet', ['go', 'vet', './...'], { read: (ran) => readBuild(ran, ask.project.at) }),
  ],
  lint: async (ask) => [
    step(ask, 'go vet', ['go', 'vet', './...'], { read: (ran) => readBuild(ran, ask.project.at) }),
    step(ask, 'staticcheck', ['staticcheck', './...'], {
      hint: `${INSTALL} honnef.co/go/tools/cmd/staticcheck@latest (needs a network)`,
    }),
    ...(nearest(ask.project, '.golangci.*')
      ? [step(ask, 'golangci-lint', ['golangci-lint', 'run', '--fix=false', './...'], { hint: 'see https://golangci-lint.run' })]
      : []),
  ],
  async coverage(ask, target) {
    const packages = target === undefined ? './...' : target.startsWith('-') ? `./${target}` : target;
    // The profile goes through a pipe: there is no file that workers could share or leave behind.
    const line = `set -o pipefail; go test -coverprofile=/dev/fd/3 ${shellWord(packages)} 3>&1 >&2 | go tool cover -func=/dev/stdin`;
    return [{ title: 'go test -coverprofile', dir: ask.project.at, line, read: (ran) => readGoCoverage(ran, ask.project.at) }];
  },
  checkDeps: async (ask) => [
    step(ask, 'go mod verify', ['go', 'mod', 'verify'], { network: true, read: readVerify }),
    step(ask, 'go mod tidy', ['go', 'mod', 'tidy', '-diff'], { network: true, read: readTidy }),
    step(ask, 'go list -m all', ['go', 'list', '-mod=readonly', '-m', 'all'], { network: true, read: readListed }),
    step(ask, 'imports', ['go', 'list', '-mod=readonly', '-deps', '-test', '-f', '{{if .Error}}{{.Error}}{{end}}', './...'], {
      network: true,
      read: (ran) =>
        ran.exitCode === 0 ? { state: 'clean', summary: 'every import is provided by the module files' } : readListed(ran),
    }),
  ],
  audit: async (ask) => [
    step(ask, 'go mod verify', ['go', 'mod', 'verify'], { network: true, read: readVerify }),
    step(ask, 'govulncheck', ['govulncheck', '-json', './...'], {
      network: true,
      hint: `${INSTALL} golang.org/x/vuln/cmd/govulncheck@latest (needs a network)`,
      read: readVulnerabilities,
    }),
  ],
  outdated: async (ask) => [
    step(ask, 'go list -m -u', ['go', 'list', '-m', '-u', '-e', '-mod=readonly', '-json', 'all'], {
      network: true,
      read: readOutdated,
    }),
  ],
  why: async (ask, name) => [
    step(ask, 'go mod why', ['go', 'mod', 'why', '-m', '--', name], { network: true, read: readWhy }),
    step(ask, 'go mod graph', ['go', 'mod', 'graph'], { network: true, read: (ran) => readGraph(ran, name) }),
  ],
  async format(ask, files) {
    const imports = await formatter(ask, 'goimports', files);
    const plain = await formatter(ask, 'gofmt', files);
    if (imports.check.line === undefined) return plain;
    // goimports where it is installed, gofmt otherwise.
    return {
      check: { ...imports.check, otherwise: plain.check },
      write: (list) => ({ ...imports.write(list), otherwise: plain.write(list) }),
    };
  },
  imports: (ask, files) => formatter(ask, 'goimports', files),
};
