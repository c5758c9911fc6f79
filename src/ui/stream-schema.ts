/** The published JSON Schema (draft 2020-12) of `--output stream-json`: one object a line, each fits exactly one branch. */
import type { Json } from '../types/json.js';

type Schema = { [key: string]: Json };

const STRING: Schema = { type: 'string' };
const COUNT: Schema = { type: 'integer', minimum: 0 };
const BOOLEAN: Schema = { type: 'boolean' };
const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
const listOf = (items: Schema): Schema => ({ type: 'array', items });
const oneOf = (...values: string[]): Schema => ({ type: 'string', enum: values });
const kind = (value: string): Schema => ({ const: value });

/** All fields are required but those in `optional`. */
function object(description: string, properties: Schema, optional: readonly string[] = []): Schema {
  return { type: 'object', description, properties, required: Object.keys(properties).filter((key) => !optional.includes(key)) };
}

/** One kind of event: its own fields, the agent's id and the time. */
function event(type: string, description: string, properties: Schema, optional: readonly string[] = []): Schema {
  return object(description, { type: kind(type), agent: ref('agent'), time: ref('time'), ...properties }, optional);
}

const status = oneOf('done', 'failed', 'denied', 'turn_limit', 'stagnation', 'timeout', 'provider', 'budget', 'interrupted');
const usage = object('Tokens as the service counted them; `input` includes cached ones.', {
  input: COUNT,
  output: COUNT,
  cacheRead: COUNT,
  cacheWrite: COUNT,
  reasoning: COUNT,
});
const denied = object(
  'A call that was denied and not made successfully later.',
  {
    tool: STRING,
    summary: STRING,
    reason: STRING,
    agent: STRING,
    allowable: { type: 'boolean', description: 'True: a rule or a mode could allow it.' },
    why: ref('reason'),
    key: { type: 'string', description: 'The same for equal calls, whoever makes them.' },
  },
  ['why', 'key'],
);
const outcomeFields: Schema = {
  status: ref('status'),
  result: { type: 'string', description: 'The final text.' },
  reason: { type: 'string', description: 'For a status other than done: one English sentence.' },
  why: ref('reason'),
  turns: COUNT,
  usage: ref('usage'),
  cost: { type: 'number', description: 'US dollars; absent when a price is not known.' },
  denied: listOf(ref('denied')),
  files: { ...listOf(STRING), description: 'Changed files, relative to the workspace.' },
  tests: { ...oneOf('red', 'green'), description: 'How the last test run ended; absent: none ran.' },
};

const parts: Schema[] = [
  object('Text.', { type: kind('text'), text: STRING, meta: true }, ['meta']),
  object("The model's reasoning.", { type: kind('reasoning'), text: STRING, meta: true }, ['meta']),
  object('An image, base64.', { type: kind('image'), mediaType: STRING, data: STRING }),
  object(
    'A native function call; `input` is the raw argument text.',
    { type: kind('call'), id: STRING, name: STRING, input: STRING, meta: true },
    ['meta'],
  ),
  object('The answer to a native function call.', {
    type: kind('result'),
    id: STRING,
    name: STRING,
    text: STRING,
    isError: BOOLEAN,
  }),
];

const change = object(
  'One edited file; long texts are left out.',
  { path: STRING, before: STRING, after: STRING, added: COUNT, removed: COUNT },
  ['before', 'after'],
);
const hit = object('One line found.', { path: STRING, line: COUNT, text: STRING });
const exitCode: Schema = { type: ['integer', 'null'] };
const displays: Schema[] = [
  object('Plain text.', { kind: kind('text'), text: STRING }),
  object('Lines of a file.', { kind: kind('file'), path: STRING, from: COUNT, to: COUNT, total: COUNT }),
  object('Edited files.', { kind: kind('diff'), changes: listOf(change) }),
  object('A listed folder.', { kind: kind('tree'), root: STRING, entries: COUNT }),
  object('Search hits; `more`: not all are listed.', { kind: kind('matches'), hits: listOf(hit), more: BOOLEAN }),
  object('A command that ran.', { kind: kind('process'), command: STRING, exitCode, signal: STRING, ms: { type: 'number' } }, [
    'signal',
  ]),
  object('A test run.', { kind: kind('tests'), command: STRING, passed: COUNT, failed: COUNT, skipped: COUNT, ok: BOOLEAN }),
  object('The task plan.', { kind: kind('plan'), tasks: listOf(ref('task')) }),
];

const result = object(
  'What a call came to. `code` is InvalidArgs, NotFound, OutsideWorkspace, Sensitive, Stale, Conflict, Blocked, Denied, Timeout, Aborted, Failed, ExitCode:n or an errno name.',
  {
    output: { type: 'string', description: 'What the model reads.' },
    isError: BOOLEAN,
    code: STRING,
    display: ref('display'),
    changed: listOf(STRING),
    ms: { type: 'number' },
    worker: ref('outcome'),
    attachment: object('An image or document, base64.', { mediaType: STRING, data: STRING }),
  },
  ['code', 'display', 'changed', 'ms', 'worker', 'attachment'],
);

const decision = object(
  'Why a call needs approval.',
  {
    verdict: oneOf('allow', 'ask', 'immune', 'deny'),
    step: { type: 'integer', minimum: 1, maximum: 8 },
    reason: STRING,
    why: ref('reason'),
    rule: object('The rule that decided.', { pattern: STRING, action: oneOf('allow', 'deny', 'ask'), origin: STRING }),
    part: STRING,
    code: STRING,
  },
  ['why', 'rule', 'part'],
);

