/** Skill packages: folders with a SKILL.md, further texts, and scripts; or a single Markdown file. */
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { listField, readFrontmatter, textField } from '../base/frontmatter.js';
import { oneLine } from '../base/one-line.js';
import { readRegular } from '../base/read-regular.js';
import { isUtf8 } from '../base/text-encoding.js';
import { because, type Reason, ReasonError } from '../types/reason.js';

export interface SkillPackage {
  readonly name: string;
  readonly description: string;
  /** The text of SKILL.md behind its front matter. */
  readonly content: string;
  /** Absolute path of the folder; undefined for a skill of one file. */
  readonly folder?: string;
  readonly file: string;
  /** Name -> absolute path of the further Markdown files. */
  readonly texts: readonly { readonly name: string; readonly path: string }[];
  readonly scripts: readonly SkillScript[];
  /** Tools it says it needs, as it spells them. */
  readonly tools?: readonly string[];
}

/** A file of a package's `scripts` folder, and the program that runs it: words, never a line. */
export interface SkillScript {
  /** `clean-code/scripts/lint_check.py` */
  readonly name: string;
  readonly path: string;
  /** Programs to try, in order; the file itself when empty. */
  readonly runners: readonly (readonly string[])[];
  /** Is its package still what was trusted? Absent: it is the user's own. */
  intact?(): boolean;
}

/** A folder of skills. `seal` looks at one entry of it as it is now: undefined leaves it out. */
export interface SkillFolder {
  readonly path: string;
  seal?(entry: string): SkillSeal | undefined;
}

export interface SkillSeal {
  /** Are these the bytes that were sealed? `file`: path from the package, `''` for a skill of one file. */
  holds(file: string, bytes: Uint8Array): boolean;
  /** Looks again. */
  intact(): boolean;
}

const LARGEST = 256 * 1024;
const MOST_FILES = 200;

const RUNNERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  // Without compiled files beside them: a package is what was trusted, to the byte.
  py: [
    ['python3', '-B'],
    ['python', '-B'],
  ],
  js: [['node']],
  mjs: [['node']],
  cjs: [['node']],
  ts: [
    ['npx', '--no-install', 'tsx'],
    ['npx', '--no-install', 'ts-node'],
  ],
  sh: [['bash'], ['sh']],
  ps1: [
    ['pwsh', '-File'],
    ['powershell', '-File'],
  ],
  go: [['go', 'run']],
  rb: [['ruby']],
  php: [['php']],
};

export interface LoadedSkills {
  readonly skills: ReadonlyMap<string, SkillPackage>;
  /** Packages and files that could not be read. */
  readonly warnings: readonly { readonly file: string; readonly why: Reason }[];
}

/**
 * Reads the packages of these folders; of several with one name the first wins, a package before a file. `reasonOf` says what was
 * thrown while one was read. Never throws.
 */
export async function loadSkillPackages(
  folders: readonly SkillFolder[],
  reasonOf: (error: unknown) => Reason,
): Promise<LoadedSkills> {
  const skills = new Map<string, SkillPackage>();
  const warnings: { file: string; why: Reason }[] = [];
  for (const { path: folder, seal } of folders) {
    const every = namesOf(folder);
    const entries = every.slice(0, MOST_FILES);
    if (every.length > entries.length)
      warnings.push({
        file: oneLine(folder),
        why: because`it holds ${every.length} entries; those behind the first ${MOST_FILES} are left out`,
      });
    const ordered = [...entries.filter((name) => isFolder(join(folder, name))), ...entries.filter((name) => /\.md$/i.test(name))];
    for (const name of new Set(ordered)) {
      const path = join(folder, name);
      try {
        const sealed = seal?.(name);
        if (seal && !sealed) continue;
        const found = isFolder(path) ? await packageOf(path, sealed) : await fileSkill(path, sealed);
        if (found && !skills.has(found.name)) skills.set(found.name, found);
      } catch (error) {
        warnings.push({ file: oneLine(path), why: reasonOf(error) });
      }
    }
  }
  return { skills, warnings };
}

async function packageOf(folder: string, seal?: SkillSeal): Promise<SkillPackage | undefined> {
  const names = namesOf(folder).slice(0, MOST_FILES);
  const main = names.find((name) => name.toLowerCase() === 'skill.md');
  if (main === undefined) return undefined;
  const file = join(folder, main);
  const read = await skillOf(file, basename(folder), (bytes) => seal?.holds(main, bytes) ?? true);
  const texts = names
    .filter((name) => /\.md$/i.test(name) && name !== main)
    .map((name) => ({ name: name.replace(/\.md$/i, ''), path: join(folder, name) }));
  const scripts = namesOf(join(folder, 'scripts'))
    .slice(0, MOST_FILES)
    .map((name) => ({
      name: `${read.name}/scripts/${name}`,
      path: join(folder, 'scripts', name),
      runners: runnersOf(name),
      ...(seal && { intact: seal.intact }),
    }))
    .filter(({ path }) => isFile(path));
  return { ...read, folder, file, texts, scripts };
}

async function fileSkill(file: string, seal?: SkillSeal): Promise<SkillPackage> {
  const holds = (bytes: Uint8Array) => seal?.holds('', bytes) ?? true;
  return { ...(await skillOf(file, basename(file).replace(/\.md$/i, ''), holds)), file, texts: [], scripts: [] };
}

async function skillOf(file: string, fallback: string, holds: (bytes: Uint8Array) => boolean) {
  const bytes = readRegular(file, LARGEST);
  if (!holds(bytes)) throw new ReasonError(because`it changed while it was read`);
  if (!isUtf8(bytes) || bytes.includes(0)) throw new ReasonError(because`it is no text in UTF-8`);
  const { fields, body } = await readFrontmatter(bytes.toString('utf8'));
  const name = (textField(fields['name']) ?? fallback).toLowerCase();
  const tools = listField(fields['allowed-tools'] ?? fields['tools']);
  const description = textField(fields['description']) ?? '';
  return { name, description, content: body.trim(), ...(tools ? { tools } : {}) };
}

function runnersOf(name: string): readonly (readonly string[])[] {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(RUNNERS, extension) ? (RUNNERS[extension] ?? []) : [];
}

function namesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.') && name === oneLine(name))
      .sort();
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  return kindOf(path) === 'folder';
}

function isFile(path: string): boolean {
  return kindOf(path) === 'file';
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const stats = statSync(path);
    return stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : undefined;
  } catch {
    return undefined;
  }
}
