/** What may stand for a half-typed word: commands, files and folders of the workspace. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fuzzysort from 'fuzzysort';
import { COMMANDS } from '../../commands/registry.js';
import type { Completer, Completion } from '../../ui/editor/port.js';
import type { Text } from '../../ui/text/index.js';
import type { OpenWorkspace } from '../../workspace/open-workspace.js';

const MOST_FILES = 50_000;
const MOST_SHOWN = 50;
/** So long a list of files is used before the folder is looked at again. */
const FRESH_MS = 10_000;
const LEFT_OUT = new Set(['.git', 'node_modules']);

/** Completions over a workspace; `files` is read when it is first needed. */
export function shellCompleter(text: Text, workspace: () => OpenWorkspace | undefined): Completer {
  const files = createFileList(workspace);
  return async ({ kind, word }, signal) => {
    if (kind === 'command') return commandCompletions(word, text);
    if (kind === 'argument') return [];
    const paths = await files(signal);
    if (word === '') return paths.slice(0, MOST_SHOWN).map(fileCompletion);
    return fuzzysort.go(word, paths, { limit: MOST_SHOWN, threshold: 0.2 }).map(({ target }) => fileCompletion(target));
  };
}

function commandCompletions(word: string, text: Text): Completion[] {
  const typed = word.slice(1).toLowerCase();
  return COMMANDS.flatMap((command) => {
    const name = [command.name, ...command.aliases].find((one) => one.startsWith(typed));
    return name === undefined ? [] : [{ insert: `/${name}`, detail: text.find(command.summary) ?? '', ends: true }];
  }).sort((a, b) => (a.insert < b.insert ? -1 : 1));
}

function fileCompletion(path: string): Completion {
  return { insert: path, ends: !path.endsWith('/') };
}

/** Paths below the workspace, folders with a slash, nearest first; names that cannot be typed are left out. */
function createFileList(workspace: () => OpenWorkspace | undefined): (signal: AbortSignal) => Promise<readonly string[]> {
  let known: readonly string[] = [];
  let read = 0;
  let reading: Promise<readonly string[]> | undefined;
  return async (signal) => {
    const place = workspace();
    if (!place || signal.aborted) return known;
    if (performance.now() - read > FRESH_MS || known.length === 0) {
      reading ??= walk(place.root).then((paths) => {
        known = paths;
        read = performance.now();
        reading = undefined;
        return paths;
      });
      return known.length > 0 ? known : reading;
    }
    return known;
  };
}

async function walk(root: string): Promise<string[]> {
  const found: string[] = [];
  let level = [''];
  while (level.length > 0 && found.length < MOST_FILES) {
    const next: string[] = [];
    for (const folder of level) {
      const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        if (LEFT_OUT.has(entry.name) || /[\s\p{Cc}]/u.test(entry.name)) continue;
        const path = `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`;
        found.push(path);
        if (entry.isDirectory()) next.push(path);
      }
      if (found.length >= MOST_FILES) break;
    }
    level = next;
  }
  return found;
}
