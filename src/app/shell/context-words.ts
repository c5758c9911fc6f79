/** Finds what a message names with `@`: words such as `@git`, and paths. Nothing inside another word, nothing in code. */

export type Named =
  | {
      readonly kind: 'file';
      readonly path: string /** `@file PATH`: meant for sure; a bare `@path` may be only a word. */;
      readonly sure: boolean;
    }
  | { readonly kind: 'git' | 'env' | 'history' }
  | { readonly kind: 'command'; readonly command: string };

/** In their order, each once. */
export function contextWords(text: string): Named[] {
  const found = new Map<string, Named>();
  const clear = withoutCode(text);
  // Only at the beginning of a word: an address such as me@git.example is none.
  const pattern = /(?<=^|[\s([{"'])@("[^"\n]+"|'[^'\n]+'|[^\s"'`]+)/gu;
  for (let match = pattern.exec(clear); match; match = pattern.exec(clear)) {
    const word = match[1] ?? '';
    const behind = clear.slice(pattern.lastIndex);
    const { named, taken } = read(word, behind);
    if (named) found.set(JSON.stringify(named), named);
    pattern.lastIndex += taken;
  }
  return [...found.values()];
}

function read(word: string, behind: string): { readonly named?: Named; readonly taken: number } {
  const quoted = /^(["'])(.*)\1$/s.exec(word)?.[2];
  if (quoted !== undefined) return { named: { kind: 'file', path: quoted, sure: true }, taken: 0 };
  const bare = word.replace(/[.,;:!?)\]}]+$/, '');
  if (bare === 'git' || bare === 'env' || bare === 'history') return { named: { kind: bare }, taken: 0 };
  if (word === 'command') {
    const rest = /^[ \t]+(?:"([^"\n]+)"|'([^'\n]+)'|([^\n]+))/.exec(behind);
    const command = (rest?.[1] ?? rest?.[2] ?? rest?.[3] ?? '').trim();
    return command === '' ? { taken: 0 } : { named: { kind: 'command', command }, taken: rest?.[0].length ?? 0 };
  }
  if (word === 'file') {
    const rest = /^[ \t]+(?:"([^"\n]+)"|'([^'\n]+)'|(\S+))/.exec(behind);
    const path = rest?.[1] ?? rest?.[2] ?? rest?.[3];
    return path === undefined ? { taken: 0 } : { named: { kind: 'file', path, sure: true }, taken: rest?.[0].length ?? 0 };
  }
  return bare === '' ? { taken: 0 } : { named: { kind: 'file', path: word, sure: false }, taken: 0 };
}

/** The same length, with fences and inline code blanked out. */
function withoutCode(text: string): string {
  const blank = (part: string) => part.replace(/[^\n]/g, ' ');
  return text.replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^\1[^\n]*$|(?![\s\S]))/gm, blank).replace(/`[^`\n]+`/g, blank);
}
