/** JavaScript and TypeScript: the project's own tools, from its package.json. */
import { type Ask, type Ecosystem, type Formatter, missing, noFormatter } from '../shared/ecosystem.js';
import { countOf, readExit, readFindings } from '../shared/findings.js';
import { fromFolder, shownFrom } from '../shared/paths.js';
import { localProgram, nearest, textIn } from '../shared/project.js';
import { linesOf, type Ran } from '../shared/run.js';
import { type Finding, gist, type Reading, type Step } from '../shared/step.js';
import { jsonDocument, listField, objectOf, textField } from './json-output.js';
import { AUDIT, GET, LIST, managerOf, OUTDATED, readAudit, readList, readOutdated, readWhy, WHY } from './npm.js';
import { readTableCoverage } from './table-coverage.js';

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  /** Names it depends on, those of the folders above included. */
  readonly needs: ReadonlySet<string>;
  readonly broken: boolean;
}

async function manifestOf({ context, project }: Ask): Promise<Manifest> {
  const dirs = project.levels.filter(({ names }) => names.has('package.json')).slice(0, 4);
  const texts = await Promise.all(dirs.map(({ dir }) => textIn(context, dir, 'package.json')));
  const parsed = texts.map((text) => {
    try {
      return objectOf(JSON.parse(text.replace(/^\uFEFF/, '')));
    } catch {
      return undefined;
    }
  });
  const needs = parsed.flatMap((one) =>
    ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((field) => Object.keys(objectOf(one?.[field]))),
  );
  const scripts = Object.entries(objectOf(parsed[0]?.['scripts'])).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { scripts: Object.fromEntries(scripts), needs: new Set(needs), broken: parsed[0] === undefined };
}

const INSTALL = 'install the dependencies of the project (npm install or its like; needs a network)';

/** A program of the project. Undefined: it neither asks for it nor has it. A step without words: it asks, and it is not installed. */
async function own(ask: Ask, manifest: Manifest, name: string, packageName = name): Promise<string | Step | undefined> {
  const found = await localProgram(ask.context, ask.project, `node_modules/.bin/${name}`);
  if (found !== undefined) return found;
  if (!manifest.needs.has(packageName)) return undefined;
  return missing(name, ask.project.dir, `${packageName} stands in package.json and is not installed`, INSTALL);
}

const isStep = (value: string | Step | undefined): value is Step => typeof value === 'object';

/** `scripts` false: never a script of the project, which may write. */
async function typecheck(ask: Ask, manifest: Manifest, scripts: boolean): Promise<Step[]> {
  const { dir } = ask.project;
  const script = ['typecheck', 'type-check', 'check-types', 'tsc'].find((name) => manifest.scripts[name] !== undefined);
  if (scripts && script !== undefined && !/--watch|\s-w\b/.test(manifest.scripts[script] ?? '')) {
    const { manager } = managerOf(ask.project);
    return [
      {
        title: `${manager} run ${script}`,
        dir,
        words: [manager, 'run', script],
        hint: GET[manager],
        read: (ran) => readFindings(ran, dir),
      },
    ];
  }
  if (!ask.project.levels[0]?.names.has('tsconfig.json')) return [];
  const tsc = await own(ask, manifest, 'tsc', 'typescript');
  if (tsc === undefined)
    return [
      missing(
        'tsc',
        dir,
        'there is a tsconfig.json and no TypeScript in the project',
        'add it: npm install -D typescript (needs a network)',
      ),
    ];
  if (isStep(tsc)) return [tsc];
  return [
    {
      title: 'tsc --noEmit',
      dir,
      words: [tsc, '--noEmit', '--pretty', 'false', '-p', '.'],
      read: (ran) => readFindings(ran, dir),
    },
  ];
}

