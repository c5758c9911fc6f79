/** What a language server that never answers costs: its budget once, and nothing after that. Measures time. */
import { expect, it } from 'vitest';
import { readTool } from '../../src/tools/coder/read.js';
import { writeTool } from '../../src/tools/coder/write.js';
import { eventually, languageBench } from '../helpers/language-bench.js';

it('a server that hangs is waited for once, put aside in the end, and that is said once', async () => {
  const { edit, close } = await languageBench({ hang: true }, { limits: { initializeMs: 1500 } });
  const waited: number[] = [];
  const outputs: string[] = [];
  for (let i = 0; i < 5; i++) {
    const start = performance.now();
    outputs.push((await edit(writeTool, { file: 'a.ts', content: `BAD ${i}\n` }, 600)).output);
    waited.push(performance.now() - start);
  }
  expect(waited[0]).toBeGreaterThanOrEqual(590);
  expect(waited.slice(1).every((ms) => ms < 500)).toBe(true);
  const after = async () => {
    outputs.push((await edit(readTool, { file: 'a.ts' })).output);
    return outputs.join('').includes('not used any more');
  };
  expect(await eventually(after)).toBe(true);
  outputs.push((await edit(writeTool, { file: 'a.ts', content: 'BAD x\n' }, 600)).output);
  const all = outputs.join('');
  expect(all.split('did not answer within 0.6 s').length - 1).toBe(1);
  expect(all.split('is not used any more in this session: it did not answer initialize within 1.5 s').length - 1).toBe(1);
  await close();
});
