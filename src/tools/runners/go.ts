/** Detects Go tests. */
import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { listFiles } from './find-test-files.js';
import type { Detector, Project, Selection, TestPlan } from './plan.js';
import { levelWith, needProgram } from './project.js';

const TEST_FILE = /_test\.go$/;

/** Names of the test functions of a file. They are identifiers, so they may stand in a `-run` expression as they are. */
function testNames(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^func ((?:Test|Example|Fuzz)[\p{L}\p{N}_]*)\(/gmu)].map(
    (match) => match[1] as string,
  );
}

/** The packages of the files; `-run` only when they do not hold all test files of those packages. */
function selectionWords(project: Project, files: readonly string[]): string[] {
  const folders = [...new Set(files.map(dirname))];
  const packages = folders.map((folder) => `./${relative(project.folder, folder)}`.replace(/\/$/, '') || '.');
  const chosen = new Set(files);
  const others = folders.some((folder) =>
    listFiles(folder, (path) => TEST_FILE.test(path) && !path.includes('/')).some((name) => !chosen.has(`${folder}/${name}`)),
  );
  if (!others) return packages;
  const names = [...new Set(files.flatMap(testNames))];
  return [...(names.length > 0 ? ['-run', `^(${names.join('|')})$`] : ['-run', '^$']), ...packages];
}

function plan(project: Project, selection: Selection): TestPlan {
  const file = needProgram(project, 'go', 'this is a Go module');
  const words = selection.kind === 'files' ? selectionWords(project, selection.files) : ['./...'];
  return { title: 'go test', file, args: ['test', '-json', ...words], cwd: project.folder };
}

export const detectGo: Detector = (project) => {
  if (levelWith(project, 'go.mod', 'go.work') === undefined) return undefined;
  return { name: 'go test', isTestFile: (path) => TEST_FILE.test(path), plan: (selection) => plan(project, selection) };
};
