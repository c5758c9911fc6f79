/** Fetches what a message names with `@` and puts it before the message, within limits; private files are refused. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeShown, detect } from '../../base/text-encoding.js';
import { openRepository, runGit } from '../../process/git.js';
import type { Text } from '../../ui/text/index.js';
import { readSmallFile } from '../../workspace/small-file.js';
import type { App } from '../create-app.js';
import { contextWords, type Named } from './context-words.js';
import { runOwn } from './own-command.js';

/** Characters of one thing, and of all of a message. */
const MOST_EACH = 60_000;
const MOST_ALL = 200_000;
const LARGEST_FILE = 8 * 1024 * 1024;
const MOST_ENTRIES = 300;
const MOST_HISTORY = 30;
const MOST_THINGS = 30;

export interface Added {
  /** What stands before the message; empty when nothing was named. */
  readonly context: string;
  /** What was added and what was not, for people. */
  readonly lines: readonly string[];
}

interface Piece {
  /** Undefined: nothing was added, and `line` says why. */
  readonly block?: string;
  readonly line: string;
}

export interface ContextOptions {
  readonly app: App;
  readonly text: Text;
  /** Whole environment of the user, for their own commands. */
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Never throws; what cannot be had is told. */
export async function addContext(message: string, options: ContextOptions): Promise<Added> {
  const { text } = options;
  const named = contextWords(message);
  const blocks: string[] = [];
  const lines: string[] = [];
  let room = MOST_ALL;
  for (const one of named.slice(0, MOST_THINGS)) {
    if (options.signal.aborted) break;
    const piece = await pieceOf(one, options).catch((error: unknown): Piece => {
      return { line: text.t('mention.failed', { name: nameOf(one), reason: reasonOf(error) }) };
    });
    if (!piece) continue;
    if (piece.block !== undefined && piece.block.length > room) {
      lines.push(text.t('mention.noRoom', { name: nameOf(one) }));
      continue;
    }
    lines.push(piece.line);
    if (piece.block !== undefined) {
      blocks.push(piece.block);
      room -= piece.block.length;
    }
  }
  return { context: blocks.length > 0 ? `${blocks.join('\n\n')}\n\n` : '', lines };
}

/** Undefined: it was only a word. */
async function pieceOf(named: Named, options: ContextOptions): Promise<Piece | undefined> {
  const { text, app } = options;
  const told = (content: string, name = nameOf(named)): Piece => {
    const cut = content.length > MOST_EACH;
    const body = cut ? `${content.slice(0, MOST_EACH)}\n[cut: the rest is not here]` : content;
    return {
      block: block(name, body),
      line: text.t(cut ? 'mention.cut' : 'mention.added', { name, count: text.number(body.length) }),
    };
  };
  switch (named.kind) {
    case 'file':
      return fileOrFolder(named, options, told);
    case 'git':
      return told(await gitText(app, options.signal));
    case 'env':
      return told(envText(app.host.childEnv));
    case 'history':
      return told(historyText(options.env, app.host.home));
    case 'command': {
      const { env, signal } = options;
      const { code, output } = await runOwn(named.command, {
        cwd: app.workspace.root,
        env: { ...env },
        signal,
        show: () => undefined,
      });
      return told(`exit code ${code ?? 'unknown'}\n${output}`);
    }
  }
}

async function fileOrFolder(
  { path: given, sure }: Extract<Named, { kind: 'file' }>,
  { app, text }: ContextOptions,
  told: (content: string, name: string) => Piece,
): Promise<Piece | undefined> {
  const path = existing(given, app);
  if (path === undefined) {
    const looksLikeOne = sure || /[/\\]|\.\w{1,8}$/.test(given);
    return looksLikeOne ? { line: text.t('mention.notFound', { name: nameOf({ kind: 'file', path: given, sure }) }) } : undefined;
  }
  const { real, zone, shown } = app.workspace.locate(path);
  if (zone !== 'inside') return { line: text.t('mention.private', { name: `@${path}` }) };
  if (statSync(real).isDirectory()) return told(await folderText(real, app), `@${shown}`);
  const { bytes } = await app.workspace.readFile(path, { maxBytes: LARGEST_FILE });
  if (detect(bytes).binary) return { line: text.t('mention.binary', { name: `@${path}` }) };
  return told(decodeShown(bytes).text, `@${shown}`);
}

/** The path as written, or without the full stop or comma behind it. */
function existing(given: string, app: App): string | undefined {
  for (const path of [given, given.replace(/[.,;:!?)\]}]+$/, '')]) {
    if (path === '') continue;
    try {
      statSync(app.workspace.locate(path).real);
      return path;
    } catch {
      // The next way to read it.
    }
  }
  return undefined;
}

