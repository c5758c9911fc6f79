/** Takes keys out of text: values that are known, in the forms programs print them, and the shapes of well-known services. */

/** Stands where a key was. No code is written like this, so that an edit which repeats it is recognised. */
export const KEY_MARK = '[hidden key]';

export type Redact = (text: string) => string;

/** Keys that became known while the program runs (printed by a key command). */
const learned = new Set<string>();

/** A value every redactor of this process hides from now on. */
export function learnSecret(value: string): void {
  if (value.length >= SHORTEST) learned.add(value);
}

/** Shorter values would blank out ordinary words. */
const SHORTEST = 8;
/** Encoded forms of shorter values are too short to be told from other text. */
const SHORTEST_ENCODED = 12;

/** Not inside a longer word. */
const START = '(?<![A-Za-z0-9_-])';
/** Prefix and length are those the services publish; each has a digit where a word could look the same. */
const SHAPES: readonly string[] = [
  `${START}sk-(?:ant|proj|svcacct|admin|or-v1|test|live)-(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{16,}`,
  `${START}sk-(?=[A-Za-z]*[0-9])[A-Za-z0-9]{20,}`,
  `${START}(?:sk|rk)_live_[A-Za-z0-9]{16,}`,
  `${START}AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])`,
  `${START}gh[pousr]_[A-Za-z0-9]{30,}`,
  `${START}github_pat_[A-Za-z0-9_]{30,}`,
  `${START}glpat-[A-Za-z0-9_-]{20,}`,
  `${START}xai-(?=[A-Za-z]*[0-9])[A-Za-z0-9]{20,}`,
  `${START}gsk_(?=[A-Za-z]*[0-9])[A-Za-z0-9]{20,}`,
  `${START}hf_(?=[A-Za-z]*[0-9])[A-Za-z0-9]{30,}`,
  `${START}npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])`,
  `${START}pypi-AgE[A-Za-z0-9_-]{40,}`,
  `${START}xox[abeoprs]-[0-9][A-Za-z0-9-]{20,}`,
  `${START}(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9])`,
  `${START}SG\\.[A-Za-z0-9_-]{20,24}\\.[A-Za-z0-9_-]{40,48}`,
];
const SHAPE = new RegExp(SHAPES.join('|'), 'g');
/** The base64 lines behind BEGIN, whatever stands before each line; code that only names the marks has none. */
const PRIVATE_KEY =
  /(-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----)(?:(?:(?!-----)[\s\S]){0,80}?[A-Za-z0-9+/]{32,}={0,2})+(?:[^A-Za-z0-9+/=]{0,24}[A-Za-z0-9+/]{1,76}={0,2}(?=[^A-Za-z0-9]{0,24}-----END))?/g;

/** A function that hides `keys`, what was learned since, and all known shapes. Text without a key comes back as the same string. */
export function createRedactor(keys: readonly string[]): Redact {
  let count = -1;
  let known: RegExp | undefined;
  return (text) => {
    if (count !== learned.size) {
      count = learned.size;
      known = formsOf([...keys, ...learned]);
    }
    let safe = known ? text.replace(known, KEY_MARK) : text;
    safe = safe.replace(SHAPE, KEY_MARK);
    return safe.includes('PRIVATE KEY') ? safe.replace(PRIVATE_KEY, (_whole, begin: string) => `${begin} ${KEY_MARK}`) : safe;
  };
}

/** One expression for all spellings of all keys, the longest first. */
function formsOf(keys: readonly string[]): RegExp | undefined {
  const all = new Set(keys.flatMap((key) => [escaped(key), ...spellings(key)]));
  if (all.size === 0) return undefined;
  return new RegExp([...all].sort((a, b) => b.length - a.length).join('|'), 'g');
}

function spellings(key: string): string[] {
  const plain = [JSON.stringify(key).slice(1, -1), encodeURIComponent(key), [...key].reverse().join('')];
  if (key.length < SHORTEST_ENCODED) return plain.slice(0, 2).map(escaped);
  return [broken(key), ...plain.map(escaped), hexOf(key), ...base64Of(key)];
}

/** A key that tools such as `fold` and `cut` spread over lines. */
function broken(key: string): string {
  return [...key].map(escaped).join('(?:\\r?\\n)?');
}

/** Bytes as `xxd`, `od -tx1` and program text write them: in any case, apart, over lines that may begin with an offset. */
function hexOf(key: string): string {
  const bytes = [...Buffer.from(key)].map((byte) => byte.toString(16).padStart(2, '0'));
  const digits = bytes.map((two) => two.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`));
  return digits.join('(?:[ \\t:,]|0x|\\\\x){0,4}(?:\\r?\\n(?:[0-9a-fA-F]{5,16}:?[ \\t]+)?)?');
}

/** A key inside other bytes is encoded in three ways; letters it shares with its neighbours are left out. Lines may be broken. */
function base64Of(key: string): string[] {
  return [0, 1, 2].flatMap((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(key)]);
    const text = bytes.toString('base64').replace(/=+$/, '');
    const from = [0, 2, 3][shift] ?? 0;
    const to = bytes.length % 3 === 0 ? text.length : text.length - 1;
    const core = text.slice(from, to);
    const webSafe = core.replaceAll('+', '-').replaceAll('/', '_');
    return [...new Set([core, webSafe])].map((one) => [...one].map(escaped).join('(?:\\r?\\n)?'));
  });
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** A value with all its strings redacted; names stay, and so does what a service must get back unchanged (`meta`). */
export function redactValue<T>(value: T, redact: Redact): T {
  return redacted(value, redact) as T;
}

function redacted(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list = value.map((entry) => redacted(entry, redact));
    return list.some((entry, at) => entry !== value[at]) ? list : value;
  }
  const pairs = Object.entries(value).map(([name, entry]) => [name, KEPT.has(name) ? entry : redacted(entry, redact)] as const);
  return pairs.some(([name, entry]) => entry !== (value as Record<string, unknown>)[name]) ? Object.fromEntries(pairs) : value;
}

const KEPT: ReadonlySet<string> = new Set(['type', 'meta']);

export interface RedactStream {
  /** What may be shown of the text so far. */
  push(text: string): string;
  /** What was held back. */
  end(): string;
}

/** Longest piece that is held back until it is known whether it is a key (characters). */
const MOST_HELD = 2048;

/** Dots and bars of a program that works are shown as they come. */
const PROGRESS = /^[.=#*_|-]*$/;

/** For text in pieces: the beginning of what may be a key waits for the rest of it. */
export function createRedactStream(redact: Redact): RedactStream {
  let held = '';
  return {
    push(text) {
      const all = held + text;
      const open = all.lastIndexOf('-----BEGIN');
      const inKey = open >= 0 && !all.includes('-----END', open) && all.length - open <= 4 * MOST_HELD;
      const last = /\S+$/.exec(all.slice(-MOST_HELD))?.[0] ?? '';
      const word = PROGRESS.test(last) ? 0 : last.length;
      const cut = inKey ? open : all.length - word;
      held = all.slice(cut);
      return redact(all.slice(0, cut));
    },
    end() {
      const rest = redact(held);
      held = '';
      return rest;
    },
  };
}
