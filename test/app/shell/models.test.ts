/** `/switch`, `/model` and `/effort` against a real HTTP service on loopback. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlay, type Play } from './desk-play.js';

let server: Server;
let play: Play | undefined;
let requests: { readonly url: string; readonly key: string; readonly body: string }[];

beforeEach(async () => {
  requests = [];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    requests.push({ url: request.url ?? '', key: request.headers.authorization ?? '', body });
    if (request.url === '/v1/models') {
      response.setHeader('content-type', 'application/json');
      return response.end(JSON.stringify({ data: [{ id: 'b-model' }, { id: 'a-model' }] }));
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = (choice: object) =>
      response.write(
        `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [choice] })}\n\n`,
      );
    chunk({ index: 0, delta: { role: 'assistant', content: 'from the service' }, finish_reason: null });
    chunk({ index: 0, delta: {}, finish_reason: 'stop' });
    return response.end('data: [DONE]\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  await play?.close();
  play = undefined;
  await new Promise((resolve) => server.close(resolve));
});

const opened = async (): Promise<Play> => {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  play = await openPlay({
    turns: [{ text: 'from the first' }],
    env: { OLLAMA_BASE_URL: 'http://127.0.0.1:9', XAI_API_KEY: 'xai-key-123456', XAI_API_URL: address },
  });
  return play;
};

describe('/switch', () => {
  it('lists services with what they need, and takes over with the history', async () => {
    const { say, run, steering } = await opened();
    const list = await say('/switch');
    expect(list).toMatch(/\* +1 +OPENAI/);
    expect(list).toMatch(/XAI +key is set/);
    expect(list).toMatch(/CLAUDEAI +needs ANTHROPIC_API_KEY/);
    await run('remember the word pear', 'chat');
    expect(await say('/switch xai b-model')).toContain('XAI / b-model');
    const { outcome } = await run('which word?', 'chat');
    expect(outcome.result).toBe('from the service');
    const body = requests.at(-1)?.body ?? '';
    expect(requests.at(-1)?.key).toBe('Bearer xai-key-123456');
    for (const said of ['remember the word pear', 'from the first', 'which word?', '"model":"b-model"'])
      expect(body).toContain(said);
    const worker = await steering.open(undefined);
    expect([worker.service, worker.model]).toEqual(['XAI', 'b-model']);
    expect(await say('/cost')).toMatch(/main OPENAI\/gpt-5: 1 requests/);
  });

  it('leaves all as it is when the other one cannot be used', async () => {
    const { say, steering } = await opened();
    expect(await say('/switch CLAUDEAI')).toMatch(/ANTHROPIC_API_KEY[\s\S]*OPENAI stays/);
    expect(await say('/switch nothing')).toContain('OPENAI stays');
    expect(steering.chosen.service).toBe('OPENAI');
    expect(await say('/switch ollama any')).toContain('OLLAMA does not answer');
  });
});

describe('/model and /effort', () => {
  it('take the list of the service, a number or a name', async () => {
    const { say, run, desk, conversation } = await opened();
    await say('/switch XAI');
    const list = await say('/model');
    expect(list).toMatch(/1 +a-model[\s\S]*2 +b-model[\s\S]*As the service lists them/);
    expect(await say('/model 2')).toContain('XAI / b-model');
    expect(await say('/model other')).toContain('not in the list');
    const { complete } = desk.find('model') ?? {};
    expect(await complete?.('', desk.context(conversation), '')).toMatchObject([{ insert: 'a-model' }, { insert: 'b-model' }]);
    expect(await say('/effort huge')).toContain('no level huge');
    expect(await say('/effort high')).toContain('high');
    await run('think', 'chat');
    expect(requests.at(-1)?.body).toContain('"reasoning_effort":"high"');
    expect(requests.at(-1)?.body).toContain('"model":"other"');
  });

  it('shows known families where the service is not asked', async () => {
    const { say } = await opened();
    expect(await say('/model')).toMatch(/gpt-4o[\s\S]*known families/);
    expect(requests).toHaveLength(0);
  });
});
