import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callFromUser } from '../../../src/protocol/user-call.js';
import { todoAtom } from '../../../src/tools/atoms/todo.js';
import { type Bench, makeBench } from '../context.js';

let bench: Bench;
beforeEach(async () => {
  bench = await makeBench();
});
afterEach(() => bench.remove());

const run = (args: Parameters<Bench['run']>[1]) => bench.run(todoAtom, args);

describe('todo', () => {
  it('writes, marks and lists', async () => {
    expect((await run({})).output).toBe('The plan is empty.\n');
    const written = await run({
      cmd: 'write',
      todos: [
        { description: 'Find\n the bug', status: 'completed' },
        { description: 'Fix it', status: 'in_progress' },
        { description: 'Test' },
      ],
    });
    expect(written.output).toBe('Plan:\n  [x] 1. Find the bug\n> [>] 2. Fix it\n  [ ] 3. Test\nProgress: 1/3\n');
    expect(written.display).toMatchObject({
      kind: 'plan',
      tasks: [{ id: 1, attempts: 0 }, { id: 2 }, { id: 3, status: 'pending' }],
    });
    const failed = await run({ cmd: 'mark', id: 3, status: 'failed', error: 'no runner' });
    expect(failed.output).toContain('[!] 3. Test\n        error: no runner\nProgress: 1/3, failed: 1');
    const again = await run({ cmd: 'mark', id: 3, status: 'completed' });
    expect(again.output).not.toContain('no runner');
    expect(bench.context.plan.get()[2]).toEqual({ id: 3, description: 'Test', status: 'completed', attempts: 2 });
    expect((await run({ cmd: 'list' })).output).toBe(again.output);
  });

  it('replaces the whole plan, and asks for a new one after three failures', async () => {
    const todos = ['a', 'b', 'c'].map((description) => ({ description, status: 'failed' }));
    expect((await run({ todos })).output).toContain('write a new plan');
    expect((await run({ todos: [{ description: 'x' }] })).output).toBe('Plan:\n> [ ] 1. x\nProgress: 0/1\n');
  });

  it('names the task that is wrong', async () => {
    await run({ todos: [{ description: 'keep' }] });
    for (const [args, place] of [
      [{ cmd: 'write', todos: [{ description: 'ok' }, { description: '  ' }] }, /todos\/1.*task 2/],
      [{ cmd: 'write', todos: [{ description: 'ok' }, { description: 'x', status: 'done' }] }, /todos\/1\/status/],
      [{ cmd: 'write', todos: [] }, /todos.*at least one/],
      [{ cmd: 'write' }, /todos/],
      [{ cmd: 'mark', id: 9, status: 'completed' }, /id.*no task 9/],
      [{ cmd: 'mark', id: 1 }, /status/],
      [{ cmd: 'mark', status: 'failed' }, /id/],
    ] as const) {
      const result = await run(args as unknown as Parameters<typeof run>[0]);
      expect(result).toMatchObject({ isError: true, code: 'InvalidArgs', output: expect.stringMatching(place) });
    }
    expect(bench.context.plan.get()).toMatchObject([{ description: 'keep' }]);
  });
});

it('is called in words', () => {
  const args = (...words: string[]) => {
    const parsed = callFromUser('@todo', words, { tools: [todoAtom], agent: 'main', nextId: () => 'c' });
    return parsed.ok ? parsed.call.args : parsed.message;
  };
  expect(args('mark', '1', 'completed')).toEqual({ cmd: 'mark', id: 1, status: 'completed' });
  expect(args('mark 1 completed')).toEqual({ cmd: 'mark', id: 1, status: 'completed' });
  expect(args('list')).toEqual({ cmd: 'list' });
  expect(args('mark', '2', 'failed', '--error', 'no runner')).toMatchObject({ id: 2, status: 'failed', error: 'no runner' });
});
