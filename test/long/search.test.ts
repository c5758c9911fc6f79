/** Both searches over odd files and over a generated source tree: the same words for every question. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generateTree } from '../../bench/generate-tree.mjs';
import type { JsonObject } from '../../src/types/json.js';
import { differences, makeCorpus, patternQuestions, placeQuestions, textQuestions } from '../tools/coder/search-corpus.js';
import { type Bench, makeBench } from '../tools/context.js';

let corpus: Bench;
let tree: Bench;
beforeAll(async () => {
  corpus = await makeCorpus();
  tree = await makeBench();
  generateTree(tree.ws, { files: 3000, seed: 7 });
});
afterAll(() => {
  corpus.remove();
  tree.remove();
});

it.each([
  ['texts', textQuestions, false],
  ['patterns', patternQuestions, true],
  ['places', placeQuestions, false],
] as const)(
  'odd files: %s',
  async (_name, questions, mayRefuse) => {
    expect(await differences(corpus, questions, mayRefuse)).toEqual([]);
  },
  300_000,
);

it('a source tree', async () => {
  const terms = ['TODO', 'getActive', 'func ', 'absent_everywhere', 'return input', '日本', 'señor', 'a', '}\n\nexport'];
  const patterns = [
    'func \\w+Account',
    '^import .* from',
    '\\bactive\\b',
    '[A-Z]{2,}\\d+$',
    '(?i)todo.*left',
    '^\\s*$',
    'fn\\s+\\w+\\(',
    '\\{\\n\\s+const',
  ];
  const questions: JsonObject[] = [];
  const add = (question: JsonObject, i: number) => {
    const more: JsonObject[] = [
      {},
      { include: '*.{ts,py}' },
      { dir: 'packages' },
      { include: ['*.go', '!services/api/**'] },
      { dir: 'legacy' },
    ];
    for (const [j, extra] of more.entries())
      if ((i + j) % 2 === 0)
        questions.push({ ...question, ...extra, context: (i + j) % 3, max_results: [5, 100, 5000][(i * j) % 3] ?? 100 });
  };
  for (const [i, term] of terms.entries()) add({ term, case_sensitive: i % 2 === 0 }, i);
  for (const [i, term] of patterns.entries()) add({ term, regex: true, case_sensitive: i % 2 === 1 }, i);
  expect(await differences(tree, questions)).toEqual([]);
}, 600_000);
