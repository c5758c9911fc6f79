/** Outlines of Java and Ruby against the parsers of the languages themselves, over thousands of real files. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { languageOfName } from '../../src/code/languages/registry.js';
import { outlineSource } from '../../src/code/outline/outline-source.js';
import type { CodeSymbol } from '../../src/types/code.js';

const REFERENCE = join(import.meta.dirname, '../code/languages/reference');

const JAVA: Readonly<Record<string, string>> = {
  class: 'CLASS',
  interface: 'INTERFACE',
  enum: 'ENUM',
  record: 'RECORD',
  annotation: 'ANNOTATION_TYPE',
  method: 'METHOD',
  constructor: 'CONSTRUCTOR',
  field: 'VAR',
  const: 'VAR',
  'enum-member': 'VAR',
};

const all = (symbols: readonly CodeSymbol[]): CodeSymbol[] => symbols.flatMap((one) => [one, ...all(one.children)]);

async function symbolsOf(path: string): Promise<CodeSymbol[]> {
  const language = languageOfName(path);
  const outline = language && (await outlineSource(language, readFileSync(path, 'utf8')));
  if (!outline) throw new Error(`${path} was not read`);
  return all(outline.symbols);
}

/** How many rows of a reference are equal to ours, and what the others differ in. */
async function compared(rows: readonly string[], ours: (symbols: CodeSymbol[]) => string[]) {
  const different: string[] = [];
  let declarations = 0;
  for (const row of rows) {
    const [path = '', ...wanted] = row.split('\t').filter((one) => one !== '');
    if (wanted[0] === 'unreadable') continue;
    declarations += wanted.length;
    const found = ours(await symbolsOf(path));
    const missing = wanted.filter((one) => !found.includes(one));
    const extra = found.filter((one) => !wanted.includes(one));
    if (missing.length + extra.length > 0 || found.length !== wanted.length) {
      different.push(`${path} misses ${missing.slice(0, 5).join(', ')}; has too much ${extra.slice(0, 5).join(', ')}`);
    }
  }
  return { different, declarations };
}

function sourcesOfJava(): string | undefined {
  const folder = '/usr/lib/jvm';
  const homes = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  return [process.env['JAVA_HOME'] ?? '', ...homes].map((home) => join(home, 'lib/src.zip')).find((path) => existsSync(path));
}

describe('real files', () => {
  test('Java: names, kinds and last lines as javac has them', async (context) => {
    const zip = sourcesOfJava();
    const java = zip && join(zip, '../../bin/java');
    if (!zip || !java || !existsSync(java)) return context.skip('no JDK with its sources is installed');
    const folder = mkdtempSync(join(tmpdir(), 'java-outline-'));
    try {
      const run = spawnSync(java, [join(REFERENCE, 'Outline.java'), zip, folder, '8'], { encoding: 'utf8', maxBuffer: 1 << 28 });
      expect(run.status, run.stderr).toBe(0);
      const rows = run.stdout.trim().split('\n');
      const { different, declarations } = await compared(rows, (symbols) =>
        symbols.flatMap((one) => {
          const kind = JAVA[one.kind];
          return kind === undefined ? [] : [kind === 'VAR' ? `VAR ${one.name}` : `${kind} ${one.name} ${one.endLine}`];
        }),
      );
      expect(different).toEqual([]);
      expect(rows.length).toBeGreaterThan(500);
      expect(declarations).toBeGreaterThan(10_000);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 300_000);

  test('Ruby: methods, classes and modules with their lines as Ripper has them', async (context) => {
    const where = spawnSync('ruby', ['-e', 'puts RbConfig::CONFIG["rubylibdir"]'], { encoding: 'utf8' });
    if (where.status !== 0) return context.skip('ruby is not installed');
    const folder = where.stdout.trim();
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.rb'));
    const input = files
      .map((name) => join(folder, name))
      .sort()
      .join('\n');
    const run = spawnSync('ruby', [join(REFERENCE, 'outline.rb')], { input, encoding: 'utf8', maxBuffer: 1 << 28 });
    expect(run.status, run.stderr).toBe(0);
    const rows = run.stdout.trim().split('\n');
    const { different, declarations } = await compared(rows, (symbols) =>
      symbols.flatMap(({ signature, kind, name, startLine }) => {
        const word = /^def /.test(signature) ? 'def' : /^(?:class (?!<<)|module )/.test(signature) ? kind : undefined;
        return word === undefined ? [] : [`${word} ${name} ${startLine}`];
      }),
    );
    // Definitions inside of methods and of blocks given to assignments are not listed.
    expect(different.filter((one) => /has too much \S/.test(one))).toEqual([]);
    expect(different.length).toBeLessThan(rows.length / 100);
    expect(declarations).toBeGreaterThan(5_000);
  }, 300_000);
});
