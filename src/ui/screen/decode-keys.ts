/** Turns the bytes of a keyboard into keys, however they are cut; holds back only what may be the beginning of more. */
import { StringDecoder } from 'node:string_decoder';
import { safeText } from '../safe-text.js';
import { controlKey, letterKey, type Meaning, meaningOfCsi, meaningOfSs3, named } from './key-sequences.js';
import type { Key } from './port.js';

export interface KeyDecoder {
  /** The keys that are complete now. */
  push(bytes: Uint8Array): Key[];
  /** How long (ms) to wait for the rest before `settle`; undefined: nothing is held back. */
  waits(): number | undefined;
  /** Nothing came for that long: what was held back is what it looks like (a lone Esc), or nothing. */
  settle(): Key[];
  readonly pasting: boolean;
  /** Ends a paste whose end never came: what there is of it is the paste. */
  endPaste(): Key[];
}

export interface DecoderOptions {
  /** What a terminal answered: `11;rgb:…` of an OSC, without its marks. */
  readonly onReply?: (reply: string) => void;
  /** Bytes of a paste that are kept; the rest is dropped. */
  readonly pasteLimit?: number;
}

/** A lone Esc is told from a sequence by what follows at once. */
export const ESCAPE_MS = 40;
/** So long the rest of a sequence may take over a slow line. */
const REST_MS = 500;
const PASTE_LIMIT = 10 * 1024 * 1024;
const LONGEST_SEQUENCE = 256;
const LONGEST_STRING = 4096;
const PASTE_END = '\x1b[201~';
const ESC = 0x1b;

type State =
  | 'text'
  | 'escape'
  | 'csi'
  | 'linux'
  | 'mouse'
  | 'ss3'
  | 'opener'
  | 'string'
  | 'string-escape'
  | 'alt-letter'
  | 'paste';

export function createKeyDecoder(options: DecoderOptions = {}): KeyDecoder {
  return new Decoder(options);
}

class Decoder implements KeyDecoder {
  private state: State = 'text';
  private readonly utf8 = new StringDecoder('utf8');
  private keys: Key[] = [];
  private typed: number[] = [];
  /** What came since the introducer of the sequence. */
  private body = '';
  private opener = '';
  /** Alt, from an Esc before the sequence. */
  private bits = 0;
  private left = 0;
  private letter: number[] = [];
  private paste: Buffer[] = [];
  private pasteBytes = 0;
  /** The last bytes of a paste, in which its end may have begun. */
  private tail = '';

  private readonly takers: Readonly<Record<Exclude<State, 'paste'>, (byte: number) => void>> = {
    text: (byte) => this.takeText(byte),
    escape: (byte) => this.takeEscape(byte),
    csi: (byte) => this.takeCsi(byte),
    ss3: (byte) => this.takeSs3(byte),
    linux: (byte) => {
      if (!this.broken(byte)) this.mean(named('unknown', this.bits));
    },
    mouse: (byte) => this.takeMouse(byte),
    opener: (byte) => this.takeOpener(byte),
    string: (byte) => this.takeString(byte),
    'string-escape': (byte) => this.takeString(byte),
    'alt-letter': (byte) => this.takeAltLetter(byte),
  };

  constructor(private readonly options: DecoderOptions) {}

  get pasting(): boolean {
    return this.state === 'paste';
  }

  push(bytes: Uint8Array): Key[] {
    for (let at = 0; at < bytes.length; ) {
      if (this.state === 'paste') at = this.takePaste(bytes, at);
      else this.take(bytes[at++] ?? 0);
    }
    this.flushTyped();
    return this.give();
  }

  waits(): number | undefined {
    if (this.state === 'text' || this.state === 'paste') return undefined;
    return this.state === 'escape' ? ESCAPE_MS : REST_MS;
  }

