/** Which lines of an outline come first where there is no room for all: level by level, and of each container some members in turn. */

/** The lines of one outline as a tree. Lines have numbers from 1, in the order of the text; 0 stands for the file. */
export interface Levels {
  /** By line; that of 0 is 0. */
  readonly parent: readonly number[];
  readonly depth: readonly number[];
  /** How many lines are inside, at any depth. */
  readonly inside: readonly number[];
  /** All lines, the most telling first; a container always comes before what is in it. */
  readonly order: readonly number[];
}

/** So many members of a container are taken before it is the turn of the next one. */
const IN_TURN = 5;

/** `depths`: of each line, 0 at the top of the file. */
export function levelsOf(depths: readonly number[]): Levels {
  const parent = [0];
  const depth = [-1];
  const turn = [0];
  const members = new Uint32Array(depths.length + 1);
  const inside = new Array<number>(depths.length + 1).fill(0);
  const open: number[] = [0];
  for (const [i, given] of depths.entries()) {
    while (open.length > 1 && (depth[open.at(-1) ?? 0] ?? 0) >= given) open.pop();
    const container = open.at(-1) ?? 0;
    parent.push(container);
    depth.push(given);
    turn.push(Math.floor((members[container] ?? 0) / IN_TURN));
    members[container] = (members[container] ?? 0) + 1;
    open.push(i + 1);
  }
  for (let line = depths.length; line > 0; line--) {
    const container = parent[line] ?? 0;
    inside[container] = (inside[container] ?? 0) + (inside[line] ?? 0) + 1;
  }
  const by = (values: readonly number[], a: number, b: number) => (values[a] ?? 0) - (values[b] ?? 0);
  const order = depths.map((_, i) => i + 1).sort((a, b) => by(depth, a, b) || by(turn, a, b) || a - b);
  return { parent, depth, inside, order };
}