const reason = object('A reason for translators: an English text with places {0}, {1} and what stands in them.', {
  text: STRING,
  values: { type: 'array', items: { anyOf: [STRING, { type: 'number' }, ref('reason')] } },
});

const definitions: Schema = {
  agent: { type: 'string', description: '`main`, or the id of a worker.' },
  time: { type: 'number', description: 'Milliseconds since 1970.' },
  status,
  usage,
  denied,
  outcome: object('How a run ended.', outcomeFields, ['reason', 'why', 'cost', 'tests']),
  part: { oneOf: parts },
  message: object(
    'An entry of the history.',
    {
      id: STRING,
      role: oneOf('user', 'assistant', 'tool'),
      parts: listOf(ref('part')),
      time: ref('time'),
      origin: oneOf('person', 'tool-results', 'correction', 'note'),
    },
    ['origin'],
  ),
  call: object(
    'A call in its canonical form.',
    {
      id: STRING,
      tool: STRING,
      args: { type: 'object' },
      source: oneOf('tag', 'native', 'user'),
      agent: ref('agent'),
      notes: listOf(STRING),
    },
    ['notes'],
  ),
  label: object('For people: what the call does, to what.', { verb: STRING, object: STRING }),
  task: object(
    'A task of the plan.',
    {
      id: COUNT,
      description: STRING,
      status: oneOf('pending', 'in_progress', 'completed', 'failed'),
      error: STRING,
      attempts: COUNT,
    },
    ['error'],
  ),
  display: { oneOf: displays },
  result,
  decision,
  reason,
};

const events: Schema[] = [
  event('run-start', 'A run begins.', {
    mode: STRING,
    task: STRING,
    provider: STRING,
    model: STRING,
    toolMode: oneOf('native', 'text'),
    permissionMode: oneOf('default', 'accept-edits', 'plan', 'auto'),
    workspace: STRING,
    session: STRING,
  }),
  event('turn-start', 'The model is asked; turns count from 1.', { turn: COUNT }),
  event('text-delta', "A piece of the model's text.", { text: STRING }),
  event('reasoning-delta', "A piece of the model's reasoning.", { text: STRING }),
  event(
    'turn-restart',
    'The service failed and is asked again: the text of this turn so far is void.',
    {
      reason: STRING,
      why: ref('reason'),
      waitMs: { type: 'number' },
      attempt: COUNT,
    },
    ['why'],
  ),
  event(
    'message-end',
    'A message entered the history.',
    { message: ref('message'), reason: oneOf('stop', 'calls', 'length', 'filter', 'other', 'error', 'aborted') },
    ['reason'],
  ),
  event('call-start', 'A call begins, or was refused before it began.', { call: ref('call'), label: ref('label') }),
  event('call-progress', 'Output of a call as it runs.', { callId: STRING, text: STRING }),
  event('approval-request', 'A person is asked.', { call: ref('call'), decision: ref('decision') }),
  event(
    'approval-response',
    'The answer; `changed`: the person said yes to this in place of what was asked.',
    {
      callId: STRING,
      answer: oneOf('yes', 'always', 'no', 'never', 'stopped'),
      changed: object('Other arguments for the same tool.', { args: { type: 'object' }, note: STRING }),
    },
    ['changed'],
  ),
  event(
    'call-end',
    'A call ended; `denied`: it was not allowed, and `reason` says why.',
    { call: ref('call'), result: ref('result'), denied: BOOLEAN, reason: STRING, why: ref('reason') },
    ['reason', 'why'],
  ),
  event('plan', 'The task plan as it is now.', { tasks: listOf(ref('task')) }),
  event(
    'worker-start',
    'A worker begins; `worker` is the id its own events bear, `kind` the agent, `callId` the call that asked for it.',
    { worker: STRING, kind: STRING, task: STRING, callId: STRING, model: STRING },
    ['model'],
  ),
  event('worker-end', 'A worker ended; `ms` since it got its slot.', {
    worker: STRING,
    outcome: ref('outcome'),
    ms: { type: 'number' },
  }),
  event('usage', 'Tokens of one call of the service; `cost` in US dollars.', { usage: ref('usage'), cost: { type: 'number' } }, [
    'cost',
  ]),
  event(
    'notice',
    'Something people should know; `code` and `values` for programs, `text` in English.',
    { level: oneOf('info', 'warn', 'error'), code: STRING, text: STRING, values: { type: 'object' } },
    ['values'],
  ),
  event('turn-end', 'The turn is over.', { turn: COUNT }),
  event('run-end', 'The run is over.', { outcome: ref('outcome') }),
  object(
    'The last line: the same object as `--output json`, with a type.',
    {
      type: kind('result'),
      ...outcomeFields,
      cost: { type: ['number', 'null'], description: 'US dollars; null when a price is not known.' },
      session: STRING,
    },
    ['reason', 'why', 'tests'],
  ),
];

/** Every line that `--output stream-json` writes validates against this. */
export const streamSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'ChatCLI event stream',
  description:
    'One line of `chatcli --output stream-json`. New fields and new types may be added; readers skip what they do not know.',
  oneOf: events,
  $defs: definitions,
};
