/** What the judge lets a reading program do with a private file's name, done for real: its content is never shown. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { naming, READING, SHOWS_NOTHING } from '../policy/flags.js';
import { judge } from '../policy/helpers.js';

const MARK = 'wq7secretword';
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'flags-'));
  spawnSync('git', ['init', '-q'], { cwd: folder });
  writeFileSync(join(folder, 'README.md'), 'hello\nthere\n');
  spawnSync('git', ['add', 'README.md'], { cwd: folder });
  spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'first'], { cwd: folder });
  writeFileSync(join(folder, '.env'), `${MARK} ${MARK} ${MARK}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('programs that only read', () => {
  it('show nothing of a private file in any line that is allowed', () => {
    const lines = READING.flatMap((start) => naming(start, '.env', 'README.md'));
    const allowed = lines.filter((line) => judge(line).verdict === 'allow');
    expect(allowed.filter((line) => !SHOWS_NOTHING.test(line))).toEqual([]);
    const told = allowed.filter((line) => {
      const { stdout, stderr } = spawnSync('bash', ['-c', line], { cwd: folder, input: '', timeout: 3000, encoding: 'utf8' });
      return `${stdout}${stderr}`.includes(MARK);
    });
    expect(allowed.length).toBeGreaterThan(100);
    expect(told).toEqual([]);
  }, 900_000);
});
