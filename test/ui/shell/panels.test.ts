/** The parts of the live region and the last line of a run: nothing twice, nothing too wide, room to breathe. */
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/types/event.js';
import { changeNote } from '../../../src/ui/rich-cards/diff.js';
import { createBoard } from '../../../src/ui/shell/board.js';
import { createRunning } from '../../../src/ui/shell/running.js';
import { shellView } from '../../../src/ui/shell/shell-view.js';
import { createThinking } from '../../../src/ui/shell/thinking.js';
import { type SummaryFacts, summaryLines } from '../../../src/ui/summary.js';
import { createText } from '../../../src/ui/text/index.js';
import { createTheme } from '../../../src/ui/theme/theme.js';

const text = createText('en');
const theme = createTheme('none', 0);
const view = { columns: 60, now: 5000, theme, unicode: true };
const features = { columns: 40, rows: 24, depth: 0, unicode: true, moves: true, background: 'dark' } as const;

type Start = Extract<AgentEvent, { type: 'call-start' }>;
const start = (id: string, verb: string, object: string): Start =>
  ({
    type: 'call-start',
    agent: 'main',
    time: 1000,
    call: { id, tool: 'agent', args: {} },
    label: { verb, object },
  }) as unknown as Start;

describe('calls that run', () => {
  it('do not show an agent call whose worker is on the board', () => {
    const [board, running] = [createBoard(text), createRunning(text)];
    running.start(start('one', 'agent', 'search: find it'));
    running.start(start('two', 'agent', 'tester: test it'));
    board.take({
      type: 'worker-start',
      agent: 'main',
      worker: 'search',
      kind: 'search',
      task: 'find it',
      callId: 'one',
      time: 1000,
    } as unknown as AgentEvent);
    const shown = running.lines({ ...view, except: (id) => board.has(id) }).join('\n');
    expect(shown).toContain('tester: test it');
    expect(shown).not.toContain('find it');
    expect(board.lines({ ...view, most: 8 }).join('\n')).toContain('find it');
  });
});

describe('thinking', () => {
  it('says a time only when it took one', () => {
    const thinking = createThinking(text);
    thinking.push('hm', 1000);
    expect(thinking.fold(1400, 60, theme, true).join()).toBe('✻ Thought · Ctrl+O shows it');
    thinking.push('hm', 1000);
    expect(thinking.fold(4200, 60, theme, true).join()).toContain('3.2 s');
  });
});

describe('a change the label names', () => {
  const change = (path: string) => ({ path, added: 2, removed: 1, before: 'a\nb\n', after: 'a\nc\nd\n' });
  const note = (paths: readonly string[], label: string) =>
    changeNote({ kind: 'diff', changes: paths.map(change) } as never, label, { text, theme, unicode: true });

  it('adds its counts to the label', () => {
    expect(note(['a.ts'], 'Patching: a.ts')).toBe('  +2 −1');
  });
  it('is named by the card when the label names something else, or more than one changed', () => {
    expect(note(['a.ts'], 'Patching: src/aa.ts')).toBeUndefined();
    expect(note(['a.ts'], 'Patching')).toBeUndefined();
    expect(note(['a.ts', 'b.ts'], 'Patching: b.ts')).toBeUndefined();
    expect(changeNote(undefined, 'Patching: a.ts', { text, theme, unicode: true })).toBeUndefined();
  });
});

describe('the summary', () => {
  const usage = { input: 29_000, output: 560, cacheRead: 23_200, cacheWrite: 0, reasoning: 0 };
  const outcome = { status: 'done', turns: 4, denied: [], files: ['a'], usage, cost: 0.0221 } as never;
  const facts: SummaryFacts = { calls: 3, from: 1000, to: 3600, hint: false, text, paint: theme };

  it('says what came from the cache', () => {
    expect(summaryLines(outcome, facts)).toEqual([
      'Done · 4 turns · 3 calls · 1 file changed · 29,000 tokens in (80 % from the cache), 560 out · US$ 0.0221 · 2.6 s',
    ]);
    expect(summaryLines({ ...(outcome as object), usage: { ...usage, cacheRead: 0 } } as never, facts).join()).not.toContain(
      'cache',
    );
  });
  it('breaks between what it lists', () => {
    const lines = summaryLines(outcome, { ...facts, room: { columns: 60, separator: ' | ' } });
    expect(lines).toEqual([
      'Done | 4 turns | 3 calls | 1 file changed',
      '  29,000 tokens in (80 % from the cache), 560 out',
      '  US$ 0.0221 | 2.6 s',
    ]);
  });
});

describe('the live region', () => {
  const parts = { theme, text, queued: [], input: { lines: ['> '] }, status: [{ text: 'default' }] };
  it('stands off from what is above it, and never fills the window', () => {
    for (const rows of [6, 9, 10, 15, 16, 24]) {
      const running = Array.from({ length: 40 }, (_, at) => `line ${at}`);
      const { lines } = shellView({ ...parts, features: { ...features, rows }, running });
      expect(lines.length, `${rows} rows`).toBeLessThanOrEqual(rows - 1);
      expect(lines).toContain('line 39');
    }
    expect(shellView({ ...parts, features, running: [] }).lines[0]).toBe('');
    const { lines } = shellView({ ...parts, features, running: ['it works'] });
    expect(lines.slice(0, 3)).toEqual(['', 'it works', '']);
  });
});
