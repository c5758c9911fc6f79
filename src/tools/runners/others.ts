/** Detects .NET, PHPUnit, RSpec, Mix and Make tests. */
import { basename, join, relative } from 'node:path';
import { which } from '../../process/which.js';
import { ToolFault } from '../../types/tool.js';
import type { Detector, Project, Selection } from './plan.js';
import { fileArguments, levelWith, localProgram, needProgram, readText } from './project.js';

const bareName = (file: string): string => basename(file).replace(/\.\w+$/, '');

/** Files of the selection relative to `base`, or the folder when it lies below. */
function pathWords(project: Project, base: string, selection: Selection): string[] {
  if (selection.kind === 'files') return fileArguments(base, selection.files);
  return project.folder === base ? [] : [relative(base, project.folder)];
}

export const detectDotnet: Detector = (project) => {
  const level = project.levels.find(({ names }) => [...names].some((name) => /\.(sln|slnx|csproj|fsproj|vbproj)$/.test(name)));
  if (level === undefined) return undefined;
  return {
    name: 'dotnet test',
    isTestFile: (path) => /Tests?\.(cs|fs|vb)$/.test(path),
    plan: (selection) => {
      const file = needProgram(project, 'dotnet', 'this is a .NET project');
      const names =
        selection.kind === 'files' ? selection.files.map(bareName).filter((name) => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) : [];
      const filter = names.length > 0 ? ['--filter', names.map((name) => `FullyQualifiedName~${name}`).join('|')] : [];
      return { title: 'dotnet test', file, args: ['test', '--nologo', ...filter], cwd: level.path };
    },
  };
};

export const detectPhpunit: Detector = (project) => {
  const level = levelWith(project, 'phpunit.xml', 'phpunit.xml.dist', 'composer.json');
  if (level === undefined) return undefined;
  const configured = level.names.has('phpunit.xml') || level.names.has('phpunit.xml.dist');
  if (!configured && !/"phpunit\/phpunit"/.test(readText(level.path, 'composer.json'))) return undefined;
  return {
    name: 'phpunit',
    isTestFile: (path) => /Test\.php$/.test(path),
    plan: (selection) => {
      const file =
        localProgram(project, 'vendor/bin/phpunit') ??
        needProgram(project, 'phpunit', 'this project tests with PHPUnit (vendor/bin/phpunit is missing: composer install)');
      const names = selection.kind === 'files' ? selection.files.map(bareName).filter((name) => /^\w+$/.test(name)) : [];
      const words = names.length > 0 ? ['--filter', `(${names.join('|')})::`] : pathWords(project, level.path, { kind: 'all' });
      return { title: 'phpunit', file, args: ['--colors=never', ...words], cwd: level.path };
    },
  };
};

export const detectRspec: Detector = (project) => {
  const level = levelWith(project, '.rspec', 'Gemfile');
  if (level === undefined || !(level.names.has('.rspec') || /\brspec\b/.test(readText(level.path, 'Gemfile')))) return undefined;
  return {
    name: 'rspec',
    isTestFile: (path) => /_spec\.rb$/.test(path),
    plan: (selection) => {
      const bundle = level.names.has('Gemfile') ? which('bundle', project.env) : undefined;
      const words = ['--no-color', ...pathWords(project, level.path, selection)];
      const file = bundle ?? needProgram(project, 'rspec', 'this project tests with RSpec');
      return { title: 'rspec', file, args: bundle === undefined ? words : ['exec', 'rspec', ...words], cwd: level.path };
    },
  };
};

export const detectMix: Detector = (project) => {
  const level = levelWith(project, 'mix.exs');
  if (level === undefined) return undefined;
  return {
    name: 'mix test',
    isTestFile: (path) => /_test\.exs$/.test(path),
    plan: (selection) => ({
      title: 'mix test',
      file: needProgram(project, 'mix', 'this is a Mix project'),
      args: ['test', '--no-color', ...pathWords(project, level.path, selection)],
      cwd: level.path,
    }),
  };
};

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];

export const detectMake: Detector = (project) => {
  const level = levelWith(project, ...MAKEFILES);
  const name = MAKEFILES.find((file) => level?.names.has(file));
  if (level === undefined || name === undefined) return undefined;
  const text = readText(level.path, name);
  const target = ['test', 'tests', 'check'].find((word) => new RegExp(`^${word}\\s*:(?!=)`, 'm').test(text));
  if (target === undefined) return undefined;
  return {
    name: `make ${target}`,
    isTestFile: () => true,
    plan: (selection) => {
      if (selection.kind === 'files')
        throw new ToolFault('InvalidArgs', `make ${target} has no way of choosing test files: leave pattern out, or give cmd`);
      return {
        title: `make ${target}`,
        file: needProgram(project, 'make', 'the tests are a target of a Makefile'),
        args: ['-f', join(level.path, name), target],
        cwd: level.path,
      };
    },
  };
};
