/** Java: Maven or Gradle, the project's wrapper first. */
import { type Ask, type Ecosystem, type Formatter, missing, noFormatter } from '../shared/ecosystem.js';
import { countOf, readExit, readFindings } from '../shared/findings.js';
import { fromFolder, within } from '../shared/paths.js';
import { textIn } from '../shared/project.js';
import { readWhole } from '../shared/read-whole.js';
import { linesOf, type Ran } from '../shared/run.js';
import { gist, type Reading, type Step } from '../shared/step.js';

type Tool = 'maven' | 'gradle';

interface Build {
  readonly tool: Tool;
  readonly words: readonly string[];
  /** What configures it, as text. */
  readonly text: string;
  readonly hint: string;
}

async function buildOf({ context, project }: Ask): Promise<Build> {
  const names = project.levels[0]?.names ?? new Set<string>();
  const isGradle = [...names].some((name) => /^(build|settings)\.gradle/.test(name) || name === 'gradlew');
  const tool: Tool = names.has('pom.xml') || (!isGradle && names.has('mvnw')) ? 'maven' : 'gradle';
  const files = tool === 'maven' ? ['pom.xml'] : ['build.gradle', 'build.gradle.kts'];
  const texts = await Promise.all(files.filter((name) => names.has(name)).map((name) => textIn(context, project.dir, name)));
  const wrapper = tool === 'maven' ? 'mvnw' : 'gradlew';
  const level = project.levels.find((one) => one.names.has(wrapper));
  const path = level === undefined ? undefined : fromFolder(project.dir, within(level.dir, wrapper));
  const program = path === undefined ? (tool === 'maven' ? 'mvn' : 'gradle') : path.includes('/') ? path : `./${path}`;
  const flags = tool === 'maven' ? ['-B', '-ntp', '-Dstyle.color=never'] : ['--console=plain', '--no-daemon'];
  return {
    tool,
    words: [program, ...flags],
    text: texts.join('\n'),
    hint:
      tool === 'maven'
        ? 'install Maven, or add its wrapper (mvnw) to the project'
        : 'install Gradle, or add its wrapper (gradlew) to the project',
  };
}

const run = (ask: Ask, build: Build, title: string, words: readonly string[], more: Partial<Step> = {}): Step => ({
  title,
  dir: ask.project.dir,
  words: [...build.words, ...words],
  hint: build.hint,
  network: true,
  read: (ran) => readFindings(ran, ask.project.dir),
  ...more,
});

/** Warnings of a build that ends well are told by its linter, not here. */
const readBuild = (ran: Ran, dir: string): Reading =>
  ran.exitCode === 0 ? { state: 'clean', summary: 'built' } : readFindings(ran, dir);

const maven = (build: Build, plugin: string): boolean => build.text.includes(plugin);

async function lints(ask: Ask): Promise<Step[]> {
  const build = await buildOf(ask);
  const has = (name: string) => maven(build, name);
  const steps: Step[] = [];
  if (has('checkstyle'))
    steps.push(run(ask, build, 'checkstyle', build.tool === 'maven' ? ['checkstyle:check'] : ['checkstyleMain']));
  if (has('spotless')) steps.push(run(ask, build, 'spotless', build.tool === 'maven' ? ['spotless:check'] : ['spotlessCheck']));
  if (has('spotbugs')) steps.push(run(ask, build, 'spotbugs', build.tool === 'maven' ? ['spotbugs:check'] : ['spotbugsMain']));
  if (has('pmd')) steps.push(run(ask, build, 'pmd', build.tool === 'maven' ? ['pmd:check'] : ['pmdMain']));
  return steps.length > 0
    ? steps
    : [
        missing(
          'lint',
          ask.project.dir,
          'the build configures none of Checkstyle, Spotless, SpotBugs and PMD',
          'add one of their plugins to the build',
        ),
      ];
}

