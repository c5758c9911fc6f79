/** Options given before and behind a subcommand as one set: lists join, of single values the inner one counts. */
import type { Command } from 'commander';

export function mergedFlags<T>(command: Command): T {
  const chain: Command[] = [];
  for (let one: Command | null = command; one; one = one.parent) chain.unshift(one);
  const merged: Record<string, unknown> = {};
  for (const one of chain) {
    for (const [name, value] of Object.entries(one.opts())) {
      const outer = merged[name];
      if (name in merged && one.getOptionValueSource(name) === 'default') continue;
      merged[name] = Array.isArray(outer) && Array.isArray(value) ? [...outer, ...value] : value;
    }
  }
  return merged as T;
}
