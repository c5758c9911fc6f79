/** One request through the SDK as our stream of events: never throws, stops at once, every failure sorted. */
import type { Provider, ProviderEvent, ProviderFault, ProviderRequest } from '../../types/provider.js';
import { because, english } from '../../types/reason.js';
import { canSee } from './catalogue.js';
import { convertMessages } from './convert-messages.js';
import { endReason, StreamConverter, type StreamEnd } from './convert-stream.js';
import type { ProviderEntry, ProviderSettings } from './entry.js';
import { type FaultContext, faultOf, ownFault } from './fault.js';
import { findKey, KeyFault } from './key.js';
import { fetchFor } from './proxy.js';
import { secretsOf } from './redact.js';
import type { CallOptions, DialectId, SdkModel, ServiceOptions, StreamPart } from './sdk-types.js';
import { isStrayEvent } from './stray-event.js';
import { type Fetch, newWireNotes, type WireNotes, wireFetch } from './wire.js';

/** Default silence before a request counts as dead; a server of one's own may first have to load a model. */
const IDLE_MS = 90_000;
const LOCAL_IDLE_MS = 280_000;

/** What differs between services: the address, the model object, a few options. */
export interface SdkService {
  readonly entry: Pick<ProviderEntry, 'name' | 'keyVariables' | 'namedKeyVariables' | 'keyless'>;
  readonly dialect: DialectId;
  readonly sendReasoning?: boolean;
  /** Address of the requests, for the choice of the proxy and for messages. */
  readonly url: string;
  /** The SDK's own address is replaced by `url` (services whose variable is a full path). */
  readonly replaceUrl?: boolean;
  /** Loads the SDK and makes a model object for one request. */
  model(id: string, access: { readonly key: string | undefined; readonly fetch: Fetch }): Promise<SdkModel>;
  options?(request: ProviderRequest): ServiceOptions | undefined;
  maxOutputTokens?(request: ProviderRequest): number | undefined;
}

/** A provider for the service. Key and proxy are looked up at the first request, once. */
export function sdkProvider(service: SdkService, settings: ProviderSettings): Provider {
  const access: Access = {
    key: once((signal) => findKey(service.entry, settings, { signal })),
    fetch: once(() => fetchFor(service.url, settings.env)),
  };
  return {
    name: service.entry.name,
    stream: (request, { signal }) => oneRequest({ service, settings, access, request, signal }),
    sees: (model, mediaType) => canSee(service.entry.name, model, mediaType, settings.config.models),
  };
}

interface Access {
  key(signal: AbortSignal): Promise<string | undefined>;
  fetch(signal: AbortSignal): Promise<Fetch>;
}

