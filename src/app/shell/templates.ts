/** Prompt templates: Markdown files of the user and of trusted folders that become commands. */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readFrontmatter } from '../../base/frontmatter.js';
import { readRegular } from '../../base/read-regular.js';
import type { Command } from '../../types/command.js';
import type { Template } from '../../types/command-ports.js';

const NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;
const LARGEST = 64 * 1024;
const MOST = 200;
const DEEPEST = 4;
const LONGEST_ABOUT = 78;

export interface Templates {
  readonly templates: readonly Template[];
  /** English sentences, each with its file. */
  readonly warnings: readonly string[];
}

/** The first folder that has a name decides. Links are not followed. Never throws. */
export async function loadTemplates(folders: readonly string[]): Promise<Templates> {
  const found = new Map<string, Template>();
  const warnings: string[] = [];
  for (const folder of folders) {
    for (const { file, name } of filesIn(folder, [])) {
      if (found.has(name) || found.size >= MOST) continue;
      try {
        const bytes = readRegular(file, LARGEST);
        const { fields, body } = await readFrontmatter(bytes.toString('utf8'));
        found.set(name, { name, file, body: body.trim(), about: aboutOf(fields['description'], body) });
      } catch (error) {
        warnings.push(`${file}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  return { templates: [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), warnings };
}

function filesIn(folder: string, above: readonly string[]): { readonly file: string; readonly name: string }[] {
  if (above.length > DEEPEST) return [];
  let names: string[];
  try {
    if (!lstatSync(folder).isDirectory()) return [];
    names = readdirSync(folder).sort();
  } catch {
    return [];
  }
  return names.slice(0, MOST).flatMap((entry) => {
    const file = join(folder, entry);
    const own = entry.toLowerCase().replace(/\.md$/, '');
    if (!NAME.test(own)) return [];
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return filesIn(file, [...above, own]);
    return stat?.isFile() && entry.toLowerCase().endsWith('.md') ? [{ file, name: [...above, own].join(':') }] : [];
  });
}

function aboutOf(given: unknown, body: string): string {
  const line = (typeof given === 'string' && given.trim() !== '' ? given : body).trim().split('\n', 1)[0] ?? '';
  const clean = line
    .replace(/^#+\s*/, '')
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim();
  const letters = [...clean];
  return letters.length > LONGEST_ABOUT ? `${letters.slice(0, LONGEST_ABOUT - 1).join('')}…` : clean || '-';
}

/** `$ARGUMENTS`, `$1` to `$9` filled once; words that no place takes stand behind it. */
export function fillTemplate(body: string, words: string): string {
  const given = splitWords(words);
  let isUsed = false;
  const text = body.replace(/\$(ARGUMENTS\b|[1-9](?!\d))/g, (_place, name: string) => {
    isUsed = true;
    return name === 'ARGUMENTS' ? words : (given[Number(name) - 1] ?? '');
  });
  return isUsed || words === '' ? text : `${text}\n\n${words}`;
}

/** Words between blanks; quotation marks hold some together. */
function splitWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

/** A template as a command; names of our own commands are not taken. */
export function templateCommands(templates: readonly Template[], taken: ReadonlySet<string>): Command[] {
  return templates
    .filter(({ name }) => !taken.has(name))
    .map(({ name, about, body }) => ({
      name,
      aliases: [],
      summary: about,
      run: (words, { start }) => start?.(fillTemplate(body, words)),
    }));
}
