import { spawn } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAtom } from '../../../src/tools/atoms/read.js';
import { readTool } from '../../../src/tools/coder/read.js';
import { type Bench, makeBench } from '../context.js';

let bench: Bench;
beforeEach(async () => {
  bench = await makeBench();
});
afterEach(() => bench.remove());

const rows = (n: number, prefix = 'row') => Array.from({ length: n }, (_, i) => `${prefix}-${i + 1}`);
const numbered = (result: { output: string }) => result.output.split('\n').filter((line) => /^ *-?\d+ \| /.test(line));

describe('read', () => {
  it('shows numbered lines between markers, and no line after the last break', async () => {
    bench.put('a.txt', 'one\n\ttwo\n');
    const result = await bench.run(readTool, { file: 'a.txt' });
    expect(result.output).toBe('<<< BEGIN FILE: a.txt >>>\n   1 | one\n   2 | \ttwo\n<<< END FILE: a.txt >>>\n');
    expect(result).toMatchObject({ isError: false, display: { kind: 'file', path: 'a.txt', from: 1, to: 2, total: 2 } });
    expect(bench.workspace.lastSeen(join(bench.ws, 'a.txt'))?.size).toBe(9);
  });

  it('obeys ranges, head and tail, with or without a last line break', async () => {
    for (const [name, content] of [
      ['n.txt', `${rows(10).join('\n')}\n`],
      ['m.txt', rows(10).join('\n')],
    ] as const) {
      bench.put(name, content);
      const read = async (args: object) =>
        numbered(await bench.run(readTool, { file: name, ...args })).map((line) => line.slice(7));
      expect(await read({ start: 9, end: 40 })).toEqual(['row-9', 'row-10']);
      expect(await read({ start: 10 })).toEqual(['row-10']);
      expect(await read({ end: 2 })).toEqual(['row-1', 'row-2']);
      expect(await read({ head: 2, start: 5 })).toEqual(['row-1', 'row-2']);
      expect(await read({ tail: 2 })).toEqual(['row-9', 'row-10']);
      expect(await read({ tail: 50 })).toEqual(rows(10));
      expect(await read({ head: 0, tail: 0 })).toEqual(rows(10));
    }
    expect((await bench.run(readTool, { file: 'n.txt', tail: 1 })).output).toContain('  10 | row-10');
    expect((await bench.run(readAtom, { file: 'n.txt', from_line: 2, to_line: 2 })).output).toContain('   2 | row-2\n<<<');
  });

  it('refuses ranges that cannot be, naming the field', async () => {
    bench.put('t.txt', 'a\nb\n');
    expect(await bench.run(readTool, { file: 't.txt', start: 7, end: 3 })).toMatchObject({
      code: 'InvalidArgs',
      isError: true,
      output: expect.stringContaining('/end'),
    });
    expect((await bench.run(readTool, { file: 't.txt', start: 3 })).output).toContain('has 2 lines');
    expect((await bench.run(readTool, { file: 't.txt', head: 1, tail: 1 })).code).toBe('InvalidArgs');
    expect((await bench.run(readTool, { file: 't.txt', start: 0 })).code).toBe('InvalidArgs');
    expect((await bench.run(readTool, {})).code).toBe('InvalidArgs');
    expect((await bench.run(readTool, { file: [] })).code).toBe('InvalidArgs');
  });

  it('pages at 2000 lines and says how to go on', async () => {
    bench.put('big.txt', `${rows(5000).join('\n')}\n`);
    const result = await bench.run(readTool, { file: 'big.txt' });
    expect(numbered(result)).toHaveLength(2000);
    expect(result.output).toContain('... [2000 of 5000 lines; continue with --start 2001] ...');
    const whole = await bench.run(readTool, { file: 'big.txt', start: 1 });
    expect(numbered(whole)).toHaveLength(5000);
    bench.put('exact.txt', `${rows(2000).join('\n')}\n`);
    expect((await bench.run(readTool, { file: 'exact.txt' })).output).not.toContain('continue');
  });

  it('counts max_bytes in bytes of content and never cuts a character', async () => {
    bench.put('u.txt', 'öööö\nöööö\nöööö\n');
    const two = await bench.run(readTool, { file: 'u.txt', max_bytes: 18 });
    expect(numbered(two)).toHaveLength(2);
    expect(two.output).toContain('TRUNCATED AT 18 BYTES: 2 of 3 lines; continue with --start 3');
    expect(numbered(await bench.run(readTool, { file: 'u.txt', max_bytes: 27 }))).toHaveLength(3);
    const part = await bench.run(readTool, { file: 'u.txt', max_bytes: 5 });
    expect(part.output).toContain('   1 | öö... [line cut; it has 8 bytes]');
    expect(part.output).not.toContain('\ufffd');
  });

  it('keeps to the cap at a whole line, for one file and for several', async () => {
    bench.put('wide.txt', `${rows(3000, 'x'.repeat(90)).join('\n')}\n`);
    const result = await bench.run(readTool, { file: 'wide.txt', start: 1, max_bytes: 1_000_000 });
    const last = numbered(result).length;
    expect(last).toBeGreaterThan(700);
    expect(result.output).toContain(`output limit: ${last} of 3000 lines; continue with --start ${last + 1}`);
    bench.put('small.txt', 'end\n');
    const both = await bench.run(readTool, { file: ['wide.txt', 'small.txt'], start: 1, max_bytes: 1_000_000 });
    expect(both.output).toContain('not read: small.txt');
    const other = await bench.run(readTool, { file: ['small.txt', 'wide.txt'] });
    expect(other.output).toContain('   1 | end');
    expect(other.output).toContain('BEGIN FILE: wide.txt');
    const tail = await bench.run(readTool, { file: 'wide.txt', tail: 2900, max_bytes: 1_000_000 });
    expect(tail.output).toContain('-3000\n');
    expect(tail.output).toMatch(/only the last \d+ of 2900 lines fit/);
  });

  it('cuts long lines with a mark, and shows more of them when few are asked for', async () => {
    bench.put('long.txt', `short\n${'y'.repeat(30_000)}\nshort\n`);
    const page = await bench.run(readTool, { file: 'long.txt' });
    expect(page.output).toContain('... [line cut; it has 30000 bytes]');
    expect(page.output.length).toBeLessThan(3000);
    expect((await bench.run(readTool, { file: 'long.txt', start: 2, end: 2 })).output).toContain('y'.repeat(30_000));
  });

  it('says that a file is empty', async () => {
    bench.put('e.txt', '');
    expect(await bench.run(readTool, { file: 'e.txt' })).toMatchObject({
      isError: false,
      output: expect.stringContaining('empty'),
    });
  });
});

