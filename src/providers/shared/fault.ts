/** Sorts failures of a model service into the closed list of fault kinds. */
import type { FaultKind, ProviderFault } from '../../types/provider.js';
import { because, english, type Reason } from '../../types/reason.js';
import { type Clues, cluesOf } from './fault-clues.js';
import { safeText } from './redact.js';
import { retryAfterMs } from './retry-after.js';

export interface FaultContext {
  /** Name of the service, first word of every message. */
  readonly service: string;
  readonly secrets: readonly string[];
  /** Functions were offered, so a refusal can be about them. */
  readonly functionsOffered: boolean;
  /** Variables that hold the key, named when it is refused. */
  readonly keyVariables: readonly string[];
  /** Milliseconds since 1970, for `Retry-After` as a date. */
  readonly now: number;
}

const OVERFLOW =
  /context.{0,12}(?:length|window|size|limit)|prompt is too long|input is too long|maximum.{0,30}tokens|too many tokens|tokens?.{0,40}exceeds?|exceeds?.{0,40}(?:tokens?|context)|reduce the length|request too large|request_too_large|string too long|payload too large/i;
const ABOUT_TOKENS = /rate.?limit|per minute|per day|\btpm\b|\brpm\b|quota/i;
const ABOUT_FUNCTIONS = /\btools?\b|\bfunctions?\b|tool_choice|tool_use|function.?call/i;
const REFUSED =
  /not support|unsupported|not enabled|not available|not allowed|unknown (?:field|parameter|name)|unrecognized|unexpected|not permitted|extra inputs|does not have|requires? .{0,40}(?:enable|parser)|no endpoints found/i;
/** A complaint about one schema or one result is no refusal of functions as such. */
const ABOUT_ONE_CALL = /tools?[.[]\d|tool_call_id|tool_use_id|schema|tool_result|tool calls? must|properties|must be followed/i;
const NO_MONEY = /insufficient_quota|credit balance|billing|payment/i;
const TLS = /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|ERR_TLS|ERR_SSL)/;

/** The fault of any error thrown by a request or told by its stream. Its message holds no key. */
export function faultOf(error: unknown, context: FaultContext): ProviderFault {
  const clues = cluesOf(error);
  const [kind, retryable] = sort(clues, context);
  const status = kind === 'protocol' ? undefined : clues.status;
  const wait = retryable ? retryAfterMs(clues.headers, clues.body, context.now) : undefined;
  const code = status !== undefined && status !== 200 ? ` (${status})` : '';
  const keys = kind === 'auth' ? context.keyVariables : [];
  const reason =
    clues.networkCode && !clues.message.includes(clues.networkCode) ? `${clues.message} (${clues.networkCode})` : clues.message;
  const told = because`${context.service}${code}: ${TITLES[kind]}: ${safeText(reason, context.secrets)}`;
  const why = keys.length > 0 ? because`${told} Check the key in ${keys.join(' / ')}.` : told;
  return {
    kind,
    message: english(why),
    why,
    retryable,
    ...(status !== undefined && status !== 200 ? { status } : {}),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}

/** A fault we found ourselves, in the same form. */
export function ownFault(kind: FaultKind, reason: string, retryable: boolean, context: FaultContext): ProviderFault {
  const why = because`${context.service}: ${TITLES[kind]}: ${safeText(reason, context.secrets)}`;
  return { kind, retryable, message: english(why), why };
}

const TITLES: Readonly<Record<FaultKind, Reason>> = {
  'rate-limit': because`rate limit`,
  server: because`the service failed`,
  network: because`the connection failed`,
  idle: because`no answer`,
  auth: because`the service refused the key`,
  'bad-request': because`the service refused the request`,
  overflow: because`the request is larger than the model accepts`,
  'tools-unsupported': because`the model accepts no functions`,
  protocol: because`the answer could not be read`,
  replay: because`the recording does not fit`,
};

function sort(clues: Clues, context: FaultContext): [FaultKind, boolean] {
  const words = `${clues.labels} ${clues.message}`;
  const status = effectiveStatus(clues);
  if (status === undefined || status < 300) return transport(clues, words);
  if (status === 413) return ['overflow', false];
  if (status === 429) return limited(words);
  if (isOverflow(status, words)) return ['overflow', false];
  if (status === 401 || status === 403) return ['auth', false];
  if (status === 400 || status === 404 || status === 422 || status === 501) {
    const refused = context.functionsOffered && ABOUT_FUNCTIONS.test(words) && REFUSED.test(words) && !ABOUT_ONE_CALL.test(words);
    return [refused ? 'tools-unsupported' : 'bad-request', false];
  }
  if (status === 408 || status === 409 || status === 425) return ['server', true];
  return status >= 500 ? ['server', true] : ['bad-request', false];
}

function transport(clues: Clues, words: string): [FaultKind, boolean] {
  if (clues.networkCode && /TIMEOUT/.test(clues.networkCode) && clues.networkCode.startsWith('UND_ERR_')) return ['idle', true];
  if (clues.networkCode && TLS.test(clues.networkCode)) return ['network', false];
  // Ports the platform's fetch never connects to (1, 9, 25, 6000 …).
  if (clues.networkCode === 'ERR_INVALID_URL' || /^bad port$/i.test(clues.message)) return ['bad-request', false];
  if (clues.networkCode && /^(?:E|UND_ERR)/.test(clues.networkCode) && !clues.networkCode.startsWith('ERR_'))
    return ['network', true];
  if (clues.unparsable) return ['protocol', true];
  if (/terminated|socket|network|fetch failed|closed|reset/i.test(words)) return ['network', true];
  return ['protocol', true];
}

function limited(words: string): [FaultKind, boolean] {
  if (NO_MONEY.test(words)) return ['rate-limit', false];
  // One request above the whole allowance of a minute never succeeds, however long one waits.
  return /request too large/i.test(words) ? ['overflow', false] : ['rate-limit', true];
}

function isOverflow(status: number, words: string): boolean {
  if (!(status === 400 || status === 422 || status >= 500) || !OVERFLOW.test(words) || ABOUT_TOKENS.test(words)) return false;
  // A limit on the reply is no limit on what we send.
  return !/max_\w*tokens/i.test(words) || /context|prompt|input/i.test(words);
}

/** Error events inside a stream have no status, or a made-up one: their type tells more. */
function effectiveStatus(clues: Clues): number | undefined {
  if (clues.unparsable) return undefined;
  if (clues.status !== undefined && clues.status !== 500 && clues.status >= 300) return clues.status;
  const labels = clues.labels;
  if (/overloaded/.test(labels)) return 529;
  if (/insufficient_quota|rate_?limit|resource_exhausted|too_many/.test(labels)) return 429;
  if (/authentication|unauthenticated|invalid_api_key/.test(labels)) return 401;
  if (/permission/.test(labels)) return 403;
  if (/request_too_large/.test(labels)) return 413;
  if (/context_length|invalid|bad_request|failed_precondition/.test(labels)) return 400;
  if (/not_found/.test(labels)) return 404;
  if (/server|api_error|internal|unavailable|timeout|response\.failed/.test(labels)) return clues.status ?? 500;
  if (clues.told && clues.status === undefined) return 500;
  return clues.status;
}
