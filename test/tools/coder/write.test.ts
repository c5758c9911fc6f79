import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTool } from '../../../src/tools/coder/read.js';
import { writeTool } from '../../../src/tools/coder/write.js';
import { type Bench, makeBench } from '../context.js';

let bench: Bench;
beforeEach(async () => {
  bench = await makeBench();
});
afterEach(() => bench.remove());

const bytes = (path: string) => readFileSync(join(bench.ws, path));
const text = (path: string) => bytes(path).toString();
const names = () => readdirSync(bench.ws, { recursive: true }).map(String).sort();

describe('write', () => {
  it('creates what is given, byte for byte, also nothing', async () => {
    for (const [file, content] of [
      ['a.txt', '- item\n  & &lt; "q" \\n é ☕'],
      ['empty.txt', ''],
      ['new/dir/b.txt', '-x'],
      ['crlf.txt', 'a\r\nb\r\n'],
    ] as const) {
      const result = await bench.run(writeTool, { file, content });
      expect(result).toMatchObject({
        isError: false,
        output: expect.stringContaining(`Created ${file} (${Buffer.byteLength(content)} bytes)`),
      });
      expect(text(file)).toBe(content);
    }
    expect(statSync(join(bench.ws, 'new')).isDirectory()).toBe(true);
  });

  it('overwrites with a backup and reports lines', async () => {
    bench.put('a.txt', 'one\ntwo\n', 0o755);
    const result = await bench.run(writeTool, { file: 'a.txt', content: 'one\n2\n3\n' });
    expect(result.output).toContain('+2 -1 lines');
    expect(result).toMatchObject({
      changed: [join(bench.ws, 'a.txt')],
      display: { kind: 'diff', changes: [{ path: 'a.txt', before: 'one\ntwo\n', after: 'one\n2\n3\n', added: 2, removed: 1 }] },
    });
    expect(text('a.txt.bak')).toBe('one\ntwo\n');
    expect(statSync(join(bench.ws, 'a.txt')).mode & 0o777).toBe(0o755);
  });

  it('leaves backup and file alone when the content is the same', async () => {
    bench.put('a.txt', 'one');
    await bench.run(writeTool, { file: 'a.txt', content: 'two' });
    expect((await bench.run(writeTool, { file: 'a.txt', content: 'two' })).output).toContain('nothing was written');
    expect(text('a.txt.bak')).toBe('one');
  });

  it('appends', async () => {
    bench.put('n.txt', 'x\n');
    await bench.run(writeTool, { file: 'n.txt', content: 'y\n', append: true });
    expect(text('n.txt')).toBe('x\ny\n');
    await bench.run(writeTool, { file: 'fresh.txt', content: 'y\n', append: true });
    expect(text('fresh.txt')).toBe('y\n');
    bench.put('w.txt', Buffer.from('\ufeffa\n', 'utf16le'));
    await bench.run(writeTool, { file: 'w.txt', content: 'ö\n', append: true });
    expect(bytes('w.txt').equals(Buffer.from('\ufeffa\nö\n', 'utf16le'))).toBe(true);
  });

  it('keeps the encoding of a file it replaces, and says so', async () => {
    bench.put('le.txt', Buffer.from('\ufeffold', 'utf16le'));
    bench.put('bom.txt', '\ufeffold');
    expect((await bench.run(writeTool, { file: 'le.txt', content: 'nü\n' })).output).toContain('UTF-16LE');
    expect(bytes('le.txt').equals(Buffer.from('\ufeffnü\n', 'utf16le'))).toBe(true);
    await bench.run(writeTool, { file: 'bom.txt', content: '\ufeffnew' });
    expect(bytes('bom.txt').toString('hex')).toBe('efbbbf6e6577');
  });

  it('appends bytes as they were given, whatever stands before them', async () => {
    bench.put('crlf.txt', 'a\r\nb');
    await bench.run(writeTool, { file: 'crlf.txt', content: 'c\n', append: true });
    expect(text('crlf.txt')).toBe('a\r\nbc\n');
    bench.put('latin.txt', Buffer.from('caf\xe9', 'latin1'));
    await bench.run(writeTool, { file: 'latin.txt', content: 'é', append: true });
    expect(bytes('latin.txt').toString('hex')).toBe('636166e9c3a9');
    await bench.run(writeTool, { file: 'latin.txt', content: 'AP8=', encoding: 'base64', append: true });
    expect(bytes('latin.txt').toString('hex')).toBe('636166e9c3a900ff');
    const folder = await bench.run(writeTool, { file: 'new/deep/log.txt', content: '', append: true });
    expect(folder.output).toBe('Created new/deep/log.txt (0 bytes).\n');
  });

  it('says what a rewrite changes beside the words', async () => {
    bench.put('latin.txt', Buffer.from('caf\xe9\r\nx\r\n', 'latin1'));
    const { output } = await bench.run(writeTool, { file: 'latin.txt', content: 'café\nx\n' });
    expect(output).toContain('now it is UTF-8');
    expect(output).toContain('its lines ended with CRLF');
    bench.put('crlf.txt', 'a\r\n');
    expect((await bench.run(writeTool, { file: 'crlf.txt', content: 'b\r\n' })).output).not.toContain('Note');
  });

  it('takes base64 strictly', async () => {
    await bench.run(writeTool, { file: 'd.bin', content: '/wCq\nVQ==', encoding: 'base64' });
    expect(bytes('d.bin').toString('hex')).toBe('ff00aa55');
    for (const content of ['SGVsbG8h*IQ==', 'SGVsbG8', '_-8=']) {
      const result = await bench.run(writeTool, { file: 'd.bin', content, encoding: 'base64' });
      expect(result).toMatchObject({ isError: true, code: 'InvalidArgs', output: expect.stringMatching(/\/content.*byte \d/) });
    }
    expect(bytes('d.bin').toString('hex')).toBe('ff00aa55');
    expect(await bench.run(writeTool, { file: 's.txt', content: 'a\ud800b' })).toMatchObject({
      code: 'InvalidArgs',
      output: expect.stringContaining('surrogate'),
    });
    expect(names()).toEqual(['d.bin']);
  });

  it('refuses to overwrite what changed since it was read, until it is read again', async () => {
    bench.put('a.txt', 'one');
    await bench.run(readTool, { file: 'a.txt' });
    bench.put('a.txt', 'two by the user');
    expect(await bench.run(writeTool, { file: 'a.txt', content: 'x' })).toMatchObject({
      isError: true,
      code: 'Stale',
      output: expect.stringContaining('size 3 -> 15 bytes'),
    });
    expect(text('a.txt')).toBe('two by the user');
    await bench.run(readTool, { file: 'a.txt' });
    expect((await bench.run(writeTool, { file: 'a.txt', content: 'x' })).isError).toBe(false);
    expect((await bench.run(writeTool, { file: 'a.txt', content: 'y' })).isError).toBe(false);
    rmSync(join(bench.ws, 'a.txt'));
    expect((await bench.run(writeTool, { file: 'a.txt', content: 'z' })).output).toContain('removed since');
  });

  it('does not count a file never read as stale', async () => {
    bench.put('a.txt', 'one');
    expect((await bench.run(writeTool, { file: 'a.txt', content: 'x' })).isError).toBe(false);
  });

  it('refuses placeholders for text left out, but not words that look like them', async () => {
    bench.put('a.ts', 'const a = 1;\nconst b = 2;\n// ... rest of the story\n');
    for (const line of [
      '// ... rest of the code unchanged ...',
      '# ... existing code ...',
      '/* rest of file remains unchanged */',
      '<!-- ... (remaining markup) ... -->',
      '... rest unchanged ...',
      '// the rest of the file stays the same',
      '{/* ... other components ... */}',
    ]) {
      const result = await bench.run(writeTool, { file: 'a.ts', content: `const a = 3;\n${line}\n` });
      expect([line, result.code]).toEqual([line, 'InvalidArgs']);
      expect(result.output).toContain('line 2');
    }
    let n = 0;
    for (const content of [
      'f(...rest);\n',
      '// the rest of the arguments\n',
      '// remaining: 3\n',
      '// ... rest of the story\nx\n',
      'const [a, ...rest] = b;\n',
      '// wait...\n',
      '// other things\n',
      '...args\n',
    ]) {
      const file = `ok${++n}.ts`;
      bench.put(file, 'const a = 1;\n// ... rest of the story\n');
      expect([content, (await bench.run(writeTool, { file, content })).isError]).toEqual([content, false]);
    }
    bench.put('a.md', 'x');
    expect((await bench.run(writeTool, { file: 'a.md', content: '# ... rest unchanged ...\n' })).isError).toBe(false);
    expect((await bench.run(writeTool, { file: 'new.ts', content: '// ... existing code ...\n' })).isError).toBe(false);
  });

  it('mentions a rewrite that loses most of a file', async () => {
    bench.put('a.txt', 'line\n'.repeat(50));
    expect((await bench.run(writeTool, { file: 'a.txt', content: 'line\n' })).output).toContain('49 fewer');
  });

  it('refuses folders, slashes at the end and places outside', async () => {
    mkdirSync(join(bench.ws, 'd'));
    expect((await bench.run(writeTool, { file: 'd', content: 'x' })).code).toBe('EISDIR');
    expect((await bench.run(writeTool, { file: 'new/', content: 'x' })).code).toBe('InvalidArgs');
    expect(await bench.run(writeTool, { file: '../x.txt', content: 'x' })).toMatchObject({
      code: 'OutsideWorkspace',
      output: expect.stringContaining('--add-dir'),
    });
    expect((await bench.run(writeTool, { file: '.git/hooks/x', content: 'x' })).code).toBe('Sensitive');
    expect((await bench.run(writeTool, { file: '.env', content: 'x' })).code).toBe('Sensitive');
    expect((await bench.run(writeTool, { file: join(bench.scratch, 'x'), content: 'x' })).code).toBe('OutsideWorkspace');
    expect(names()).toEqual(['d']);
  });
});