function readEslint(ran: Ran): Reading {
  let files: ReturnType<typeof objectOf>[];
  try {
    const document = jsonDocument(ran.output);
    if (!Array.isArray(document)) throw new Error('no list');
    files = document.map(objectOf);
  } catch {
    if (/all files matched by .* are ignored|No files matching/i.test(ran.output))
      return { state: 'not-available', summary: gist(ran.output) };
    return { state: 'failed', summary: gist(ran.output), output: ran.output };
  }
  const findings: Finding[] = files.flatMap((file) =>
    listField(file, 'messages').map((entry) => {
      const one = objectOf(entry);
      const [line, column] = [one['line'], one['column']];
      return {
        file: textField(file, 'filePath'),
        ...(typeof line === 'number' && { line }),
        ...(typeof column === 'number' && { column }),
        ...(textField(one, 'ruleId') !== '' && { rule: textField(one, 'ruleId') }),
        severity: one['severity'] === 2 ? 'error' : 'warning',
        message: textField(one, 'message').slice(0, 1000),
      };
    }),
  );
  if (findings.length > 0)
    return {
      state: 'issues',
      summary: `${countOf(findings.length, 'issue')} in ${countOf(files.length, 'file')} looked at`,
      findings,
    };
  return ran.exitCode === 0
    ? { state: 'clean', summary: `${countOf(files.length, 'file')} looked at` }
    : { state: 'failed', summary: gist(ran.output), output: ran.output };
}

/** `::error title=lint/x,file=a.ts,line=1,endLine=1,col=2,endColumn=3::message`, one a line. */
function readAnnotations(ran: Ran, dir: string): Reading {
  const findings = linesOf(ran.output).flatMap((line): Finding[] => {
    const match = /^::(error|warning|notice) (.*?)::(.*)$/.exec(line);
    if (!match) return [];
    const fields = new Map(
      (match[2] ?? '').split(',').map((field) => [field.slice(0, field.indexOf('=')), field.slice(field.indexOf('=') + 1)]),
    );
    const plain = (text: string) =>
      text.replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%0A', ' ').replaceAll('%25', '%');
    const [file, row, column, rule] = ['file', 'line', 'col', 'title'].map((name) => fields.get(name));
    return [
      {
        ...(file !== undefined && { file: shownFrom(dir, plain(file)) }),
        ...(Number(row) > 0 && { line: Number(row) }),
        ...(Number(column) > 0 && { column: Number(column) }),
        ...(rule !== undefined && { rule: plain(rule) }),
        severity: match[1] ?? 'error',
        message: plain(match[3] ?? '').slice(0, 1000),
      },
    ];
  });
  if (findings.length > 0) return { state: 'issues', summary: countOf(findings.length), findings };
  if (/No files were processed/.test(ran.output)) return { state: 'not-available', summary: 'no files were processed' };
  return ran.exitCode === 0
    ? { state: 'clean', summary: 'nothing found' }
    : { state: 'failed', summary: gist(ran.output), output: ran.output };
}

async function linters(ask: Ask): Promise<Step[]> {
  const manifest = await manifestOf(ask);
  const { dir, at } = ask.project;
  const target = fromFolder(dir, at);
  const steps = await typecheck(ask, manifest, false);
  const [eslint, biome] = await Promise.all([own(ask, manifest, 'eslint'), own(ask, manifest, 'biome', '@biomejs/biome')]);
  if (isStep(eslint)) steps.push(eslint);
  else if (eslint !== undefined && (manifest.needs.has('eslint') || nearest(ask.project, 'eslint.config.*', '.eslintrc*')))
    steps.push({ title: 'eslint', dir, words: [eslint, '--format', 'json', target], read: readEslint });
  if (isStep(biome)) steps.push(biome);
  else if (biome !== undefined && (manifest.needs.has('@biomejs/biome') || nearest(ask.project, 'biome.json', 'biome.jsonc')))
    steps.push({
      title: 'biome lint',
      dir,
      words: [biome, 'lint', '--reporter=github', '--max-diagnostics=none', target],
      read: (ran) => readAnnotations(ran, dir),
    });
  if (steps.length === 0)
    steps.push(
      missing(
        'lint',
        dir,
        'the project has neither ESLint nor Biome nor a tsconfig.json',
        'add one, for example: npm install -D eslint (needs a network)',
      ),
    );
  return steps;
}

async function builds(ask: Ask): Promise<Step[]> {
  const manifest = await manifestOf(ask);
  const { dir } = ask.project;
  if (manifest.broken) return [missing('package.json', dir, 'package.json cannot be read as JSON')];
  const steps = await typecheck(ask, manifest, true);
  const { manager } = managerOf(ask.project);
  if (manifest.scripts['build'] !== undefined)
    steps.push({
      title: `${manager} run build`,
      dir,
      words: [manager, 'run', 'build'],
      hint: GET[manager],
      read: (ran) => readBuild(ran, dir),
    });
  return steps.length > 0
    ? steps
    : [missing('build', dir, 'package.json has no build or typecheck script, and there is no tsconfig.json')];
}

