/** Marks that are broken a thousand times over are read in one go, and nothing that was not read is run. */
import { expect, it } from 'vitest';
import { parseReply } from '../../src/protocol/parse-reply.js';
import { FAKES } from './fake-tools.js';

const read = (text: string) => parseReply(text, { tools: FAKES, agent: 'main', nextId: () => 'c' });
const WHOLE = '<tool_call name="@read" args=\'{"file":"a"}\'/>';
const BROKEN = [
  '<tool_call name="@coder" args=\'{"cmd":"read","args":{"file":"a"}\n',
  '<tool_call name="@coder" args=\'{"cmd":"write","content":"it\'s x=\'\n',
  "<tool_call name='x' args='{x=' ",
  '<tool_call> x ',
  '<think>\n<tool_call name="x">',
  '<tool_call name="x" args=\'{"a" }\' z="\n',
];

it.each(BROKEN)('%j, five thousand times', (piece) => {
  const { calls } = read(piece.repeat(5000));
  expect(calls.filter((call) => call.ok)).toEqual([]);
});

it('comments that are not closed hide nothing and cost nothing', () => {
  expect(read(`${'<!-- '.repeat(40_000)}${WHOLE}`).calls).toMatchObject([{ ok: true }]);
  expect(read(`<!-- ${WHOLE} --> <!-- ${WHOLE}`).calls).toMatchObject([{ ok: true }]);
});

it('where a value ends is told by its brackets in each way of writing', () => {
  const file = (text: string) => read(text).calls.map((call) => (call.ok ? call.call.args['file'] : call.message));
  expect(file(`<tool_call name="@read" args='{"file":"it's a=' />"}'/>`)).toEqual(["it's a=' />"]);
  expect(file(`<tool_call name="@read" args="{\\"file\\":\\"a b=\\"}" />`)).toEqual(['a b=']);
  expect(file(`<tool_call name="@read" args="{&quot;file&quot;:&quot;}&quot;}"/>`)).toEqual(['}']);
  expect(file(`<tool_call name="@read" args="{&#34;file&#34;:&#34;a&#34;&#125;"/>`)).toEqual(['a']);
});
