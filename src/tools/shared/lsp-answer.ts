/** What `@lsp` answers, loaded by the first call: servers, parsers and texts stand behind it. */
import { read } from '../../code/aside/thread.js';
import { identifierFault } from '../../code/languages/keywords.js';
import { languageOf } from '../../code/languages/registry.js';
import { textLines } from '../../code/lsp/positions.js';
import type { JsonObject } from '../../types/json.js';
import type { CodePlace, CodePosition, LanguageFile, LanguageServers } from '../../types/language.js';
import { type ToolContext, ToolFault, type ToolResult } from '../../types/tool.js';
import { countArg, flagArg, invalid, requiredText, textArg } from './args.js';
import { diffDisplay, statText, textOf } from './change-report.js';
import { pointedAt, symbolLine, wordAt } from './code-text.js';
import { counted } from './counted.js';
import { findingLine } from './diagnostics-text.js';
import { hoverShape, readableText, withoutLiterals } from './hidden-text.js';
import { hiddenAmong, LARGEST_FILE, placesText, textsOf } from './readable-places.js';
import { planRename, type RenameFile } from './rename-plan.js';

export type LspCommand = 'definition' | 'references' | 'hover' | 'symbols' | 'diagnostics' | 'rename';

const MOST_SYMBOLS = 400;
const MOST_FINDINGS = 100;
const LONGEST_HOVER = 8000;

interface Opened {
  readonly file: LanguageFile;
  readonly text: string;
  readonly shown: string;
}

function languagesOf({ host }: ToolContext): LanguageServers {
  if (host.languages === undefined)
    throw new ToolFault(
      'Failed',
      'language servers are not available here (an agent in a worktree of its own has none); use outline and search',
    );
  return host.languages;
}

async function opened(path: string, context: ToolContext): Promise<Opened> {
  const languages = languagesOf(context);
  const { located, bytes } = await context.workspace.readFile(path, { maxBytes: LARGEST_FILE });
  const text = textOf(bytes);
  if (text === undefined) throw new ToolFault('Failed', `${located.shown} is not a text file`);
  const file = await languages.open(located.real, text, { signal: context.signal });
  return { file, text, shown: located.shown };
}

async function positionIn({ text, shown }: Opened, args: JsonObject, { signal }: ToolContext): Promise<CodePosition> {
  const symbol = textArg(args, 'symbol');
  if (symbol === '') throw invalid('symbol', 'is empty');
  const line = countArg(args, 'line', 1);
  const column = countArg(args, 'column', 1);
  const language = symbol === undefined || column !== undefined ? undefined : languageOf(shown, text);
  const found = language && symbol && (await read('names', { language: language.id, text, name: symbol }, { signal }));
  const inCode = found ? found.places : [];
  return pointedAt(text, { ...(line && { line }), ...(column && { column }), ...(symbol !== undefined && { symbol }) }, inCode);
}

async function symbolsText(args: JsonObject, context: ToolContext): Promise<string> {
  const query = textArg(args, 'query') ?? textArg(args, 'symbol');
  const named = textArg(args, 'file');
  if (query === undefined) {
    if (named === undefined)
      throw invalid('file', 'is missing: give a file for its symbols, or query for those of the workspace');
    const { file, shown } = await opened(named, context);
    const symbols = await file.symbols();
    const lines = symbols.slice(0, MOST_SYMBOLS).map((symbol) => symbolLine(symbol, undefined));
    const more = symbols.length > MOST_SYMBOLS ? [`... ${symbols.length - MOST_SYMBOLS} more; outline lists all of a file`] : [];
    return [`${counted(symbols.length, 'symbol')} in ${shown}`, ...lines, ...more].join('\n');
  }
  const path = named ?? (await languagesOf(context).anyFile());
  if (path === undefined)
    throw new ToolFault('NotFound', 'no file of a language with an installed language server was found; give file too');
  const { file } = await opened(path, context);
  const all = await file.workspaceSymbols(query);
  const hidden = await hiddenAmong(
    all.flatMap(({ place }) => (place.isFile ? [place.path] : [])),
    context,
  );
  const symbols = all.filter(({ place }) => !place.isFile || hidden(place.path) === undefined);
  const left = all.length - symbols.length;
  const leftOut = left === 0 ? [] : [`(${left} more in files that must not be read)`];
  const shown = ({ path: real, isFile }: CodePlace) => (isFile ? context.workspace.locate(real).shown : real);
  const lines = symbols.slice(0, MOST_SYMBOLS).map((symbol) => symbolLine({ ...symbol, depth: 0 }, shown(symbol.place)));
  const more = symbols.length > MOST_SYMBOLS ? [`... ${symbols.length - MOST_SYMBOLS} more; a longer query finds fewer`] : [];
  return [
    `${counted(symbols.length, 'symbol')} for ${JSON.stringify(query)} (${file.server})`,
    ...lines,
    ...more,
    ...leftOut,
  ].join('\n');
}

