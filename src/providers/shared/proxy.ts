/** Chooses the fetch: a direct one, or one that goes through the proxy the environment names. */
import { type Environment, firstValue } from './entry.js';
import { httpFetch } from './http-fetch.js';
import type { Fetch } from './wire.js';

/** Loopback is never asked through a proxy. An address that is none counts as not loopback. */
export function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** The fetch for an address. The proxy library is loaded only when a proxy variable is set. Throws when the variable is no address. */
export async function fetchFor(url: string, env: Environment): Promise<Fetch> {
  const https = firstValue(env, ['https_proxy', 'HTTPS_PROXY']);
  const http = firstValue(env, ['http_proxy', 'HTTP_PROXY']);
  if ((!https && !http) || isLoopback(url)) return httpFetch;
  const undici = await import('undici');
  const dispatcher = new undici.EnvHttpProxyAgent({
    httpProxy: http ?? https,
    httpsProxy: https ?? http,
    noProxy: firstValue(env, ['no_proxy', 'NO_PROXY']) ?? '',
  });
  const send = undici.fetch as unknown as (input: unknown, init: unknown) => Promise<Response>;
  return (input, init) => send(input, { ...init, dispatcher });
}
