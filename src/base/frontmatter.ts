/** Markdown with YAML in front of it: split by hand, the YAML read by a library that is loaded when it is needed. */

export interface Frontmatter {
  /** The mapping in front; empty without one. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** What is wrong with the lines in front; `kind` for programs, the message in English. */
export class FrontmatterFault extends Error {
  readonly kind: 'not-closed' | 'too-long' | 'not-yaml' | 'no-fields';
  /** What the YAML library says, or the limit. */
  readonly detail: string;
  constructor(kind: FrontmatterFault['kind'], message: string, detail = '') {
    super(message);
    this.name = 'FrontmatterFault';
    this.kind = kind;
    this.detail = detail;
  }
}

const LARGEST = 64 * 1024;

/** Throws FrontmatterFault. A text without front matter is all body. */
export async function readFrontmatter(text: string): Promise<Frontmatter> {
  const plain = text.replace(/^\uFEFF/, '');
  const opening = /^---[ \t]*\r?\n/.exec(plain);
  if (!opening) return { fields: {}, body: plain };
  const rest = plain.slice(opening[0].length);
  const closing = /^(?:---|\.\.\.)[ \t]*\r?$/m.exec(rest);
  if (!closing) throw new FrontmatterFault('not-closed', 'the front matter has no closing line "---"');
  const yaml = rest.slice(0, closing.index);
  if (yaml.length > LARGEST)
    throw new FrontmatterFault('too-long', `the front matter is longer than ${LARGEST} characters`, String(LARGEST));
  const body = rest.slice(closing.index + closing[0].length).replace(/^\r?\n/, '');
  return { fields: await mapping(yaml), body };
}

async function mapping(yaml: string): Promise<Record<string, unknown>> {
  const { load } = await import('js-yaml');
  let value: unknown;
  try {
    // Aliases could make a small text large.
    value = /[&*][A-Za-z0-9_]+/.test(yaml) ? withoutAliases(yaml, load) : load(yaml);
  } catch (error) {
    const plain = plainFields(yaml, load);
    if (plain) return plain;
    throw new FrontmatterFault('not-yaml', `the front matter is no valid YAML: ${oneLine(error)}`, oneLine(error));
  }
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw new FrontmatterFault('no-fields', 'the front matter must be fields with values');
  return value as Record<string, unknown>;
}

/** What begins a value that is more than text. */
const MORE_THAN_TEXT = /^["'[{&*!|>%@`]/;

/**
 * Fields of which some are text that YAML reads as more (`description: Use this. Examples: ...`), as many agent files have
 * them: each is read alone, and the rest of its line is its text. Undefined when that does not make sense either.
 */
function plainFields(yaml: string, load: (text: string) => unknown): Record<string, unknown> | undefined {
  const blocks: string[] = [];
  for (const line of yaml.split(/\r?\n/)) {
    if (/^[A-Za-z][\w-]*:(\s|$)/.test(line)) blocks.push(line);
    else if (blocks.length > 0) blocks[blocks.length - 1] += `\n${line}`;
    else if (line.trim() !== '' && !line.startsWith('#')) return undefined;
  }
  const fields = new Map<string, unknown>();
  for (const block of blocks) {
    const key = /^[\w-]+/.exec(block)?.[0] ?? '';
    const value = oneField(key, block, load);
    if (value === undefined || fields.has(key)) return undefined;
    fields.set(key, value.value);
  }
  return Object.fromEntries(fields);
}

function oneField(key: string, block: string, load: (text: string) => unknown): { readonly value: unknown } | undefined {
  try {
    const read = withoutAliases(block, load);
    if (read !== null && typeof read === 'object') return { value: (read as Record<string, unknown>)[key] };
  } catch {
    // Read as text below.
  }
  const text = block.slice(key.length + 1).trim();
  return key === 'description' || !MORE_THAN_TEXT.test(text) ? { value: text } : undefined;
}

function withoutAliases(yaml: string, load: (text: string) => unknown): unknown {
  const value = load(yaml);
  const seen = new Set<unknown>();
  const walk = (at: unknown): void => {
    if (at === null || typeof at !== 'object') return;
    if (seen.has(at)) throw new Error('aliases are not allowed here');
    seen.add(at);
    for (const inner of Object.values(at)) walk(inner);
  };
  walk(value);
  return value;
}

function oneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n')[0] ?? message;
}

/** A field as a list: a YAML sequence, or words between commas (outside parentheses). Undefined when it is not there. */
export function listField(value: unknown): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const items = Array.isArray(value) ? value.map(String) : String(value).split(/,(?![^()]*\))/);
  return items.map((item) => item.trim()).filter(Boolean);
}

/** A field as a line of text; undefined when it is not there or no plain value. */
export function textField(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).trim() || undefined
    : undefined;
}
