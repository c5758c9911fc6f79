/** A word that is an object with fields no tool knows is refused as such, and not taken for a name, a text or a command. */
import { describe, expect, it } from 'vitest';
import { callFromUser } from '../../src/protocol/user-call.js';
import { TOOLS } from '../../src/tools/registry.js';

const run = (name: string, ...words: string[]) => callFromUser(name, words, { tools: TOOLS, agent: 'main', nextId: () => 'u1' });

describe.each(
  TOOLS.filter(({ positional, mainField }) => positional.length > 0 || mainField !== undefined).map(({ name }) => name),
)('%s', (name) => {
  it.each(['{"nosuch":1}', `{'nosuch':'a b'}`, ' { "nosuch": {"file":"a"}, "other": 2 }'])('%s', (word) => {
    const [head = '', ...rest] = name.split(' ');
    for (const call of [run(name, word), run(head, ...rest, word)]) {
      expect(call).toMatchObject({ ok: false, code: 'InvalidArgs' });
      expect(call.ok ? '' : call.message).toContain('unknown field "nosuch"');
    }
  });
});

it('braces that are no object stay what they were', () => {
  expect(run('@coder', 'exec', '{ ls; }')).toMatchObject({ ok: true, call: { args: { cmd: '{ ls; }' } } });
  expect(run('@coder', 'search', '{foo}')).toMatchObject({ ok: true, call: { args: { term: '{foo}' } } });
  expect(run('@coder', 'search', '--term', '{"foo":1}')).toMatchObject({ ok: true, call: { args: { term: '{"foo":1}' } } });
});
