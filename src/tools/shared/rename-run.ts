/** The work of `@rename`, loaded by the first call: by a language server where one can tell scopes, else by the parsers. */
import { nearestNames } from '../../base/nearest.js';
import { read } from '../../code/aside/thread.js';
import { type Chosen, chooseNames, listed, type NameEdit, type RenameAsked } from '../../code/rename/choose.js';
import { declarationText, type Group, groupsOf } from '../../code/rename/groups.js';
import type { NameKind } from '../../code/rename/types.js';
import { whyNoName } from '../../code/rename/words.js';
import type { CodeSymbol } from '../../types/code.js';
import type { JsonObject } from '../../types/json.js';
import type { EditedText } from '../../types/language.js';
import { type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import { countArg, flagArg, invalid, requiredText, textArg } from './args.js';
import { changeOf } from './change-report.js';
import { counted } from './counted.js';
import { NAME_KINDS } from './rename-kinds.js';
import { planRename, type RenameFile } from './rename-plan.js';
import { type Scan, type ScannedFile, scanNames } from './rename-scan.js';
import { encodedLike, writeRename } from './rename-write.js';

const WORDS: Readonly<Record<string, NameKind>> = {
  class: 'type',
  interface: 'type',
  struct: 'type',
  enum: 'type',
  const: 'variable',
  constant: 'variable',
  parameter: 'variable',
  method: 'member',
  field: 'member',
  property: 'member',
};
const NAME = /^[\p{L}\p{Nl}_$][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{N}_$]{0,199}$/u;
/** Files whose declarations are looked through for a name like the one that is not there. */
const MOST_OUTLINED = 200;
const MOST_LEFT = 12;

function askedOf(args: JsonObject, context: ToolContext): RenameAsked {
  const [old, name] = [requiredText(args, 'old').trim(), requiredText(args, 'new').trim()];
  // `$count` of PHP and the shell is `count` with a sign.
  const [bare, bareNew] =
    old.startsWith('$') && name.startsWith('$') && old.length > 1 ? [old.slice(1), name.slice(1)] : [old, name];
  if (!NAME.test(bare)) throw invalid('old', `is not an identifier: ${JSON.stringify(old)}`);
  if (!NAME.test(bareNew)) throw invalid('new', `is not an identifier: ${JSON.stringify(name)}`);
  if (bare === bareNew) throw invalid('new', 'is the name it has already');
  const said = textArg(args, 'kind')?.toLowerCase();
  const kind = said === undefined ? undefined : (NAME_KINDS.find((one) => one === said) ?? WORDS[said]);
  if (said !== undefined && kind === undefined) throw invalid('kind', `must be one of ${NAME_KINDS.join(', ')}`);
  const file = textArg(args, 'file');
  const line = countArg(args, 'line', 1);
  if (line !== undefined && file === undefined) throw invalid('line', 'needs file');
  return {
    old: bare,
    new: bareNew,
    ...(kind && { kind }),
    ...(file !== undefined && { file: context.workspace.locate(file).shown.split('\\').join('/') }),
    ...(line !== undefined && { line }),
  };
}

/** Renames, or shows what a rename would do. Throws ToolFault. */
export async function runRename(args: JsonObject, context: ToolContext): Promise<ToolResult> {
  const asked = askedOf(args, context);
  const scan = await scanNames(textArg(args, 'dir') ?? '.', asked, context);
  const preview = flagArg(args, 'preview') === true;
  const what = `${asked.old} -> ${asked.new}`;
  if (asked.file !== undefined && !scan.files.some(({ path }) => path === asked.file)) await missingFile(asked, scan, context);
  const server = asked.file === undefined ? undefined : await byServer(asked, scan, context);
  if (server && 'files' in server)
    return writeRename(server.files, { what, preview, notes: [`By ${server.name}, which knows scopes.`] }, context);
  const choice = chooseNames(scan.files, scan.tree, asked);
  if (!choice.ok) {
    if (choice.code === 'NotFound') throw await notDeclared(asked, scan, context);
    throw new ToolFault(choice.code === 'Ambiguous' ? 'InvalidArgs' : choice.code, `${choice.message}\nNothing was changed`);
  }
  const files = scan.files.flatMap((file) => renamedFile(file, choice.chosen.edits.get(file.path) ?? []));
  if (files.length === 0)
    throw new ToolFault('Failed', `no place of ${asked.old} can be renamed by a parser. Nothing was changed`);
  return writeRename(files, { what, preview, notes: notesOf(choice.chosen, asked, scan, server?.why) }, context);
}

async function missingFile(asked: RenameAsked, scan: Scan, context: ToolContext): Promise<void> {
  const { located } = await context.workspace.readFile(asked.file ?? '');
  const all = groupsOf(scan.files, asked.kind).flatMap(({ declarations }) => declarations);
  const where = all.length > 0 ? `. It is declared at:\n${listed(all.map(declarationText))}\n` : '; ';
  throw new ToolFault(
    'NotFound',
    `${asked.old} does not stand in code of ${located.shown} (or it is ignored, generated or outside dir)${where}Nothing was changed`,
  );
}

/** The server's own rename, where there is a server; otherwise why not. */
async function byServer(
  asked: RenameAsked,
  scan: Scan,
  context: ToolContext,
): Promise<{ readonly name: string; readonly files: readonly RenameFile[] } | { readonly why: string } | undefined> {
  const file = scan.files.find(({ path }) => path === asked.file);
  const { languages } = context.host;
  if (!file || !languages) return undefined;
  const places = file.read.places.filter(({ isNew, role }) => !isNew && role !== 'label' && role !== 'module');
  const there = places.filter(({ line, declares, kind }) =>
    asked.line === undefined ? declares === 'own' && (asked.kind === undefined || asked.kind === kind) : line === asked.line,
  );
  // Which of several is meant is asked by the way of the parsers.
  const [place] = there;
  if (
    !place ||
    (asked.line === undefined &&
      groupsOf([file], asked.kind).filter(({ scope }) => scope === undefined).length +
        Number(there.length > 1 && there.every(({ scopes }) => scopes.length > 0)) >
        1)
  )
    return undefined;
  const why = whyNoName(asked.new, file.language, place.kind === 'member' || place.role === 'member');
  if (why) throw invalid('new', `${JSON.stringify(asked.new)} ${why} in ${file.path} (${file.language})`);
  let edits: readonly EditedText[];
  let name: string;
  try {
    const opened = await languages.open(file.real, file.text, { signal: context.signal });
    name = opened.server;
    edits = await opened.rename({ line: place.line, column: place.column }, asked.new);
  } catch (error) {
    if (!(error instanceof ToolFault) || error.code === 'Aborted') throw error;
    if (error.code === 'NotFound') return { why: 'no language server for it is installed' };
    throw new ToolFault(error.code, `the language server did not rename it: ${error.message}. Nothing was changed`);
  }
  const files = await planRename(edits, asked, context);
  if (files.length === 0) return { why: `${name} finds nothing to change` };
  refuseTaken(asked, scan, files);
  return { name, files };
}

/** Servers may rename into a name that is taken. */
function refuseTaken(asked: RenameAsked, scan: Scan, files: readonly RenameFile[]): void {
  const touched = new Set(files.map(({ target }) => target.path));
  const outer = groupsOf(scan.files, undefined, true)
    .filter(({ scope, kind }) => scope === undefined && kind !== 'member')
    .flatMap(({ declarations }) => declarations)
    .filter(({ file }) => touched.has((file as ScannedFile).real));
  const isOuter = scan.files.some(
    (file) =>
      file.path === asked.file &&
      file.read.places.some(
        (one) =>
          !one.isNew &&
          one.declares === 'own' &&
          one.kind !== 'member' &&
          one.scopes.length === 0 &&
          (asked.line === undefined || one.line === asked.line),
      ),
  );
  if (isOuter && outer.length > 0)
    throw new ToolFault(
      'Conflict',
      `${asked.new} is declared already in files that would change:\n${listed(outer.map(declarationText))}\nNothing was changed`,
    );
}

async function notDeclared(asked: RenameAsked, scan: Scan, { signal, workspace }: ToolContext): Promise<ToolFault> {
  const used = scan.files.flatMap(({ path, read: { places } }) =>
    places.filter(({ isNew }) => !isNew).map(({ line }) => `${path}:${line}`),
  );
  const names = new Set<string>();
  const gather = (symbols: readonly CodeSymbol[], depth: number): void => {
    for (const { name, children } of symbols) {
      names.add(name);
      if (depth < 20) gather(children, depth + 1);
    }
  };
  for (const { path, language } of scan.tree.slice(0, MOST_OUTLINED)) {
    const got = await workspace.readFile(path).catch(() => undefined);
    const outline = got && (await read('outline', { language, text: got.bytes.toString('utf8') }, { signal }));
    gather(outline?.symbols ?? [], 0);
  }
  const kind = asked.kind ? ` as a ${asked.kind}` : '';
  const near = nearestNames(
    asked.old,
    [...names].filter((name) => name !== asked.old),
    5,
  );
  const like = near.length > 0 ? `. Declared names like it: ${near.join(', ')}` : '';
  const uses = used.length > 0 ? `. It is used at:\n${listed(used)}\n` : like === '' ? '. ' : '. ';
  return new ToolFault(
    'NotFound',
    `${asked.old} is not declared${kind} in ${scan.dir.shown === '.' ? 'the workspace' : scan.dir.shown}${like}${uses}Nothing was changed`,
  );
}

function renamedFile(file: ScannedFile, edits: readonly NameEdit[]): RenameFile[] {
  if (edits.length === 0) return [];
  let after = '';
  let last = 0;
  for (const { from, to, text } of [...edits].sort((a, b) => a.from - b.from)) {
    after += file.text.slice(last, from) + text;
    last = to;
  }
  after += file.text.slice(last);
  if (!encodedLike(file.text, file.bytes).equals(file.bytes))
    throw new ToolFault('Failed', `${file.path} is not plain text (UTF-8 or UTF-16), so it is not changed; nor is anything else`);
  const bytes = encodedLike(after, file.bytes);
  return [
    {
      target: { path: file.real, bytes, expect: file.state },
      shown: file.path,
      places: edits.length,
      before: file.text,
      after,
      change: changeOf(file.path, file.bytes, bytes),
    },
  ];
}

/** Java and others want the file to be called as its type. */
const bearsName = ({ kind, declarations }: Group, old: string): boolean =>
  kind === 'type' &&
  declarations.some(
    ({ file: { path } }) => /\.(?:java|kt|cs|php|swift)$/.test(path) && path.split('/').at(-1)?.startsWith(`${old}.`),
  );

function notesOf({ group, left, byName }: Chosen, asked: RenameAsked, scan: Scan, whyNot: string | undefined): string[] {
  const mentions = scan.files.flatMap(({ path, read: { mentions: lines } }) => lines.map((line) => `${path}:${line}`));
  const few = (places: readonly string[]) =>
    `${places.slice(0, MOST_LEFT).join(', ')}${places.length > MOST_LEFT ? ', ...' : ''}`;
  const stay = left.map(({ path, line, why }) => `${path}:${line} (${why})`);
  return [
    `By parser${whyNot ? ` (${whyNot})` : ''}: by name, not by scope. ${counted(group.declarations.length, 'declaration')}: ${few(group.declarations.map(declarationText))}.`,
    ...(byName > 0
      ? [`Every .${asked.old} was taken for this member (${counted(byName, 'use')}); check those of other types.`]
      : []),
    ...(stay.length > 0 ? [`Left in code: ${few(stay)}.`] : []),
    ...(mentions.length > 0 ? [`Left in strings, comments and the like: ${few(mentions)}.`] : []),
    ...(scan.generated.length > 0
      ? [`Left in ${counted(scan.generated.length, 'generated file')}: ${few(scan.generated)}.`]
      : []),
    ...(scan.dir.shown === '.' ? [] : [`Only ${scan.dir.shown} was looked at.`]),
    ...scan.notes.map((note) => `Note: ${note}.`),
    ...(bearsName(group, asked.old) ? ['Note: the file that bears the old name keeps it; move it too.'] : []),
    'Ignored and vendored files were not looked at.',
  ];
}