/** `GROUP,PACKAGE,CLASS,INSTRUCTION_MISSED,INSTRUCTION_COVERED,BRANCH_MISSED,BRANCH_COVERED,LINE_MISSED,LINE_COVERED,…`. */
export function readJacoco(csv: string): { readonly name: string; readonly missed: number; readonly covered: number }[] {
  return linesOf(csv)
    .slice(1)
    .map((line) => line.split(','))
    .filter((cells) => cells.length >= 9)
    .map((cells) => ({ name: `${cells[1]}.${cells[2]}`, missed: Number(cells[7]) || 0, covered: Number(cells[8]) || 0 }));
}

async function coverages(ask: Ask): Promise<Step[]> {
  const build = await buildOf(ask);
  const { dir } = ask.project;
  if (!maven(build, 'jacoco'))
    return [missing('coverage', dir, 'the build does not configure JaCoCo', 'add its plugin to the build')];
  const words = build.tool === 'maven' ? ['test', 'jacoco:report'] : ['test', 'jacocoTestReport'];
  const where = build.tool === 'maven' ? 'target/site/jacoco' : 'build/reports/jacoco';
  return [
    run(ask, build, 'jacoco', words, {
      read: (ran) =>
        ran.exitCode === 0
          ? { state: 'clean', summary: `the report is in ${within(dir, where)}`, extra: { report: within(dir, where) } }
          : readFindings(ran, dir),
    }),
  ];
}

/** Adds the rows of a JaCoCo report to what its run said. */
export async function jacocoRows(ask: Ask): Promise<Reading | undefined> {
  const csv = await readWhole(ask.context, within(ask.project.dir, 'target/site/jacoco/jacoco.csv'), 4 * 1024 * 1024);
  if (csv === undefined) return undefined;
  const rows = readJacoco(csv).map((row) => ({
    ...row,
    percent: Math.round((1000 * row.covered) / Math.max(1, row.covered + row.missed)) / 10,
  }));
  const [covered, missed] = rows.reduce(([a, b], row) => [a + row.covered, b + row.missed], [0, 0]);
  const total = covered + missed === 0 ? null : Math.round((1000 * covered) / (covered + missed)) / 10;
  const sorted = rows.sort((a, b) => a.percent - b.percent || (a.name < b.name ? -1 : 1));
  return {
    state: 'clean',
    summary: `${total === null ? 'no total' : `${total}% of lines`} in ${countOf(rows.length, 'class', 'classes')} (least covered first)`,
    output: sorted
      .slice(0, 60)
      .map(({ name, percent }) => `${percent}%\t${name}`)
      .join('\n'),
    extra: { total, classes: sorted.slice(0, 1000) },
  };
}

function readUpdates(ran: Ran): Reading {
  if (ran.exitCode !== 0) return { state: 'failed', summary: gist(ran.output), output: ran.output };
  const text = linesOf(ran.output)
    .map((line) => line.replace(/^\[INFO\]\s*/, ''))
    .join('\n')
    .replace(/\.\n\s+/g, '. ');
  const updates = [...text.matchAll(/^\s*([\w.-]+:[\w.-]+) \.+ (\S+) -> (\S+)$/gm)].map(
    ([, name = '', current = '', latest = '']) => ({ name, current, latest }),
  );
  const findings = updates.map(({ name, current, latest }) => ({ message: `${name} ${current} -> ${latest}` }));
  return updates.length > 0
    ? { state: 'issues', summary: `${countOf(updates.length, 'update')} available`, findings, extra: { updates } }
    : { state: 'clean', summary: 'no newer versions are known', extra: { updates: [] } };
}

function readTree(ran: Ran, good: string): Reading {
  if (ran.exitCode !== 0) return { state: 'failed', summary: gist(ran.output), output: ran.output };
  const tree = linesOf(ran.output)
    .map((line) => line.replace(/^\[INFO\] /, ''))
    .filter((line) => /^(?:[\w.-]+:[\w.-]+:|[|+\\ ]|---)/.test(line) && line.trim() !== '');
  return { state: 'clean', summary: good, output: tree.slice(0, 80).join('\n'), extra: { tree: tree.slice(0, 500) } };
}

