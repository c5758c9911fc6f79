/** What a provider call cost. */
import type { ModelInfo, Usage } from '../types/provider.js';

const MILLION = 1_000_000;

/** US dollars, or undefined when the model's price is not known. Cached input without a price of its own counts as input. */
export function costOf(usage: Usage, info: Pick<ModelInfo, 'price'>): number | undefined {
  const { price } = info;
  if (!price) return undefined;
  const fresh = Math.max(0, usage.input - usage.cacheRead - usage.cacheWrite);
  const cached = usage.cacheRead * (price.cacheRead ?? price.input) + usage.cacheWrite * (price.cacheWrite ?? price.input);
  return (fresh * price.input + cached + usage.output * price.output) / MILLION;
}
