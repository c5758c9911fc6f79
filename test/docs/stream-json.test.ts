/** The published schema of stream-json is the one of the code, knows every event, and real output fits it. `npx vitest run test/docs -u` renews the file. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Validator } from '@cfworker/json-schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startModel } from '../../bench/lib.mjs';
import type { AgentEvent } from '../../src/types/event.js';
import { streamSchema } from '../../src/ui/stream-schema.js';
import { program } from '../helpers/program.js';

const ROOT = resolve(import.meta.dirname, '../..');

interface EventSchema {
  readonly properties: { readonly type: { readonly const: string } };
}
const EVENTS = streamSchema['oneOf'] as unknown as readonly EventSchema[];
const nameOf = (event: EventSchema) => event.properties.type.const;

/** The compiler names what is missing here when an event is added. */
const TYPES: Record<Exclude<AgentEvent['type'], 'provider-event'>, true> = {
  'run-start': true,
  'turn-start': true,
  'text-delta': true,
  'reasoning-delta': true,
  'turn-restart': true,
  'message-end': true,
  'call-start': true,
  'call-progress': true,
  'approval-request': true,
  'approval-response': true,
  'call-end': true,
  plan: true,
  'worker-start': true,
  'worker-end': true,
  usage: true,
  notice: true,
  'turn-end': true,
  'run-end': true,
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chatcli-stream-'));
  cpSync(join(ROOT, 'demo/sample'), join(folder, 'ws'), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('docs/stream-json.schema.json', () => {
  it('is the schema of the code', async () => {
    await expect(`${JSON.stringify(streamSchema, null, 2)}
`).toMatchFileSnapshot(join(ROOT, 'docs/stream-json.schema.json'));
  });

  it('knows every event, and the result line', () => {
    const known = EVENTS.map(nameOf);
    expect([...known].sort()).toEqual([...Object.keys(TYPES), 'result'].sort());
    const page = readFileSync(join(ROOT, 'docs/output-formats.md'), 'utf8');
    expect(known.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('fits what a run prints: reads, a patch, a denied command, a plan, an answer', async () => {
    const replies = [
      {
        text: 'Looking.',
        calls: [
          { name: 'read', input: { file: 'src/discounts.js' } },
          { name: 'search', input: { term: 'TIERS' } },
        ],
      },
      { calls: [{ name: 'todo', input: { cmd: 'write', todos: [{ description: 'mend the tiers' }] } }] },
      {
        calls: [
          { name: 'patch', input: { file: 'src/discounts.js', search: 'TIERS.find(', replace: 'TIERS.findLast(' } },
          { name: 'exec', input: { cmd: 'npm test' } },
        ],
      },
      { text: 'Done.' },
    ];
    const model = await startModel((_body: unknown, index: number) => replies[index] ?? { text: 'Done.' });
    const env = { PATH: process.env['PATH'], HOME: folder, TERM: 'dumb', ...model.env };
    const args = [
      await program(),
      'coder',
      'mend it',
      '--model',
      'trial',
      '--output',
      'stream-json',
      '--permission-mode',
      'accept-edits',
    ];
    const child = spawn(process.execPath, args, { cwd: join(folder, 'ws'), env, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (part) => {
      output += part;
    });
    const [code] = await once(child, 'close');
    model.close();
    expect(code, output).toBe(3);
    const lines = output.trimEnd().split('\n');
    for (const line of lines) {
      const event = JSON.parse(line);
      const fitting = EVENTS.find((one) => nameOf(one) === event.type);
      const verdict = new Validator({ ...fitting, $defs: streamSchema['$defs'] } as never, '2020-12', false).validate(event);
      expect(fitting, line).toBeDefined();
      expect(
        verdict.valid,
        `${line}
${JSON.stringify(verdict.errors, null, 1)}`,
      ).toBe(true);
    }
    const ends = lines.map((line) => JSON.parse(line)).filter((event) => event.type === 'call-end');
    expect(ends.map((event) => `${event.call.tool} ${event.result.code ?? 'ok'}`).sort()).toEqual([
      '@coder exec Denied',
      '@coder patch ok',
      '@read ok',
      '@search ok',
      '@todo ok',
    ]);
    const types = lines.map((line) => JSON.parse(line).type);
    for (const type of [
      'run-start',
      'turn-start',
      'text-delta',
      'message-end',
      'call-start',
      'call-end',
      'plan',
      'usage',
      'turn-end',
      'run-end',
    ])
      expect(types).toContain(type);
    expect(types.slice(-2)).toEqual(['run-end', 'result']);
  });
});
