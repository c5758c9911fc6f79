/** Proves the layer table of ARCHITECTURE.md: who may import whom, no circles, no big files, no stray `process.env`. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const BELOW = ['types', 'base'];
const SIDE = ['policy', 'protocol', 'providers', 'agents', 'commands', 'session', 'ui'];
/** Folder -> folders it may import. A folder may always import itself. */
const LAYERS: Record<string, readonly string[]> = {
  base: [],
  types: [],
  process: BELOW,
  workspace: [...BELOW, 'process'],
  code: [...BELOW, 'process'],
  extensions: [...BELOW, 'process'],
  skills: [...BELOW, 'process'],
  ...Object.fromEntries(SIDE.map((name) => [name, BELOW])),
  tools: [...BELOW, 'workspace', 'code', 'process'],
  loop: [...BELOW, 'protocol'],
  app: [...BELOW, ...SIDE, 'process', 'workspace', 'code', 'extensions', 'skills', 'tools', 'loop'],
  main: ['app'],
};
/** Folders whose members stand in a row: only the registry (or index) imports them. Value: what else a member may import in its folder. */
const ROWS = ['agents', 'commands', 'providers', 'tools/coder', 'tools/atoms'];
const MAX_LINES = 400;

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

function listSources(root: string): SourceFile[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: relative(root, path), text: readFileSync(path, 'utf8') }));
}

const layerOf = (path: string): string => (path.includes('/') ? (path.split('/')[0] as string) : 'main');

