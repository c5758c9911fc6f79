/** Images of results on their way to the model. */
import { expect, it } from 'vitest';
import type { ProviderEvent, ProviderFault } from '../../src/types/provider.js';
import { ok, run, textOf, tool } from './scripted-run.js';

const DATA = 'QUJD';
const camera = (mediaType = 'image/png', data = DATA) =>
  tool('@read', 'read', false, (file) => ok(`${file} is a picture.\n`, { attachment: { mediaType, data } }));
const LOOK = {
  calls: [
    ['read', { file: 'a' }],
    ['read', { file: 'b' }],
  ] as [string, { file: string }][],
};
const TAG = { text: `<tool_call name="@read" args='{"file":"a"}'/>` };

it('stand after the result they came with, where the model can see them', async () => {
  const { provider } = await run({ tools: [camera()], sees: ['image/png'], turns: [LOOK, { text: 'ok' }] });
  const parts = provider.requests[1]?.messages.at(-1)?.parts ?? [];
  expect(parts.map((part) => part.type)).toEqual(['result', 'image', 'result', 'image']);
  expect(parts[0]).toMatchObject({ text: 'a is a picture.\n[the image is attached]\n' });
  expect(parts[1]).toEqual({ type: 'image', mediaType: 'image/png', data: DATA });
});

it('follow the results in text mode', async () => {
  const { provider } = await run({ mode: 'text', tools: [camera()], sees: ['image/png'], turns: [TAG, { text: 'ok' }] });
  const message = provider.requests[1]?.messages.at(-1);
  expect(message?.role).toBe('user');
  expect(message?.parts.map((part) => part.type)).toEqual(['text', 'image']);
  expect(textOf(message)).toContain('[the image is attached]');
});

it('are left out where it cannot, and it is told', async () => {
  for (const [sees, mediaType, words] of [
    [undefined, 'image/png', 'cannot see images'],
    [['image/png'], 'application/pdf', 'cannot see documents'],
  ] as const) {
    const { provider } = await run({ tools: [camera(mediaType)], ...(sees ? { sees } : {}), turns: [LOOK, { text: 'ok' }] });
    const message = provider.requests[1]?.messages.at(-1);
    expect(message?.parts.map((part) => part.type)).toEqual(['result', 'result']);
    expect(textOf(message)).toContain(words);
    expect(JSON.stringify(provider.requests)).not.toContain(DATA);
  }
});

it('are not more than a request can carry', async () => {
  const { provider } = await run({
    tools: [camera('image/png', 'A'.repeat(8 * 1024 * 1024))],
    sees: ['image/png'],
    turns: [LOOK, LOOK, { text: 'ok' }],
  });
  const images = provider.requests[2]?.messages.flatMap((message) => message.parts).filter((part) => part.type === 'image');
  expect(images).toHaveLength(2);
  expect(textOf(provider.requests[2]?.messages.at(-1))).toContain('too many of them already');
});

const refusal = (kind: ProviderFault['kind']): { events: ProviderEvent[] } => ({
  events: [{ type: 'end', reason: 'error', fault: { kind, message: 'Could not process image', retryable: false } }],
});

it('are taken out of the history when the service refuses them, once, and people are told', async () => {
  const { outcome, provider, ofType } = await run({
    tools: [camera()],
    sees: ['image/png'],
    turns: [LOOK, refusal('bad-request'), { text: 'I cannot see it.' }],
  });
  expect(outcome).toMatchObject({ status: 'done', result: 'I cannot see it.' });
  expect(JSON.stringify(provider.requests[1]?.messages)).toContain(DATA);
  expect(JSON.stringify(provider.requests[2]?.messages)).not.toContain(DATA);
  expect(textOf(provider.requests[2]?.messages.at(-1))).toContain('[the image is not shown: the service refused it]');
  expect(ofType('notice').map((notice) => notice.code)).toEqual(['attachments-refused']);
  const still = await run({
    tools: [camera()],
    sees: ['image/png'],
    turns: [LOOK, refusal('bad-request'), refusal('bad-request')],
  });
  expect(still.outcome.status).toBe('provider');
  const other = await run({ tools: [camera()], sees: ['image/png'], turns: [LOOK, refusal('auth'), { text: 'x' }] });
  expect(other.outcome.status).toBe('provider');
});