async function findingsText(args: JsonObject, context: ToolContext): Promise<string> {
  const { file, shown, text } = await opened(requiredText(args, 'file'), context);
  const readable = context.hidesFiles?.() === true ? readableText([text]) : undefined;
  const found = await file.findings();
  const findings = readable
    ? found.map((finding) => ({ ...finding, message: withoutLiterals(finding.message, readable) }))
    : found;
  if (findings.length === 0) return `${file.server} finds nothing wrong in ${shown}`;
  const more = findings.length > MOST_FINDINGS ? [`- ${findings.length - MOST_FINDINGS} more omitted`] : [];
  const lines = findings.slice(0, MOST_FINDINGS).map(findingLine);
  return [`${findings.length} diagnostic(s) in ${shown}:`, ...lines, ...more].join('\n');
}

/** Languages in which a place of use alone is given another name: `import { old as name }`. */
const ALIASING: ReadonlySet<string> = new Set(['typescript', 'tsx', 'javascript', 'jsx']);

interface Pointed extends Opened {
  readonly position: CodePosition;
}

/** Where the thing itself is declared, when that is one place of the same name that may be read; else the place that was named. */
async function atDeclaration(named: Opened, position: CodePosition, context: ToolContext): Promise<Pointed> {
  const here = { ...named, position };
  if (!ALIASING.has(languageOf(named.shown, named.text)?.id ?? '')) return here;
  const nameAt = ({ text }: Opened, { line, column }: CodePosition) => wordAt(textLines(text)[line - 1]?.text ?? '', column);
  const places = await named.file.definition(position).catch(() => []);
  const [place] = places;
  if (place === undefined || places.length > 1 || !place.isFile) return here;
  const { zone, shown } = context.workspace.locate(place.path);
  const hidden = await hiddenAmong([place.path], context);
  if (zone !== 'inside' || shown === named.shown || hidden(place.path) !== undefined) return here;
  const there = await opened(place.path, context).catch(() => undefined);
  if (there === undefined || nameAt(there, place.start) !== nameAt(named, position)) return here;
  return { ...there, position: place.start };
}

async function rename(args: JsonObject, context: ToolContext): Promise<ToolResult> {
  const newName = requiredText(args, 'new_name').trim();
  if (newName === '' || /[\s\u0000-\u001f]/.test(newName)) throw invalid('new_name', 'must be one name without spaces');
  const named = await opened(requiredText(args, 'file'), context);
  const pointed = await positionIn(named, args, context);
  const { file, text, position } = await atDeclaration(named, pointed, context);
  const oldName = wordAt(textLines(text)[position.line - 1]?.text ?? '', position.column);
  if (oldName === '') throw invalid('column', `line ${position.line} column ${position.column} is no name`);
  if (oldName === newName) throw invalid('new_name', `is the name it has already: ${newName}`);
  const language = languageOf(named.shown, named.text);
  const wrong = language && identifierFault(language.id, newName);
  if (wrong !== undefined) throw invalid('new_name', wrong);
  const files = await planRename(await file.rename(position, newName), { old: oldName, new: newName }, context);
  if (files.length === 0)
    throw new ToolFault('Failed', `${file.server} finds nothing to change for ${oldName}. Nothing was changed`);
  const places = counted(
    files.reduce((sum, each) => sum + each.places, 0),
    'place',
  );
  const what = `${oldName} -> ${newName}: ${places} in ${counted(files.length, 'file')}`;
  const alias = files.some(
    ({ before, after }) => !before.includes(`${oldName} as ${newName}`) && after.includes(`${oldName} as ${newName}`),
  )
    ? [`Note: the thing itself is still called ${oldName}; it has another name here (${oldName} as ${newName}).`]
    : [];
  if (flagArg(args, 'preview') === true)
    return said(`${[`Preview, nothing was changed. ${what}.`, ...alias].join('\n')}\n${await patchText(files, context)}`);
  const answer = await context.mayWrite?.(files.map(({ target }) => target.path));
  if (answer?.ok === false) throw new ToolFault(answer.code, `${answer.message} The rename of ${what} was not made at all.`);
  const written = await context.workspace.changeFiles(files.map(({ target }) => target));
  const bullets = files.map(({ shown, change, places: count }) => `- ${shown}: ${counted(count, 'place')} (${statText(change)})`);
  const notes = written.flatMap(({ located, notes: list }) => list.map((note) => `Note: ${located.shown}: ${note}.`));
  return {
    output: `${[`Renamed ${what}.`, ...bullets, ...alias, ...notes].join('\n')}\n`,
    isError: false,
    display: diffDisplay(files.map(({ change }) => change)),
    changed: written.map(({ located }) => located.real),
  };
}

