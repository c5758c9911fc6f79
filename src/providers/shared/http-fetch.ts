/**
 * A fetch over `node:http`, for single requests whose answer is a stream. The platform's own compiles a parser first, which
 * costs more than the rest of a short run. No redirects, no cookies, no cache, no compression.
 */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { Fetch } from './wire.js';

/** Statuses that have no body. */
const EMPTY = new Set([204, 205, 304]);

/** Rejects with a TypeError whose `cause` is the network's error, as fetch does. */
export const httpFetch: Fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const headers: Record<string, string> = {};
  new Headers(init?.headers).forEach((value, name) => {
    headers[name] = value;
  });
  headers['accept-encoding'] = 'identity';
  return new Promise<Response>((resolve, reject) => {
    const fail = (cause: unknown): void => reject(Object.assign(new TypeError('fetch failed'), { cause }));
    const outgoing = request(url, { method: init?.method ?? 'GET', headers, ...(init?.signal ? { signal: init.signal } : {}) });
    outgoing.on('error', fail);
    outgoing.on('response', (incoming) => {
      try {
        resolve(responseOf(incoming));
      } catch (error) {
        incoming.destroy();
        fail(error);
      }
    });
    outgoing.on('upgrade', (_incoming, socket) => {
      socket.destroy();
      fail(new Error('the service answered with a change of protocol'));
    });
    const { body } = init ?? {};
    if (body === undefined || body === null) outgoing.end();
    else if (typeof body === 'string' || body instanceof Uint8Array) outgoing.end(body);
    else fail(new Error('only text and bytes can be sent'));
  });
};

function responseOf(incoming: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headersDistinct)) for (const one of value ?? []) headers.append(name, one);
  const status = incoming.statusCode ?? 0;
  if (status < 200 || status > 599) throw new Error(`the service answered with the status ${status}, which HTTP does not know`);
  if (EMPTY.has(status)) incoming.resume();
  const body = EMPTY.has(status) ? null : (Readable.toWeb(incoming) as unknown as ReadableStream<Uint8Array>);
  return new Response(body, { status, statusText: incoming.statusMessage ?? '', headers });
}
