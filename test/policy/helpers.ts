/** Judges commands and calls in a made-up workspace with real zones, for the policy tests. */
import { relative, resolve } from 'node:path';
import { expandPath } from '../../src/base/expand-path.js';
import { decide } from '../../src/policy/decide.js';
import type { Json } from '../../src/types/json.js';
import type { Decision, Judged, PolicyContext, Rule, RuleAction } from '../../src/types/policy.js';
import type { Facts } from '../../src/types/tool.js';
import type { Located } from '../../src/types/workspace.js';
import { resolveReal } from '../../src/workspace/resolve-path.js';
import { createZones } from '../../src/workspace/zones.js';

export interface Place {
  readonly root: string;
  readonly home: string;
}

/** Nothing of it exists, so nothing depends on the machine. */
export const PLACE: Place = { root: '/srv/people/ana/shop', home: '/srv/people/ana' };

export function locator(place: Place): (path: string) => Located {
  const zoneOf = createZones({
    roots: [place.root],
    home: place.home,
    state: `${place.home}/.chatcli`,
    readable: [`${place.home}/.chatcli/scratch/s1`],
  });
  return (given) => {
    const lexical = resolve(place.root, expandPath(given, { home: place.home, env: { HOME: place.home } }));
    const { real } = resolveReal(lexical);
    const inside = real === place.root || real.startsWith(`${place.root}/`);
    return { given, real, shown: inside ? relative(place.root, real) || '.' : real, zone: zoneOf(real, lexical) };
  };
}

export function rule(action: RuleAction, pattern: string): Rule {
  return { action, pattern, origin: 'test' };
}

export function contextOf(
  rules: readonly Rule[] = [],
  changes: Partial<PolicyContext> = {},
  place: Place = PLACE,
): PolicyContext {
  return {
    rules: { rules, broken: [] },
    mode: 'default',
    home: place.home,
    root: place.root,
    roots: [place.root],
    allowUnsafe: false,
    locate: locator(place),
    ...changes,
  };
}

const FACTS: Facts = { readOnly: false, reads: [], writes: [], order: 'alone', label: { verb: 'run', object: '' } };

/** A shell command as the gate sees it. */
export function execCall(command: string, args: Record<string, Json> = {}): Judged {
  return {
    call: { id: 'c1', tool: '@coder exec', args: { cmd: command, ...args }, source: 'tag', agent: 'main' },
    facts: { ...FACTS, command },
    reads: [],
    writes: [],
  };
}

export interface CallShape {
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
  readonly readOnly?: boolean;
  readonly edits?: boolean;
}

/** A call of any other tool. */
export function toolCall(tool: string, args: Record<string, Json>, shape: CallShape = {}, place: Place = PLACE): Judged {
  const locate = locator(place);
  const { reads = [], writes = [], readOnly = writes.length === 0, edits } = shape;
  return {
    call: { id: 'c1', tool, args, source: 'tag', agent: 'main' },
    facts: { ...FACTS, readOnly, reads, writes, edits },
    reads: reads.map(locate),
    writes: writes.map(locate),
  };
}

/** The decision on a shell command. */
export function judge(command: string, rules: readonly Rule[] = [], changes: Partial<PolicyContext> = {}): Decision {
  return decide(execCall(command), contextOf(rules, changes));
}