/** Warnings of a build that ends well are no fault of it. */
function readBuild(ran: Ran, dir: string): Reading {
  return ran.exitCode === 0 ? { state: 'clean', summary: 'built' } : readFindings(ran, dir);
}

async function coverages(ask: Ask, target?: string): Promise<Step[]> {
  const manifest = await manifestOf(ask);
  const { dir } = ask.project;
  const more = target === undefined ? [] : [fromFolder(dir, target)];
  const [vitest, jest, c8] = await Promise.all([
    own(ask, manifest, 'vitest'),
    own(ask, manifest, 'jest'),
    own(ask, manifest, 'c8'),
  ]);
  const read = (ran: Ran) => readTableCoverage(ran, dir);
  if (isStep(vitest)) return [vitest];
  if (vitest !== undefined)
    return [
      {
        title: 'vitest --coverage',
        dir,
        words: [vitest, 'run', '--coverage.enabled', '--coverage.reporter=text', ...more],
        hint: 'add the provider: npm install -D @vitest/coverage-v8 (needs a network)',
        read: (ran) =>
          /MISSING DEPENDENCY|Cannot find dependency '@vitest\/coverage/.test(ran.output)
            ? {
                state: 'not-available',
                summary: 'vitest has no coverage provider here; add it: npm install -D @vitest/coverage-v8 (needs a network)',
              }
            : read(ran),
      },
    ];
  if (isStep(jest)) return [jest];
  if (jest !== undefined)
    return [{ title: 'jest --coverage', dir, words: [jest, '--coverage', '--coverageReporters=text', '--ci', ...more], read }];
  if (/\bnode\b.*--test\b/.test(manifest.scripts['test'] ?? '') || manifest.scripts['test'] === undefined)
    return [
      {
        title: 'node --test --experimental-test-coverage',
        dir,
        words: ['node', '--test', '--experimental-test-coverage', '--test-reporter=spec', ...more],
        hint: 'install Node.js 20 or later',
        read,
      },
    ];
  if (typeof c8 === 'string')
    return [{ title: 'c8', dir, words: [c8, '--reporter=text', managerOf(ask.project).manager, 'test'], read }];
  return [
    missing('coverage', dir, 'the project has no Vitest, Jest, c8 or node --test', 'add c8: npm install -D c8 (needs a network)'),
  ];
}

const LISTED = /^(?:\[warn\] )?(.+\.[A-Za-z0-9]+)$/;

async function formatter(ask: Ask, files: readonly string[] | undefined, importsOnly: boolean): Promise<Formatter> {
  const manifest = await manifestOf(ask);
  const { dir, at } = ask.project;
  const targets = (files ?? [at]).map((file) => fromFolder(dir, file));
  const words = (list: readonly string[]) => list.map((file) => fromFolder(dir, file));
  const [biome, prettier] = await Promise.all([own(ask, manifest, 'biome', '@biomejs/biome'), own(ask, manifest, 'prettier')]);
  const usesBiome = manifest.needs.has('@biomejs/biome') || nearest(ask.project, 'biome.json', 'biome.jsonc') !== undefined;
  if (usesBiome && isStep(biome)) return { check: biome, write: () => biome };
  if (usesBiome && typeof biome === 'string') {
    const kind = importsOnly ? ['check', '--formatter-enabled=false', '--linter-enabled=false'] : ['format'];
    const title = importsOnly ? 'biome check (imports)' : 'biome format';
    const make = (flags: readonly string[], list: readonly string[]): Step => ({
      title,
      dir,
      words: [biome, ...kind, ...flags, ...list],
      read: (ran) => (flags.includes('--write') ? readExit(ran, 'written') : readChanged(readAnnotations(ran, dir))),
    });
    return {
      check: make(['--reporter=github', '--max-diagnostics=none'], targets),
      write: (list) => make(['--write'], words(list)),
    };
  }
  if (importsOnly)
    return noFormatter(
      'imports',
      dir,
      'the project has no tool that only sorts imports',
      'Biome does: npm install -D @biomejs/biome (needs a network)',
    );
  if (isStep(prettier)) return { check: prettier, write: () => prettier };
  if (typeof prettier !== 'string')
    return noFormatter(
      'format',
      dir,
      'the project has neither Prettier nor Biome',
      'add one: npm install -D prettier (needs a network)',
    );
  const read = (ran: Ran): Reading => {
    const changed = linesOf(ran.output).flatMap((line) => LISTED.exec(line)?.[1] ?? []);
    if (ran.exitCode === 0) return { state: 'clean', summary: 'nothing to change' };
    return ran.exitCode === 1 && changed.length > 0
      ? {
          state: 'issues',
          summary: countOf(changed.length, 'file'),
          findings: changed.map((file) => ({ file: shownFrom(dir, file), message: 'not formatted' })),
        }
      : { state: 'failed', summary: gist(ran.output), output: ran.output };
  };
  return {
    check: { title: 'prettier', dir, words: [prettier, '--list-different', ...targets], read },
    write: (list) => ({
      title: 'prettier',
      dir,
      words: [prettier, '--write', ...words(list)],
      read: (ran) => readExit(ran, 'written'),
    }),
  };
}

