/** Text from models, tools and files made harmless for a terminal: no control sequence, no overprinting. */

/** Takes text in pieces and gives what may be printed; a sequence may be cut anywhere between two pieces. */
export interface TextFilter {
  push(text: string): string;
  /** What was held back; the filter is as new afterwards. */
  end(): string;
}

type State = 'text' | 'escape' | 'csi' | 'string' | 'string-escape';

const ESC = 0x1b;
const NOT_PLAIN = /[\x00-\x08\x0b-\x1f\x7f-\x9f]|\p{Surrogate}/u;
const isControl = (code: number): boolean => (code < 0x20 && code !== 0x09 && code !== 0x0a) || (code >= 0x7f && code <= 0x9f);
/** Openers of strings that go on to their terminator: DCS, SOS, OSC, PM, APC, as `ESC x` and as one C1 character. */
const STRINGS = new Set([0x50, 0x58, 0x5d, 0x5e, 0x5f, 0x90, 0x98, 0x9d, 0x9e, 0x9f]);

/**
 * Removes escape sequences (CSI, OSC, DCS, …), C0 and C1 controls but tab and line feed. A carriage return becomes a line
 * feed, so that nothing can be printed over. A sequence never reaches past the end of its line, so it cannot hide text.
 */
export function createTextFilter(): TextFilter {
  let state: State = 'text';
  let heldReturn = false;
  let heldHigh = '';
  const step = (letter: string): string => {
    const code = letter.codePointAt(0) ?? 0;
    if (code === 0x0a || code === 0x0d) {
      state = 'text';
      return letter;
    }
    if (state === 'string' || state === 'string-escape') {
      if (code === 0x07 || code === 0x9c || (state === 'string-escape' && letter === '\\')) state = 'text';
      else state = code === ESC ? 'string-escape' : 'string';
      return '';
    }
    if (state === 'csi') {
      if (code >= 0x20 && code <= 0x3f) return '';
      state = 'text';
      if (code >= 0x40 && code <= 0x7e) return '';
    } else if (state === 'escape') {
      if (code >= 0x20 && code <= 0x2f) return '';
      state = letter === '[' ? 'csi' : STRINGS.has(code) && code < 0x80 ? 'string' : 'text';
      if (code >= 0x30 && code <= 0x7e) return '';
    }
    if (code === ESC) state = 'escape';
    else if (code === 0x9b) state = 'csi';
    else if (code >= 0x80 && STRINGS.has(code)) state = 'string';
    return isControl(code) ? '' : letter;
  };
  return {
    push(text) {
      const all = heldHigh + text;
      if (state === 'text' && !heldReturn && !NOT_PLAIN.test(all)) {
        heldHigh = '';
        return all;
      }
      // Half a character at the end waits for its other half.
      heldHigh = /[\ud800-\udbff]$/.test(all) ? all.slice(-1) : '';
      let out = '';
      for (const letter of heldHigh ? all.slice(0, -1) : all) {
        if (heldReturn) {
          heldReturn = false;
          out += '\n';
          if (letter === '\n') continue;
        }
        const kept = step(letter);
        if (kept === '\r') heldReturn = true;
        else out += kept >= '\ud800' && kept <= '\udfff' && kept.length === 1 ? '\ufffd' : kept;
      }
      return out;
    },
    end() {
      const rest = `${heldReturn ? '\n' : ''}${heldHigh ? '\ufffd' : ''}`;
      state = 'text';
      heldReturn = false;
      heldHigh = '';
      return rest;
    },
  };
}

/** A whole text made harmless. */
export function safeText(text: string): string {
  const filter = createTextFilter();
  return filter.push(text) + filter.end();
}

/** The same on one line: white space of any kind becomes one space. */
export function safeLine(text: string, longest = 200): string {
  const line = safeText(text.slice(0, longest * 8))
    .replace(/\s+/g, ' ')
    .trim();
  const letters = [...line];
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : line;
}

/**
 * Shows every character that could mislead a reader as its code, `<U+202E>`: controls, marks that change the direction,
 * invisible letters, odd spaces. Line feeds, tabs and plain spaces stay.
 */
export function visibleText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u2800]/gu, (letter) => {
    if (letter === ' ' || letter === '\n' || letter === '\t') return letter;
    return `<U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}
