/** Edits taken apart: whatever is left out, the changed call leads to exactly the texts that were chosen, or there is none. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../../../src/app/create-app.js';
import { proposalFor } from '../../../../src/app/shell/approval/proposal.js';
import { TOOLS } from '../../../../src/tools/registry.js';
import type { JsonObject } from '../../../../src/types/json.js';
import type { Question } from '../../../../src/types/policy.js';
import { hunksOf, type ProposedFile, withHunks } from '../../../../src/ui/shell/approval/hunks.js';
import { type OpenWorkspace, openWorkspace } from '../../../../src/workspace/open-workspace.js';

let base: string;
let workspace: OpenWorkspace;
beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'chatcli-proposal-'));
  const root = mkdtempSync(join(base, 'root-'));
  workspace = await openWorkspace({ root, home: base, state: join(base, 'state'), scratch: join(base, 'scratch'), env: {} });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const host = () => ({ childEnv: {}, home: base, scratch: join(base, 'scratch'), state: join(base, 'state') });
const app = () => ({ workspace, elsewhere: { of: () => undefined }, host: host() }) as unknown as App;
const question = (tool: string, args: JsonObject): Question => ({
  call: { id: 'c', tool, args, source: 'native', agent: 'main' },
  facts: { readOnly: false, reads: [], writes: [], order: 'overlap', label: { verb: 'write', object: '' } },
  decision: { verdict: 'ask', step: 7, reason: '', code: 'Denied' },
  agent: 'main',
  task: '',
});
const propose = (tool: string, args: JsonObject) => proposalFor(question(tool, args), app(), (text) => text);
const put = (name: string, text: string | Buffer) => writeFileSync(join(workspace.root, name), text);
const read = (name: string) => readFileSync(join(workspace.root, name), 'utf8');
async function run(tool: string, args: JsonObject): Promise<string> {
  const found = TOOLS.find(({ name }) => name === tool);
  const signal = new AbortController().signal;
  const context = { workspace, host: host(), plan: { get: () => [], set: () => undefined }, agent: 'main', signal };
  return (await found?.run(args, { ...context, progress: () => undefined }))?.output ?? '';
}

/** Small numbers from a seed, the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** Texts with many equal lines, odd ends, and line ends of both kinds. */
function texts(next: (below: number) => number): readonly [string, string] {
  const words = ['a', 'b', 'c', '', '  d', '-- e', '++ f', 'é', '@@ -1 +1 @@', '=====', '$& $1'];
  const end = next(4) === 0 ? '\r\n' : '\n';
  const line = (): string => `${words[next(words.length)] ?? ''}${end}`;
  const old = Array.from({ length: next(25) + 1 }, line);
  const now = old.flatMap((one) => (next(6) === 0 ? [] : next(6) === 0 ? [line(), line()] : next(5) === 0 ? [line()] : [one]));
  const cut = (text: string): string => (next(4) === 0 ? text.replace(/\r?\n$/, '') : text);
  return [cut(old.join('')), cut(now.join(''))];
}

describe('hunks', () => {
  it('all of them are the new text, none of them the old one, each alone changes what it says', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const [before, after] = texts(numbers(seed));
      const hunks = hunksOf({ before, after });
      expect(withHunks(before, hunks, () => true)).toBe(after);
      expect(withHunks(before, hunks, () => false)).toBe(before);
      for (const [index] of hunks.entries()) expect(withHunks(before, hunks, (at) => at === index)).not.toBe(before);
    }
  });
});

