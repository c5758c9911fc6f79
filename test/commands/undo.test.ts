import { describe, expect, it } from 'vitest';
import { parseSlash } from '../../src/commands/registry.js';
import type { CommandContext } from '../../src/types/command.js';
import type { DiffReport, FileDiff, Undoing, UndoReport } from '../../src/types/undo.js';
import { createText, type Language } from '../../src/ui/text/index.js';

const NOTHING: UndoReport = { turns: [], files: [], kept: [], uncovered: [], dropped: 0 };
const NO_DIFF: DiffReport = { files: [], dropped: 0, uncovered: [] };
const TURN = { number: 3, text: 'fix the typo' };

/** Runs a line on a store that answers `report` or `diff`; gives what was asked of it and what was printed. */
async function run(
  line: string,
  answer: { report?: UndoReport; diff?: DiffReport; fault?: string; none?: boolean; language?: Language } = {},
) {
  const text = createText(answer.language ?? 'en');
  const printed: string[] = [];
  const asked: unknown[] = [];
  let failed = false;
  const ask =
    <T>(name: string, value: T) =>
    (...args: unknown[]): Promise<T> => {
      asked.push([name, ...args]);
      return Promise.resolve(value);
    };
  const undoing: Undoing = {
    undo: ask('undo', answer.report ?? NOTHING),
    redo: ask('redo', answer.report ?? NOTHING),
    takeBack: ask('takeBack', NOTHING),
    undoable: () => [],
    diff: ask('diff', answer.diff ?? NO_DIFF),
    fault: () => answer.fault,
  };
  const context: CommandContext = {
    print: (words) => printed.push(words),
    t: (key, values) => text.find(key, values) ?? `missing ${key}`,
    session: { id: 's', mode: 'chat', setMode: () => undefined },
    model: { provider: 'P', id: 'm' },
    policyLines: () => [],
    commands: () => [],
    stop: () => undefined,
    ...(answer.none ? {} : { undoing }),
    failed: () => {
      failed = true;
    },
  };
  const slash = parseSlash(line);
  await slash?.command?.run(slash.words, context);
  return { printed: printed.join('\n'), asked, failed };
}

describe('/undo', () => {
  it.each([
    ['/undo', { force: false }],
    ['/undo 3', { force: false, turns: 3 }],
    ['/undo --force', { force: true }],
    ['/undo -f src/a b.ts', { force: true, path: 'src/a b.ts' }],
    ['/undo src/a b.ts --force', { force: true, path: 'src/a b.ts' }],
    ['/undo ./3', { force: false, path: './3' }],
    ['/undo a--force', { force: false, path: 'a--force' }],
    ['/undo 0', { force: false, turns: 0 }],
  ])('%s', async (line, wanted) => {
    expect((await run(line)).asked).toEqual([['undo', wanted]]);
  });

  it('tells what was done, what was left and why, and how to go on', async () => {
    const report: UndoReport = {
      turns: [TURN],
      files: [
        { path: 'a', how: 'restored' },
        { path: 'b\nc', how: 'removed' },
      ],
      kept: [
        { path: 'd', why: 'changed' },
        { path: 'e', why: 'refused', detail: 'it is no ordinary file now' },
      ],
      uncovered: ['@coder exec make'],
      dropped: 0,
    };
    const { printed, failed } = await run('/undo', { report });
    expect(printed.split('\n')).toEqual([
      'Turn 3: fix the typo',
      'Taken back in 2 files:',
      '  a: content restored',
      '  b\\nc: removed',
      'Left as they are, 2 files:',
      '  d: changed since, by you or by a command',
      '  e: cannot be written (it is no ordinary file now)',
      'Commands whose effects on files could not be recorded in full, and may remain:',
      '  @coder exec make',
      '/undo --force overwrites it too; /redo then brings your version back.',
    ]);
    expect(failed).toBe(true);
    expect((await run('/undo', { report, language: 'pt-BR' })).printed).toContain('Desfeito em 2 arquivos:');
  });

  it('ends well only when all was taken back', async () => {
    const done = { ...NOTHING, turns: [TURN], files: [{ path: 'a', how: 'same' as const }] };
    expect((await run('/undo', { report: done })).failed).toBe(false);
    expect((await run('/undo', { report: { ...done, fault: 'no space' } })).printed).toContain('Nothing was changed: no space');
    expect((await run('/undo', { report: { ...done, fault: 'no space' } })).failed).toBe(true);
    expect((await run('/undo')).failed).toBe(true);
  });

  it('says when there is nothing, and why there may be less than expected', async () => {
    expect((await run('/undo')).printed).toBe('Nothing to take back.');
    expect((await run('/undo x')).printed).toBe('No recorded change of x to take back.');
    expect((await run('/undo', { report: { ...NOTHING, dropped: 2 } })).printed).toContain('2 older turns were forgotten');
    expect((await run('/undo', { fault: 'ENOSPC' })).printed).toContain('(ENOSPC)');
    expect((await run('/undo', { none: true })).printed).toContain('Nothing is recorded here');
  });
});

