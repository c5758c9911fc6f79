/** Speaks JSON-RPC with one server process: every request has an end, every fault ends the connection once. */
import type { Readable, Writable } from 'node:stream';
import type { CancellationToken, DataCallback, Message } from 'vscode-jsonrpc/node';
import { ToolFault } from '../../types/tool.js';
import { createFrameReader, FrameFault, isTooDeep } from './frames.js';

export interface RequestOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface Connection {
  /** Throws ToolFault: `Timeout`, `Aborted`, or `Failed` with what the server said. */
  request(method: string, params: unknown, options: RequestOptions): Promise<unknown>;
  notify(method: string, params: unknown): void;
  /** English sentence without its full stop; set once the connection is of no use any more. */
  fault(): string | undefined;
  close(): void;
}

export interface Handlers {
  /** Must not throw. */
  notification(method: string, params: unknown): void;
  /** The answer to a request of the server; undefined: we do not know this method. */
  request(method: string, params: unknown): { readonly result: unknown } | undefined;
  /** The connection is of no use any more. Called once. */
  fault(reason: string): void;
}

const METHOD_NOT_FOUND = -32601;
/** Bytes that may wait for a server that does not read. */
const MOST_UNREAD = 64 * 1024 * 1024;
const LONGEST_REASON = 300;
/** What the library says in place of an answer: it could not write or read, or was closed. */
const OWN_CODES: ReadonlySet<number> = new Set([-32099, -32098, -32097, -32096]);
const LAST_WORDS_MS = 30;
const DEAF_MS = 500;

/** Error codes of the protocol that mean: ask again. */
export const AGAIN_CODES: ReadonlySet<number> = new Set([-32802, -32801, -32800]);

/** What a server answered instead of a result. */
export class ServerError extends ToolFault {
  readonly number: number;
  constructor(number: number, message: string) {
    super('Failed', message);
    this.number = number;
  }
}

/** Loads the JSON-RPC library (once) and listens. `output` is what the server writes. */
export async function openConnection(
  streams: { readonly output: Readable; readonly input: Writable },
  handlers: Handlers,
): Promise<Connection> {
  const rpc = await import('vscode-jsonrpc/node');
  let reason: string | undefined;
  let broke: () => void = () => undefined;
  const broken = new Promise<void>((resolve) => {
    broke = resolve;
  });
  const fail = (text: string) => {
    if (reason !== undefined) return;
    reason = text;
    broke();
    connection.dispose();
    handlers.fault(text);
  };

  class GuardedReader extends rpc.AbstractMessageReader {
    listen(callback: DataCallback) {
      const frames = createFrameReader(() => performance.now());
      const onData = (chunk: Buffer) => {
        try {
          for (const body of frames.push(chunk)) accept(body, callback);
        } catch (error) {
          streams.output.off('data', onData).resume();
          fail(error instanceof FrameFault ? error.message : 'its output cannot be read');
        }
      };
      streams.output.on('data', onData);
      streams.output.on('error', () => fail('its output broke off'));
      // Its last words on standard error may still be on their way.
      const ended = () => void setTimeout(() => fail('it has ended'), LAST_WORDS_MS);
      streams.output.on('close', ended);
      streams.output.on('end', ended);
      return { dispose: () => void streams.output.off('data', onData) };
    }
  }

  // Mostly it has ended, which is said when its output ends.
  streams.input.on('error', () => void setTimeout(() => fail('it takes no input any more'), DEAF_MS));
  const connection = rpc.createMessageConnection(new GuardedReader(), new rpc.StreamMessageWriter(streams.input), {
    error: () => undefined,
    warn: () => undefined,
    info: () => undefined,
    log: () => undefined,
  });
  connection.onError(() => undefined);
  connection.onNotification((method: string, params: unknown) => handlers.notification(method, params));
  connection.onRequest((method: string, params: unknown) => {
    const answer = handlers.request(method, params);
    if (answer === undefined) return new rpc.ResponseError(METHOD_NOT_FOUND, `unknown method ${method.slice(0, 80)}`);
    return answer.result as object | null;
  });
  connection.listen();

  return {
    fault: () => reason,
    notify(method, params) {
      if (reason !== undefined) return;
      if (streams.input.writableLength > MOST_UNREAD) return fail('it does not read what it is sent');
      const sent = params === undefined ? connection.sendNotification(method) : connection.sendNotification(method, params);
      void sent.catch(() => undefined);
    },
    async request(method, params, { timeoutMs, signal }) {
      if (reason !== undefined) throw new ToolFault('Failed', reason);
      if (signal?.aborted) throw new ToolFault('Aborted', 'the run was stopped');
      const cancel = new rpc.CancellationTokenSource();
      const send = (token: CancellationToken) =>
        params === undefined
          ? connection.sendRequest<unknown>(method, token)
          : connection.sendRequest<unknown>(method, params, token);
      const answer = send(cancel.token).catch(async (error: unknown) => {
        const { code } = error as { code?: unknown };
        const number = typeof code === 'number' && !OWN_CODES.has(code) ? code : undefined;
        // Not the server's answer: it could not be asked, and why is known soon.
        if (number === undefined) await broken;
        const said = reason ?? `it answered ${method} with: ${reasonOf(error)}`;
        throw new ServerError(number ?? 0, said);
      });
      return raced(answer, { method, timeoutMs, signal, stop: () => cancel.cancel() });
    },
    close() {
      reason ??= 'it was ended';
      broke();
      connection.dispose();
    },
  };
}

/** What is no message is passed over; the library would give up for it. */
function accept(body: Buffer, callback: DataCallback): void {
  if (isTooDeep(body)) throw new FrameFault('its message nests without end');
  let message: unknown;
  try {
    message = JSON.parse(body.toString('utf8'));
  } catch {
    throw new FrameFault('its message is no JSON');
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return;
  const { method, id } = message as { method?: unknown; id?: unknown };
  const fits = typeof method === 'string' || (method === undefined && (typeof id === 'string' || typeof id === 'number'));
  if (fits) callback({ ...message, jsonrpc: '2.0' } as Message);
}

interface Race {
  readonly method: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  stop(): void;
}

async function raced(answer: Promise<unknown>, { method, timeoutMs, signal, stop }: Race): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: () => void = () => undefined;
  const end = new Promise<never>((_, reject) => {
    const refuse = (fault: ToolFault) => {
      stop();
      reject(fault);
    };
    const late = () => refuse(new ToolFault('Timeout', `it did not answer ${method} within ${timeoutMs / 1000} s`));
    onAbort = () => refuse(new ToolFault('Aborted', 'the run was stopped'));
    timer = setTimeout(late, timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([answer, end]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    answer.catch(() => undefined);
  }
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.slice(0, LONGEST_REASON);
}
