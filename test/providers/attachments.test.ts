/** Images and documents of results in every wire format, as real services take them. */
import { afterEach, expect, it } from 'vitest';
import { canSee } from '../../src/providers/shared/catalogue.js';
import type { Message, Part } from '../../src/types/message.js';
import { pdf, png } from '../helpers/images.js';
import { ask, assistant, request, results, user } from '../helpers/wire/converse.js';
import type { WireFormat } from '../helpers/wire/script.js';
import { closeServers, serve } from './setup.js';

afterEach(closeServers);

const IMAGE: Part = { type: 'image', mediaType: 'image/png', data: png(1, 1).toString('base64') };
const DOCUMENT: Part = { type: 'image', mediaType: 'application/pdf', data: pdf().toString('base64') };

/** Two calls; the first result brought an image, the second a document. */
function history(): Message[] {
  const answers = results({ id: 'c1', name: 'read', text: 'a picture' }, { id: 'c2', name: 'read', text: 'a paper' });
  const [first, second] = answers.parts;
  return [
    user('look'),
    assistant(
      { type: 'call', id: 'c1', name: 'read', input: '{"file":"a"}' },
      { type: 'call', id: 'c2', name: 'read', input: '{"file":"b"}' },
    ),
    { ...answers, parts: [first, IMAGE, second, DOCUMENT].filter((part) => part !== undefined) },
  ];
}

async function sent(format: WireFormat, messages = history(), model = 'test-model', env = {}): Promise<Record<string, unknown>> {
  const { provider, server } = await serve(format, [{ text: 'seen' }], { env });
  const reply = await ask(provider, request(messages, { model }));
  expect(reply).toMatchObject({ reason: 'stop', text: 'seen' });
  return server.requests[0]?.body ?? {};
}

const dataUrl = (part: typeof IMAGE) => (part.type === 'image' ? `data:${part.mediaType};base64,${part.data}` : '');
const last = (list: unknown, count: number) => (Array.isArray(list) ? list.slice(-count) : []);

it('anthropic: inside the result they came with', async () => {
  const [message] = last((await sent('anthropic'))['messages'], 1);
  expect(message).toMatchObject({
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 'c1',
        content: [
          { type: 'text', text: 'a picture' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: IMAGE.type === 'image' ? IMAGE.data : '' } },
        ],
      },
      {
        type: 'tool_result',
        tool_use_id: 'c2',
        content: [
          { type: 'text', text: 'a paper' },
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf' } },
        ],
      },
    ],
  });
});

it('chat: in a message after the results, which are text only', async () => {
  expect(last((await sent('chat'))['messages'], 3)).toMatchObject([
    { role: 'tool', tool_call_id: 'c1', content: 'a picture' },
    { role: 'tool', tool_call_id: 'c2', content: 'a paper' },
    {
      role: 'user',
      content: [
        { type: 'text', text: '[from the result of read]' },
        { type: 'image_url', image_url: { url: dataUrl(IMAGE) } },
        { type: 'text', text: '[from the result of read]' },
        { type: 'file', file: { filename: 'document.pdf', file_data: dataUrl(DOCUMENT) } },
      ],
    },
  ]);
});

it('ollama: the same as chat', async () => {
  const { server } = await serve('chat', []);
  const { provider } = await serve('chat', [], { env: { LLM_PROVIDER: 'OLLAMA', OLLAMA_BASE_URL: server.url } });
  await ask(provider, request(history(), { model: 'llava' }));
  const body = JSON.stringify(server.requests[0]?.body);
  expect(body).toContain(`"image_url":{"url":"${dataUrl(IMAGE)}"}`);
});

it('responses: inside the output of the call', async () => {
  expect(last((await sent('responses'))['input'], 2)).toMatchObject([
    {
      type: 'function_call_output',
      call_id: 'c1',
      output: [
        { type: 'input_text', text: 'a picture' },
        { type: 'input_image', image_url: dataUrl(IMAGE) },
      ],
    },
    {
      type: 'function_call_output',
      call_id: 'c2',
      output: [{ type: 'input_text' }, { type: 'input_file', file_data: dataUrl(DOCUMENT) }],
    },
  ]);
});

it('google: as inline data, inside the response where the model takes it there', async () => {
  const inline = { inlineData: { mimeType: 'image/png', data: IMAGE.type === 'image' ? IMAGE.data : '' } };
  const older = JSON.stringify(last((await sent('google', history(), 'gemini-2.5-flash'))['contents'], 1));
  expect(older).toContain(JSON.stringify(inline));
  expect(older).toContain('"mimeType":"application/pdf"');
  const [newer] = last((await sent('google', history(), 'gemini-3-pro-preview'))['contents'], 1);
  expect(newer).toMatchObject({
    parts: [{ functionResponse: { name: 'read', parts: [inline] } }, { functionResponse: { name: 'read' } }],
  });
});

it('goes as plain parts of a user message in text mode, and where functions are no longer offered', async () => {
  const text: Message = {
    id: 'x',
    role: 'user',
    parts: [{ type: 'text', text: 'Results' }, IMAGE],
    time: 0,
    origin: 'tool-results',
  };
  expect(JSON.stringify((await sent('chat', [user('look'), text]))['messages'])).toContain(dataUrl(IMAGE));
  const { provider, server } = await serve('anthropic', [{ text: 'seen' }]);
  await ask(provider, request(history(), { functions: [] }));
  const body = JSON.stringify(server.requests[0]?.body);
  expect(body).toContain('"media_type":"image/png"');
  expect(body).not.toContain('tool_result');
});

it('knows which models can be shown what', async () => {
  const seen = (service: string, model: string) => [
    canSee(service, model, 'image/png'),
    canSee(service, model, 'application/pdf'),
  ];
  expect(seen('CLAUDEAI', 'claude-sonnet-4-6')).toEqual([true, true]);
  expect(seen('OPENAI', 'gpt-4o')).toEqual([true, true]);
  expect(seen('OPENAI', 'o3-mini')).toEqual([false, false]);
  expect(seen('GOOGLEAI', 'gemini-2.5-flash')).toEqual([true, true]);
  expect(seen('OLLAMA', 'llava:13b')).toEqual([true, false]);
  expect(seen('OLLAMA', 'llama3.2:3b')).toEqual([false, false]);
  expect(seen('OPENROUTER', 'unknown/model')).toEqual([false, false]);
  expect(canSee('COMPATIBLE', 'mine', 'image/png', { mine: { images: true } })).toBe(true);
  const { provider } = await serve('anthropic', []);
  expect([provider.sees?.('claude-opus-4-6', 'image/png'), provider.sees?.('other', 'image/png')]).toEqual([true, false]);
});