  settle(): Key[] {
    const { state, bits, opener } = this;
    if (state === 'text' || state === 'paste') return [];
    this.state = 'text';
    if (state === 'escape') this.keys.push(...(bits ? [named('escape')] : []), named('escape'));
    else if (state === 'csi' && this.body === '') this.keys.push(letterKey('[', 2));
    else if (state === 'ss3' && this.body === '') this.keys.push(letterKey('O', 2));
    else if (state === 'opener') this.keys.push(letterKey(opener, 2));
    else if (state === 'csi' || state === 'ss3' || state === 'linux') this.keys.push(named('unknown'));
    this.bits = 0;
    return this.give();
  }

  endPaste(): Key[] {
    if (this.state !== 'paste') return [];
    this.keepPaste(Buffer.from(this.tail, 'latin1'));
    this.finishPaste();
    return this.give();
  }

  private give(): Key[] {
    const { keys } = this;
    this.keys = [];
    return keys;
  }

  private take(byte: number): void {
    if (this.state !== 'paste') this.takers[this.state](byte);
  }

  private takeText(byte: number): void {
    if (byte >= 0x20 && byte !== 0x7f) {
      this.typed.push(byte);
      return;
    }
    this.endTyped();
    if (byte === ESC) this.begin('escape', 0);
    else this.keys.push(controlKey(byte));
  }

  private begin(state: State, bits: number): void {
    this.state = state;
    this.bits = bits;
    this.body = '';
  }

  private takeEscape(byte: number): void {
    const { bits } = this;
    const letter = String.fromCharCode(byte);
    if (letter === '[') {
      this.begin('csi', bits);
      return;
    }
    if (letter === 'O') {
      this.begin('ss3', bits);
      return;
    }
    // Esc twice: the first stands for itself, or for Alt when a sequence follows the second.
    if (byte === ESC) {
      if (bits) this.keys.push(named('escape'));
      this.begin('escape', 2);
      return;
    }
    if (bits) this.keys.push(named('escape'));
    if (letter === ']' || letter === 'P' || letter === '_') {
      this.opener = letter;
      this.begin('opener', 0);
      return;
    }
    this.state = 'text';
    this.bits = 0;
    if (byte < 0x20 || byte === 0x7f) this.keys.push(controlKey(byte, 2));
    else if (byte < 0x80) this.keys.push(letterKey(letter, 2));
    else {
      this.letter = [];
      this.begin('alt-letter', 0);
      this.takeAltLetter(byte);
    }
  }

  private takeAltLetter(byte: number): void {
    const first = this.letter[0] ?? byte;
    const follows = byte >= 0x80 && byte < 0xc0;
    if (this.letter.length > 0 && !follows) {
      // Cut short: no letter.
      this.mean(named('unknown', 2));
      this.take(byte);
      return;
    }
    this.letter.push(byte);
    const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    if (this.letter.length < length) return;
    const text = clean(Buffer.from(this.letter).toString('utf8'));
    this.mean(text === '' || text.includes('\ufffd') ? named('unknown', 2) : letterKey(text, 2));
  }

  /** A control character inside a sequence ends it; Esc begins another. */
  private broken(byte: number): boolean {
    if (byte >= 0x20 && byte < 0x7f) return false;
    this.mean(named('unknown'));
    this.take(byte);
    return true;
  }

  private takeCsi(byte: number): void {
    if (this.broken(byte)) return;
    const letter = String.fromCharCode(byte);
    if (this.body === '' && letter === '[') {
      this.begin('linux', this.bits);
      return;
    }
    if (this.body === '' && letter === 'M') {
      this.left = 3;
      this.begin('mouse', 0);
      return;
    }
    const rxvtShift = letter === '$' && /^\d+$/.test(this.body);
    if (byte >= 0x40 || rxvtShift) {
      this.mean(meaningOfCsi(this.body, letter, this.bits));
      return;
    }
    this.body += letter;
    if (this.body.length > LONGEST_SEQUENCE) this.mean(named('unknown'));
  }

  /** Three bytes that are no control characters: button and place. */
  private takeMouse(byte: number): void {
    if (byte < 0x20) {
      this.state = 'text';
      this.take(byte);
      return;
    }
    if (--this.left <= 0) this.state = 'text';
  }

