/** Reads what a rename needs of a tree: the source files that hold one of two names, each parsed. */
import { isAbsolute, join, relative, sep } from 'node:path';
import { read } from '../../code/aside/thread.js';
import { languageOf, languageOfName } from '../../code/languages/registry.js';
import { LONGEST_TEXT, offsetsOf } from '../../code/rename/read-names.js';
import type { NamedFile, NamesRead } from '../../code/rename/types.js';
import { type ToolContext, ToolFault } from '../../types/tool.js';
import type { FileState, Located } from '../../types/workspace.js';
import { within } from '../../workspace/zones.js';
import { stopIfAborted } from './args.js';
import { textOf } from './change-report.js';
import { walkForMap } from './map-walk.js';

/** Files with the name; more is no rename any more. */
const MOST_NAMED = 2_000;
/** Bytes; a larger file is looked through for the name, and not read otherwise. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface ScannedFile extends NamedFile {
  readonly real: string;
  readonly bytes: Buffer;
  readonly text: string;
  readonly state: FileState;
}

export interface Scan {
  readonly dir: Located;
  readonly files: readonly ScannedFile[];
  readonly tree: readonly { readonly path: string; readonly language: string }[];
  /** Files with the name that are left alone, as messages show them. */
  readonly generated: readonly string[];
  /** Sentences about what was not looked at. */
  readonly notes: readonly string[];
}

/** Throws ToolFault when a file with the name cannot be read as a whole. */
export async function scanNames(
  dir: string,
  names: { readonly old: string; readonly new: string },
  context: ToolContext,
): Promise<Scan> {
  const { workspace, signal } = context;
  const located = await workspace.directory(dir);
  if (located.zone !== 'inside')
    throw new ToolFault('OutsideWorkspace', `${located.shown} is not in the workspace; nothing was changed`);
  const shown = (path: string) => (within(path, workspace.root) ? relative(workspace.root, path).split(sep).join('/') : path);
  const walked = await walkForMap(located.real, workspace.root, { shown, signal, tests: true });
  if (walked.limited)
    throw new ToolFault('Failed', 'the tree has more files than are looked at; choose a smaller dir. Nothing was changed');
  for (const path of walked.larger) await refuseLarge(path, names.old, context);
  const tree: { path: string; language: string }[] = [];
  const files: ScannedFile[] = [];
  const generated: string[] = [];
  for (const { path } of walked.files) {
    stopIfAborted(signal);
    const one = await readOne(isAbsolute(path) ? path : join(workspace.root, path), path, names, context);
    if (!one) continue;
    tree.push({ path, language: one.language });
    if (!one.read) continue;
    if (one.read.form) {
      if (one.read.places.some(({ isNew }) => !isNew)) generated.push(path);
    } else files.push({ ...one, read: one.read });
    if (files.length > MOST_NAMED)
      throw new ToolFault('Failed', `more than ${MOST_NAMED} files hold ${names.old}; choose a smaller dir. Nothing was changed`);
  }
  const notes = [
    ...(walked.unlisted > 0 ? [`${walked.unlisted} folder(s) could not be listed`] : []),
    ...(walked.secret > 0 ? [`${walked.secret} guarded file(s) not read`] : []),
  ];
  return { dir: located, files, tree, generated, notes };
}

async function refuseLarge(path: string, name: string, { workspace }: ToolContext): Promise<void> {
  const { bytes, located } = await workspace.readFile(path, { maxBytes: MOST_BYTES });
  if (bytes.includes(name)) throw tooMuch(located.shown, name, 'is too large to be parsed');
}

const tooMuch = (shown: string, name: string, why: string) =>
  new ToolFault(
    'Failed',
    `${shown} holds ${name} but ${why}, so nothing was changed anywhere. Choose a dir without it, or edit with multipatch`,
  );

type One = Omit<ScannedFile, 'read'> & { readonly read: NamesRead | undefined };

/** Undefined: no source file. Without `read`: none of the names stands in it. */
async function readOne(
  real: string,
  path: string,
  names: { readonly old: string; readonly new: string },
  context: ToolContext,
): Promise<One | undefined> {
  const { workspace, signal } = context;
  const got = await workspace.readFile(real, { maxBytes: MOST_BYTES }).catch((error: unknown) => {
    if (error instanceof ToolFault && languageOfName(path) === undefined) return undefined;
    throw error;
  });
  if (got?.located.zone !== 'inside') return undefined;
  const { bytes, state } = got;
  const text = textOf(bytes);
  const language = text === undefined ? undefined : languageOf(path, text);
  if (text === undefined || !language) return undefined;
  const about = { path, real: got.located.real, language: language.id, bytes, text, state };
  if (offsetsOf(text, names.old).length === 0 && offsetsOf(text, names.new).length === 0) return { ...about, read: undefined };
  const found =
    text.length > LONGEST_TEXT ? undefined : await read('renaming', { language: language.id, text, ...names }, { signal });
  stopIfAborted(signal);
  if (found) return { ...about, read: found };
  if (offsetsOf(text, names.old).length === 0) return { ...about, read: undefined };
  throw tooMuch(path, names.old, 'cannot be parsed in time');
}