function importsOf(file: SourceFile): { target: string; typeOnly: boolean; dynamic: boolean }[] {
  const found: { target: string; typeOnly: boolean; dynamic: boolean }[] = [];
  const text = file.text.replace(/^\s*\/\/.*$/gm, '');
  for (const m of text.matchAll(/^\s*(?:import|export)\s+(type\s)?[^'"();]*?from\s+['"](\.[^'"]+)['"]/gm))
    found.push({ target: m[2] as string, typeOnly: Boolean(m[1]), dynamic: false });
  for (const m of text.matchAll(/^\s*import\s+['"](\.[^'"]+)['"]/gm))
    found.push({ target: m[1] as string, typeOnly: false, dynamic: false });
  for (const m of text.matchAll(/\bimport\(\s*['"](\.[^'"]+)['"]\s*\)/g))
    found.push({ target: m[1] as string, typeOnly: false, dynamic: true });
  return found
    .filter((i) => !i.target.endsWith('.md') && !i.target.endsWith('.json'))
    .map((i) => ({ ...i, target: relative('/r', resolve(dirname(join('/r', file.path)), i.target)).replace(/\.js$/, '.ts') }));
}

/** All faults of a tree, as sentences. The planted-fault tests run the very same code. */
function faultsOf(files: readonly SourceFile[]): string[] {
  const faults: string[] = [];
  const known = new Set(files.map((f) => f.path));
  const graph = new Map<string, string[]>();
  for (const file of files) {
    const layer = layerOf(file.path);
    if (!(layer in LAYERS)) faults.push(`${file.path}: folder ${layer} is not in the table`);
    const lines = file.text.split('\n').length;
    if (lines > MAX_LINES) faults.push(`${file.path}: ${lines} lines, at most ${MAX_LINES}`);
    if (
      /\bprocess\s*(?:\.env\b|\[\s*['"]env)|\{[^{}\n]*\benv\b[^{}\n]*\}\s*=\s*process\b/.test(file.text) &&
      file.path !== 'app/config.ts'
    )
      faults.push(`${file.path}: reads process.env`);
    if (/\bvi\.mock\(/.test(file.text)) faults.push(`${file.path}: mocks a module`);
    const edges: string[] = [];
    for (const { target, dynamic } of importsOf(file)) {
      if (!known.has(target)) faults.push(`${file.path}: imports ${target}, which does not exist`);
      const other = layerOf(target);
      const publicEntry = layer === 'main' && file.path !== 'main.ts';
      if (other !== layer && !publicEntry && !(LAYERS[layer] ?? []).includes(other))
        faults.push(`${file.path}: ${layer} must not import ${other} (${target})`);
      for (const row of ROWS) {
        const name = (path: string) => path.slice(row.length + 1);
        if (!file.path.startsWith(`${row}/`) || !target.startsWith(`${row}/`)) continue;
        const isList = /^(registry|index)\.ts$/.test(name(file.path));
        const helper = name(target).startsWith('shared/') || name(file.path).startsWith('shared/');
        if (!isList && !helper) faults.push(`${file.path}: a member of ${row} imports its sibling ${target}`);
      }
      if (!dynamic) edges.push(target);
    }
    graph.set(file.path, edges);
  }
  const state = new Map<string, 'open' | 'done'>();
  const visit = (path: string, trail: readonly string[]): void => {
    if (state.get(path) === 'done') return;
    if (state.get(path) === 'open') {
      faults.push(`circle: ${[...trail.slice(trail.indexOf(path)), path].join(' -> ')}`);
      return;
    }
    state.set(path, 'open');
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    state.set(path, 'done');
  };
  for (const path of graph.keys()) visit(path, []);
  return faults;
}

describe('architecture', () => {
  const files = listSources(resolve(import.meta.dirname, '../src'));

  it('sees the whole tree', () => {
    expect(files.length).toBeGreaterThan(60);
    for (const layer of [
      'types',
      'base',
      'loop',
      'tools',
      'app',
      'policy',
      'protocol',
      'providers',
      'workspace',
      'process',
      'session',
      'ui',
    ])
      expect(
        files.some((f) => layerOf(f.path) === layer),
        `no file seen in ${layer}`,
      ).toBe(true);
    const edges = files.flatMap((f) => importsOf(f));
    expect(edges.length).toBeGreaterThan(files.length);
  });

  it('has no fault', () => {
    expect(faultsOf(files)).toEqual([]);
  });

  it('keeps every folder below a third of the lines', () => {
    const count = (text: string) => text.split('\n').length;
    const total = files.reduce((sum, f) => sum + count(f.text), 0);
    for (const layer of new Set(files.map((f) => layerOf(f.path)))) {
      const share = files.filter((f) => layerOf(f.path) === layer).reduce((sum, f) => sum + count(f.text), 0) / total;
      expect(share, `${layer} holds ${(share * 100).toFixed(0)} % of the lines`).toBeLessThan(0.34);
    }
  });
});

describe('the architecture test itself', () => {
  const plant = (path: string, text: string, extra: SourceFile[] = []) =>
    faultsOf([{ path, text }, { path: 'types/tool.ts', text: '' }, ...extra]);

  it('finds a forbidden import', () => {
    expect(plant('loop/turn.ts', "import { x } from '../tools/registry.js';", [{ path: 'tools/registry.ts', text: '' }])).toEqual(
      ['loop/turn.ts: loop must not import tools (tools/registry.ts)'],
    );
    expect(plant('base/a.ts', "import type { Tool } from '../types/tool.js';")).toHaveLength(1);
    expect(
      plant('policy/a.ts', "const x = await import('../workspace/b.js');", [{ path: 'workspace/b.ts', text: '' }]),
    ).toHaveLength(1);
    expect(
      plant('policy/a.ts', "import {\n  x,\n} from '../workspace/b.js';", [{ path: 'workspace/b.ts', text: '' }]),
    ).toHaveLength(1);
  });
  it('finds a circle, a sibling, a long file, an environment read, an unknown folder', () => {
    expect(plant('base/a.ts', "import './b.js';", [{ path: 'base/b.ts', text: "import './a.js';" }])[0]).toContain('circle: ');
    expect(plant('tools/coder/read.ts', "import './write.js';", [{ path: 'tools/coder/write.ts', text: '' }])[0]).toContain(
      'sibling',
    );
    expect(plant('base/a.ts', '\n'.repeat(400))[0]).toContain('401 lines');
    for (const text of ['process.env.HOME', "process['env']", 'const { env } = process;'])
      expect(plant('base/a.ts', text)[0]).toContain('process.env');
    expect(plant('weird/a.ts', '')[0]).toContain('not in the table');
  });
});
