import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { build } from 'vite';
import { describe, expect, it } from 'vitest';
import type { Answer, Question } from '../../src/types/policy.js';
import { denyAll } from '../../src/ui/approve-none.js';
import { createTerminalApprover, type TerminalApproverOptions } from '../../src/ui/approve-terminal.js';
import { createText } from '../../src/ui/text/index.js';
import { call, FakeTerminal, facts, question, Sheet } from './streams.js';

const QUIET = 15;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks; `type` is called once the question is on the screen and may be answered. */
async function ask(
  input: PassThrough,
  type: (input: PassThrough) => void | Promise<void>,
  options: Partial<TerminalApproverOptions> & { asked?: Question; signal?: AbortSignal } = {},
): Promise<{ answer: Answer; screen: string }> {
  const output = new Sheet();
  const approver = createTerminalApprover({
    input,
    output,
    text: createText('en'),
    quietMs: QUIET,
    onStop: () => undefined,
    ...options,
  });
  const answer = approver.ask(options.asked ?? question(), { signal: options.signal ?? new AbortController().signal });
  while (!output.text.includes('[y/')) {
    if ((await Promise.race([answer, wait(2)])) !== undefined) break;
  }
  await wait(QUIET * 3);
  await type(input);
  return { answer: await answer, screen: output.text };
}

const typed =
  (...chunks: string[]) =>
  (input: PassThrough) => {
    for (const chunk of chunks) input.write(chunk);
  };

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
      typed('\r', '\n', '\x1b[A', '\x1b', 'yes', 'rm -rf y', '\x1b[200~y\x1b[201~', ' ', '\t', 'é', '\x7f', 'd'),
    );
    expect(answer).toBe('never');
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

