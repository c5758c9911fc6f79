/** `@todo`: the plan of this run, written whole, listed, or marked task by task. */
import type { Json, JsonObject, PropertySchema } from '../../types/json.js';
import type { PlanTask, Tool, ToolResult } from '../../types/tool.js';
import { countArg, guarded, invalid, textArg } from '../shared/args.js';

const STATUSES = ['pending', 'in_progress', 'completed', 'failed'] as const;
type Status = (typeof STATUSES)[number];
const ICONS: Readonly<Record<Status, string>> = { pending: '[ ]', in_progress: '[>]', completed: '[x]', failed: '[!]' };
const MOST_TASKS = 200;
/** From so many failures on a new plan is asked for. */
const REPLAN_AT = 3;

const status: PropertySchema = { type: 'string', enum: STATUSES };

export const todoAtom: Tool = {
  name: '@todo',
  native: 'todo',
  aliases: [],
  summary: 'Keeps the task plan: write replaces it, mark sets one task, list shows it',
  schema: {
    type: 'object',
    properties: {
      cmd: { type: 'string', enum: ['write', 'list', 'mark'] },
      todos: {
        type: 'array',
        items: {
          type: 'object',
          properties: { description: { type: 'string' }, status },
          required: ['description'],
          additionalProperties: false,
        },
      },
      id: { type: 'integer', minimum: 1 },
      status,
      error: { type: 'string' },
    },
    additionalProperties: false,
  },
  fieldAliases: { tasks: 'todos', items: 'todos', action: 'cmd', content: 'description' },
  positional: ['cmd', 'id', 'status'],
  example: { cmd: 'write', todos: [{ description: 'Find the bug', status: 'in_progress' }, { description: 'Fix it' }] },
  inFull: true,
  limit: 30_000,
  cut: 'ends',
  origin: 'builtin',
  facts(args) {
    const cmd = commandOf(args);
    const object = cmd === 'mark' ? `#${args['id'] ?? '?'}` : '';
    // A plan is no file of the user's: nothing to ask about.
    return { readOnly: true, reads: [], writes: [], order: 'overlap', label: { verb: `plan-${cmd}`, object } };
  },
  run: (args, context) =>
    guarded(async () => {
      const cmd = commandOf(args);
      if (cmd === 'write') context.plan.set(writtenPlan(args['todos']));
      if (cmd === 'mark') context.plan.set(markedPlan(context.plan.get(), args));
      return planResult(context.plan.get());
    }),
};

/** Without a command the other fields tell what is meant. */
function commandOf(args: JsonObject): 'write' | 'list' | 'mark' {
  const cmd = args['cmd'];
  if (cmd === 'write' || cmd === 'list' || cmd === 'mark') return cmd;
  if (args['todos'] !== undefined) return 'write';
  return args['id'] === undefined ? 'list' : 'mark';
}

function writtenPlan(todos: Json | undefined): PlanTask[] {
  if (!Array.isArray(todos) || todos.length === 0) throw invalid('todos', 'must be a list of at least one task');
  if (todos.length > MOST_TASKS) throw invalid('todos', `has ${todos.length} tasks, at most ${MOST_TASKS}`);
  return todos.map((todo, i) => {
    const entry: JsonObject =
      typeof todo === 'string'
        ? { description: todo }
        : todo !== null && typeof todo === 'object' && !Array.isArray(todo)
          ? todo
          : {};
    const description = typeof entry['description'] === 'string' ? entry['description'].replace(/\s+/g, ' ').trim() : '';
    if (description === '') throw invalid(`todos/${i}/description`, `task ${i + 1} has no description`);
    return { id: i + 1, description, status: statusOf(entry['status'] ?? 'pending', `todos/${i}/status`), attempts: 0 };
  });
}

function markedPlan(plan: readonly PlanTask[], args: JsonObject): PlanTask[] {
  const id = countArg(args, 'id', 1);
  if (id === undefined) throw invalid('id', 'is missing; name the task to mark');
  if (!plan.some((task) => task.id === id)) {
    throw invalid(
      'id',
      plan.length === 0
        ? 'there is no plan yet; write one first'
        : `there is no task ${id}; the plan has tasks 1 to ${plan.length}`,
    );
  }
  if (args['status'] === undefined || args['status'] === null)
    throw invalid('status', `is missing; one of ${STATUSES.join(', ')}`);
  const wanted = statusOf(args['status'], 'status');
  const error = textArg(args, 'error')?.trim();
  return plan.map((task) => {
    if (task.id !== id) return task;
    const { error: _former, ...rest } = task;
    return { ...rest, status: wanted, attempts: task.attempts + 1, ...(wanted === 'failed' && error ? { error } : {}) };
  });
}

function statusOf(value: Json, field: string): Status {
  const found = STATUSES.find((entry) => entry === value);
  if (!found) throw invalid(field, `${JSON.stringify(value)} is no status; one of ${STATUSES.join(', ')}`);
  return found;
}

function planResult(plan: readonly PlanTask[]): ToolResult {
  return { output: planText(plan), isError: false, display: { kind: 'plan', tasks: plan } };
}

/** The list a model reads: `>` before the current task, what failed, how far it is. */
export function planText(plan: readonly PlanTask[]): string {
  if (plan.length === 0) return 'The plan is empty.\n';
  const current = plan.findLast((task) => task.status === 'in_progress') ?? plan.find((task) => task.status !== 'completed');
  const lines = plan.flatMap((task) => [
    `${task === current ? '>' : ' '} ${ICONS[task.status]} ${task.id}. ${task.description}`,
    ...(task.error ? [`        error: ${task.error}`] : []),
  ]);
  const done = plan.filter((task) => task.status === 'completed').length;
  const failures = plan.filter((task) => task.status === 'failed').length;
  const tail = [`Progress: ${done}/${plan.length}${failures > 0 ? `, failed: ${failures}` : ''}`];
  if (failures >= REPLAN_AT) tail.push('Several tasks failed: write a new plan before going on.');
  return `${['Plan:', ...lines, ...tail].join('\n')}\n`;
}