async function spotless(ask: Ask, title: string): Promise<Formatter> {
  const build = await buildOf(ask);
  if (!maven(build, 'spotless'))
    return noFormatter(title, ask.project.dir, 'the build does not configure Spotless', 'add its plugin to the build');
  const [check, apply] = build.tool === 'maven' ? ['spotless:check', 'spotless:apply'] : ['spotlessCheck', 'spotlessApply'];
  const read = (ran: Ran): Reading => {
    const files = linesOf(ran.output).flatMap((line) => /^(?:\[ERROR\])?\s+(\S+\.(?:java|kt))$/.exec(line)?.[1] ?? []);
    if (ran.exitCode !== 0 && files.length > 0)
      return {
        state: 'issues',
        summary: countOf(files.length, 'file'),
        findings: files.map((file) => ({ file: within(ask.project.dir, file), message: 'not formatted' })),
      };
    return readExit(ran, 'nothing to change');
  };
  return {
    check: run(ask, build, 'spotless', [check ?? ''], { read }),
    write: () => run(ask, build, 'spotless', [apply ?? ''], { read: (ran) => readExit(ran, 'written') }),
  };
}

export const java: Ecosystem = {
  id: 'java',
  declarations: {
    include: ['*.java'],
    interfaces: '^\\s*((public|protected|private|abstract|static|sealed|strictfp)\\s+)*@?interface\\s+\\w+',
    structs: '^\\s*((public|protected|private|abstract|static|final|sealed|strictfp)\\s+)*(class|record|enum)\\s+\\w+',
    functions:
      '^\\s+((public|protected|private|static|final|abstract|synchronized|default)\\s+)+(<[^>]+>\\s+)?[\\w<>\\[\\], ?.]+\\s+\\w+\\s*\\(',
  },
  async build(ask) {
    const build = await buildOf(ask);
    const words = build.tool === 'maven' ? ['-q', 'test-compile'] : ['testClasses'];
    return [
      run(ask, build, build.tool === 'maven' ? 'mvn test-compile' : 'gradle testClasses', words, {
        read: (ran) => readBuild(ran, ask.project.dir),
      }),
    ];
  },
  lint: lints,
  coverage: coverages,
  async checkDeps(ask) {
    const build = await buildOf(ask);
    const words = build.tool === 'maven' ? ['dependency:tree'] : ['dependencies', '--configuration', 'runtimeClasspath'];
    return [
      run(ask, build, build.tool === 'maven' ? 'mvn dependency:tree' : 'gradle dependencies', words, {
        read: (ran) => readTree(ran, 'all dependencies can be resolved'),
      }),
    ];
  },
  async audit(ask) {
    const build = await buildOf(ask);
    if (!maven(build, 'dependency-check') && !maven(build, 'dependencycheck'))
      return [
        missing(
          'dependency-check',
          ask.project.dir,
          'the build does not configure OWASP dependency-check',
          'add its plugin to the build',
        ),
      ];
    return [
      run(
        ask,
        build,
        'dependency-check',
        build.tool === 'maven' ? ['org.owasp:dependency-check-maven:check'] : ['dependencyCheckAnalyze'],
        { read: (ran) => readExit(ran, 'below the threshold of the build') },
      ),
    ];
  },
  async outdated(ask) {
    const build = await buildOf(ask);
    if (build.tool === 'gradle' && !build.text.includes('ben-manes.versions'))
      return [
        missing(
          'dependencyUpdates',
          ask.project.dir,
          'Gradle needs the plugin com.github.ben-manes.versions for this',
          'add it to the build',
        ),
      ];
    return [
      run(ask, build, 'versions', build.tool === 'maven' ? ['versions:display-dependency-updates'] : ['dependencyUpdates'], {
        read: readUpdates,
      }),
    ];
  },
  async why(ask, name) {
    const build = await buildOf(ask);
    const words =
      build.tool === 'maven'
        ? ['dependency:tree', '-Dverbose', `-Dincludes=${name}`]
        : ['dependencyInsight', `--dependency=${name}`];
    return [
      run(ask, build, build.tool === 'maven' ? 'mvn dependency:tree' : 'gradle dependencyInsight', words, {
        read: (ran) => readTree(ran, 'the ways in which it is needed'),
      }),
    ];
  },
  format: (ask) => spotless(ask, 'format'),
  imports: (ask) => spotless(ask, 'imports'),
};
