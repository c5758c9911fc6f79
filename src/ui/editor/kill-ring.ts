/** What was killed, to be put back: the newest first, kills in a row joined. */

export interface KillRing {
  /** `back`: it stood before the cursor, so what is killed next goes in front. */
  add(text: string, back: boolean): void;
  /** The newest, or undefined when nothing was killed. */
  newest(): string | undefined;
  /** The one before the one given last, round and round. */
  older(): string | undefined;
  /** The next kill begins an entry of its own. */
  pause(): void;
  /** Changes every entry. */
  change(map: (text: string) => string): void;
}

const MOST = 30;

export function createKillRing(): KillRing {
  let entries: string[] = [];
  let shown = 0;
  let joins = false;
  return {
    add(text, back) {
      const [first = '', ...rest] = entries;
      if (joins) entries = [back ? text + first : first + text, ...rest];
      else entries = [text, ...entries].slice(0, MOST);
      joins = true;
    },
    newest() {
      shown = 0;
      return entries[0];
    },
    older() {
      shown = (shown + 1) % Math.max(1, entries.length);
      return entries[shown];
    },
    pause() {
      joins = false;
    },
    change(map) {
      entries = entries.map(map);
    },
  };
}
