/** All languages, one line each, and how a file finds its own. */
import { basename } from 'node:path';
import type { Language } from '../parse/language.js';
import { c } from './c.js';
import { cHeader, cpp } from './cpp.js';
import { csharp } from './csharp.js';
import { go } from './go.js';
import { java } from './java.js';
import { javascript } from './javascript.js';
import { jsx } from './jsx.js';
import { kotlin } from './kotlin.js';
import { php } from './php.js';
import { python } from './python.js';
import { ruby } from './ruby.js';
import { rust } from './rust.js';
import { scala } from './scala.js';
import { shell } from './shell.js';
import { swift } from './swift.js';
import { tsx } from './tsx.js';
import { typescript } from './typescript.js';

export const LANGUAGES: readonly Language[] = [
  go,
  typescript,
  tsx,
  javascript,
  jsx,
  python,
  java,
  ruby,
  rust,
  kotlin,
  csharp,
  php,
  c,
  cpp,
  cHeader,
  shell,
  scala,
  swift,
];

const byExtension = new Map(LANGUAGES.flatMap((one) => one.extensions.map((extension) => [extension, one] as const)));
const byFilename = new Map(LANGUAGES.flatMap((one) => (one.filenames ?? []).map((name) => [name, one] as const)));
const byShebang = new Map(LANGUAGES.flatMap((one) => (one.shebangs ?? []).map((name) => [name, one] as const)));

/** The language of a file by its name, without looking into it. */
export function languageOfName(path: string): Language | undefined {
  const name = basename(path);
  const whole = byFilename.get(name);
  if (whole) return whole;
  const lower = name.toLowerCase();
  for (let dot = lower.indexOf('.', 1); dot >= 0; dot = lower.indexOf('.', dot + 1)) {
    const found = byExtension.get(lower.slice(dot));
    if (found) return found;
  }
  return undefined;
}

/** The language of a file by its name, or by the interpreter its first line names. */
export function languageOf(path: string, text: string): Language | undefined {
  return languageOfName(path) ?? languageOfShebang(text);
}

/** `#!/usr/bin/env -S python3.11 -u` names `python`. */
function languageOfShebang(text: string): Language | undefined {
  const first = /^\uFEFF?#!([^\r\n]{1,200})/.exec(text)?.[1];
  const words = first?.trim().split(/\s+/) ?? [];
  for (const word of words) {
    const name = basename(word).replace(/[\d.]+$/, '');
    if (name === 'env' || word.startsWith('-') || word.includes('=')) continue;
    return byShebang.get(name);
  }
  return undefined;
}