describe('read of other encodings', () => {
  it('decodes UTF-16 both ways', async () => {
    const le = Buffer.from('\ufeffhello wörld\r\nzweite\r\n', 'utf16le');
    bench.put('le.txt', le);
    bench.put('be.txt', Buffer.from(le).swap16());
    for (const file of ['le.txt', 'be.txt']) {
      const result = await bench.run(readTool, { file });
      expect(result.output).toContain('   1 | hello wörld\n   2 | zweite\n');
      expect(result.output).toMatch(/UTF-16.*\n.*CRLF/);
    }
  });

  it('takes a character across a buffer border for text', async () => {
    for (const at of [512, 8192, 65_536]) {
      bench.put('n.md', `${'a'.repeat(at - 1)}ğ END\n`);
      const result = await bench.run(readTool, { file: 'n.md', start: 1, end: 1 });
      expect(result.isError).toBe(false);
      expect(result.output).not.toContain('\ufffd');
      expect(result.output).not.toContain('binary');
    }
  });

  it('shows bytes that are not UTF-8 as escapes, drops the mark, never prints NUL', async () => {
    bench.put(
      'l.txt',
      Buffer.concat([
        Buffer.from('\ufeffna'),
        Buffer.from([0xef]),
        Buffer.from('ve ö\n'),
        Buffer.from(`${'x'.repeat(9000)}\0y\n`),
      ]),
    );
    const result = await bench.run(readTool, { file: 'l.txt', end: 1 });
    expect(result.output).toContain('   1 | na\\xEFve ö\n');
    expect(result.output).toContain('1 byte is not UTF-8');
    expect((await bench.run(readTool, { file: 'l.txt', start: 2, end: 2 })).output).toContain('\\x00y');
  });

  it('names binary files and their kind', async () => {
    bench.put('a.bin', Buffer.from([0, 37, 74, 111, 148, 185, 222, 3]));
    const plain = await bench.run(readTool, { file: 'a.bin' });
    expect(plain).toMatchObject({ isError: false, output: expect.stringContaining('binary file (8 bytes)') });
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    bench.put('p.png', png);
    const image = await bench.run(readTool, { file: 'p.png' });
    expect(image.output).toContain('PNG image, 16 bytes');
    expect(image.output).not.toContain('attached');
  });

  it('gives base64 whole or not at all', async () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7) % 256));
    bench.put('b.bin', bytes);
    bench.put('s.bin', Buffer.from([0, 1, 2]));
    expect((await bench.run(readTool, { file: 's.bin', encoding: 'base64' })).output).toBe(
      '<<< BEGIN FILE (base64): s.bin >>>\nAAEC\n<<< END FILE: s.bin >>>\n',
    );
    const large = await bench.run(readTool, { file: 'b.bin', encoding: 'base64' });
    const path = /is in (\S+)/.exec(large.output)?.[1] ?? '';
    expect(Buffer.from(readFileSync(path, 'utf8'), 'base64').equals(bytes)).toBe(true);
    expect((await bench.run(readTool, { file: path, head: 2 })).isError).toBe(false);
    const refused = await bench.run(readTool, { file: 'b.bin', encoding: 'base64', max_bytes: 99_999 });
    expect(refused).toMatchObject({ isError: true, code: 'EFBIG', output: expect.stringContaining('100000') });
  });
});

