import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/types/event.js';
import type { Display } from '../../src/types/tool.js';
import { createTextPresenter } from '../../src/ui/present-text.js';
import { createText } from '../../src/ui/text/index.js';
import { call, event, outcome, result, Sheet } from './streams.js';

type Options = Partial<Parameters<typeof createTextPresenter>[0]>;

function present(events: readonly AgentEvent[], end = outcome(), options: Options = {}) {
  const out = new Sheet();
  const err = new Sheet();
  const presenter = createTextPresenter({
    out,
    err,
    text: createText('en'),
    color: false,
    verbose: false,
    live: false,
    ...options,
  });
  for (const one of events) presenter.sink(one);
  presenter.finish(end);
  return { out: out.text, err: err.text };
}

const start = (id = 't1c1', object = 'main.go', agent = 'main') =>
  event({ type: 'call-start', call: call('@coder read', { file: object }, id), label: { verb: 'read', object } }, agent);
const end = (more: Parameters<typeof result>[1] = {}, id = 't1c1', output = 'out', denied = false, agent = 'main') =>
  event({ type: 'call-end', call: call('@coder read', {}, id), result: result(output, more), denied }, agent);
const display = (value: Display) => end({ display: value });
const said = (text: string) =>
  event({ type: 'message-end', message: { id: 'm', role: 'assistant', parts: [{ type: 'text', text }], time: 1 } });
const delta = (text: string) => event({ type: 'text-delta', text });

