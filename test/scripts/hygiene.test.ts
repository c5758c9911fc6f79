/** What must hold for the repository as a whole: pinned versions, no unused dependency, documents that do not lie about their links. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const about = JSON.parse(read('package.json')) as Record<string, Record<string, string>> & { files: string[] };
const lock = JSON.parse(read('package-lock.json')) as {
  packages: Record<string, { resolved?: string; integrity?: string; version: string }>;
};

/** Files below the named folders of the repository, those of packages and builds left out. */
function filesBelow(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
}

describe('dependencies', () => {
  it('are locked to exact versions, with checksums and without a registry address', () => {
    for (const version of Object.values({ ...about['dependencies'], ...about['devDependencies'] }))
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    const entries = Object.entries(lock.packages).filter(([path]) => path !== '');
    expect(entries.length).toBeGreaterThan(50);
    for (const [path, entry] of entries) {
      expect(entry.resolved, path).toBeUndefined();
      expect(entry.integrity, path).toMatch(/^sha512-/);
    }
  });

  it('are each used somewhere', () => {
    const code = [
      ...filesBelow('src', 'test', 'scripts', 'bench'),
      ...['tsdown.config.ts', 'vitest.config.ts'].map((name) => join(ROOT, name)),
    ]
      .filter((path) => /\.(ts|mjs)$/.test(path))
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n');
    const scripts = ['@biomejs/biome', 'typescript', 'tsdown', 'vitest'].filter((name) => code.includes(`node_modules/${name}/`));
    const names = Object.keys({ ...about['dependencies'], ...about['devDependencies'] });
    // Grammars are files of packages, named in the list that is packed.
    const grammars = Object.values(JSON.parse(read('src/code/parse/grammars.json')) as Record<string, string>);
    const isGrammar = (name: string) => grammars.some((path) => path.startsWith(`${name}/`));
    const unused = names.filter(
      (name) =>
        !isGrammar(name) && !name.startsWith('@types/') && name !== 'vite' && !scripts.includes(name) && !imports(code, name),
    );
    expect(unused).toEqual([]);
  });
});

function imports(code: string, name: string): boolean {
  return [`'${name}'`, `'${name}/`, `"${name}"`].some((form) => code.includes(form));
}

describe('documents', () => {
  const pages = [
    ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
    ...readdirSync(join(ROOT, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];

  it('have no dead links between them', () => {
    const dead = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)/g)]
        .map((match) => match[1] as string)
        .filter((target) => !existsSync(resolve(ROOT, dirname(page), target)))
        .map((target) => `${page} -> ${target}`),
    );
    expect(dead).toEqual([]);
  });

  it('hold JSON examples that parse', () => {
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/^```json\n([\s\S]*?)^```/gm)]
        .filter((match) => !parses(match[1] as string))
        .map((match) => `${page}: ${match[1]}`),
    );
    expect(broken).toEqual([]);
  });

  it('show the two first commands in the README', () => {
    expect(read('README.md')).toMatch(/^npm run demo/m);
    expect(read('README.md')).toMatch(/^npm test/m);
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('the package', () => {
  it('ships only what exists', () => {
    const missing = about.files.filter((name) => name !== 'dist' && !existsSync(join(ROOT, name)));
    expect(missing).toEqual([]);
  });

  it('ships what its pages link to', () => {
    const pages = [
      'README.md',
      ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
    ];
    const shipped = (path: string) => about.files.some((name) => path === name || path.startsWith(`${name}/`));
    const lost = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)]
        .map((match) => relative(ROOT, resolve(ROOT, dirname(page), match[1] as string)))
        .filter((path) => !shipped(path))
        .map((path) => `${page} -> ${path}`),
    );
    expect(lost).toEqual([]);
  });
});
