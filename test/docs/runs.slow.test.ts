/** The runs in the documents do what the text says: a scripted model on loopback, everything else real. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startModel } from '../../bench/lib.mjs';
import { runQuiet } from '../../scripts/lib/spawn.mjs';
import { program } from '../helpers/program.js';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');
/** All lines of the shell examples of a page, comments cut off, continued lines joined. */
const shellLines = (page: string) =>
  [...read(page).matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .flatMap((match) => (match[1] as string).replaceAll('\\\n', '').split('\n'))
    .map((line) => line.replace(/(^| +)# .*$/, '').trim())
    .filter((line) => line !== '');

const coder = (cmd: string, args: object = {}) => ({ calls: [{ name: 'coder', input: { cmd, args } }] });
const PATCH = coder('patch', { file: 'src/discounts.js', search: 'TIERS.find(', replace: 'TIERS.findLast(' });

let folder = '';
let sample = '';
let env: NodeJS.ProcessEnv = {};
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'chatcli-doc-runs-')));
  sample = join(folder, 'sample');
  cpSync(join(ROOT, 'demo/sample'), sample, { recursive: true });
  mkdirSync(join(folder, 'bin'));
  const script = `#!/bin/sh\nexec '${process.execPath}' '${await program()}' "$@"\n`;
  writeFileSync(join(folder, 'bin/chatcli'), script, { mode: 0o755 });
  env = {
    ...process.env,
    PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
    HOME: folder,
    GIT_AUTHOR_NAME: 'T',
    GIT_AUTHOR_EMAIL: 't@example.invalid',
    GIT_COMMITTER_NAME: 'T',
    GIT_COMMITTER_EMAIL: 't@example.invalid',
  };
  await inSample('git init -q . && git add -A && git commit -qm base');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function inSample(line: string, more: NodeJS.ProcessEnv = {}) {
  return runQuiet('sh', ['-c', line], { cwd: sample, env: { ...env, ...more } });
}

/** One line with a model that gives these replies. */
async function withModel(line: string, replies: readonly object[]) {
  const model = await startModel((_body: unknown, index: number) => replies[index] ?? { text: 'Done.' });
  try {
    return await inSample(line, { ...model.env, OPENAI_MODEL: 'trial' });
  } finally {
    model.close();
  }
}

const changed = () => readFileSync(join(sample, 'src/discounts.js'), 'utf8').includes('findLast');

describe('the first run in the README', () => {
  it('mends the test and ends with 0', async () => {
    const line = shellLines('README.md').find((one) => one.startsWith('chatcli coder')) ?? '';
    const { code, output } = await withModel(line, [coder('test'), PATCH, coder('test')]);
    expect(code, output).toBe(0);
    expect(output).toContain('11 passed');
    expect(changed()).toBe(true);
  });
});

describe('the run in the CI of usage.md', () => {
  const line = () => shellLines('docs/usage.md').find((one) => one.includes('--budget-usd')) ?? '';
  const priced = () => {
    mkdirSync(join(folder, '.chatcli'), { recursive: true });
    const price = { input: 1, output: 1 };
    writeFileSync(join(folder, '.chatcli/models.json'), JSON.stringify({ models: { trial: { price } } }));
  };
  it('may test in both ways', async () => {
    priced();
    const { code, output } = await withModel(line(), [PATCH, coder('test'), coder('exec', { cmd: 'npm test' })]);
    expect(code, output).toBe(0);
    expect(JSON.parse(readFileSync(join(sample, 'result.json'), 'utf8'))).toMatchObject({ status: 'done', denied: [] });
  });
  it('denies another command and ends with 3', async () => {
    priced();
    expect((await withModel(line(), [coder('exec', { cmd: 'npm publish' })])).code).toBe(3);
    expect(JSON.parse(readFileSync(join(sample, 'result.json'), 'utf8'))).toMatchObject({
      status: 'denied',
      denied: [{ tool: '@coder exec' }],
    });
  });
});

describe('the lines of recording.md, one after the other', () => {
  it('record, replay, execute without a difference, and run again', async () => {
    const lines = shellLines('docs/recording.md');
    expect(lines.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'chatcli coder',
      'chatcli replay',
      'git stash',
      'chatcli replay',
      'chatcli coder',
    ]);
    const [record = '', ...rest] = lines;
    const recorded = await withModel(record, [coder('test'), PATCH, coder('test')]);
    expect(recorded.code, recorded.output).toBe(0);
    for (const line of rest) {
      const { code, output } = await inSample(line);
      expect(code, `${line}\n${output}`).toBe(0);
    }
    expect(changed()).toBe(true);
  });
});

describe('the demo in the README', () => {
  it('is what the demo prints, but for what is marked as left out', async () => {
    const excerpt = /^```text\n([\s\S]*?)^```/m.exec(read('README.md'))?.[1]?.trimEnd().split('\n') ?? [];
    expect(excerpt.length).toBeGreaterThan(10);
    const { code, output } = await inSample('chatcli demo');
    expect(code).toBe(0);
    const untimed = (text: string) => text.replace(/· [\d.]+ m?s$/, '');
    const printed = output.split('\n').map(untimed);
    let at = printed.indexOf(excerpt[0] ?? '');
    expect(at).toBeGreaterThanOrEqual(0);
    let gap = false;
    for (const line of excerpt.map(untimed)) {
      if (line.trim() === '…') {
        gap = true;
        continue;
      }
      const found = gap ? printed.indexOf(line, at) : printed[at] === line ? at : -1;
      expect(found, `${line}\n\n${output}`).toBeGreaterThanOrEqual(0);
      at = found + 1;
      gap = false;
    }
  });
});