describe('read of what is no file', () => {
  it('is an error that helps, also among others', async () => {
    bench.put('src/a.txt', 'a\n');
    bench.put('src/sub/b.txt', 'b\n');
    expect(await bench.run(readTool, { file: 'src' })).toMatchObject({
      isError: true,
      code: 'EISDIR',
      output: expect.stringContaining('In it: a.txt, sub/'),
    });
    expect(await bench.run(readTool, { file: 'src/b.txt' })).toMatchObject({
      isError: true,
      code: 'NotFound',
      output: expect.stringContaining('src/sub/b.txt'),
    });
    const mixed = await bench.run(readTool, { file: ['nope.txt', 'src/a.txt'] });
    expect(mixed).toMatchObject({ isError: true, code: 'NotFound' });
    expect(mixed.output).toContain('nope.txt');
    expect(mixed.output).toContain('   1 | a');
    expect((await bench.run(readTool, { file: '../x' })).code).toBe('OutsideWorkspace');
    expect((await bench.run(readTool, { file: '/etc/passwd' })).code).toBe('Sensitive');
    expect((await bench.run(readTool, { file: 'a\0b' })).code).toBe('InvalidArgs');
  });

  it('takes odd names as they are', async () => {
    for (const name of ['my notes.txt', '-n.txt', 'café ☕.txt', 'a;b&c$(x).txt']) {
      bench.put(name, 'ok\n');
      expect((await bench.run(readTool, { file: name })).output).toContain('   1 | ok');
    }
  });
});

describe('read of a huge file', () => {
  const LINE = 'filler filler filler filler filler filler filler filler filler\n';

  it('is cut quickly and goes on anywhere', async () => {
    bench.put('huge.log', LINE.repeat(600_000));
    const page = await bench.run(readAtom, { file: 'huge.log' });
    expect(page.output.length).toBeLessThan(80_000);
    expect(page.output).toMatch(/lines up to \d+ of a file of \d+ bytes; continue with --start \d+/);
    const middle = await bench.run(readAtom, { file: 'huge.log', from_line: 500_000, to_line: 500_001 });
    expect(numbered(middle).map((line) => line.slice(0, 6))).toEqual(['500000', '500001']);
    expect((await bench.run(readAtom, { file: 'huge.log', from_line: 600_001 })).code).toBe('InvalidArgs');
    const tail = await bench.run(readAtom, { file: 'huge.log', tail: 3 });
    expect(numbered(tail)).toHaveLength(3);
    expect(tail.output).toContain('  -1 | filler');
    expect(bench.workspace.lastSeen(join(bench.ws, 'huge.log'))).toMatchObject({ sha256: '' });
  });

  it('does not need memory for what it does not show', async () => {
    const fd = openSync(join(bench.ws, 'sparse.log'), 'w');
    const size = 2 ** 31;
    writeSync(fd, 'first line\n'.repeat(1000), 0);
    ftruncateSync(fd, size);
    writeSync(fd, `\n${'last line\n'.repeat(10)}`, size - 101);
    closeSync(fd);
    const before = process.memoryUsage().rss;
    const tail = await bench.run(readTool, { file: 'sparse.log', tail: 5 });
    const head = await bench.run(readTool, { file: 'sparse.log', head: 5 });
    expect(numbered(tail).every((line) => line.endsWith(' | last line'))).toBe(true);
    expect(numbered(tail)).toHaveLength(5);
    expect(numbered(head)).toHaveLength(5);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it('keeps a name on one line, whatever it holds', async () => {
    bench.put('x\n<<< END FILE: y >>>\u001b[2J', 'inside\n');
    const { output } = await bench.run(readTool, { file: 'x\n<<< END FILE: y >>>\u001b[2J' });
    expect(output.split('\n')).toHaveLength(4);
    expect(output).toContain('<<< BEGIN FILE: x\\n<<< END FILE: y >>>\\x1b[2J >>>');
    expect((await bench.run(readTool, { file: '.' })).output).not.toContain('\u001b');
  });

  it('gives what is there of a file that grows or shrinks meanwhile', async () => {
    const file = bench.put('live.log', 'first\n');
    const script = `const fs = require('node:fs'); for (let n = 0; ; n++)
      n % 4 === 3 ? fs.writeFileSync(process.argv[1], 'first\\n') : fs.appendFileSync(process.argv[1], 'more\\n'.repeat(20000));`;
    const writer = spawn(process.execPath, ['-e', script, file], { stdio: 'ignore' });
    try {
      while (statSync(file).size < 1000) await sleep(5);
      const sizes = new Set<number>();
      for (let i = 0; i < 60; i++) {
        const result = await bench.run(readTool, { file: 'live.log', ...(i % 2 ? { tail: 3 } : { head: 3 }) });
        expect([result.isError, result.output]).toEqual([false, expect.stringMatching(/\| (first|more)|file is empty/)]);
        sizes.add(statSync(file).size);
        await sleep(1);
      }
      expect(sizes.size).toBeGreaterThan(1);
    } finally {
      writer.kill('SIGKILL');
    }
  });
});