/** Keeps the first success; a failure (a locked key store) is tried again the next time. */
function once<T>(make: (signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T> {
  let made: Promise<T> | undefined;
  return (signal) => {
    made ??= make(signal).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

interface Attempt {
  readonly service: SdkService;
  readonly settings: ProviderSettings;
  readonly access: Access;
  readonly request: ProviderRequest;
  readonly signal: AbortSignal;
}

async function* oneRequest(attempt: Attempt): AsyncGenerator<ProviderEvent, void, undefined> {
  const { signal } = attempt;
  if (signal.aborted) {
    yield { type: 'end', reason: 'aborted' };
    return;
  }
  const stop = new AbortController();
  const cancel = () => stop.abort(signal.reason);
  signal.addEventListener('abort', cancel, { once: true });
  const notes = newWireNotes();
  const stopped = new Promise<'stopped'>((resolve) =>
    stop.signal.addEventListener('abort', () => resolve('stopped'), { once: true }),
  );
  const secrets = secretsOf(attempt.settings);
  try {
    yield* events(attempt, { stop, stopped, notes, secrets });
  } catch (error) {
    yield signal.aborted ? { type: 'end', reason: 'aborted' } : failed(faultFor(error, attempt, { notes, secrets }));
  } finally {
    signal.removeEventListener('abort', cancel);
    stop.abort();
  }
}

interface Running {
  readonly stop: AbortController;
  readonly stopped: Promise<'stopped'>;
  readonly notes: WireNotes;
  readonly secrets: string[];
}

async function* events(attempt: Attempt, running: Running): AsyncGenerator<ProviderEvent, void, undefined> {
  const { stopped, notes } = running;
  const opened = await unlessStopped(open(attempt, running), stopped);
  if (opened === 'stopped') return yield ending(attempt, running);
  const converter = new StreamConverter();
  const reader = opened.getReader();
  try {
    for (;;) {
      const step = await unlessStopped(reader.read(), stopped);
      if (step === 'stopped') return yield ending(attempt, running);
      if (step.done) break;
      if (step.value.type === 'error') {
        if (isStrayEvent(step.value.error, attempt.service.dialect)) continue;
        throw step.value.error;
      }
      yield* converter.accept(step.value);
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
  const end = converter.end();
  yield* end.events;
  yield conclusion(end, notes, attempt, running);
}

/** The promise's value, or 'stopped' as soon as the request is cancelled; a late failure is no one's concern. */
function unlessStopped<T>(promise: Promise<T>, stopped: Promise<'stopped'>): Promise<T | 'stopped'> {
  promise.catch(() => undefined);
  return Promise.race([promise, stopped]);
}

async function open(attempt: Attempt, running: Running): Promise<ReadableStream<StreamPart>> {
  const { service, settings, request, access } = attempt;
  const key = await access.key(attempt.signal);
  if (key === undefined && !service.entry.keyless) throw new KeyFault('no key is configured');
  if (key !== undefined) running.secrets.push(key);
  const idleMs = settings.config.idleMs ?? (service.entry.keyless ? LOCAL_IDLE_MS : IDLE_MS);
  const fetch = wireFetch({
    fetch: await access.fetch(attempt.signal),
    idleMs,
    notes: running.notes,
    stop: running.stop,
    ...(service.replaceUrl ? { url: service.url } : {}),
  });
  const model = await service.model(request.model, { key, fetch });
  const result = await model.doStream(callOptions(service, request, running.stop.signal));
  return result.stream;
}

function callOptions(service: SdkService, request: ProviderRequest, abortSignal: AbortSignal): CallOptions {
  const providerOptions = service.options?.(request);
  const maxOutputTokens = request.maxOutputTokens ?? service.maxOutputTokens?.(request);
  const tools = request.functions.map(({ name, description, schema }) => ({
    type: 'function' as const,
    name,
    description,
    inputSchema: schema as never,
  }));
  return {
    prompt: convertMessages(request, { dialect: service.dialect, sendReasoning: service.sendReasoning }),
    abortSignal,
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(tools.length > 0 ? { tools } : {}),
    ...(providerOptions ? { providerOptions } : {}),
    ...(request.responseSchema === undefined
      ? {}
      : { responseFormat: { type: 'json', schema: request.responseSchema as never } }),
  };
}

function conclusion(end: StreamEnd, notes: WireNotes, attempt: Attempt, running: Running): ProviderEvent {
  const finish = end.finish;
  const context = contextOf(attempt, running.secrets);
  const unmarked =
    finish === undefined || (finish.raw === undefined && (finish.unified === 'other' || finish.unified === 'error'));
  if (!unmarked && finish.unified !== 'error') return { type: 'end', reason: endReason(finish) };
  if (!unmarked) return failed(ownFault('protocol', `the model's reply ended with ${finish.raw}`, true, context));
  if (attempt.service.dialect === 'chat' && notes.done) return { type: 'end', reason: end.hadCalls ? 'calls' : 'stop' };
  if (notes.contentType !== '' && !/event-stream|octet-stream/.test(notes.contentType))
    return failed(wrongContent(notes, attempt, context));
  return failed(ownFault('network', 'the reply was cut off before its end', true, context));
}

function wrongContent(notes: WireNotes, attempt: Attempt, context: FaultContext): ProviderFault {
  const reason = `${shown(attempt.service.url)} answered with ${notes.contentType.split(';')[0]} instead of an event stream; check the address`;
  return ownFault('protocol', reason, false, context);
}

/** An address without its query, which may hold a key. */
function shown(url: string): string {
  return url.split('?')[0] ?? '';
}

/** After a cancel: silence is a fault, a stop is not. */
function ending(attempt: Attempt, running: Running): ProviderEvent {
  if (attempt.signal.aborted) return { type: 'end', reason: 'aborted' };
  const context = contextOf(attempt, running.secrets);
  return failed(
    running.notes.idle
      ? ownFault('idle', 'the service sent nothing for too long', true, context)
      : ownFault('network', 'the request was cancelled', true, context),
  );
}

function failed(fault: ProviderFault): ProviderEvent {
  return { type: 'end', reason: 'error', fault };
}

function faultFor(error: unknown, attempt: Attempt, running: Pick<Running, 'notes' | 'secrets'>): ProviderFault {
  const context = contextOf(attempt, running.secrets);
  const { notes } = running;
  if (error instanceof KeyFault) return noKeyFault(error, context);
  if (notes.idle) return ownFault('idle', 'the service sent nothing for too long', true, context);
  if (notes.status >= 300 && notes.status < 400) {
    return ownFault(
      'bad-request',
      `${shown(attempt.service.url)} redirects to ${shown(notes.location) || 'another address'}; configure that address`,
      false,
      context,
    );
  }
  return faultOf(error, context);
}

function noKeyFault(error: KeyFault, context: FaultContext): ProviderFault {
  const why = because`${context.service}: ${error.message}. Looked in ${context.keyVariables.join(', ')}.`;
  return { kind: 'auth', retryable: false, message: english(why), why };
}

function contextOf(attempt: Attempt, secrets: readonly string[]): FaultContext {
  const { entry } = attempt.service;
  return {
    service: entry.name,
    secrets,
    functionsOffered: attempt.request.functions.length > 0,
    keyVariables: entry.keyVariables,
    now: Date.now(),
  };
}
