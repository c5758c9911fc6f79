/** Python: the interpreter of the project's virtual environment, and the tools its configuration names. */
import { randomBytes } from 'node:crypto';
import { shellLine } from '../../base/shell-words.js';
import { type Ask, type Ecosystem, type Formatter, missing, noFormatter } from '../shared/ecosystem.js';
import { batchLine, filesBelow } from '../shared/files.js';
import { countOf, readExit, readFindings } from '../shared/findings.js';
import { fromFolder, within } from '../shared/paths.js';
import { textIn } from '../shared/project.js';
import { READ_TOOL } from '../shared/read-whole.js';
import { linesOf, type Ran } from '../shared/run.js';
import type { Reading, Step } from '../shared/step.js';
import { get, readAudit, readCheck, readCoverage, readOutdated, readShow, readWould } from './python-read.js';

const CONFIGURATION = [
  'pyproject.toml',
  'setup.cfg',
  'tox.ini',
  '.flake8',
  'mypy.ini',
  'ruff.toml',
  '.ruff.toml',
  'requirements.txt',
  'requirements-dev.txt',
  'Pipfile',
];

interface Setup {
  /** As the project's folder names it. */
  readonly python: string;
  /** Text of everything that configures it. */
  readonly words: string;
  readonly names: ReadonlySet<string>;
}

async function setupOf({ context, project }: Ask): Promise<Setup> {
  const names = project.levels[0]?.names ?? new Set<string>();
  const texts = await Promise.all(
    CONFIGURATION.filter((name) => names.has(name)).map((name) => textIn(context, project.dir, name)),
  );
  for (const { dir } of project.levels)
    for (const folder of ['.venv', 'venv']) {
      const file = within(dir, `${folder}/pyvenv.cfg`);
      if (!(await context.call(READ_TOOL, { file, head: 1 })).isError) {
        const path = fromFolder(project.dir, within(dir, `${folder}/bin/python`));
        return { python: /^[./]/.test(path) ? path : `./${path}`, words: texts.join('\n'), names };
      }
    }
  return { python: 'python3', words: texts.join('\n'), names };
}

const names = (setup: Setup, tool: string, ...files: readonly string[]): boolean =>
  new RegExp(`(?:^|[^\\w-])${tool}(?:[^\\w-]|$)`, 'm').test(setup.words) || files.some((file) => setup.names.has(file));

/** A tool as a module of the project's interpreter, or as a program of its own. */
function tool(setup: Setup, dir: string, name: string, args: readonly string[], more: Partial<Step> = {}): Step {
  const base = { title: name, dir, hint: get(name), read: (ran: Ran) => readFindings(ran, dir), ...more };
  return {
    ...base,
    words: [setup.python, '-m', name.replaceAll('-', '_'), ...args],
    otherwise: { ...base, words: [name, ...args] },
  };
}

/** Parses every file and writes nothing: no byte code, no import. */
const PARSE = `import ast, sys
bad = 0
for name in sys.argv[1:]:
    try:
        ast.parse(open(name, "rb").read(), name)
    except (SyntaxError, ValueError) as error:
        bad = 1
        print("%s:%s:%s: error: %s" % (name, getattr(error, "lineno", 1) or 1, getattr(error, "offset", 1) or 1, getattr(error, "msg", error)))
sys.exit(bad)`;

async function builds(ask: Ask): Promise<Step[]> {
  const { dir, at } = ask.project;
  const [setup, listed] = await Promise.all([setupOf(ask), filesBelow(ask.context, at, ['*.py'])]);
  if (listed.files.length === 0) return [missing('syntax', dir, 'there are no Python files here')];
  const line = batchLine(
    [setup.python, '-c', PARSE],
    listed.files.map((file) => fromFolder(dir, file)),
  );
  const steps: Step[] = [
    {
      title: 'syntax',
      dir,
      line,
      hint: 'install Python 3',
      read: (ran) => {
        const reading = readFindings(ran, dir);
        if (reading.state !== 'clean') return reading;
        return listed.whole
          ? { state: 'clean', summary: `${countOf(listed.files.length, 'file')} parsed` }
          : {
              state: 'failed',
              summary: `only ${listed.files.length} files could be listed; all of those parse. Name a smaller dir`,
            };
      },
    },
  ];
  if (names(setup, 'mypy', 'mypy.ini'))
    steps.push(
      tool(setup, dir, 'mypy', ['--no-error-summary', '--cache-dir=/dev/null', '--show-column-numbers', fromFolder(dir, at)], {
        read: (ran) => readFindings(ran, dir),
      }),
    );
  if (names(setup, 'pyright')) steps.push(tool(setup, dir, 'pyright', [fromFolder(dir, at)]));
  return steps;
}

async function linters(ask: Ask): Promise<Step[]> {
  const { dir, at } = ask.project;
  const setup = await setupOf(ask);
  const target = fromFolder(dir, at);
  const ruff = tool(setup, dir, 'ruff', ['check', '--no-fix', '--no-cache', '--output-format=concise', target]);
  const flake8 = tool(setup, dir, 'flake8', [target]);
  const steps: Step[] = [];
  if (names(setup, 'ruff', 'ruff.toml', '.ruff.toml')) steps.push(ruff);
  if (names(setup, 'flake8', '.flake8')) steps.push(flake8);
  if (names(setup, 'pylint')) steps.push(tool(setup, dir, 'pylint', ['--output-format=text', '--score=n', target]));
  if (names(setup, 'mypy', 'mypy.ini'))
    steps.push(tool(setup, dir, 'mypy', ['--no-error-summary', '--cache-dir=/dev/null', '--show-column-numbers', target]));
  // Nothing is configured: what is installed will do.
  return steps.length > 0 ? steps : [ruff, flake8];
}