async function folderText(real: string, app: App): Promise<string> {
  const entries = await readdir(real, { withFileTypes: true });
  const names = entries
    .filter(({ name }) => app.workspace.locate(join(real, name)).zone === 'inside')
    .map((entry) => `${entry.name.replace(/[\r\n]/g, '\\n')}${entry.isDirectory() ? '/' : ''}`)
    .sort();
  const more = names.length - MOST_ENTRIES;
  return [...names.slice(0, MOST_ENTRIES), ...(more > 0 ? [`[${more} more]`] : [])].join('\n');
}

async function gitText(app: App, signal: AbortSignal): Promise<string> {
  const place = { cwd: app.workspace.root, env: app.host.childEnv, signal, keepBytes: MOST_EACH };
  const repository = await openRepository(place);
  const parts: string[] = [];
  for (const words of [
    ['status', '--short', '--branch'],
    ['log', '-10', '--oneline', '--no-decorate'],
    ['diff', 'HEAD', '--stat'],
  ]) {
    const { output, exitCode } = await runGit(repository, words, place);
    if (exitCode === 0 && output.trim() !== '') parts.push(`$ git ${words.join(' ')}\n${output.trimEnd()}`);
  }
  return parts.join('\n\n');
}

const SECRET = /KEY|TOKEN|SECRET|PASS|PWD_|CRED|AUTH|COOKIE|PRIVATE|SIGNATURE|DSN|CONN|_URL$|_URI$/i;

const LONGEST_LINE = 2_000;
/** A command line that gives a secret a value: `TOKEN=x`, `--password x`, `-u name:x`, `//name:x@host`. */
const SECRET_WORD =
  /\w*(?:KEY|TOKEN|SECRET|PASS|CRED|AUTH(?!OR))\w*['"]?\s*[=:]\s*\S|--?[\w-]*(?:key|token|secret|pass|auth(?!or))[\w-]*[ =]\S|\s-u\s*\S*:\S|:\/\/[^/\s]*:[^/\s]*@/i;

/** Names and values; of what may be secret only the name. */
function envText(env: Readonly<Record<string, string>>): string {
  const rows = Object.entries(env).map(([name, value]) => {
    const hidden = SECRET.test(name) || /:\/\/[^/\s]*@/.test(value);
    return `${name}=${hidden ? '[hidden]' : value.slice(0, 500).replace(/[\r\n]/g, ' ')}`;
  });
  return rows.sort().join('\n');
}

/** The last commands of the user's shell. Throws when its history cannot be read. */
function historyText(env: Readonly<Record<string, string>>, home: string): string {
  const usual = /zsh$/.test(env['SHELL'] ?? '') ? '.zsh_history' : '.bash_history';
  const file = env['HISTFILE'] || join(home, usual);
  const read = existsSync(file) ? readSmallFile(realpathSync(file), LARGEST_FILE) : 'missing';
  if (typeof read === 'string')
    throw new Error(read === 'missing' ? `there is no ${file}` : `${file} is too large or no ordinary file`);
  const rows = read.text
    .split('\n')
    .map((line) => line.replace(/^: \d+:\d+;/, ''))
    // Bash writes the time of a command as a comment before it.
    .filter((line) => line.trim() !== '' && !/^#\d+$/.test(line));
  return rows
    .slice(-MOST_HISTORY)
    .map((line) => line.slice(0, LONGEST_LINE))
    .map((line) => (SECRET_WORD.test(line) ? '[hidden: a line that may hold a secret]' : line))
    .join('\n');
}

/** A marked piece whose end nothing in it can look like. */
function block(name: string, content: string): string {
  let mark = 'context';
  while (content.includes(`</${mark}>`)) mark += '_';
  return `<${mark} source=${JSON.stringify(name)}>\n${content.trimEnd()}\n</${mark}>`;
}

function nameOf(named: Named): string {
  if (named.kind === 'file') return `@${named.path}`;
  return named.kind === 'command' ? `@command ${named.command}` : `@${named.kind}`;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
