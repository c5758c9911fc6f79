import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { build } from 'vite';
import { describe, expect, it } from 'vitest';
import { denyAll } from '../../src/ui/approve-none.js';
import { createTerminalApprover } from '../../src/ui/approve-terminal.js';
import { createText } from '../../src/ui/text/index.js';
import { ask, pressed, QUIET, typed, wait } from './asking.js';
import { FakeTerminal, question, Sheet } from './streams.js';

describe('the security question, line by line', () => {
  it.each([
    ['y\n', 'yes'],
    ['YES\r\n', 'yes'],
    ['sim\n', 'yes'],
    ['  a  \n', 'always'],
    ['n\n', 'no'],
    ['não\n', 'no'],
    ['na\u0303o\n', 'no'],
    ['d\n', 'never'],
  ] as const)('%j is %s', async (line, wanted) => expect((await ask(new PassThrough(), typed(line))).answer).toBe(wanted));

  it('is not answered by Enter alone, by other words, or by a word without Enter', async () => {
    const { answer, screen } = await ask(
      new PassThrough(),
      typed('\n', '\n\n', 'maybe\n', 'yn\n', 'end\n', 'stopped\n', '__proto__\n', 'toString\n', 'y', 'x\n', 'n\n'),
    );
    expect(answer).toBe('no');
    expect(screen.match(/Not an answer/g)).toHaveLength(7);
    const input = new PassThrough();
    expect((await ask(input, () => void input.end('y'))).answer).toBe('no');
  });

  it('is not answered by what was typed before it appeared, not even by half a line', async () => {
    const early = new PassThrough();
    early.write('y\ny\n');
    expect((await ask(early, typed('n\n'))).answer).toBe('no');
    const half = new PassThrough();
    half.write('y');
    expect((await ask(half, typed('\n', 'd\n'))).answer).toBe('never');
  });

  it('is not answered by somebody who was typing when it appeared', async () => {
    const input = new PassThrough();
    const typing = setInterval(() => input.write('y\n'), 5);
    setTimeout(() => clearInterval(typing), QUIET * 6);
    const output = new Sheet();
    const approver = createTerminalApprover({ input, output, text: createText('en'), quietMs: QUIET });
    const answer = approver.ask(question(), { signal: new AbortController().signal });
    await wait(QUIET * 12);
    input.write('n\n');
    expect(await answer).toBe('no');
  });

  it('is denied by the end of the input: before it, during it, and when the input is gone', async () => {
    const ended = new PassThrough();
    ended.end();
    ended.resume();
    await new Promise((resolve) => ended.once('end', resolve));
    expect((await ask(ended, () => undefined)).answer).toBe('no');
    const later = new PassThrough();
    expect((await ask(later, () => void later.end())).answer).toBe('no');
    const broken = new PassThrough();
    expect((await ask(broken, () => void broken.destroy())).answer).toBe('no');
  });

  it('is stopped by an aborted run', async () => {
    const controller = new AbortController();
    let stops = 0;
    const { answer } = await ask(new PassThrough(), () => controller.abort(), {
      signal: controller.signal,
      onStop: () => stops++,
    });
    expect([answer, stops]).toEqual(['stopped', 0]);
    expect((await ask(new PassThrough(), () => undefined, { signal: controller.signal })).answer).toBe('stopped');
  });

  it('leaves the input as it was: quiet, and with nothing lost of what comes later', async () => {
    const input = new PassThrough();
    await ask(input, typed('y\n'));
    expect([input.listenerCount('data'), input.readableFlowing]).toEqual([0, false]);
    input.write('later');
    await wait(5);
    expect(input.read()?.toString()).toBe('later');
  });

  it('takes the input from its owner and gives it back', async () => {
    const log: string[] = [];
    await ask(new PassThrough(), typed('y\n'), {
      hold: () => {
        log.push('held');
        return () => log.push('back');
      },
    });
    expect(log).toEqual(['held', 'back']);
  });
});