/** One finding a file. */
function readChanged(reading: Reading): Reading {
  if (reading.state !== 'issues') return reading;
  const files = [...new Set((reading.findings ?? []).flatMap(({ file }) => file ?? []))].sort();
  if (files.length === 0) return { ...reading, state: 'failed' };
  return {
    ...reading,
    summary: countOf(files.length, 'file'),
    findings: files.map((file) => ({ file, message: 'not formatted' })),
  };
}

const managed = (
  ask: Ask,
  table: Readonly<Record<keyof typeof GET, readonly string[]>>,
  title: string,
  more: Partial<Step>,
): Step => {
  const { manager } = managerOf(ask.project);
  return {
    title: `${manager} ${title}`,
    dir: ask.project.dir,
    words: table[manager],
    hint: GET[manager],
    read: (ran) => readExit(ran, 'done'),
    ...more,
  };
};

export const javascript: Ecosystem = {
  id: 'javascript',
  declarations: {
    include: ['*.ts', '*.tsx', '*.mts', '*.cts', '*.js', '*.jsx', '*.mjs', '*.cjs'],
    interfaces: '^\\s*(export\\s+)?(default\\s+)?(declare\\s+)?(interface\\s+[\\w$]+|type\\s+[\\w$]+(<[^=]*>)?\\s*=)',
    structs: '^\\s*(export\\s+)?(default\\s+)?(declare\\s+)?(abstract\\s+)?(class|enum|const\\s+enum)\\s+[\\w$]+',
    functions:
      '^(export\\s+)?(default\\s+)?(declare\\s+)?((async\\s+)?function\\b|(const|let|var)\\s+[\\w$]+\\s*(:[^=]+)?=\\s*(async\\s*)?(function\\b|\\(|[\\w$]+\\s*=>|<))',
  },
  build: builds,
  lint: linters,
  coverage: coverages,
  async checkDeps(ask) {
    const { manager, lock } = managerOf(ask.project);
    const steps = [managed(ask, LIST, 'ls', { read: readList })];
    if (lock === undefined)
      steps.push({
        ...missing('lock file', ask.project.dir, `there is no lock file, so versions are not pinned (taken for ${manager})`),
      });
    return steps;
  },
  async audit(ask) {
    const { lock, manager } = managerOf(ask.project);
    if (lock === undefined)
      return [
        missing(
          `${manager} audit`,
          ask.project.dir,
          'an audit needs a lock file',
          `make one: npm install --package-lock-only (needs a network)`,
        ),
      ];
    return [managed(ask, AUDIT, 'audit', { network: true, read: readAudit })];
  },
  outdated: async (ask) => [managed(ask, OUTDATED, 'outdated', { network: true, read: readOutdated })],
  async why(ask, name) {
    const { manager } = managerOf(ask.project);
    return [{ title: `${manager} why`, dir: ask.project.dir, words: [...WHY[manager], name], hint: GET[manager], read: readWhy }];
  },
  format: (ask, files) => formatter(ask, files, false),
  imports: (ask, files) => formatter(ask, files, true),
};