describe('/redo', () => {
  it('takes a number or nothing', async () => {
    expect((await run('/redo')).asked).toEqual([['redo', { times: 1 }]]);
    expect((await run('/redo 4')).asked).toEqual([['redo', { times: 4 }]]);
    expect(await run('/redo x')).toMatchObject({ asked: [], failed: true });
    expect((await run('/redo', { none: true })).printed).toContain('Nothing is recorded here');
  });
  it('tells what came back', async () => {
    const report: UndoReport = { ...NOTHING, turns: [{ number: 0, text: '' }], files: [{ path: 'a', how: 'created' }] };
    expect((await run('/redo', { report })).printed).toBe(
      'Calls outside a conversation\nBrought back in 1 file:\n  a: there again',
    );
    expect((await run('/redo')).printed).toBe('Nothing to bring back.');
  });
});

describe('/diff', () => {
  it.each([
    ['/diff', {}],
    ['/diff turn', { turn: 'last' }],
    ['/diff turn 12', { turn: 12 }],
    ['/diff turn 2 src/a b.ts', { turn: 2, path: 'src/a b.ts' }],
    ['/diff turn src/a.ts', { turn: 'last', path: 'src/a.ts' }],
    ['/diff turning', { path: 'turning' }],
    ['/diff ./turn', { path: './turn' }],
  ])('%s', async (line, wanted) => {
    expect((await run(line)).asked).toEqual([['diff', wanted]]);
  });

  it('prints diffs as they are and a line for everything else', async () => {
    const file = (path: string, kind: FileDiff['kind'], more: Partial<FileDiff> = {}): FileDiff => ({
      path,
      kind,
      diff: '',
      sizes: [1, 2],
      alsoOthers: false,
      ...more,
    });
    const files = [
      file('t', 'text', { diff: '--- a/t\n+++ b/t\n@@ -1,1 +1,1 @@\n-a\n+b\n', alsoOthers: true }),
      file('b', 'binary'),
      file('l', 'large', { sizes: [null, 2] }),
      file('g', 'missing'),
      file('m', 'mode', { modes: [0o644, 0o755] }),
    ];
    const { printed } = await run('/diff turn', { diff: { ...NO_DIFF, turn: TURN, files } });
    expect(printed.split('\n')).toEqual([
      'Turn 3: fix the typo',
      '--- a/t',
      '+++ b/t',
      '@@ -1,1 +1,1 @@',
      '-a',
      '+b',
      '(t was also changed by someone else: that is included)',
      'b: binary, 1 -> 2 bytes',
      'l: too large to compare here, 0 -> 2 bytes',
      'g: cannot be compared, the bytes of one side are not there',
      'm: mode 644 -> 755',
    ]);
    expect((await run('/diff')).printed).toBe('No difference.');
  });
});
