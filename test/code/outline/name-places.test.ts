/** A name is looked for in code, its declaration first; comments and strings are passed over. */
import { expect, it } from 'vitest';
import { read } from '../../../src/code/aside/thread.js';

const places = async (language: string, text: string, name: string) => (await read('names', { language, text, name }))?.places;
const first = async (language: string, text: string, name: string) => {
  const found = (await places(language, text, name)) ?? [];
  const best = found.find(({ declares }) => declares) ?? found[0];
  return best && `${best.line}:${best.column}`;
};

it.each([
  ['go', 'package a\n\n// Add adds.\nfunc Add(a, b int) int { return a + b }\n', 'Add', '4:6'],
  ['python', '# area of it\nx = "area"\nprint(area)\ndef area(s):\n    return s\n', 'area', '4:5'],
  ['typescript', '/** sum */\nconst a = `sum ${sum}`;\nexport function sum() {}\n', 'sum', '3:17'],
  ['typescript', '\ufeffsum();\n', 'sum', '1:2'],
  ['typescript', "const a = 'sum';\r\n// sum\r\nuse(sum);\r\n", 'sum', '3:5'],
  ['rust', '/// run it\n#[test]\nfn run() {}\n', 'run', '3:4'],
  ['java', '// Cart\n@Deprecated\npublic final\nclass Cart {}\n', 'Cart', '4:7'],
  ['ruby', '# total\nx = "total"\ndef total; end\n', 'total', '3:5'],
  ['c', '/* add */\nint add(int a) { return a; }\n', 'add', '2:5'],
])('%s: %j', async (language, text, name, where) => {
  expect(await first(language, text, name)).toBe(where);
});

it('a name only in comments has no place', async () => {
  expect(await places('go', 'package a // Gone\n', 'Gone')).toEqual([]);
});