async function coverages(ask: Ask, target?: string): Promise<Step[]> {
  const { dir } = ask.project;
  const setup = await setupOf(ask);
  // A data file of its own: workers must not mix theirs.
  const data = `/tmp/chatcli-coverage-${randomBytes(8).toString('hex')}`;
  const run = [
    setup.python,
    '-m',
    'pytest',
    '-q',
    '-p',
    'no:cacheprovider',
    '--cov',
    '--cov-report=term-missing',
    ...(target === undefined ? [] : [fromFolder(dir, target)]),
  ];
  return [
    {
      title: 'pytest --cov',
      dir,
      line: `COVERAGE_FILE=${data} ${shellLine(run)}`,
      hint: get('pytest pytest-cov'),
      read: readCoverage,
    },
  ];
}

/** Where the project's own files name a package, as text. */
function named(setup: Setup, dir: string, name: string): Step {
  const wanted = name.toLowerCase().replace(/[-_.]+/g, '-');
  const lines = linesOf(setup.words).filter((line) =>
    line
      .toLowerCase()
      .replace(/[-_.]+/g, '-')
      .split(/[^a-z0-9-]+/)
      .includes(wanted),
  );
  const found =
    lines.length === 0
      ? "the project's own files do not name it"
      : `the project's own files name it: ${lines
          .slice(0, 5)
          .map((line) => line.trim().slice(0, 100))
          .join(' | ')}`;
  return missing('declared', dir, found);
}

async function formatter(ask: Ask, files: readonly string[] | undefined, importsOnly: boolean): Promise<Formatter> {
  const { dir, at } = ask.project;
  const setup = await setupOf(ask);
  const targets = (files ?? [at]).map((file) => fromFolder(dir, file));
  const make = (name: string, check: readonly string[], write: readonly string[]): Formatter => {
    const step = (args: readonly string[], list: readonly string[], read: (ran: Ran) => Reading) =>
      tool(setup, dir, name, [...args, ...list], { read });
    return {
      check: step(check, targets, (ran) => readWould(ran, dir)),
      write: (list) =>
        step(
          write,
          list.map((file) => fromFolder(dir, file)),
          (ran) => readExit(ran, 'written'),
        ),
    };
  };
  const ruff = importsOnly
    ? make(
        'ruff',
        ['check', '--select', 'I', '--no-fix', '--no-cache', '--output-format=concise'],
        ['check', '--select', 'I', '--fix', '--no-cache'],
      )
    : make('ruff', ['format', '--check', '--no-cache'], ['format', '--no-cache']);
  const other = importsOnly ? make('isort', ['--check-only'], ['--quiet']) : make('black', ['--check'], ['--quiet']);
  const otherName = importsOnly ? 'isort' : 'black';
  if (names(setup, otherName)) return other;
  if (names(setup, 'ruff', 'ruff.toml', '.ruff.toml')) return ruff;
  return noFormatter(
    importsOnly ? 'imports' : 'format',
    dir,
    `the project configures neither Ruff nor ${importsOnly ? 'isort' : 'Black'}`,
    get('ruff'),
  );
}

export const python: Ecosystem = {
  id: 'python',
  declarations: {
    include: ['*.py'],
    interfaces: '^\\s*class\\s+\\w+\\s*\\([^)]*\\b(Protocol|ABC|ABCMeta)\\b',
    structs: '^\\s*class\\s+\\w+',
    functions: '^(async\\s+)?def\\s+\\w+',
  },
  build: builds,
  lint: linters,
  coverage: coverages,
  async checkDeps(ask) {
    const setup = await setupOf(ask);
    return [
      {
        title: 'pip check',
        dir: ask.project.dir,
        words: [setup.python, '-m', 'pip', 'check', '--disable-pip-version-check'],
        hint: 'install pip',
        read: readCheck,
      },
    ];
  },
  async audit(ask) {
    const setup = await setupOf(ask);
    const from = setup.names.has('requirements.txt') ? ['-r', 'requirements.txt'] : [];
    return [
      tool(setup, ask.project.dir, 'pip-audit', ['-f', 'json', '--progress-spinner', 'off', ...from], {
        network: true,
        read: readAudit,
      }),
    ];
  },
  async outdated(ask) {
    const setup = await setupOf(ask);
    const words = [
      setup.python,
      '-m',
      'pip',
      'list',
      '--outdated',
      '-vv',
      '--format=json',
      '--retries',
      '0',
      '--timeout',
      '15',
      '--disable-pip-version-check',
    ];
    return [
      { title: 'pip list --outdated', dir: ask.project.dir, words, hint: 'install pip', network: true, read: readOutdated },
    ];
  },
  async why(ask, name) {
    const setup = await setupOf(ask);
    const words = [setup.python, '-m', 'pip', 'show', '--disable-pip-version-check', '--', name];
    return [
      { title: 'pip show', dir: ask.project.dir, words, hint: 'install pip', read: (ran) => readShow(ran, name) },
      named(setup, ask.project.dir, name),
    ];
  },
  format: (ask, files) => formatter(ask, files, false),
  imports: (ask, files) => formatter(ask, files, true),
};
