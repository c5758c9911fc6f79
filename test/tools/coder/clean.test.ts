import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cleanTool } from '../../../src/tools/coder/clean.js';
import { multipatchTool } from '../../../src/tools/coder/multipatch.js';
import { patchTool } from '../../../src/tools/coder/patch.js';
import { rollbackTool } from '../../../src/tools/coder/rollback.js';
import type { JsonObject } from '../../../src/types/json.js';
import { type Bench, makeBench } from '../context.js';

let bench: Bench;
beforeEach(async () => {
  bench = await makeBench();
});
afterEach(() => bench.remove());

const text = (path: string) => readFileSync(join(bench.ws, path), 'utf8');
const names = () => readdirSync(bench.ws, { recursive: true }).map(String).sort();
const stored = () => readdirSync(join(bench.state, 'backups')).filter((name) => name.endsWith('.bak'));
async function patched(...files: string[]) {
  for (const file of files) {
    bench.put(file, 'one\n');
    const result = await bench.run(patchTool, { file, search: 'one', replace: 'two' });
    expect(result.isError).toBe(false);
  }
}

describe('clean', () => {
  it('removes what was made here, after which there is nothing to roll back to', async () => {
    await patched('a.txt', 'd/b.txt');
    bench.put('m.txt', 'm\n');
    bench.put('gone.txt', 'g\n');
    await bench.run(multipatchTool, { edits: [{ file: 'm.txt', search: 'm', replace: 'n' }] });
    const { state } = await bench.workspace.readFile('gone.txt');
    await bench.workspace.changeFiles([{ path: 'gone.txt', bytes: null, expect: state }]);
    const result = await bench.run(cleanTool, {});
    expect(result.output).toBe('Removed 4 backups:\n- a.txt.bak\n- d/b.txt.bak\n- gone.txt.bak\n- m.txt.bak\n');
    expect(names()).toEqual(['a.txt', 'd', 'd/b.txt', 'm.txt']);
    expect((await bench.run(rollbackTool, { file: 'a.txt' })).code).toBe('NotFound');
    expect((await bench.run(cleanTool, {})).output).toMatch(/^No files to clean/);
    await bench.run(patchTool, { file: 'a.txt', search: 'two', replace: 'three' });
    await bench.run(rollbackTool, { file: 'a.txt' });
    expect(text('a.txt')).toBe('two\n');
  });

  it("leaves the user's own, what was changed since, links and folders, and says so", async () => {
    bench.put('own.txt.bak', 'mine');
    bench.put('never.bak', 'mine');
    await patched('own.txt', 'changed.txt', 'linked.txt', 'fine.txt');
    bench.put('changed.txt.bak', 'edited by hand');
    rmSync(join(bench.ws, 'linked.txt.bak'));
    symlinkSync('never.bak', join(bench.ws, 'linked.txt.bak'));
    mkdirSync(join(bench.ws, 'folder.bak'));
    bench.put('.git/x.bak', 'git');
    const { output } = await bench.run(cleanTool, {});
    expect(output.split('\n')).toEqual([
      'Removed 1 backup:',
      '- fine.txt.bak',
      'Removed 1 backup kept outside the workspace, of:',
      '- own.txt',
      'Left alone (5 files):',
      '- changed.txt.bak: not as it was made here',
      '- linked.txt.bak: a symbolic link',
      '- own.txt.bak: not made here',
      '- folder.bak: not an ordinary file',
      '- never.bak: not made here',
      '',
    ]);
    expect([text('own.txt.bak'), text('changed.txt.bak'), text('never.bak'), text('.git/x.bak')]).toEqual([
      'mine',
      'edited by hand',
      'mine',
      'git',
    ]);
    expect([stored(), existsSync(join(bench.ws, 'fine.txt.bak'))]).toEqual([[], false]);
  });

  it('keeps to the folder and the pattern, and only tells in a dry run', async () => {
    await patched('a.txt', 'd/b.txt', 'd/c.go');
    for (const args of [{ dry_run: true }, { force: false }] as JsonObject[]) {
      const dry = await bench.run(cleanTool, args);
      expect(dry.output).toMatch(/^Would remove 3 backups:[\s\S]*dry run; nothing was removed\.\n$/);
      expect(cleanTool.facts(args)).toMatchObject({ readOnly: true, writes: [] });
    }
    expect((await bench.run(cleanTool, { dir: 'd', pattern: '*.go.bak' })).output).toBe('Removed 1 backup:\n- d/c.go.bak\n');
    expect((await bench.run(cleanTool, { dir: 'd', force: true })).output).toBe('Removed 1 backup:\n- d/b.txt.bak\n');
    expect(existsSync(join(bench.ws, 'a.txt.bak'))).toBe(true);
    expect((await bench.run(cleanTool, { dir: '..' })).code).toBe('OutsideWorkspace');
    expect((await bench.run(cleanTool, { dir: 'a.txt' })).code).toBe('ENOTDIR');
    expect((await bench.run(cleanTool, { dir: 'nowhere' })).code).toBe('NotFound');
    expect(cleanTool.facts({})).toMatchObject({ readOnly: false, writes: ['.'], edits: true });
  });

  it('takes an older backup of ours for ours', async () => {
    await patched('a.txt');
    await bench.workspace.writeFile('a.txt', Buffer.from('three\n'), { backup: false });
    expect((await bench.run(cleanTool, {})).output).toContain('- a.txt.bak');
    expect(names()).toEqual(['a.txt']);
  });
});
