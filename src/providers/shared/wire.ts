/** The fetch under the SDK: our address, our headers, a watch on silence, and notes on how the bytes ended. */

export type Fetch = typeof globalThis.fetch;

/** What one request's bytes told, beside what the SDK makes of them. */
export interface WireNotes {
  /** No byte came for the allowed time; the request was cancelled. */
  idle: boolean;
  /** The stream carried the end mark `data: [DONE]`. */
  done: boolean;
  status: number;
  contentType: string;
  /** Where a redirect pointed. */
  location: string;
}

export function newWireNotes(): WireNotes {
  return { idle: false, done: false, status: 0, contentType: '', location: '' };
}

export interface WireOptions {
  readonly fetch: Fetch;
  /** Milliseconds without a byte, connecting included. */
  readonly idleMs: number;
  readonly notes: WireNotes;
  /** Cancels the request as a whole. */
  readonly stop: AbortController;
  /** Used instead of the address the SDK made. */
  readonly url?: string;
}

const DONE_MARK = 'data: [DONE]';
const DONE_MARK_TIGHT = 'data:[DONE]';

/** A fetch for exactly one request. Redirects are not followed: the key would travel with them. */
export function wireFetch(options: WireOptions): Fetch {
  const { notes, stop } = options;
  const watch = silenceWatch(options);
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('user-agent', 'chatcli');
    watch.start();
    try {
      const response = await options.fetch(options.url ?? (input as string | URL), {
        ...init,
        headers,
        redirect: 'manual',
        signal: stop.signal,
      });
      notes.status = response.status;
      notes.contentType = response.headers.get('content-type') ?? '';
      notes.location = response.headers.get('location') ?? '';
      const { status, statusText } = response;
      const body = response.body ? watched(response.body, watch, notes) : null;
      return new Response(body, { status, statusText, headers: response.headers });
    } finally {
      watch.stop();
    }
  };
}

interface Watch {
  start(): void;
  stop(): void;
}

function silenceWatch({ idleMs, notes, stop }: WireOptions): Watch {
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        notes.idle = true;
        stop.abort(new Error('idle'));
      }, idleMs);
    },
    stop() {
      clearTimeout(timer);
    },
  };
}

/** Passes bytes on. The clock runs only while we wait for the service, never while our reader is slow. */
function watched(body: ReadableStream<Uint8Array>, watch: Watch, notes: WireNotes): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let tail = '';
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      watch.start();
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        if (!notes.done) {
          const text = tail + Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1');
          notes.done = text.includes(DONE_MARK) || text.includes(DONE_MARK_TIGHT);
          tail = text.slice(-DONE_MARK.length);
        }
        controller.enqueue(value);
      } catch (error) {
        controller.error(error);
      } finally {
        watch.stop();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
