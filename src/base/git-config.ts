/** Reads the text of a git configuration by hand: its keys and values in order, or nothing when anything in it is odd. */

export interface ConfigEntry {
  /** Section and key in lower case, a subsection between them as written: `filter.Lfs.clean`. */
  readonly key: string;
  /** Undefined for a key without a value, which means true. */
  readonly value: string | undefined;
}

/** The entries of a configuration text; undefined when it holds something this reader does not understand. */
export function parseGitConfig(text: string): readonly ConfigEntry[] | undefined {
  if (text.includes('\0')) return undefined;
  const reader = { text: text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n'), at: 0 };
  const entries: ConfigEntry[] = [];
  let section: string | undefined;
  while (reader.at < reader.text.length) {
    const char = reader.text.charAt(reader.at);
    if (char === '\n' || BLANK.test(char)) reader.at++;
    else if (char === '#' || char === ';') skipLine(reader);
    else if (char === '[') {
      section = readSection(reader);
      if (section === undefined) return undefined;
    } else {
      const entry = section === undefined ? undefined : readEntry(reader, section);
      if (!entry) return undefined;
      entries.push(entry);
    }
  }
  return entries;
}

/** Does a value mean "no"? Not sure counts as yes. */
export function isFalse(value: string | undefined): boolean {
  return value !== undefined && /^(|false|no|off|0)$/i.test(value);
}

/** Is a value a plain yes or no? */
export function isSwitch(value: string | undefined): boolean {
  return value === undefined || /^(|true|yes|on|1|false|no|off|0)$/i.test(value);
}

/** What git takes for a blank within a line, and nothing else: `false` and a form feed are a program's name. */
const BLANK = /[ \t\r]/;

interface TextReader {
  readonly text: string;
  at: number;
}

function skipLine(reader: TextReader): void {
  const end = reader.text.indexOf('\n', reader.at);
  reader.at = end < 0 ? reader.text.length : end + 1;
}

function take(reader: TextReader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0];
  if (found !== undefined) reader.at += found.length;
  return found;
}

/** `[name]`, `[name "sub"]` or the old `[name.sub]`. */
function readSection(reader: TextReader): string | undefined {
  reader.at++;
  const name = take(reader, /[A-Za-z0-9.-]+/y)?.toLowerCase();
  if (name === undefined) return undefined;
  if (take(reader, /\]/y) !== undefined) return name;
  if (take(reader, /[ \t]+"/y) === undefined) return undefined;
  const sub = take(reader, /([^"\\\n]|\\[^\n])*/y) ?? '';
  return take(reader, /"\]/y) === undefined ? undefined : `${name}.${sub.replace(/\\(.)/g, '$1')}`;
}

function readEntry(reader: TextReader, section: string): ConfigEntry | undefined {
  const name = take(reader, /[A-Za-z][A-Za-z0-9-]*/y)?.toLowerCase();
  if (name === undefined) return undefined;
  take(reader, /[ \t]+/y);
  const key = `${section}.${name}`;
  if (take(reader, /\n|$/y) !== undefined) return { key, value: undefined };
  if (/[#;]/.test(reader.text.charAt(reader.at))) {
    skipLine(reader);
    return { key, value: undefined };
  }
  if (take(reader, /=[ \t]*/y) === undefined) return undefined;
  const value = readValue(reader);
  return value === undefined ? undefined : { key, value };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b', '\\': '\\', '"': '"', '\n': '' };

/** The rest of the line without comment, quotes and blanks at its end; a backslash at the end goes on with the next. */
function readValue(reader: TextReader): string | undefined {
  let value = '';
  let solid = 0;
  let quoted = false;
  while (reader.at < reader.text.length) {
    const char = reader.text.charAt(reader.at++);
    if (char === '\n') break;
    if (char === '"') quoted = !quoted;
    else if (char === '\\') {
      const escaped = ESCAPES[reader.text.charAt(reader.at++)];
      if (escaped === undefined) return undefined;
      value += escaped;
    } else if (!quoted && (char === '#' || char === ';')) {
      skipLine(reader);
      break;
    } else {
      value += char;
      if (!quoted && BLANK.test(char)) continue;
    }
    solid = value.length;
  }
  return quoted ? undefined : value.slice(0, solid);
}
