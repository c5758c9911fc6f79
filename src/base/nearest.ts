/** The names most like a mistyped one, for messages that say what would work. */

/** Edits (insert, delete, replace, swap of neighbours) that turn one text into the other. */
export function editDistance(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  let before: number[] = [];
  let last = right.map((_, index) => index + 1);
  last.unshift(0);
  for (const [i, char] of left.entries()) {
    const row = [i + 1];
    for (const [j, other] of right.entries()) {
      let cost = Math.min((row[j] ?? 0) + 1, (last[j + 1] ?? 0) + 1, (last[j] ?? 0) + (char === other ? 0 : 1));
      if (i > 0 && j > 0 && char === right[j - 1] && left[i - 1] === other) cost = Math.min(cost, (before[j - 1] ?? 0) + 1);
      row.push(cost);
    }
    before = last;
    last = row;
  }
  return last.at(-1) ?? 0;
}

/** At most `most` known names that look like `name`, best first; ties in the order given. Long texts have no near name. */
export function nearestNames(name: string, known: readonly string[], most = 3): string[] {
  const wanted = plain(name);
  if (!wanted || wanted.length > 64) return [];
  const scored = known.map((candidate) => ({ candidate, score: distance(wanted, plain(candidate)) }));
  return scored
    .filter(({ candidate, score }) => score <= Math.max(1, Math.floor(Math.max(wanted.length, plain(candidate).length) / 3)))
    .sort((a, b) => a.score - b.score)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

function distance(wanted: string, candidate: string): number {
  if (candidate.length >= 3 && wanted.length >= 3 && (candidate.startsWith(wanted) || wanted.startsWith(candidate))) return 1;
  return editDistance(wanted, candidate);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
