/** Asks a server which models it has, briefly and politely. */
import { isLoopback } from './proxy.js';
import { isRecord } from './well-formed.js';

/** Loopback answers at once or not at all. */
const LOCAL_MS = 300;
const REMOTE_MS = 3_000;
const MAX_BYTES = 1_000_000;

/** Ids from an OpenAI-style `/models` address; undefined when nothing answers in time or it is no such list. Never throws. */
export async function modelsAt(url: string, key?: string): Promise<string[] | undefined> {
  const timeout = AbortSignal.timeout(isLoopback(url) ? LOCAL_MS : REMOTE_MS);
  try {
    const headers: Record<string, string> = key ? { authorization: `Bearer ${key}` } : {};
    const response = await fetch(url, { headers, redirect: 'error', signal: timeout });
    const text = response.ok ? await response.text() : '';
    const list: unknown = text.length > 0 && text.length < MAX_BYTES ? JSON.parse(text) : undefined;
    if (!isRecord(list) || !Array.isArray(list['data'])) return undefined;
    return list['data'].flatMap((item) => (isRecord(item) && typeof item['id'] === 'string' ? [item['id']] : []));
  } catch {
    return undefined;
  }
}