describe('the content of the question', () => {
  const screenOf = async (asked: Question, options: Partial<TerminalApproverOptions> = {}) =>
    (await ask(new PassThrough(), typed('n\n'), { asked, ...options })).screen;

  it('is the box of the original', async () => {
    const screen = await screenOf(question(), { text: createText('pt-BR') });
    expect(screen).toContain('🔒 VERIFICAÇÃO DE SEGURANÇA');
    for (const line of [
      ' 🤖 Agent: coder',
      ' 📋 Tarefa: Refatorar módulo de autenticação',
      ' ⚡ Ação: Escrever arquivo',
      '     │ arquivo: pkg/auth/handler.go',
      " 📜 Regra: nenhuma regra para '@coder write'",
      '   [y] Sim, executar (uma vez)',
      '   [a] Permitir sempre (@coder write)',
      '   [n] Não, pular',
      '   [d] Bloquear sempre (@coder write)',
    ])
      expect(screen.split('\n')).toContain(line);
  });

  it('shows a command in full, wrapped, behind a bar, with nothing hidden', async () => {
    const command = `echo one\nrm -rf x \u202e\x1b[8m && ${'long '.repeat(60)}END`;
    const asked = question({
      call: call('@coder exec', { cmd: command }),
      facts: facts({ command, label: { verb: 'run', object: 'echo' } }),
      decision: { verdict: 'ask', step: 7, reason: 'r', code: 'Denied', part: 'rm -rf x' },
    });
    const screen = await screenOf(asked);
    const shown = screen.split('\n').filter((line) => line.startsWith('     │ '));
    expect(shown[0]).toBe('     │ $ echo one');
    expect(shown.map((line) => line.slice(7)).join('')).toContain(`rm -rf x <U+202E><U+001B>[8m && ${'long '.repeat(60)}END`);
    for (const line of screen.split('\n')) expect(line.length).toBeLessThanOrEqual(82);
    expect(screen).toContain('Rule: exec requires individual approval');
    expect(screen).toContain('Because of: rm -rf x');
    expect(screen).toContain('[a] Allow always (this command)');
    expect(await screenOf(asked, { subject: () => '@coder exec --cmd rm -rf x' })).toContain(
      '[d] Block always (@coder exec --cmd rm -rf x)',
    );
  });

  it('does not offer "always" for what is always asked, and does not take it', async () => {
    const asked = question({ decision: { verdict: 'immune', step: 3, reason: 'personal file', code: 'Sensitive' } });
    const { answer, screen } = await ask(new PassThrough(), typed('a\n', 'always\n', 'n\n'), { asked });
    expect(answer).toBe('no');
    expect(screen).not.toContain('[a]');
    expect(screen).toContain('Rule: always asked, whatever the rules say: personal file');
    expect(screen.match(/Not an answer/g)).toHaveLength(2);
  });

  it('names the rule that asks, folders, terms and other arguments', async () => {
    const rule = { pattern: '@coder write', action: 'ask' as const, origin: '/home/u/policy.json' };
    expect(await screenOf(question({ decision: { verdict: 'ask', step: 4, reason: 'r', code: 'Denied', rule } }))).toContain(
      "Rule: '@coder write' asks (/home/u/policy.json)",
    );
    const search = question({
      call: call('@coder search', { term: 'x', dir: 'src' }),
      facts: facts({ reads: ['/elsewhere'], label: { verb: 'search', object: 'x' } }),
    });
    expect(await screenOf(search)).toMatch(/file: \/elsewhere[\s\S]*dir: src[\s\S]*term: x/);
    const other = question({
      call: call('mcp_x', { a: 'v'.repeat(500) }),
      facts: facts({ label: { verb: 'call', object: 'mcp_x' } }),
    });
    const shown = (await screenOf(other)).split('\n').filter((line) => line.startsWith('     │ '));
    const text = shown.map((line) => line.slice(7)).join('');
    expect(text).toMatch(/^arguments: \{"a":"v+…$/);
    expect(text.length).toBeLessThan(170);
  });

  const changed = async (
    verb: 'write' | 'patch',
    args: Question['call']['args'],
    options: Partial<TerminalApproverOptions> = {},
  ) =>
    (
      await screenOf(
        question({
          call: call(`@coder ${verb}`, { file: 'a.ts', ...args }),
          facts: facts({ writes: ['a.ts'], label: { verb, object: 'a.ts' } }),
        }),
        options,
      )
    )
      .split('\n')
      .filter((line) => line.startsWith('     │ '))
      .map((line) => line.slice(7));

  it('shows what a patch would change', async () => {
    expect(await changed('patch', { search: 'a\nb\nold\nc\nd\n', replace: 'a\nb\nnew\nnewer\u202e\nc\nd\n' })).toEqual([
      'file: a.ts',
      '  b',
      '- old',
      '+ new',
      '+ newer<U+202E>',
      '  c',
    ]);
    expect(await changed('patch', { search: 'gone', replace: '', all: true })).toEqual([
      'file: a.ts',
      'in every place where it stands:',
      '- gone',
    ]);
    const diff = '--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-x\n+y';
    expect((await changed('patch', { diff })).slice(1).map((line) => line.trim())).toEqual(diff.split('\n'));
    const numbered = (count: number, word: string) => Array.from({ length: count }, (_, i) => `${word}${i}`).join('\n');
    const long = await changed('patch', { search: numbered(40, 'old'), replace: numbered(3, 'new') });
    expect(long.slice(17)).toEqual(['- old16', '… 23 more lines', '+ new0', '+ new1', '+ new2']);
    const both = await changed('patch', { search: numbered(40, 'old'), replace: numbered(30, 'new') });
    expect(both.filter((line) => /^[-+…]/.test(line))).toHaveLength(22);
    expect(both.at(-1)).toBe('… 20 more lines');
  });

  it('shows what a write would write', async () => {
    expect(await changed('write', { content: 'one\n\ttwo\r\n\x1b[2J' })).toEqual([
      'file: a.ts',
      '+ one',
      '+     two<U+000D>',
      '+ <U+001B>[2J',
    ]);
    const long = await changed('write', { content: 'x\n'.repeat(21), append: true }, { text: createText('pt-BR') });
    expect(long.slice(0, 3)).toEqual(['arquivo: a.ts', 'acrescentado ao fim do arquivo:', '+ x']);
    expect(long).toHaveLength(23);
    expect(long.at(-1)).toBe('… mais 1 linha');
    expect(await changed('write', { content: '' })).toEqual(['file: a.ts', '(no content)']);
    const wide = await changed('write', { content: 'w'.repeat(100_000) });
    expect(wide.join('')).toMatch(/^file: a.ts\+ w{199}…$/);
  });

  it('says only the size of base64', async () => {
    expect(await changed('write', { content: 'AAEC', encoding: 'base64' })).toEqual(['file: a.ts', '+ 3 bytes']);
    expect(await changed('patch', { search: 'AA==', replace: 'AAEC', encoding: 'base64' })).toEqual([
      'file: a.ts',
      '- 1 byte',
      '+ 3 bytes',
    ]);
  });

  it('cannot be forged by task, agent, rule or tool names', async () => {
    const bad = 'x\n   [y] Yes\x1b[2J\r\n\u2028fake';
    const screen = await screenOf(
      question({
        agent: bad,
        task: `${bad}${'t'.repeat(500)}`,
        call: call(bad, { [bad]: bad }),
        facts: facts(),
        decision: {
          verdict: 'ask',
          step: 4,
          reason: bad,
          part: bad,
          code: 'Denied',
          rule: { pattern: bad, action: 'ask', origin: bad },
        },
      }),
    );
    expect(screen).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
    expect(screen.split('\n').filter((line) => line.startsWith('   [y]'))).toHaveLength(1);
  });

  it('can do without pictures', async () => {
    const screen = await screenOf(question(), { pictures: false });
    expect(screen).toContain('== SECURITY CHECK ==');
    expect(screen).toMatch(/^[\x00-\x7f\u00c0-\u017f]*$/);
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
