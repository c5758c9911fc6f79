/** Detects Gradle and Maven tests, their wrapper scripts first. */
import { accessSync, constants } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { Detector, Project, Selection, TestPlan } from './plan.js';
import { levelWith, needProgram } from './project.js';

const TEST_FILE =
  /(^|\/)src\/test\/.+\.(java|kt|kts|groovy|scala)$|(^|\/)(Test[^/]*|[^/]+(Tests?|TestCase|IT|Spec))\.(java|kt|groovy|scala)$/;
const GRADLE_FILES = ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'];

/** Simple class names; a Java or Kotlin file bears the name of its class. */
const classNames = (files: readonly string[]): string[] =>
  [...new Set(files.map((file) => basename(file).replace(/\.\w+$/, '')))].filter((name) =>
    /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name),
  );

/** How a wrapper script is started: by itself, or by sh when it lost its permission to run (archives, other systems). */
function wrapperWords(wrapper: string): readonly [string, ...string[]] {
  try {
    accessSync(wrapper, constants.X_OK);
    return [wrapper];
  } catch {
    return ['/bin/sh', wrapper];
  }
}

function gradlePlan(project: Project, base: string, wrapper: string | undefined, selection: Selection): TestPlan {
  const [file, ...script] =
    wrapper === undefined ? [needProgram(project, 'gradle', 'this is a Gradle build')] : wrapperWords(wrapper);
  const inner = wrapper === undefined ? '' : relative(join(wrapper, '..'), base);
  const chosen = selection.kind === 'files' ? classNames(selection.files).flatMap((name) => ['--tests', name]) : [];
  return {
    title: wrapper === undefined ? 'gradle test' : 'gradlew test',
    file,
    args: [...script, '--console=plain', ...(inner === '' ? [] : ['-p', inner]), 'test', ...chosen],
    cwd: wrapper === undefined ? base : join(wrapper, '..'),
    xmlBelow: base,
  };
}

function mavenPlan(project: Project, base: string, wrapper: string | undefined, selection: Selection): TestPlan {
  const [file, ...script] =
    wrapper === undefined ? [needProgram(project, 'mvn', 'this is a Maven build')] : wrapperWords(wrapper);
  const chosen =
    selection.kind === 'files'
      ? [`-Dtest=${classNames(selection.files).join(',')}`, '-Dsurefire.failIfNoSpecifiedTests=false']
      : [];
  return {
    title: wrapper === undefined ? 'mvn test' : 'mvnw test',
    file,
    args: [...script, '-B', '-ntp', '-Dstyle.color=never', ...chosen, 'test'],
    cwd: base,
  };
}

function wrapperOf(project: Project, name: string): string | undefined {
  const level = levelWith(project, name);
  return level === undefined ? undefined : join(level.path, name);
}

function detectGradleWith(project: Project, wrapper: string | undefined) {
  const level = levelWith(project, ...GRADLE_FILES);
  if (level === undefined) return undefined;
  return {
    name: 'gradle',
    isTestFile: (path: string) => TEST_FILE.test(path),
    plan: (selection: Selection) => gradlePlan(project, level.path, wrapper, selection),
  };
}

function detectMavenWith(project: Project, wrapper: string | undefined) {
  const level = levelWith(project, 'pom.xml');
  if (level === undefined) return undefined;
  return {
    name: 'maven',
    isTestFile: (path: string) => TEST_FILE.test(path),
    plan: (selection: Selection) => mavenPlan(project, level.path, wrapper, selection),
  };
}

export const detectGradleWrapper: Detector = (project) => {
  const wrapper = wrapperOf(project, 'gradlew');
  return wrapper === undefined ? undefined : detectGradleWith(project, wrapper);
};
export const detectMavenWrapper: Detector = (project) => {
  const wrapper = wrapperOf(project, 'mvnw');
  return wrapper === undefined ? undefined : detectMavenWith(project, wrapper);
};
/** A wrapper in a folder above serves the build below it, too. */
export const detectMaven: Detector = (project) => detectMavenWith(project, wrapperOf(project, 'mvnw'));
export const detectGradle: Detector = (project) => detectGradleWith(project, wrapperOf(project, 'gradlew'));
