/** What is known about a model: table by family, the user's own knowledge first. */
import type { ModelInfo } from '../../types/provider.js';
import { FAMILIES } from './catalogue-table.js';

const UNKNOWN_WINDOW = 128_000;
/** Services that take PDF documents. */
const DOCUMENTS = new Set(['CLAUDEAI', 'OPENAI', 'GOOGLEAI']);
/** Servers of one's own: a run costs nothing. */
const FREE = new Set(['OLLAMA', 'LMSTUDIO', 'LLAMACPP', 'VLLM']);

/**
 * Never fails: an unknown model takes tools, has a window of 128,000 tokens and no price.
 * `overrides` (by model id) replace single fields.
 */
export function modelInfo(
  provider: string,
  model: string,
  overrides: Readonly<Record<string, Partial<ModelInfo>>> = {},
): ModelInfo {
  const family = FAMILIES[familyOf(model)];
  const known = family ?? { contextWindow: UNKNOWN_WINDOW };
  const own = Object.hasOwn(overrides, model) ? overrides[model] : undefined;
  const price = FREE.has(provider.toUpperCase()) ? { input: 0, output: 0 } : known.price;
  return { ...known, tools: known.tools ?? true, ...(price ? { price } : {}), ...own, id: model };
}

/** Can the model be shown an image, or a PDF, through this service? Only where that is known: others refuse the whole request. */
export function canSee(
  provider: string,
  model: string,
  mediaType: string,
  overrides: Readonly<Record<string, Partial<ModelInfo>>> = {},
): boolean {
  if (modelInfo(provider, model, overrides).images !== true) return false;
  return mediaType.startsWith('image/') || (mediaType === 'application/pdf' && DOCUMENTS.has(provider.toUpperCase()));
}

/** The longest prefix of the id without a router's vendor part (`openai/gpt-5`, `models/gemini-…`). */
function familyOf(model: string): string {
  const id = model.toLowerCase().split('/').at(-1) ?? '';
  let best = '';
  for (const prefix of Object.keys(FAMILIES)) if (prefix.length > best.length && id.startsWith(prefix)) best = prefix;
  return best;
}
