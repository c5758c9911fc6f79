/** The commands in the documents that need no model are run, one by one, in a copy of the sample project. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runQuiet } from '../../scripts/lib/spawn.mjs';
import { program } from '../helpers/program.js';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGES = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
);

/** Lines of the shell examples that begin with `chatcli tool` or `chatcli policy`, comments cut off; a heredoc stays with its line. */
function examples(page: string): string[] {
  const blocks = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(
    (match) => match[1] as string,
  );
  return blocks.flatMap((block) =>
    [...block.matchAll(/^chatcli (?:tool|policy) (?:.*<<'(\w+)'\n[\s\S]*?\n\1$|.*$)/gm)].map((match) =>
      match[0].replace(/ {2,}# .*$/, ''),
    ),
  );
}

const EXAMPLES = PAGES.flatMap((page) => examples(page).map((command) => ({ page, command })));
let folder = '';
let sample = '';

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'chatcli-docs-')));
  const main = await program();
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/chatcli'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, { mode: 0o755 });
  sample = join(folder, 'sample');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function inFreshSample(command: string) {
  rmSync(sample, { recursive: true, force: true });
  cpSync(join(ROOT, 'demo/sample'), sample, { recursive: true });
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, HOME: folder };
  const prepared = await runQuiet(
    'sh',
    ['-c', 'git init -q . && git add -A && git -c user.name=T -c user.email=t@example.invalid commit -qm base'],
    { cwd: sample, env },
  );
  expect(prepared.code, prepared.output).toBe(0);
  return runQuiet('sh', ['-c', command], { cwd: sample, env });
}

describe('examples in the documents', () => {
  it('are found', () => {
    expect(EXAMPLES.length).toBeGreaterThan(15);
  });
  it.each(EXAMPLES)('$page: $command', async ({ command }) => {
    const { code, output } = await inFreshSample(command);
    const fine = /^chatcli policy (check|explain)/.test(command) ? [0, 3, 4] : [0];
    expect(fine, output).toContain(code);
    expect(output.trim()).not.toBe('');
  });
});