describe('the text presenter', () => {
  it('puts the answer on the output and everything else on the error output', () => {
    const { out, err } = present([
      delta('All '),
      delta('good.'),
      start(),
      display({ kind: 'file', path: 'main.go', from: 1, to: 20, total: 40 }),
      said('All good.'),
    ]);
    expect(out).toBe('All good.\n');
    expect(err).toBe('Reading: main.go\n  lines 1–20 of 40\nDone · 2 turns · 1 call · 12,345 tokens in, 67 out · 400 ms\n');
  });

  it('speaks Portuguese', () => {
    const { err } = present([start()], outcome({ status: 'denied' }), { text: createText('pt-BR') });
    expect(err).toContain('Lendo: main.go\n');
    expect(err).toContain('Terminou com chamadas negadas · 2 turnos');
  });

  it('has a line for every kind of result', () => {
    const lines = (value: Display, verbose = false) =>
      present([start(), display(value)], outcome(), { verbose })
        .err.split('\n')
        .filter((l) => l.startsWith('  '));
    expect(lines({ kind: 'text', text: '\nfirst\nsecond' })).toEqual(['  first']);
    expect(
      lines({
        kind: 'diff',
        changes: [
          { path: 'a', before: 'x', after: 'y', added: 3, removed: 1 },
          { path: 'new', after: 'y', added: 5, removed: 0 },
          { path: 'old', before: 'y', added: 0, removed: 2 },
          { path: 'long', added: 9, removed: 0 },
        ],
      }),
    ).toEqual(['  a +3 −1', '  new (new) +5', '  old (deleted) −2', '  long +9 −0']);
    expect(lines({ kind: 'tree', root: '.', entries: 1 })).toEqual(['  1 entry']);
    const hits = [1, 2, 3].map((line) => ({ path: line > 1 ? 'b' : 'a', line, text: 'x\x1b[31m' }));
    expect(lines({ kind: 'matches', hits, more: false })).toEqual(['  3 matches in 2 files']);
    expect(lines({ kind: 'matches', hits, more: true }, true)).toEqual([
      '  3 matches shown in 2 files, there are more',
      '  a:1: x',
      '  b:2: x',
      '  b:3: x',
    ]);
    expect(lines({ kind: 'matches', hits: [], more: false })).toEqual(['  no match']);
    expect(lines({ kind: 'process', command: 'x', exitCode: 2, ms: 1500 })).toEqual(['  exit code 2 (1.5 s)']);
    expect(lines({ kind: 'process', command: 'x', exitCode: null, signal: 'SIGKILL', ms: 5 })).toEqual([
      '  ended by SIGKILL (5 ms)',
    ]);
    expect(lines({ kind: 'tests', command: 'x', passed: 3, failed: 1, skipped: 0, ok: false })).toEqual([
      '  tests failed: 1 failed, 3 passed, 0 skipped',
    ]);
    expect(lines({ kind: 'tests', command: 'x', passed: 3, failed: 0, skipped: 2, ok: true })).toEqual([
      '  tests passed: 3 passed, 2 skipped',
    ]);
    const tasks = [
      { id: 1, description: 'look', status: 'completed' as const, attempts: 1 },
      { id: 2, description: 'fix', status: 'failed' as const, error: 'no', attempts: 2 },
    ];
    expect(lines({ kind: 'plan', tasks })).toEqual(['  plan 1/2', '  [x] 1. look', '  [!] 2. fix (no; 2 attempts)']);
  });

  it('tells failure, refusal and what was not run apart', () => {
    const failed = present([
      start(),
      end({ isError: true, code: 'NotFound' }, 't1c1', 'error [NotFound]: main.go does not exist\nnearest: mian.go'),
    ]);
    expect(failed.err).toContain('  failed [NotFound] main.go does not exist\n');
    const denied = present(
      [start(), end({ isError: true, code: 'Denied' }, 't1c1', 'error [Denied]: no rule', true)],
      outcome({
        status: 'denied',
        denied: [{ tool: '@coder exec', summary: 'rm x', reason: 'nobody to ask', agent: 'coder-1', allowable: true }],
      }),
    );
    expect(denied.err).toContain('  not allowed: no rule\n');
    expect(denied.err).toContain('1 call was denied:\n  - @coder exec rm x: nobody to ask [coder-1]\nRules can allow');
    expect(denied.err).toContain('\nEnded with denied calls');
    expect(present([start(), end({ isError: true, code: 'Aborted' }, 't1c1', 'not executed: stopped')]).err).toContain(
      '  not run: stopped\n',
    );
    const red = present([
      start(),
      end(
        { isError: true, code: 'ExitCode:1', display: { kind: 'process', command: 'x', exitCode: 1, ms: 5 } },
        't1c1',
        'long output',
      ),
    ]);
    expect(red.err).toContain('  exit code 1 (5 ms)\n');
    expect(red.err).not.toContain('failed [');
  });

  it('says whose result it is when calls overlap', () => {
    const { err } = present([
      start('a', 'a.go'),
      start('b', 'b.go'),
      end({ isError: true, code: 'Failed' }, 'a', 'broken'),
      end({}, 'b'),
    ]);
    expect(err).toContain('Reading: a.go\nReading: b.go\n  a.go: failed [Failed] broken\n');
  });

  it('names each result apart from its label once, and not twice', () => {
    const changed: Display = { kind: 'diff', changes: [{ path: 'b.go', added: 2, removed: 1 }] };
    const { err } = present([
      start('a', 'a.go'),
      start('b', 'b.go'),
      start('c', 'c.go', 'coder-1'),
      end({ display: { kind: 'file', path: 'a.go', from: 1, to: 30, total: 30 } }, 'a'),
      end({ display: changed }, 'b'),
      end({ isError: true, code: 'Failed', display: changed }, 'c', 'broken', false, 'coder-1'),
    ]);
    expect(err).toContain(
      'c.go\n  a.go: lines 1–30 of 30\n  b.go +2 −1\n  [coder-1] c.go: failed [Failed] broken\n    b.go +2 −1\n',
    );
  });

  it('tells people the reason of a denial, not what the model is told', () => {
    const denial = (reason: string) =>
      event({
        type: 'call-end',
        call: call('@coder exec', {}),
        result: result('error [Denied]: [DENIED] Do not repeat it.', { isError: true, code: 'Denied' }),
        denied: true,
        reason,
      });
    expect(present([start(), denial('no rule\x1b[2J allows it')]).err).toContain('\n  not allowed: no rule allows it\n');
    expect(present([start(), denial('')]).err).toContain('\n  not allowed: [DENIED] Do not repeat it.\n');
    expect(present([start(), denial('x')], outcome(), { text: createText('pt-BR') }).err).toContain('  não permitido: x\n');
  });

  it('says when a command leaves the sandbox, and only then', () => {
    const line = (args: Record<string, boolean | string>, language: 'en' | 'pt-BR' = 'en') =>
      present([event({ type: 'call-start', call: call('@coder exec', args), label: { verb: 'run', object: 'x' } })], undefined, {
        text: createText(language),
      }).err;
    expect(line({ cmd: 'x', outside: true })).toContain('Executing: x  [outside the sandbox]\n');
    expect(line({ cmd: 'x', agent: true })).toContain('[with your SSH agent]');
    expect(line({ cmd: 'x', outside: true }, 'pt-BR')).toContain('[fora do sandbox]');
    expect(line({ cmd: 'x' })).toMatch(/^Executing: x\n/);
  });

  const begun = (permissionMode: string, mode = 'coder') =>
    event({
      type: 'run-start',
      mode,
      task: 't',
      provider: 'p',
      model: 'm',
      toolMode: 'native',
      permissionMode,
      workspace: '/w',
      session: 's-1',
    });

  it('says what would allow a denied call, where something would', () => {
    const ended = (tool: string) =>
      outcome({ status: 'denied', denied: [{ tool, summary: 'x', reason: 'no rule', agent: 'main', allowable: true }] });
    const hint = 'Rules can allow such calls: --allow';
    expect(present([begun('default')], ended('@coder test')).err).toContain(
      `\n${hint} "@coder test"; --permission-mode accept-edits agrees to edits in the folder\nEnded`,
    );
    // A mode is named only where it would help: not for commands, not when it is on.
    expect(present([begun('default')], ended('@coder exec')).err).toContain(`${hint} "@coder exec --cmd WORDS"\n`);
    expect(present([begun('accept-edits')], ended('@coder test')).err).toContain(`${hint} "@coder test"\n`);
    expect(present([], ended('@coder exec'), { text: createText('pt-BR') }).err).toContain(
      '--allow "@coder exec --cmd PALAVRAS"',
    );
    for (const mode of ['auto', 'plan']) expect(present([begun(mode)], ended('@coder test')).err).not.toContain('--allow');
    const asked = event({
      type: 'approval-request',
      call: call(),
      decision: { verdict: 'ask', step: 7, reason: 'r', code: 'Denied' },
    });
    expect(present([begun('default'), asked], ended('@coder test')).err).not.toContain('--allow');
    expect(present([begun('default')]).err).not.toContain('--allow');
  });

  it('names the session of runs that can be resumed', () => {
    const last = (mode: string, options: Options = {}) => present([begun('default', mode)], outcome(), options).err;
    expect(last('coder')).toMatch(/^Done · .* · session s-1\n$/);
    expect(last('agent', { text: createText('pt-BR') })).toContain(' · sessão s-1\n');
    expect(last('agent', { live: true, resumable: true })).toContain('session s-1');
    for (const [mode, options] of [
      ['chat', {}],
      ['coder', { live: true }],
      ['coder', { resumable: false }],
    ] as const)
      expect(last(mode, options)).not.toContain('s-1');
  });

  it('sums a test run up: no live output, the failing tests of a red one', () => {
    const testing = event({ type: 'call-start', call: call('@coder test', {}, 'x'), label: { verb: 'test', object: '.' } });
    const noise = event({ type: 'call-progress', callId: 'x', text: 'TAP noise\n' });
    const run = (output: string, counts: { passed: number; failed: number; ok: boolean }) =>
      present(
        [
          testing,
          noise,
          end({ isError: !counts.ok, display: { kind: 'tests', command: 'c', skipped: 0, ...counts } }, 'x', output),
        ],
        outcome(),
        { live: true, verbose: true },
      );
    const failing = (count: number) =>
      `node: 1 failed\nFailing tests:\n${Array.from({ length: count }, (_, i) => `${i + 1}. adds\x1b[2J\n   3 is not 4\n`).join('')}Output of c\nraw`;
    const few = run(failing(1), { passed: 2, failed: 1, ok: false });
    expect(few.err).toContain(
      'Testing\n  tests failed: 1 failed, 2 passed, 0 skipped\n    Failing tests:\n    1. adds\n       3 is not 4\nDone',
    );
    expect(few.out).toBe('All good.\n');
    const many = run(failing(9), { passed: 2, failed: 9, ok: false });
    expect(many.err).toContain('    6. adds\n    … 7 more lines\nDone');
    expect(run(failing(1), { passed: 2, failed: 0, ok: true }).err).not.toContain('adds');
    expect(run('given command: no counts\nOutput of c\none\n\nlast words', { passed: 0, failed: 0, ok: false }).err).toContain(
      '    given command: no counts\n    one\n    last words\nDone',
    );
  });

  it('marks the lines of workers and shows only their labels', () => {
    const { err, out } = present(
      [
        event({ type: 'worker-start', worker: 'file-1', kind: 'file-1', callId: 'c1', task: 'look' }),
        event({ type: 'text-delta', text: 'inner' }, 'file-1'),
        start('t1c1', 'w.go', 'file-1'),
        event({ type: 'worker-end', worker: 'file-1', ms: 5, outcome: outcome() }),
      ],
      outcome(),
      { live: true },
    );
    expect(err).toContain('file-1 starts: look\n[file-1] Reading: w.go\nfile-1 ended: Done\n');
    expect(out).toBe('All good.\n');
  });

  it('translates notices by code and shows others in English', () => {
    const notice = (code: string, level: 'info' | 'warn') =>
      event({ type: 'notice', level, code, text: 'the English\x1b[2J sentence' });
    const { err } = present([notice('tools-as-text', 'info'), notice('unheard-of', 'warn')], outcome(), {
      text: createText('pt-BR'),
    });
    expect(err).toContain('Nota: A API recusa funções');
    expect(err).toContain('Aviso: the English sentence\n');
  });

  it('takes terminal sequences out of the answer and of everything a model names', () => {
    const bad = '\x1b]0;owned\x07\x1b[2Jx\rspoofed';
    const { out, err } = present(
      [
        start('a', bad),
        end({ isError: true, code: 'Failed' }, 'a', bad),
        event({ type: 'turn-restart', reason: bad, waitMs: 500, attempt: 2 }),
      ],
      outcome({
        result: bad,
        reason: bad,
        status: 'failed',
        denied: [{ tool: bad, summary: bad, reason: bad, agent: bad, allowable: true }],
      }),
    );
    expect(out + err).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
    expect(err).toContain('Asking again in 500 ms (attempt 2)');
  });

  it('writes nothing for an empty answer', () => expect(present([], outcome({ result: '' })).out).toBe(''));

  it('streams on a live screen, without tags, and does not repeat the answer', () => {
    const out = new Sheet();
    const presenter = createTextPresenter({ out, err: out, text: createText('en'), color: false, verbose: false, live: true });
    for (const one of [
      event({ type: 'turn-start', turn: 1 }),
      delta('I will read.\n<tool_call name="@co'),
      delta('der" args=\'{"cmd":"read"}\'/>'),
      said('…'),
      start(),
      end(),
      event({ type: 'turn-start', turn: 2 }),
      delta('All '),
      delta('good.'),
      said('All good.'),
    ])
      presenter.sink(one);
    expect(out.text).toBe('I will read.\nReading: main.go\nAll good.\n');
    presenter.finish(outcome());
    expect(out.text.split('All good.')).toHaveLength(2);
  });

  it('shows an answer that was never streamed, and begins again after a restart', () => {
    const live = present(
      [
        event({ type: 'turn-start', turn: 1 }),
        delta('All good.'),
        event({ type: 'turn-restart', reason: 'reset', waitMs: 1, attempt: 1 }),
        said(''),
      ],
      outcome(),
      { live: true },
    );
    expect(live.out.match(/All good\./g)).toHaveLength(2);
    expect(live.out).toBe('All good.\nAll good.\n');
  });

  it('shows reasoning and output of commands only when asked to', () => {
    const events = [
      event({ type: 'reasoning-delta', text: 'hmm\n' }),
      event({ type: 'call-progress', callId: 'x', text: 'line\n' }),
    ];
    expect(present(events, outcome(), { live: true, verbose: true }).out).toContain('hmm\nline\n');
    expect(present(events, outcome(), { live: true }).out).toBe('All good.\n');
  });

  it('uses colour only when it may', () => {
    expect(present([start()], outcome(), { color: true }).err).toContain('\x1b[36mReading: main.go\x1b[39m');
  });

  it('goes quiet when the reader is gone and says so once', () => {
    let fail: ((error: Error) => void) | undefined;
    let written = '';
    const out = {
      write: (text: string) => {
        written += text;
        return true;
      },
      on: (_name: 'error', listener: (error: Error) => void) => {
        fail = listener;
      },
    };
    let closed = 0;
    const presenter = createTextPresenter({
      out,
      err: new Sheet(),
      text: createText('en'),
      color: false,
      verbose: false,
      live: true,
      onClosed: () => closed++,
    });
    presenter.sink(delta('one'));
    fail?.(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    fail?.(new Error('again'));
    presenter.sink(delta('two'));
    presenter.finish(outcome());
    expect([written, closed]).toEqual(['one', 1]);
  });
});
