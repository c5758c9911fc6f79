/** Puts the rules of a plan in order, drops those that change nothing, and says which one counts at a place. */
import { isBelow } from './stable-path.js';
import type { PlaceRule, SandboxPlan } from './types.js';

/** Later rules for the same path beat earlier ones. The result never has a path before its parents. */
export function arrange(rules: readonly PlaceRule[]): PlaceRule[] {
  const byPath = new Map<string, PlaceRule>();
  for (const rule of rules) byPath.set(rule.path, rule);
  const sorted = [...byPath.values()].sort((a, b) => depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1));
  const kept: PlaceRule[] = [];
  for (const rule of sorted) if (matters(rule, nearest(kept, rule.path))) kept.push(rule);
  return kept;
}

function depth(path: string): number {
  return path === '/' ? 0 : path.split('/').length;
}

/** The deepest rule at or above a path. `rules` are in order. */
function nearest(rules: readonly PlaceRule[], path: string): PlaceRule | undefined {
  return rules.findLast((rule) => isBelow(path, rule.path));
}

function matters(rule: PlaceRule, above: PlaceRule | undefined): boolean {
  const hidden = above !== undefined && above.kind !== 'write' && above.kind !== 'read';
  if (rule.kind === 'private') return !hidden || above.kind === 'private';
  if (rule.kind === 'hide-file' || rule.kind === 'hide-folder') return !hidden;
  if (hidden) return rule.shown === true;
  if (rule.kind === 'read') return above?.kind === 'write';
  return above?.kind !== 'write' || rule.pinned === true;
}

/** What a command can do at a real path: `write`, `read`, or nothing (`hidden`). */
export function accessAt(plan: Pick<SandboxPlan, 'rules'>, path: string): 'write' | 'read' | 'hidden' {
  const rule = nearest(plan.rules, path);
  if (rule === undefined || rule.kind === 'read') return 'read';
  return rule.kind === 'write' || rule.kind === 'private' ? 'write' : 'hidden';
}