describe('the security question, key by key', () => {
  it('takes one key without Enter, and puts the terminal back', async () => {
    const input = new FakeTerminal();
    expect((await ask(input, typed('a'))).answer).toBe('always');
    expect(input.modes).toEqual([true, false]);
    expect((await ask(new FakeTerminal(), typed('N\r'))).answer).toBe('no');
  });

  it('is not answered by Enter, arrows, pastes or other keys', async () => {
    const { answer } = await ask(
      new FakeTerminal(),
      pressed('\r', '\n', '\x1b[A', '\x1b', 'yes', 'rm -rf y', '\x1b[200~y\x1b[201~', ' ', '\t', 'é', '\x7f', 'd'),
    );
    expect(answer).toBe('never');
  });

  it('is not answered by a piece of an escape sequence or of a paste, however they are cut up', async () => {
    const pieces = pressed('\x1b[', 'A', '\x1bO', 'A', '\x1b[200~', 'y', 'a', '\x1b[20', '1~', 'n');
    expect((await ask(new FakeTerminal(), pieces)).answer).toBe('no');
    // Alt and a letter; a letter with more right behind it, also in several chunks.
    const hasty = async (input: PassThrough) => {
      await pressed('\x1by')(input);
      for (const piece of ['y', 'es please', 'a']) input.write(piece);
      await wait(50);
      for (const byte of [0xc3, 0xa3]) input.write(Buffer.from([byte]));
      await wait(50);
      input.write('d');
    };
    expect((await ask(new FakeTerminal(), hasty)).answer).toBe('never');
    // A sequence that began before the question was there.
    const early = new FakeTerminal();
    setTimeout(() => early.write('\x1b['), QUIET);
    expect((await ask(early, pressed('A', 'n'))).answer).toBe('no');
  });

  it('marks pastes while it asks, but not on a terminal that knows letters only', async () => {
    expect((await ask(new FakeTerminal(), typed('n'))).screen).toMatch(/\x1b\[\?2004h[\s\S]*\x1b\[\?2004l$/);
    expect((await ask(new FakeTerminal(), typed('n'), { pictures: false })).screen).not.toContain('\x1b');
  });

  it('denies when the input never falls silent', async () => {
    const input = new PassThrough();
    const noise = setInterval(() => input.write('y\n'), 1);
    const output = new Sheet();
    const approver = createTerminalApprover({ input, output, text: createText('en'), quietMs: 5 });
    expect(await approver.ask(question(), { signal: new AbortController().signal })).toBe('no');
    clearInterval(noise);
    expect(output.text).toContain('does not fall silent');
  });

  it('knows Ctrl+C and Ctrl+D', async () => {
    let stops = 0;
    expect((await ask(new FakeTerminal(), typed('\x03'), { onStop: () => stops++ })).answer).toBe('stopped');
    expect(stops).toBe(1);
    expect((await ask(new FakeTerminal(), typed('\x04'))).answer).toBe('no');
  });

  it('drops what was typed before', async () => {
    const input = new FakeTerminal();
    input.write('y');
    expect((await ask(input, typed('n'))).answer).toBe('no');
  });
});

describe('nobody to ask', () => {
  it('says so and denies', async () => {
    expect(denyAll.canAsk).toBe(false);
    expect(await denyAll.ask(question(), { signal: new AbortController().signal })).toBe('no');
  });

  it('denies at once in a process whose standard input is closed or empty', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'approve-'));
    try {
      const entry = join(dir, 'entry.ts');
      const source = (path: string) => JSON.stringify(join(import.meta.dirname, '../../src/ui', path));
      writeFileSync(
        entry,
        `import { createTerminalApprover } from ${source('approve-terminal.ts')};
        import { createText } from ${source('text/index.ts')};
        const approver = createTerminalApprover({ input: process.stdin, output: process.stderr, text: createText('en') });
        const answer = await approver.ask(${JSON.stringify(question())}, { signal: new AbortController().signal });
        process.stdout.write(answer);`,
      );
      await build({
        logLevel: 'error',
        configFile: false,
        build: {
          ssr: entry,
          outDir: dir,
          emptyOutDir: false,
          target: 'node20',
          rollupOptions: { output: { entryFileNames: 'entry.mjs' } },
        },
      });
      for (const redirect of ['<&-', '</dev/null', '</dev/null 2>&-']) {
        const run = spawnSync('sh', ['-c', `"$0" "$1" ${redirect}`, process.execPath, join(dir, 'entry.mjs')], {
          encoding: 'utf8',
          timeout: 30_000,
        });
        expect([redirect, run.stdout, run.status]).toEqual([redirect, 'no', 0]);
      }
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
