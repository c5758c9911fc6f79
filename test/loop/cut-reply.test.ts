/** A reply that did not end by itself: only calls that are whole as they stand run. */
import { expect, it } from 'vitest';
import type { ProviderEvent } from '../../src/types/provider.js';
import { ok, run, tool } from './scripted-run.js';

type End = Extract<ProviderEvent, { type: 'end' }>['reason'];

async function ran(events: readonly ProviderEvent[], reason: End, mode: 'native' | 'text'): Promise<string[]> {
  const done: string[] = [];
  const note = (what: string) => (file: string) => {
    done.push(`${what} ${file}`);
    return ok('done');
  };
  await run({
    turns: [{ events: [...events, { type: 'end', reason }] }, { text: 'ok' }],
    tools: [tool('@read', 'read', false, note('read')), tool('@coder write', 'write', true, note('write'))],
    mode,
  });
  return done;
}

const text = (words: string): ProviderEvent => ({ type: 'text-delta', text: words });
const native = (name: string, input: string): ProviderEvent => ({ type: 'call', id: `${name}${input}`, name, input });

it('an envelope without its last brace', async () => {
  const cut = [text('{"cmd":"write","args":{"file":"log.txt"}')];
  for (const reason of ['length', 'filter', 'other'] as const) expect(await ran(cut, reason, 'text'), reason).toEqual([]);
  expect(await ran(cut, 'stop', 'text')).toEqual(['write log.txt']);
  const whole = [text('{"cmd":"write","args":{"file":"log.txt"}}')];
  for (const reason of ['other', 'stop', 'calls'] as const)
    expect(await ran(whole, reason, 'text'), reason).toEqual(['write log.txt']);
});

it('plain words as the arguments of a native call', async () => {
  for (const reason of ['length', 'filter', 'other'] as const) {
    expect(await ran([native('write', 'build')], reason, 'native'), reason).toEqual([]);
    // Only the last call can have been cut off.
    expect(await ran([native('read', 'a'), native('write', 'build')], reason, 'native'), reason).toEqual(['read a']);
    expect(await ran([native('write', '{"file":"build"}')], reason, 'native'), reason).toEqual(['write build']);
  }
  for (const reason of ['stop', 'calls'] as const)
    expect(await ran([native('write', 'build')], reason, 'native'), reason).toEqual(['write build']);
});
