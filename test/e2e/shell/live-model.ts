/** A model service on loopback whose every word the test says itself, piece by piece, so that each phase of a run can be held. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chat } from '../../helpers/wire/chat.js';
import type { Conversation, ScriptedCall, ScriptedUsage } from '../../helpers/wire/script.js';

/** One request that waits for its answer; nothing goes out before the first word. */
export interface LiveTurn {
  readonly told: Conversation;
  /** Settles when the connection is gone; true: before the answer was whole. */
  readonly gone: Promise<boolean>;
  say(text: string): LiveTurn;
  think(text: string): LiveTurn;
  end(usage?: ScriptedUsage): void;
  /** Ends the answer with calls. */
  call(calls: readonly ScriptedCall[], usage?: ScriptedUsage): void;
  /** A plain HTTP answer instead. */
  fail(status: number, headers?: Readonly<Record<string, string>>, message?: string): void;
  /** Tears the connection down. */
  cut(): void;
}

export interface LiveModel {
  readonly env: Readonly<Record<string, string>>;
  /** The next request nobody took yet; with words, the next whose first message of a person holds them. */
  turn(of?: string): Promise<LiveTurn>;
  /** How many requests came. */
  readonly count: number;
  close(): Promise<void>;
}

export async function startLiveModel(): Promise<LiveModel> {
  const waiting: LiveTurn[] = [];
  const takers: { readonly of: string | undefined; readonly take: (turn: LiveTurn) => void }[] = [];
  let count = 0;
  const server = createServer((incoming, outgoing) => {
    void answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (incoming.method === 'GET') return void outgoing.end(JSON.stringify({ object: 'list', data: [{ id: 'test-model' }] }));
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    count++;
    const turn = newTurn(outgoing, chat.read(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>));
    const at = takers.findIndex(({ of }) => fits(turn, of));
    const [taker] = at < 0 ? [] : takers.splice(at, 1);
    if (taker) taker.take(turn);
    else waiting.push(turn);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      OPENAI_API_KEY: 'sk-scripted-key-1234',
      OPENAI_API_URL: `http://127.0.0.1:${port}/v1/chat/completions`,
      OPENAI_MODEL: 'gpt-4o',
      CHATCLI_CODER_AUTODIAG: 'false',
    },
    get count() {
      return count;
    },
    turn(of) {
      const at = waiting.findIndex((turn) => fits(turn, of));
      const [turn] = at < 0 ? [] : waiting.splice(at, 1);
      return turn ? Promise.resolve(turn) : new Promise((take) => takers.push({ of, take }));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const fits = ({ told }: LiveTurn, of: string | undefined): boolean =>
  of === undefined || (told.turns.find(({ role }) => role === 'user')?.text ?? '').includes(of);

function newTurn(outgoing: ServerResponse, told: Conversation): LiveTurn {
  const gone = new Promise<boolean>((resolve) => outgoing.once('close', () => resolve(!outgoing.writableFinished)));
  const event = (data: object | string): void => {
    if (outgoing.destroyed) return;
    if (!outgoing.headersSent) {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      outgoing.socket?.setNoDelay(true);
    }
    outgoing.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  };
  const base = { id: 'r', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'test-model' };
  const delta = (part: object, finish: string | null = null): void =>
    event({ ...base, choices: [{ index: 0, delta: part, finish_reason: finish }] });
  const finish = (reason: string, usage: ScriptedUsage): void => {
    delta({}, reason);
    const { input = 1000, output = 100, cacheRead = 0 } = usage;
    const counts = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
    event({ ...base, choices: [], usage: { ...counts, prompt_tokens_details: { cached_tokens: cacheRead } } });
    event('[DONE]');
    outgoing.end();
  };
  const turn: LiveTurn = {
    told,
    gone,
    say(content) {
      delta({ content });
      return turn;
    },
    think(reasoning_content) {
      delta({ reasoning_content });
      return turn;
    },
    end: (usage = {}) => finish('stop', usage),
    call(calls, usage = {}) {
      for (const [index, { id, name, input }] of calls.entries()) {
        const written = typeof input === 'string' ? input : JSON.stringify(input);
        delta({ tool_calls: [{ index, id: id ?? `c${index}`, type: 'function', function: { name, arguments: written } }] });
      }
      finish('tool_calls', usage);
    },
    fail(status, headers = {}, message = `status ${status}`) {
      outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
      outgoing.end(JSON.stringify({ error: { message, type: 'api_error', param: null, code: null } }));
    },
    cut: () => void outgoing.destroy(),
  };
  return turn;
}
