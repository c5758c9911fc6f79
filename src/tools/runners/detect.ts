/** Which runner a folder's tests belong to: wrapper scripts first, then one family after the other. */
import { ToolFault } from '../../types/tool.js';
import { detectGo } from './go.js';
import { detectGradle, detectGradleWrapper, detectMaven, detectMavenWrapper } from './jvm.js';
import { detectLooseNodeTests, detectNode } from './node.js';
import { detectDotnet, detectMake, detectMix, detectPhpunit, detectRspec } from './others.js';
import type { Detector, FoundRunner, Project } from './plan.js';
import { detectPython } from './python.js';
import { detectRust } from './rust.js';

const DETECTORS: readonly Detector[] = [
  detectGradleWrapper,
  detectMavenWrapper,
  detectGo,
  detectNode,
  detectPython,
  detectRust,
  detectMaven,
  detectGradle,
  detectDotnet,
  detectPhpunit,
  detectRspec,
  detectMix,
  detectMake,
];

/** The runners that fit at one level; detection of a family that fails counts as absent. Test files without a runner count last. */
function fitting(near: Project, whole: Project): FoundRunner[] {
  const found = fittingOf(DETECTORS, near, whole);
  return found.length > 0 ? found : fittingOf([detectLooseNodeTests], near, whole);
}

function fittingOf(detectors: readonly Detector[], near: Project, whole: Project): FoundRunner[] {
  return detectors
    .filter((detect) => detect(near) !== undefined)
    .map((detect) => detect(whole))
    .filter((runner) => runner !== undefined);
}

/**
 * All runners that fit, best first: those of the folder itself, otherwise those of the nearest folder above it.
 * Throws ToolFault `NotFound` when there is none.
 */
export function detectRunners(project: Project): readonly [FoundRunner, ...FoundRunner[]] {
  for (let count = 1; count <= project.levels.length; count++) {
    const [first, ...others] = fitting({ ...project, levels: project.levels.slice(0, count) }, project);
    if (first !== undefined) return [first, ...others];
  }
  throw new ToolFault(
    'NotFound',
    `no tests found in ${project.folder}: looked for Go, npm/pnpm/yarn/bun, Vitest, Jest, node:test, pytest, unittest, Cargo, Maven, Gradle, .NET, PHPUnit, RSpec, Mix and a Makefile with a test target. Give cmd to run tests another way. No tests were run.`,
  );
}
