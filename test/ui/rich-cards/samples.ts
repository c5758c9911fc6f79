/** One result of every kind, as tools give them. */
import type { ToolResult } from '../../../src/types/tool.js';

const before = Array.from({ length: 40 }, (_, index) => `  const line${index + 1} = ${index};`).join('\n');
const after = before
  .replace('const line4 = 3;', 'const line4 = compute(3);')
  .replace('  const line30 = 29;\n', '  const first = 1;\n  const second = 2;\n');

const ok = (output: string, display: NonNullable<ToolResult['display']>): ToolResult => ({ output, isError: false, display });

export const SAMPLES: { readonly [name: string]: ToolResult } = {
  diff: ok(
    "Patched.\n\n[DIAGNOSTICS] The edit succeeded, but it brought problems that language servers report; fix them:\n1 diagnostic(s) in src/a.ts:\n- L4:17 [error] Cannot find name 'compute'. (typescript)\n",
    { kind: 'diff', changes: [{ path: 'src/a.ts', before, after, added: 3, removed: 2 }] },
  ),
  created: ok('', {
    kind: 'diff',
    changes: [
      { path: 'src/new.ts', after: Array.from({ length: 60 }, (_, index) => `line ${index}`).join('\n'), added: 60, removed: 0 },
      { path: 'src/gone.ts', before: 'one\ntwo\n', added: 0, removed: 2 },
      { path: 'src/big.ts', added: 900, removed: 3 },
    ],
  }),
  matches: ok('', {
    kind: 'matches',
    hits: [
      { path: 'src/ui/cards.ts', line: 24, text: 'export function cardLines(result: ToolResult): string[] {' },
      { path: 'src/ui/cards.ts', line: 118, text: '  return cardLines(result, options);' },
      { path: 'src/ui/present-text.ts', line: 5, text: "import { cardLines } from './cards.js';" },
    ],
    more: false,
  }),
  nothing: ok('', { kind: 'matches', hits: [], more: false }),
  process: ok(
    `$ npm test\n${Array.from({ length: 12 }, (_, index) => `step ${index + 1} of 12`).join('\n')}\nexit code: 0, 1.2 s`,
    {
      kind: 'process',
      command: 'npm test',
      exitCode: 0,
      ms: 1234,
    },
  ),
  broken: {
    output: '$ make\n\x1b[31mmake: *** [all] Error 2\x1b[0m\nexit code: 2, 0.31 s',
    isError: true,
    code: 'ExitCode:2',
    display: { kind: 'process', command: 'make', exitCode: 2, ms: 310 },
  },
  killed: {
    output: '$ sleep 9\nkilled by signal KILL (exit code 137), 3 s',
    isError: true,
    code: 'ExitCode:137',
    display: { kind: 'process', command: 'sleep 9', exitCode: null, signal: 'SIGKILL', ms: 3000 },
  },
  tests: {
    output:
      'vitest: 10 passed, 2 failed, 1 skipped - exit code: 1, 2 s\nFAIL test/a.test.ts > adds numbers\n  expected 3 to be 4\nFAIL test/b.test.ts > reads\nOutput of vitest\nlong output',
    isError: true,
    code: 'ExitCode:1',
    display: { kind: 'tests', command: 'vitest', passed: 10, failed: 2, skipped: 1, ok: false },
  },
  green: ok('vitest: 12 passed', { kind: 'tests', command: 'vitest', passed: 12, failed: 0, skipped: 0, ok: true }),
  plan: ok('', {
    kind: 'plan',
    tasks: [
      { id: 1, description: 'Read the parser and its tests', status: 'completed', attempts: 1 },
      {
        id: 2,
        description: 'Give every block its own file, with a test that proves the lines fit',
        status: 'in_progress',
        attempts: 1,
      },
      { id: 3, description: 'Run the long tests', status: 'failed', error: 'two of them are red', attempts: 2 },
      { id: 4, description: 'Write the documentation', status: 'pending', attempts: 0 },
    ],
  }),
  file: ok('File: src/a.ts\n1 | const a = 1;\n2 | const b = 2;\n', {
    kind: 'file',
    path: 'src/a.ts',
    from: 1,
    to: 2,
    total: 300,
  }),
  tree: ok('src/\n  a.ts\n  b.ts\n', { kind: 'tree', root: 'src', entries: 2 }),
  text: ok('', { kind: 'text', text: 'On branch main\n\nnothing to commit\none\ntwo\nthree\nfour\n' }),
  image: {
    ...ok('', { kind: 'text', text: 'logo.png: PNG image, 12,345 bytes' }),
    attachment: { mediaType: 'image/png', data: 'A'.repeat(16_460) },
  },
  missing: {
    output: 'error [NotFound]: src/x.ts is not there; did you mean src/a.ts?\nIt was looked for in the workspace.',
    isError: true,
    code: 'NotFound',
  },
  notRun: { output: 'not executed: an earlier call failed', isError: true, code: 'Aborted' },
};