  private takeSs3(byte: number): void {
    if (this.broken(byte)) return;
    const letter = String.fromCharCode(byte);
    if (letter >= '0' && letter <= '9' && this.body.length < 2) this.body += letter;
    else this.mean(meaningOfSs3(this.body, letter, this.bits));
  }

  /** Esc with `]`, `P` or `_` opens a reply only when it goes on like one; otherwise it was Alt with that letter. */
  private takeOpener(byte: number): void {
    const letter = String.fromCharCode(byte);
    const reply = this.opener === ']' ? /[\dlL]/ : this.opener === 'P' ? /[\d>!+$]/ : /G/;
    if (reply.test(letter)) {
      this.begin('string', 0);
      this.body = letter;
      return;
    }
    this.mean(letterKey(this.opener, 2));
    this.take(byte);
  }

  private takeString(byte: number): void {
    if (this.state === 'string-escape') {
      if (byte === 0x5c) {
        this.endString();
        return;
      }
      this.begin('escape', 0);
      this.take(byte);
      return;
    }
    if (byte === 0x07) {
      this.endString();
      return;
    }
    if (byte === ESC) {
      this.state = 'string-escape';
      return;
    }
    // No reply holds a control character: this one was typed.
    if (byte < 0x20) {
      this.state = 'text';
      this.take(byte);
      return;
    }
    this.body += String.fromCharCode(byte);
    if (this.body.length > LONGEST_STRING) this.state = 'text';
  }

  private endString(): void {
    this.state = 'text';
    this.options.onReply?.(this.body);
  }

  private mean(meaning: Meaning): void {
    this.state = 'text';
    this.bits = 0;
    if (meaning.kind === 'paste-start') {
      this.state = 'paste';
      this.paste = [];
      this.pasteBytes = 0;
      this.tail = '';
    } else if (meaning.kind !== 'ignored') this.keys.push(meaning);
  }

  /** Takes bytes of a paste up to its end; where to go on. */
  private takePaste(bytes: Uint8Array, at: number): number {
    const now = Buffer.from(bytes.buffer, bytes.byteOffset + at, bytes.length - at);
    const before = Buffer.from(this.tail, 'latin1');
    const all = before.length > 0 ? Buffer.concat([before, now]) : now;
    const end = all.indexOf(PASTE_END, 0, 'latin1');
    if (end >= 0) {
      this.keepPaste(all.subarray(0, end));
      this.finishPaste();
      return at + end + PASTE_END.length - before.length;
    }
    let held = Math.min(all.length, PASTE_END.length - 1);
    while (held > 0 && !PASTE_END.startsWith(all.toString('latin1', all.length - held))) held--;
    this.keepPaste(all.subarray(0, all.length - held));
    this.tail = all.toString('latin1', all.length - held);
    return bytes.length;
  }

  private keepPaste(bytes: Buffer): void {
    const room = (this.options.pasteLimit ?? PASTE_LIMIT) - this.pasteBytes;
    const kept = bytes.subarray(0, Math.max(0, room));
    if (kept.length === 0) return;
    this.pasteBytes += kept.length;
    // A copy: the stream may use its buffer again.
    this.paste.push(Buffer.from(kept));
  }

  private finishPaste(): void {
    this.state = 'text';
    const text = Buffer.concat(this.paste).toString('utf8');
    this.paste = [];
    this.tail = '';
    this.keys.push({ kind: 'paste', text: safeText(text.replace(/\r\n?/g, '\n')) });
  }

  /** Typed letters so far; half a character waits for its rest. */
  private flushTyped(): void {
    if (this.typed.length === 0) return;
    this.addText(this.utf8.write(Buffer.from(this.typed)));
    this.typed = [];
  }

  private endTyped(): void {
    this.flushTyped();
    this.addText(this.utf8.end());
  }

  private addText(text: string): void {
    const plain = clean(text);
    if (plain !== '') this.keys.push({ kind: 'text', text: plain });
  }
}

/** Without control characters of the second kind, which no key sends. */
const clean = (text: string): string => text.replace(/[\x00-\x1f\x7f-\x9f]/g, '');
