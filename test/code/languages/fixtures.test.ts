/** Awkward code and its outline, read by hand: `+` exported, the kind, then the line as the tool shows it; imports at the end. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { languageOf, languageOfName } from '../../../src/code/languages/registry.js';
import { readSource } from '../../../src/code/outline/outline-source.js';
import { entriesOf, entryLine } from '../../../src/code/outline/outline-text.js';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8');

describe('outlines of awkward code', () => {
  for (const extension of ['go', 'ts', 'js', 'py'])
    it(extension, async () => {
      const language = languageOfName(`a.${extension}`);
      if (!language) throw new Error(`no language for ${extension}`);
      const read = await readSource(language, fixture(`awkward.${extension}.txt`), { links: true });
      expect(read?.outline.errorLine).toBeUndefined();
      const symbols = entriesOf(read?.outline.symbols ?? []).map(
        (entry) => `${entry.symbol.exported ? '+' : '-'} ${entry.symbol.kind} ${entryLine(entry)}`,
      );
      const imports = (read?.links?.imports ?? []).map((one) => {
        const names = one.names.map(({ name, alias }) => (alias ? `${name} as ${alias}` : name)).join(', ');
        return `import L${one.line} ${one.source}${one.reexport ? ' reexport' : ''}: ${names}`;
      });
      expect(`${[...symbols, ...imports].join('\n')}\n`).toBe(fixture(`awkward.${extension}.outline.txt`));
    });

  it('markup does not disturb, and its names count as references', async () => {
    for (const name of ['a.tsx', 'a.jsx']) {
      const language = languageOfName(name);
      if (!language) throw new Error(`no language for ${name}`);
      const text =
        'export const App = () => <Main.Part title="x">{items.map((i) => <Row key={i} />)}</Main.Part>;\nfunction Row() {}\n';
      const read = await readSource(language, text, { links: true });
      expect(entriesOf(read?.outline.symbols ?? []).map(entryLine)).toEqual(['L1 export const App = () =>', 'L2 function Row()']);
      expect(read?.links?.references.get('Row')).toBe(2);
      expect(read?.links?.references.get('Main')).toBe(2);
    }
  });

  it('a language is found by the longest ending, whole names and the first line', () => {
    const id = (path: string, text = '') => languageOf(path, text)?.id;
    expect([id('a.d.ts'), id('A.TS'), id('x.test.tsx'), id('.ts'), id('a.go.bak'), id('ts')]).toEqual([
      'typescript',
      'typescript',
      'tsx',
      undefined,
      undefined,
      undefined,
    ]);
    expect([
      id('run', '#!/usr/bin/env node\n'),
      id('run', '#!/usr/bin/env -S A=b python3 -u'),
      id('run', '#!python'),
      id('run', 'python'),
    ]).toEqual(['javascript', 'python', 'python', undefined]);
  });
});
