/** Reads what an error of any shape (SDK error, error event of a stream, network error) says about itself. */
import { isRecord, parseJson } from './well-formed.js';

/** What could be found out; every field may be missing. */
export interface Clues {
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The service's own words, else the error's. */
  readonly message: string;
  /** Error types and codes the service named, lower case, joined. */
  readonly labels: string;
  /** `ECONNRESET` and the like, from the cause chain. */
  readonly networkCode?: string;
  /** The bytes were no stream of the expected form. */
  readonly unparsable: boolean;
  readonly body: string;
  /** The service itself named an error. */
  readonly told: boolean;
}

const UNPARSABLE = /AI_(?:JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody)Error/;
const MAX_DEPTH = 8;

export function cluesOf(error: unknown): Clues {
  const chain = causes(error);
  const top = chain.find((link) => typeof link['statusCode'] === 'number') ?? chain[0] ?? {};
  const body = typeof top['responseBody'] === 'string' ? top['responseBody'] : '';
  const unread = [...chain, parseJson(body)].find((link) => isRecord(link) && UNPARSABLE.test(String(link['name'])));
  const said = serviceError(parseJson(body)) ?? serviceError(error) ?? serviceError(top['data']) ?? toldIn(unread);
  return {
    status: numberOf(top['statusCode']) ?? said?.status,
    headers: isRecord(top['responseHeaders']) ? (top['responseHeaders'] as Record<string, string>) : {},
    message: said?.message || excerpt(unread) || shortBody(body) || firstMessage(chain),
    labels: said?.labels ?? '',
    networkCode: chain
      .map((link) => link['code'])
      .find((code): code is string => typeof code === 'string' && /^(?:E[A-Z]|UND_ERR|CERT_|UNABLE|DEPTH|SELF|ERR_)/.test(code)),
    unparsable: unread !== undefined && said === undefined,
    body,
    told: said !== undefined,
  };
}

/** The error and its causes, outermost first. A group of connection attempts counts as its first member. */
function causes(error: unknown): Record<string, unknown>[] {
  const chain: Record<string, unknown>[] = [];
  let link: unknown = error;
  while (typeof link === 'object' && link !== null && chain.length < MAX_DEPTH) {
    const current = link as Record<string, unknown>;
    chain.push(current);
    link = current['cause'] ?? (Array.isArray(current['errors']) ? current['errors'][0] : undefined);
  }
  return chain;
}

interface Said {
  readonly message: string;
  readonly labels: string;
  readonly status?: number;
}

/** Finds `{error:{message,type,code}}`, `{error:"text"}`, `{message}`, `{detail}` and lists of these. */
function serviceError(value: unknown, depth = 0): Said | undefined {
  if (depth > 3) return undefined;
  if (Array.isArray(value)) return serviceError(value[0], depth + 1);
  if (!isRecord(value) || value instanceof Error) return undefined;
  if (typeof value['error'] === 'string')
    return { message: value['error'], labels: labelsOf(value), status: numberOf(value['status']) };
  const inner = value['error'] ?? (isRecord(value['response']) ? value['response']['error'] : undefined);
  if (isRecord(inner)) return serviceError(inner, depth + 1) ?? { message: JSON.stringify(inner), labels: labelsOf(inner) };
  const text = value['message'] ?? detailText(value['detail']) ?? value['msg'];
  if (typeof text !== 'string') return undefined;
  return {
    message: upstream(value) ?? text,
    labels: labelsOf(value),
    status: numberOf(value['code']) ?? numberOf(value['statusCode']),
  };
}

/** FastAPI: `{"detail":"text"}` or `{"detail":[{"msg":"text","loc":["body","tools"]}]}`. */
function detailText(detail: unknown): unknown {
  const first: unknown = Array.isArray(detail) ? detail[0] : undefined;
  if (!isRecord(first)) return detail;
  return `${String(first['msg'] ?? '')} (${Array.isArray(first['loc']) ? first['loc'].join('.') : ''})`;
}

/** A router's "Provider returned error" hides the real words one level deeper. */
function upstream(value: Record<string, unknown>): string | undefined {
  const metadata = value['metadata'];
  if (!isRecord(metadata) || typeof metadata['raw'] !== 'string') return undefined;
  const inner = serviceError(parseJson(metadata['raw']), 1)?.message ?? metadata['raw'];
  return `${String(value['message'])}: ${inner}`;
}

function labelsOf(value: Record<string, unknown>): string {
  return ['type', 'code', 'status', 'param']
    .map((key) => value[key])
    .filter((label) => typeof label === 'string' || typeof label === 'number')
    .join(' ')
    .toLowerCase();
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 100 && number <= 599 ? number : undefined;
}

/** An event of an unknown form that still names an error, such as `{"error":"overloaded"}`. */
function toldIn(unread: unknown): Said | undefined {
  const value = isRecord(unread) ? unread['value'] : undefined;
  return isRecord(value) && value['error'] ? serviceError(value) : undefined;
}

/** The beginning of an event that could not be read. */
function excerpt(unread: unknown): string {
  if (!isRecord(unread)) return '';
  const text = typeof unread['text'] === 'string' ? unread['text'] : JSON.stringify(unread['value'] ?? '');
  return text === '""' ? '' : `an event of the stream has no known form: ${text.slice(0, 160)}`;
}

/** Text of an error page: its title, or its beginning; nothing of a JSON body that could not be read. */
function shortBody(body: string): string {
  const title = /<title[^>]{0,200}>([^<]{1,200})/i.exec(body)?.[1];
  if (title) return title;
  return body.trimStart().startsWith('<') ? '' : body.slice(0, 400).trim();
}

/** The most telling message: the innermost one says why, the outer ones only that. */
function firstMessage(chain: readonly Record<string, unknown>[]): string {
  const messages = chain.map((link) => link['message']).filter((text): text is string => typeof text === 'string' && text !== '');
  return messages.at(-1) ?? 'no reason given';
}
