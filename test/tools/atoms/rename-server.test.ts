/** `@rename` where a language server can tell scopes: its rename is taken, and the answer says so. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { renameAtom } from '../../../src/tools/atoms/rename.js';
import { languageBench } from '../../helpers/language-bench.js';

it('takes the rename of the server when a file is named, and refuses a name that is taken', async () => {
  const bench = await languageBench({}, { env: { PATH: '/usr/bin:/bin' } });
  try {
    bench.put('a.ts', 'let foo = 1; foo;\n');
    bench.put('b.ts', 'foo;\n');
    const result = await renameAtom.run({ old: 'foo', new: 'bar', file: 'a.ts' }, bench.context);
    expect(result.output).toMatch(/^Renamed foo -> bar: 3 places in 2 files\.[\s\S]*\nBy \S.*, which knows scopes\.\n/);
    expect(readFileSync(join(bench.ws, 'b.ts'), 'utf8')).toBe('bar;\n');
    bench.put('a.ts', 'let foo = 1; foo;\nlet bar = 2;\n');
    const refused = await renameAtom.run({ old: 'foo', new: 'bar', file: 'a.ts', line: 1 }, bench.context);
    expect(refused).toMatchObject({ isError: true, code: 'Conflict' });
    expect(readFileSync(join(bench.ws, 'a.ts'), 'utf8')).toBe('let foo = 1; foo;\nlet bar = 2;\n');
  } finally {
    await bench.close();
  }
});
