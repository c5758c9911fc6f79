import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLiveText } from '../../src/ui/live-text.js';

function shown(deltas: readonly string[]): { text: string; reasoning: string } {
  const live = createLiveText();
  const pieces = [...deltas.flatMap((delta) => live.push(delta)), ...live.end()];
  return {
    text: pieces
      .filter((p) => !p.reasoning)
      .map((p) => p.text)
      .join(''),
    reasoning: pieces
      .filter((p) => p.reasoning)
      .map((p) => p.text)
      .join(''),
  };
}

const CASES: readonly (readonly [string, string, string])[] = [
  ['just text < 5 and <b>bold</b>', 'just text < 5 and <b>bold</b>', ''],
  ['a <tool_call name="@coder" args=\'{"cmd":"read"}\'/> b', 'a  b', ''],
  ['<tool_call name="x" args="a > b"/>z', 'z', ''],
  ['<tool_call name="x" args="say \\" > "/>z', 'z', ''],
  ['<tool_call name="x">{"a":"</b>"}</tool_call>z', 'z', ''],
  ['<agent_call agent="file" task="t"></agent_call>z', 'z', ''],
  ['<reasoning>think</reasoning>say', 'say', 'think'],
  ['<think>\nhm</think>\nsay', '\nsay', '\nhm'],
  ['done <result status="failed">no</result>', 'done no', ''],
  ['`<tool_call name="x"/>` is a tag', '`<tool_call name="x"/>` is a tag', ''],
  ['```xml\n<tool_call name="x"/>\n```\n<tool_call name="y"/>end', '```xml\n<tool_call name="x"/>\n```\nend', ''],
  ['~~~\n```\n<reasoning>\n~~~\nx', '~~~\n```\n<reasoning>\n~~~\nx', ''],
  ['<tool_caller>', '<tool_caller>', ''],
  ['cut <tool_call name="x" args=\'{"a', 'cut ', ''],
  ['ends with <tool_c', 'ends with <tool_c', ''],
  ['<<tool_call name="x"/>', '<', ''],
];

describe('live text', () => {
  it.each(CASES)('%j', (given, text, reasoning) => expect(shown([given])).toEqual({ text, reasoning }));

  it('is the same however the stream is cut', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CASES),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 80 }),
        ([given, text, reasoning], sizes) => {
          const deltas: string[] = [];
          let at = 0;
          for (const size of sizes) {
            deltas.push(given.slice(at, at + size));
            at += size;
          }
          deltas.push(given.slice(at));
          expect(shown(deltas)).toEqual({ text, reasoning });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is as new after the end of a message', () => {
    const live = createLiveText();
    live.push('<reasoning>open <tool_call x="');
    live.end();
    expect(live.push('fresh')).toEqual([{ text: 'fresh', reasoning: false }]);
  });

  it('streams large bodies and odd lines without looking at anything twice', () => {
    const big = `<tool_call name="x">${'a<'.repeat(200_000)}</tool_call>`;
    expect(shown(big.match(/[\s\S]{1,20}/g) ?? []).text).toBe('');
    expect(shown(['<'.repeat(300_000)]).text).toHaveLength(300_000);
  });
});