describe('a call changed by what is left out', () => {
  it.each(['@coder write', '@coder patch', '@coder multipatch'])(
    '%s: what the tool makes of it is what was chosen',
    async (tool) => {
      let mapped = 0;
      let all = 0;
      for (let seed = 1; seed <= 60; seed++) {
        const next = numbers(seed * 7);
        // A name of its own: the workspace remembers what it wrote.
        const name = `f${seed}.txt`;
        const [before, after] = texts(next);
        if (before === after || before === '') continue;
        put(name, before);
        const args: JsonObject =
          tool === '@coder write'
            ? { file: name, content: after }
            : tool === '@coder patch'
              ? { file: name, search: before, replace: after }
              : { edits: [{ file: name, search: before, replace: after }] };
        const proposal = await propose(tool, args);
        if (!proposal) continue;
        const [file] = proposal.files;
        expect(file).toEqual({ path: name, before, after });
        const hunks = hunksOf({ before, after });
        const wanted: ProposedFile = { path: name, before, after: withHunks(before, hunks, () => next(2) === 0) };
        if (wanted.after === before) continue;
        all++;
        const changed = await proposal.changed([wanted]);
        if (!changed) continue;
        mapped++;
        const output = await run(tool, changed.args);
        expect(read(name), `${seed}: ${output}`).toBe(wanted.after);
      }
      expect(all).toBeGreaterThan(20);
      expect(mapped / all).toBeGreaterThan(0.9);
    },
  );

  it('of several files keeps the ones that are left whole out of the call', async () => {
    for (const name of ['a.txt', 'b.txt']) put(name, 'one\ntwo\nthree\nfour\nfive\n');
    const diff = ['a.txt', 'b.txt']
      .map((name) => `--- a/${name}\n+++ b/${name}\n@@ -1,1 +1,1 @@\n-one\n+ONE\n@@ -5,1 +5,1 @@\n-five\n+FIVE\n`)
      .join('');
    const proposal = await propose('@coder patch', { diff });
    expect(proposal?.files.map(({ path }) => path)).toEqual(['a.txt', 'b.txt']);
    const only = (proposal?.files ?? []).map((file) =>
      file.path === 'a.txt' ? { ...file, after: 'one\ntwo\nthree\nfour\nFIVE\n' } : { ...file, after: file.before ?? '' },
    );
    const changed = await proposal?.changed(only);
    expect(JSON.stringify(changed?.args)).not.toContain('b.txt');
    expect(changed?.note).toContain('-ONE\n+one');
    await run('@coder patch', changed?.args ?? {});
    expect([read('a.txt'), read('b.txt')]).toEqual(['one\ntwo\nthree\nfour\nFIVE\n', 'one\ntwo\nthree\nfour\nfive\n']);
  });

  it('is not offered for what is no UTF-8 text, would fail, or is no edit; and not when the file is another by now', async () => {
    put('bytes.bin', Buffer.from([0xff, 0xfe, 0x00, 0x41]));
    put('a.txt', 'one\ntwo\nthree\n');
    expect(await propose('@coder write', { file: 'bytes.bin', content: 'x' })).toBeUndefined();
    expect(await propose('@coder patch', { file: 'a.txt', search: 'nowhere', replace: 'x' })).toBeUndefined();
    expect(await propose('@coder write', { file: '/etc/passwd', content: 'x' })).toBeUndefined();
    expect(await propose('@coder exec', { cmd: 'true' })).toBeUndefined();
    const proposal = await propose('@coder write', { file: 'a.txt', content: 'ONE\ntwo\nthree\n' });
    expect(read('a.txt'), 'only tried').toBe('one\ntwo\nthree\n');
    put('a.txt', 'one\ntwo\nthree\nfour\n');
    expect(await proposal?.changed(proposal.files)).toBeUndefined();
  });

  it('creates a new file with the text as it was edited', async () => {
    const proposal = await propose('@coder write', { file: 'new/n.txt', content: 'one\n' });
    expect(proposal?.files).toEqual([{ path: 'new/n.txt', before: undefined, after: 'one\n' }]);
    const changed = await proposal?.changed([{ path: 'new/n.txt', before: undefined, after: 'two\n' }]);
    expect(changed?.args).toEqual({ file: 'new/n.txt', content: 'two\n' });
  });
});