async function patchText(files: readonly RenameFile[], context: ToolContext): Promise<string> {
  const { createTwoFilesPatch } = await import('diff');
  const hidden = await hiddenAmong(
    files.map(({ target }) => target.path),
    context,
  );
  return files
    .map(({ shown, before, after, target, places }) => {
      const why = hidden(target.path);
      if (why !== undefined) return `${shown}: ${counted(places, 'place')} (its text is not shown: ${why})\n`;
      return createTwoFilesPatch(shown, shown, before, after, '', '', { context: 1 });
    })
    .join('');
}

function said(output: string): ToolResult {
  return { output, isError: false, display: { kind: 'text', text: output } };
}

/** Fields that say something only for some commands. */
const ONLY_FOR: Readonly<Record<string, readonly LspCommand[]>> = {
  new_name: ['rename'],
  preview: ['rename'],
  query: ['symbols'],
};

/** One answered command. Throws ToolFault. */
export async function lspAnswer(cmd: LspCommand, args: JsonObject, context: ToolContext): Promise<ToolResult> {
  for (const [field, commands] of Object.entries(ONLY_FOR))
    if (args[field] !== undefined && args[field] !== null && !commands.includes(cmd))
      throw invalid(field, `belongs to ${commands.join(', ')}, not to ${cmd}`);
  if (cmd === 'rename') return rename(args, context);
  if (cmd === 'symbols') return said(await symbolsText(args, context));
  if (cmd === 'diagnostics') return said(await findingsText(args, context));
  const at = await opened(requiredText(args, 'file'), context);
  const { file, text, shown } = at;
  const position = await positionIn(at, args, context);
  const where = `${shown}:${position.line}:${position.column}`;
  if (cmd === 'definition') return said(await placesText(await file.definition(position), context, `no definition for ${where}`));
  if (cmd === 'references') return said(await placesText(await file.references(position), context, `no references to ${where}`));
  return said(await hoverText(file, { position, text, where }, context));
}

/** Nothing of a thing that is declared where nothing may be read; where such files are, literals and comments of others are left out. */
async function hoverText(
  file: LanguageFile,
  { position, text, where }: { readonly position: CodePosition; readonly text: string; readonly where: string },
  context: ToolContext,
): Promise<string> {
  const places = await file.definition(position).catch((error: unknown) => {
    if (context.signal.aborted || (error instanceof ToolFault && error.code === 'Timeout')) throw error;
    return [];
  });
  const paths = places.flatMap(({ path, isFile }) => (isFile ? [path] : []));
  const hidden = await hiddenAmong(paths, context);
  const [closed] = paths.filter((path) => hidden(path) !== undefined && context.workspace.locate(path).zone !== 'system');
  if (closed !== undefined)
    return `${where} is declared in ${context.workspace.locate(closed).shown}; what it says is not shown: ${hidden(closed)}`;
  const hover = await file.hover(position);
  if (hover === undefined) return `${file.server} says nothing about ${where}`;
  const isOurs = paths.length === 0 || paths.some((path) => context.workspace.locate(path).zone === 'inside');
  const plain =
    context.hidesFiles?.() === true
      ? hoverShape(hover, readableText([text, ...(await textsOf(paths, context)).values()]), isOurs)
      : hover;
  const left = plain.length - LONGEST_HOVER;
  return left > 0 ? `${plain.slice(0, LONGEST_HOVER)}\n... ${left} more characters` : plain;
}
