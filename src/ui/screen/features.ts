/** What a terminal can do, told from its environment, its streams, and its answer about the background. */
import type { Features } from './port.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What is needed of an output; `process.stdout` is one. */
export interface ScreenOutput extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly fd?: number;
  /** Asks the terminal for its size now, and tells of a change by `resize`. */
  _refreshSize?(): void;
}

/** Things about a terminal that only the screen itself uses. */
export interface TerminalTraits {
  readonly reflow: 'none' | 'usual' | 'xtermjs';
  /** Frames in synchronised output (DEC 2026) show as one. */
  readonly synchronized: boolean;
  /** Knows OSC 9 as a note to the user. */
  readonly notes: boolean;
  /** May be asked about its background (OSC 11). */
  readonly answers: boolean;
  /** How Shift+Enter and the like are made to differ from Enter. */
  readonly keys: 'kitty' | 'xterm' | 'none';
}

const size = (value: number | undefined, instead: string | undefined, otherwise: number): number => {
  if (value !== undefined && value > 0) return value;
  const told = Number(instead);
  return Number.isSafeInteger(told) && told > 0 ? told : otherwise;
};

/** Never fails; `platform` is that of `process`. */
export function readFeatures(output: ScreenOutput, env: Environment, platform: NodeJS.Platform = process.platform): Features {
  const tty = output.isTTY === true;
  const term = env['TERM'] ?? '';
  const moves = tty && term !== 'dumb' && (term !== '' || platform === 'win32');
  return {
    columns: size(output.columns, env['COLUMNS'], 80),
    rows: size(output.rows, env['LINES'], 24),
    depth: depthOf(env, term, tty, platform),
    unicode: knowsUnicode(env, term, platform),
    moves,
    background: backgroundFromColors(env['COLORFGBG']),
  };
}

function depthOf(env: Environment, term: string, tty: boolean, platform: NodeJS.Platform): Features['depth'] {
  if (env['NO_COLOR']) return 0;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) {
    if (forced === '0' || forced === 'false') return 0;
    if (forced === '2') return 8;
    if (forced === '3') return 24;
    return Math.max(4, tty ? depthOfTerm(env, term, platform) : 4) as Features['depth'];
  }
  return tty && term !== 'dumb' ? depthOfTerm(env, term, platform) : 0;
}

const FULL_PROGRAMS = new Set(['iTerm.app', 'vscode', 'WezTerm', 'ghostty', 'Hyper', 'Tabby', 'WarpTerminal', 'rio']);

function depthOfTerm(env: Environment, term: string, platform: NodeJS.Platform): Features['depth'] {
  if (/^(truecolor|24bit)$/i.test(env['COLORTERM'] ?? '') || env['WT_SESSION']) return 24;
  const program = env['TERM_PROGRAM'] ?? '';
  if (FULL_PROGRAMS.has(program)) return 24;
  if (/-direct$|^xterm-(kitty|ghostty)$|^(alacritty|foot|wezterm|contour)/.test(term)) return 24;
  if (/256/.test(term) || program === 'Apple_Terminal') return 8;
  if (/^(xterm|screen|tmux|linux|ansi|rxvt|konsole|vte|cygwin|putty|cons25)|color/.test(term)) return 4;
  return platform === 'win32' && term === '' ? 24 : 0;
}

function knowsUnicode(env: Environment, term: string, platform: NodeJS.Platform): boolean {
  if (env['WT_SESSION']) return true;
  // Its font has box lines, but hardly a mark.
  if (term === 'linux' || term === 'dumb') return false;
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'];
  if (locale) return /utf-?8/i.test(locale);
  // Nothing told, as in most containers: what shows it knows UTF-8 today, but for the old Windows console.
  return platform !== 'win32' || env['TERM_PROGRAM'] !== undefined;
}

/** `COLORFGBG` of rxvt, Konsole and others: `15;0`, `0;default;15`. */
function backgroundFromColors(value: string | undefined): Features['background'] {
  const last = /;(\d{1,3})$/.exec(value ?? '')?.[1];
  if (last === undefined) return 'unknown';
  const color = Number(last);
  return color < 7 || color === 8 ? 'dark' : color < 16 ? 'light' : 'unknown';
}

/** Reads the answer to OSC 11 (`11;rgb:1e1e/1e1e/1e1e`, `rgba:`, `#rrggbb`); undefined: it is none. */
export function backgroundFromReply(reply: string): 'light' | 'dark' | undefined {
  const words = /^11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i.exec(reply);
  const hash = /^11;#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(reply);
  const parts = (words ?? hash)?.slice(1, 4);
  if (!parts) return undefined;
  const [red = 0, green = 0, blue = 0] = parts.map((hex) => Number.parseInt(hex, 16) / (16 ** hex.length - 1));
  return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? 'light' : 'dark';
}

const NOT_MODERN = /^(linux|dumb|vt\d|ansi|cons25|sun|cygwin|putty|screen)/;
const KITTY_KEYS = /^xterm-(kitty|ghostty)$|^(foot|alacritty)/;

export function readTraits(env: Environment): TerminalTraits {
  const term = env['TERM'] ?? '';
  const program = env['TERM_PROGRAM'] ?? '';
  if (env['TMUX']) {
    const version = program === 'tmux' ? Number.parseFloat(env['TERM_PROGRAM_VERSION'] ?? '') : Number.NaN;
    return {
      reflow: 'usual',
      synchronized: version >= 3.4,
      notes: false,
      answers: true,
      keys: version >= 3.2 ? 'xterm' : 'none',
    };
  }
  const old = NOT_MODERN.test(term) || env['STY'] !== undefined;
  const xtermjs = program === 'vscode' || program === 'Hyper' || program === 'Tabby';
  const xterm = env['XTERM_VERSION'] !== undefined && program === '';
  return {
    reflow: xtermjs ? 'xtermjs' : old || xterm || term.startsWith('rxvt') ? 'none' : 'usual',
    synchronized: !old && program !== 'Apple_Terminal',
    notes: /^(iTerm\.app|WezTerm|ghostty)$/.test(program) || /^xterm-(kitty|ghostty)$/.test(term),
    answers: !old,
    keys: old
      ? 'none'
      : KITTY_KEYS.test(term) || program === 'iTerm.app' || program === 'ghostty'
        ? 'kitty'
        : xterm
          ? 'xterm'
          : 'none',
  };
}
