import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/types/json.js';
import type { Question } from '../../src/types/policy.js';
import { createTerminalApprover, type TerminalApproverOptions } from '../../src/ui/approve-terminal.js';
import { createText } from '../../src/ui/text/index.js';
import { ask, typed } from './asking.js';
import { call, facts, question, Sheet } from './streams.js';

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
    expect(shown[0]).toBe('     │ $ echo one ⏎');
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
    expect(screen).toContain('Rule: always asked, whatever the rules say');
    expect(screen).toContain('Why: personal file');
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

  it('shows what each edit of a multipatch would change', async () => {
    const edits = [
      { file: 'a.ts', search: 'old', replace: 'new' },
      { file: 'b\u202e.ts', diff: '-x\n+y' },
    ] as unknown as Json[];
    const wanted = ['file: a.ts', 'file: a.ts', '- old', '+ new', 'file: b<U+202E>.ts', '  -x', '  +y'];
    expect(await changed('patch', { edits })).toEqual(wanted);
    expect(await changed('patch', { edits: JSON.stringify(edits) })).toEqual(wanted);
    expect(await changed('patch', { edits: '[nonsense' })).toEqual(['file: a.ts']);
  });

  it('says only the size of base64', async () => {
    expect(await changed('write', { content: 'AAEC', encoding: 'base64' })).toEqual(['file: a.ts', '+ 3 bytes']);
    expect(await changed('patch', { search: 'AA==', replace: 'AAEC', encoding: 'base64' })).toEqual([
      'file: a.ts',
      '- 1 byte',
      '+ 3 bytes',
    ]);
  });

  it('hides the middle of what is very long, says how much, and shows all of it on demand', async () => {
    const command = `${Array.from({ length: 100 }, (_, i) => `echo line${i}`).join('\n')}; rm x`;
    const asked = question({
      call: call('@coder exec', { cmd: command }),
      facts: facts({ command, label: { verb: 'run', object: 'echo' } }),
    });
    const short = await screenOf(asked);
    expect(short).toContain('… 64 lines with 832 characters are hidden; [v] shows them …');
    expect(short).toContain('[v] View all of it first');
    expect(short).toMatch(/line23 ⏎[\s\S]*line88 ⏎/);
    expect(short).toContain('rm x');
    expect(short).not.toContain('line50 ');
    const { answer, screen } = await ask(new PassThrough(), typed('v\n', 'n\n'), { asked });
    expect(answer).toBe('no');
    expect(screen).toContain('line50 ');
    const { screen: other } = await ask(new PassThrough(), typed('v\n', 'n\n'));
    expect(other).toContain('Not an answer');
  });

  it('offers "always" only where a rule can be made of it', async () => {
    const { answer, screen } = await ask(new PassThrough(), typed('a\n', 'n\n'), { subject: () => undefined });
    expect(answer).toBe('no');
    expect(screen).not.toContain('[a]');
    expect(screen).not.toContain('[d]');
  });

  it('says of what "always" and a block are kept, as far as they are offered', async () => {
    const about = async () => ({ keptIn: '~/rules.json' });
    const lines = async (subject: (q: Question, a: 'always' | 'never') => string | undefined) =>
      (await ask(new PassThrough(), typed('n\n'), { subject, about })).screen;
    expect(await lines(() => 'x')).toContain('"Always" counts in all projects');
    const blocked = await lines((_, answer) => (answer === 'never' ? 'x' : undefined));
    expect(blocked).toContain('A block counts in all projects and is kept in ~/rules.json');
    expect(blocked).not.toContain('"Always"');
    expect(await lines(() => undefined)).not.toContain('kept in');
  });

  it('says after a yes for how long it counts', async () => {
    const asked = question({
      call: { id: 'c', tool: '@coder exec', args: { cmd: 'ls', outside: true }, source: 'tag', agent: 'main' },
      facts: facts({ command: 'ls', label: { verb: 'run', object: 'ls' } }),
    });
    const { screen } = await ask(new PassThrough(), typed('y\n'), { asked });
    expect(screen).toContain('Allowed; this very command is not asked about again in this session.');
    expect((await ask(new PassThrough(), typed('y\n'))).screen).toContain('Allowed once.');
  });

  it('says where it would run, what holds it and where rules are kept', async () => {
    const command = 'ssh host';
    const of = (args: object) =>
      question({
        call: call('@coder exec', { cmd: command, ...args }),
        facts: facts({ command, label: { verb: 'run', object: 'ssh' } }),
      });
    const about = async () => ({ folder: '~/project', sandbox: 'strict' as const, keptIn: '~/.chatcli/coder_policy.json' });
    const held = await screenOf(of({}), { about });
    expect(held).toContain('Folder: ~/project');
    expect(held).toContain('Sandbox: on, without network');
    expect(held.replace(/\s+/g, ' ')).toContain('"Always" counts in all projects and is kept in ~/.chatcli/coder_policy.json');
    const out = await screenOf(of({ outside: true }), { about });
    expect(out).toContain('Sandbox: NOT USED: it could read, change and send');
    expect(out).toContain('[y] Yes; this very command is not asked about again in this session');
    expect(await screenOf(of({ agent: true }), { about })).toContain('with your SSH agent');
    const failing = async () => Promise.reject(new Error('x'));
    expect(await screenOf(of({}), { about: failing })).not.toContain('Sandbox:');
  });

  it.each([34, 40, 80, 200])('fits %d columns, in colour too', async (columns) => {
    for (const language of ['en', 'pt-BR'] as const)
      for (const color of [false, true]) {
        const output = new Sheet();
        output.columns = columns;
        const approver = createTerminalApprover({ input: new PassThrough().end(), output, text: createText(language), color });
        const command = 'npm run some-very-long-script-name-without-any-end -- --with --options';
        await approver.ask(
          question({
            call: call('@coder exec', { cmd: command, outside: true }),
            facts: facts({ command, label: { verb: 'run', object: 'npm' } }),
          }),
          { signal: new AbortController().signal },
        );
        for (const line of output.text.split('\n').slice(0, -4)) {
          const plain = line.replace(/\x1b\[\d+m/g, '');
          expect(plain).not.toContain('\x1b');
          expect([...plain].length, plain).toBeLessThanOrEqual(columns);
        }
      }
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
