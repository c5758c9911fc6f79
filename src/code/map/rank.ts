/** The order of files: a rank that flows along references, begun by structure or by what the caller asks about. */
import type { Graph } from './graph.js';

export interface Ranked {
  readonly path: string;
  readonly declarations: number;
}

const ROUNDS = 40;
/** Share of a file's rank that it passes on to what it refers to. */
const PASSED_ON = 0.8;
/** With a focus: share of the start that still is structure. */
const STRUCTURE = 0.1;
/** Share of the focus that flows to what refers to it. */
const BACK = 0.5;

/** Seed's order: more declarations first, then the path. */
export function byStructure(a: Ranked, b: Ranked): number {
  return b.declarations - a.declarations || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

/**
 * Numbers of files, the most important first. `focus`: weight of each file for what was asked; none: nothing was asked. Without
 * any reference the order is the seed's, behind the files in focus. The same input always gives the same order.
 */
export function orderOf(files: readonly Ranked[], graph: Graph, focus?: Float64Array): number[] {
  const all = files.map((_, number) => number);
  const structure = (a: number, b: number) => byStructure(files[a] ?? NONE, files[b] ?? NONE);
  const score = graph.to.length > 0 ? scoresOf(files, graph, focus) : new Float64Array(files.length);
  const asked = (number: number) => focus?.[number] ?? 0;
  return all.sort((a, b) => asked(b) - asked(a) || (score[b] ?? 0) - (score[a] ?? 0) || structure(a, b));
}

const NONE: Ranked = { path: '', declarations: 0 };

/** Calls `use` for each edge, in their fixed order. */
function eachEdge({ starts, to, weights }: Graph, use: (from: number, to: number, weight: number) => void): void {
  for (let from = 0; from + 1 < starts.length; from++) {
    for (let at = starts[from] ?? 0; at < (starts[from + 1] ?? 0); at++) use(from, to[at] ?? 0, weights[at] ?? 0);
  }
}

function scoresOf(files: readonly Ranked[], graph: Graph, focus: Float64Array | undefined): Float64Array {
  const begin = beginOf(files, graph, focus);
  const sums = new Float64Array(files.length);
  eachEdge(graph, (from, _to, weight) => {
    sums[from] = (sums[from] ?? 0) + weight;
  });
  let now = begin;
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float64Array(files.length);
    const before = now;
    eachEdge(graph, (from, to, weight) => {
      next[to] = (next[to] ?? 0) + (PASSED_ON * (before[from] ?? 0) * weight) / (sums[from] ?? 1);
    });
    let loose = 0;
    for (const [from, sum] of sums.entries()) if (sum === 0) loose += PASSED_ON * (before[from] ?? 0);
    for (const [number, part] of begin.entries()) next[number] = (next[number] ?? 0) + part * (1 - PASSED_ON + loose);
    now = next;
  }
  // Differences far below anything that means something must not decide.
  return now.map((score) => Number(score.toPrecision(9)));
}

/** Where rank comes from: structure, the square root of it so that one huge file does not count for all, and a script without declarations counts too; mostly the focus where there is one. */
function beginOf(files: readonly Ranked[], graph: Graph, focus: Float64Array | undefined): Float64Array {
  const plain = normal(Float64Array.from(files, ({ declarations }) => Math.sqrt(declarations + 1)));
  if (!focus?.some((weight) => weight > 0)) return plain;
  const around = Float64Array.from(focus);
  eachEdge(graph, (from, to, weight) => {
    const asked = focus[to] ?? 0;
    if (asked > 0) around[from] = (around[from] ?? 0) + (BACK * asked * weight) / (weight + 4);
  });
  const near = normal(around);
  return plain.map((weight, number) => STRUCTURE * weight + (1 - STRUCTURE) * (near[number] ?? 0));
}

function normal(weights: Float64Array): Float64Array {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return sum > 0 ? weights.map((weight) => weight / sum) : weights.fill(1 / Math.max(1, weights.length));
}
