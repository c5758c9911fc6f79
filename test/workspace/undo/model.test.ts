import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makePlace } from '../temp.js';
import { makeUndoBench, type UndoBench } from './bench.js';

const PATHS = ['a', 'b', 'd/c'] as const;
type Path = (typeof PATHS)[number];
type Text = string | undefined;

type Action =
  | { readonly do: 'turn' }
  | { readonly do: 'tool' | 'user'; readonly path: Path; readonly text: string | null }
  | { readonly do: 'undo'; readonly force: boolean }
  | { readonly do: 'redo' | 'restart' };

interface Step {
  readonly turn: number;
  readonly path: Path;
  readonly before: Text;
  readonly after: Text;
  applied: boolean;
  kept: boolean;
}

interface Undone {
  readonly steps: Step[];
  readonly kept: Step[];
  readonly files: { readonly path: Path; readonly before: Text; readonly after: Text }[];
}

/** The rules of undo over plain values: no files, no log, no transaction. */
class Model {
  readonly disk = new Map<Path, Text>();
  turn = 0;
  private readonly steps: Step[] = [];
  private undone: Undone[] = [];

  tool(path: Path, text: Text): void {
    const before = this.disk.get(path);
    if (before === text) return;
    this.steps.push({ turn: this.turn, path, before, after: text, applied: true, kept: false });
    this.disk.set(path, text);
    this.undone = [];
  }

  undo(force: boolean): void {
    const open = this.steps.filter((step) => step.applied && (force || !step.kept));
    const turn = open.at(-1)?.turn;
    const undone: Undone = { steps: [], kept: [], files: [] };
    for (const path of PATHS) {
      const mine = open.filter((step) => step.turn === turn && step.path === path);
      const applied = this.steps.filter((step) => step.applied && step.path === path);
      const before = this.disk.get(path);
      let now = before;
      while (applied.length > 0 && mine.includes(applied.at(-1) as Step)) {
        const step = applied.at(-1) as Step;
        if (step.after !== now && step.before !== now && !force) break;
        now = step.before;
        undone.steps.push(applied.pop() as Step);
      }
      undone.kept.push(...mine.filter((step) => !undone.steps.includes(step)));
      if (now !== before) undone.files.push({ path, before, after: now });
    }
    if (undone.steps.length === 0) return;
    for (const step of undone.steps) step.applied = false;
    for (const step of undone.kept) step.kept = true;
    for (const { path, after } of undone.files) this.disk.set(path, after);
    this.undone.push(undone);
  }

  redo(): void {
    const last = this.undone.at(-1);
    if (!last) return;
    const fits = last.files.filter(({ path, before, after }) => [before, after].includes(this.disk.get(path)));
    if (fits.length === 0 && last.files.length > 0) return;
    for (const { path, before } of fits) this.disk.set(path, before);
    const stuck = last.files.filter((file) => !fits.includes(file)).map((file) => file.path);
    for (const step of last.steps) if (!stuck.includes(step.path)) step.applied = true;
    for (const step of last.kept) step.kept = false;
    this.undone.pop();
  }
}

const text = fc.constantFrom('1', '2', '3', '', null);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Action>({ do: 'turn' }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('tool' as const), path: fc.constantFrom(...PATHS), text }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('user' as const), path: fc.constantFrom(...PATHS), text }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('undo' as const), force: fc.boolean() }) },
  { weight: 3, arbitrary: fc.constantFrom<Action>({ do: 'redo' }, { do: 'redo' }, { do: 'restart' }) },
);

async function step(bench: UndoBench, model: Model, one: Action): Promise<void> {
  if (one.do === 'turn') await bench.turn(`turn ${++model.turn}`);
  else if (one.do === 'undo') {
    await bench.undoing.undo({ force: one.force });
    model.undo(one.force);
  } else if (one.do === 'redo') {
    await bench.undoing.redo();
    model.redo();
  } else if (one.do === 'tool') {
    if (one.text === null && model.disk.get(one.path) === undefined) return;
    await bench.edit(one.path, one.text);
    model.tool(one.path, one.text ?? undefined);
  } else if (one.do === 'user') {
    model.disk.set(one.path, one.text ?? undefined);
    if (one.text === null) rmSync(join(bench.ws, one.path), { force: true });
    else bench.put(one.path, one.text);
  }
}

describe('undo against a model', () => {
  it('any order of edits, edits of the user, undo, redo and restarts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (actions) => {
        const place = makePlace();
        try {
          let bench = await makeUndoBench({}, place);
          const model = new Model();
          writeFileSync(join(place.ws, 'a'), '0');
          model.disk.set('a', '0');
          for (const [index, one] of [{ do: 'turn' } as const, ...actions].entries()) {
            if (one.do === 'restart') {
              bench.store.close();
              bench = await bench.reopen();
              bench.store.beginTurn({ number: ++model.turn, text: 'resumed' });
            } else await step(bench, model, one);
            const seen = PATHS.map((path) => bench.text(path));
            expect([index, one, seen]).toEqual([index, one, PATHS.map((path) => model.disk.get(path))]);
          }
        } finally {
          place.remove();
        }
      }),
      { numRuns: process.env['CHATCLI_TEST_LONG'] ? 600 : 20, endOnFailure: !process.env['CHATCLI_TEST_LONG'] },
    );
  }, 600_000);
});
