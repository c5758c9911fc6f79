/** A model service on loopback that speaks a real wire format and keeps a journal of what it was asked. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropic } from './anthropic.js';
import { chat } from './chat.js';
import { google } from './google.js';
import { responses } from './responses.js';
import type { Answer, Codec, HttpFault, Script, Trouble, WireEvent, WireFormat, WireRequest } from './script.js';

const CODECS: Record<WireFormat, Codec> = { chat, responses, anthropic, google };

export interface WireServerOptions {
  readonly format: WireFormat;
  readonly script: Script;
  /** Bytes per network write; each is a chunk of its own for the reader. Absent: one write per event. */
  readonly chunkBytes?: number;
  /** Two writes, the first of so many bytes. */
  readonly splitAt?: number;
  /** Models a GET of `…/models` lists; such requests are not journaled. */
  readonly models?: readonly string[];
}

export interface WireServer {
  readonly format: WireFormat;
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Every request so far, in order. */
  readonly requests: readonly WireRequest[];
  /** Ends all connections too. */
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1. A request past the end of a script list is answered 500 with a plain message. */
export async function startWireServer(options: WireServerOptions): Promise<WireServer> {
  const requests: WireRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing, options, requests).catch((error: unknown) => {
      if (!outgoing.headersSent) outgoing.writeHead(500, { 'content-type': 'text/plain' });
      outgoing.end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { format: options.format, url: `http://127.0.0.1:${port}`, requests, close: () => closeServer(server) };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function handle(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: WireServerOptions,
  journal: WireRequest[],
): Promise<void> {
  const codec = CODECS[options.format];
  if (incoming.method === 'GET') return sendModels(outgoing, options.models ?? ['test-model']);
  const request = await readRequest(incoming, outgoing, codec);
  const index = journal.push(request) - 1;
  const reply = typeof options.script === 'function' ? await options.script(request, index) : options.script[index];
  if (!reply) return sendFault(outgoing, { status: 500, body: `the script has no reply number ${index + 1}` }, codec);
  if ('status' in reply) return sendFault(outgoing, reply, codec);
  await sendAnswer(outgoing, reply, options, { codec, model: String(request.body['model'] ?? 'model'), id: `r${index + 1}` });
}

async function readRequest(incoming: IncomingMessage, outgoing: ServerResponse, codec: Codec): Promise<WireRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  const body = raw.length > 0 ? (JSON.parse(raw.toString('utf8')) as Record<string, unknown>) : {};
  const gone = new Promise<boolean>((resolve) => outgoing.once('close', () => resolve(!outgoing.writableFinished)));
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    body,
    raw,
    conversation: codec.read(body),
    gone,
  };
}

function sendModels(outgoing: ServerResponse, models: readonly string[]): void {
  outgoing.writeHead(200, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify({ object: 'list', data: models.map((id) => ({ id, object: 'model' })) }));
}

function sendFault(outgoing: ServerResponse, fault: HttpFault, codec: Codec): void {
  const body = fault.body ?? codec.httpError(fault.status, fault.message ?? `status ${fault.status}`);
  const isText = typeof body === 'string';
  outgoing.writeHead(fault.status, { 'content-type': isText ? 'text/plain' : 'application/json', ...fault.headers });
  outgoing.end(isText ? body : JSON.stringify(body));
}

async function sendAnswer(
  outgoing: ServerResponse,
  reply: Answer & Trouble,
  options: WireServerOptions,
  context: { codec: Codec; model: string; id: string },
): Promise<void> {
  if (reply.delayMs) await new Promise((resolve) => setTimeout(resolve, reply.delayMs));
  if (reply.hang && reply.afterBytes === undefined) return;
  if (reply.reset && reply.afterBytes === undefined) return void outgoing.destroy();
  const events = context.codec.encode(reply, context);
  if (reply.malformed) events.unshift({ data: '{"choices": [ not json' });
  if (reply.streamError) events.splice(Math.ceil(events.length / 2), events.length, context.codec.streamError(reply.streamError));
  const limit = reply.cutAfterBytes ?? reply.afterBytes;
  const writes = inWrites(events, options);
  outgoing.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  outgoing.socket?.setNoDelay(true);
  let left = limit ?? Number.POSITIVE_INFINITY;
  for (const bytes of writes) {
    if (outgoing.destroyed || left <= 0) break;
    await write(outgoing, bytes.subarray(0, left));
    left -= bytes.length;
  }
  if (reply.hang) return;
  if (reply.reset) return void outgoing.destroy();
  outgoing.end();
}

function inWrites(events: readonly WireEvent[], options: WireServerOptions): Buffer[] {
  const whole = events.map((event) => Buffer.from(`${event.name ? `event: ${event.name}\n` : ''}data: ${event.data}\n\n`));
  if (options.chunkBytes === undefined && options.splitAt === undefined) return whole;
  const bytes = Buffer.concat(whole);
  if (options.splitAt !== undefined) return [bytes.subarray(0, options.splitAt), bytes.subarray(options.splitAt)];
  const size = options.chunkBytes ?? bytes.length;
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size));
}

/** One write, flushed before the next: the reader sees the pieces as they are. */
function write(outgoing: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => outgoing.write(bytes, () => resolve()));
}

/** Bytes of an answer in a format, to choose places to cut it at. */
export function answerBytes(format: WireFormat, answer: Answer): Buffer {
  return Buffer.concat(inWrites(CODECS[format].encode(answer, { model: 'test-model', id: 'r1' }), { format, script: [] }));
}
