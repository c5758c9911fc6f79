/** `map-project`: the tree of a project and its declarations, gathered side by side. */
import type { JsonObject } from '../types/json.js';
import type { ScriptContext, ScriptOutcome, ScriptSkill } from '../types/skill.js';
import type { SearchHit, ToolResult } from '../types/tool.js';
import { ECOSYSTEMS } from './ecosystems/index.js';
import { DIR, dirOf, ECOSYSTEM, textOf } from './shared/args.js';
import type { Declarations } from './shared/ecosystem.js';
import { faultOutcome } from './shared/fault.js';
import { together } from './shared/pool.js';
import { type EcosystemId, findProjects, projectData, projectNotes, TREE_TOOL } from './shared/project.js';
import { READ_TOOL } from './shared/read-whole.js';
import { bounded, fenced } from './shared/report.js';

const SEARCH_TOOL = '@coder search';
const MAP_TOOL = '@coder map';
const KINDS = ['interfaces', 'structs', 'functions'] as const;
type Kind = (typeof KINDS)[number];
const TITLES: Record<Kind, string> = { interfaces: 'Interfaces', structs: 'Structs', functions: 'Functions' };
const MOST_HITS = 2000;
/** Declarations of a kind in the data. */
const DATA_HITS = 500;
/** Characters: of the tree, of the parser's map, of each kind. */
const ROOM = { tree: 5000, map: 6000, kind: 4200 };

interface Found {
  readonly hits: readonly SearchHit[];
  readonly more: boolean;
  readonly fault?: string;
}

const foundOf = (result: ToolResult): Found =>
  result.display?.kind === 'matches' && !result.isError
    ? { hits: result.display.hits, more: result.display.more }
    : { hits: [], more: false, fault: result.output.trim().slice(0, 300) };

function searchAll(context: ScriptContext, dir: string, ids: readonly EcosystemId[]): Promise<(Found & { kind: Kind })[]> {
  const wanted = ids.flatMap((id) => KINDS.map((kind) => ({ kind, declarations: ECOSYSTEMS[id].declarations })));
  return together(wanted, async ({ kind, declarations }: { kind: Kind; declarations: Declarations }) => {
    const result = await context.call(SEARCH_TOOL, {
      term: declarations[kind],
      dir,
      regex: true,
      case_sensitive: true,
      context: 0,
      max_results: MOST_HITS,
      include: [...declarations.include],
    });
    return { kind, ...foundOf(result) };
  });
}

function kindText(kind: Kind, parts: readonly Found[]): string {
  const hits = parts.flatMap((part) => part.hits);
  const faults = parts.flatMap((part) => part.fault ?? []);
  const files = new Map<string, string[]>();
  for (const { path, line, text } of hits)
    files.set(path, [...(files.get(path) ?? []), `  ${line}: ${text.trim().slice(0, 160)}`]);
  const body = [...files].map(([path, lines]) => `${path}\n${lines.join('\n')}`).join('\n');
  const more = parts.some((part) => part.more) ? `, the first ${MOST_HITS} of more` : '';
  const said = faults.length > 0 ? `\nThe search failed: ${faults.join('; ')}` : '';
  return `## ${TITLES[kind]} (${hits.length}${more})${said}${body === '' ? '\n(none)' : `\n${fenced(bounded(body, ROOM.kind, 'shortened, search or outline shows the rest'))}`}`;
}

const itemsOf = (parts: readonly Found[]): JsonObject[] =>
  parts
    .flatMap((part) => part.hits)
    .slice(0, DATA_HITS)
    .map(({ path, line, text }) => ({ file: path, line, text: text.trim().slice(0, 200) }));

async function run(args: JsonObject, context: ScriptContext): Promise<ScriptOutcome> {
  const dir = dirOf(args);
  const only = textOf(args, 'ecosystem');
  const [tree, map, found] = await Promise.all([
    context.call(TREE_TOOL, { dir, depth: 3 }),
    context.call(MAP_TOOL, { dir, budget: ROOM.map }),
    findProjects(context, dir, only),
  ]);
  if (tree.isError) return faultOutcome('map-project', tree);
  const present = new Set([...found.taken, ...(only === undefined ? found.others : [])].map(({ id }) => id));
  // Sources without a project file are looked for in every language.
  const ids = present.size > 0 ? [...present] : (Object.keys(ECOSYSTEMS) as EcosystemId[]);
  const parts = await searchAll(context, dir, ids);
  const of = (kind: Kind) => parts.filter((part) => part.kind === kind);
  const count = (kind: Kind) => of(kind).reduce((sum, part) => sum + part.hits.length, 0);
  const failed = parts.filter((part) => part.fault !== undefined);
  const files = tree.display?.kind === 'tree' ? tree.display.entries : 0;
  const head = `${ids.length > 0 && present.size > 0 ? ids.join(', ') : 'no project file found'}: ${count('interfaces')} interfaces, ${count('structs')} structs or classes, ${count('functions')} functions${failed.length > 0 ? '; some searches failed' : ''}`;
  const structure = map.isError ? '' : `\n\n## Structure\n${fenced(bounded(map.output.trimEnd(), ROOM.map))}`;
  const text = [
    `**map-project: ${head}**`,
    ...projectNotes(found).map((note) => `Note: ${note}`),
    `\n## Project Tree\n${fenced(bounded(tree.output.trimEnd(), ROOM.tree, 'shortened, tree with dir shows a part'))}${structure}`,
    ...KINDS.map((kind) => `\n${kindText(kind, of(kind))}`),
  ].join('\n');
  return {
    status: failed.length === parts.length && parts.length > 0 ? 'failed' : 'ok',
    text: `${bounded(text, 27_000)}\n`,
    data: {
      script: 'map-project',
      head,
      dir,
      source: map.isError ? 'search' : 'map',
      entries: files,
      projects: projectData(found.taken),
      others: projectData(found.others),
      interfaces: itemsOf(of('interfaces')),
      structs: itemsOf(of('structs')),
      functions: itemsOf(of('functions')),
      counts: { interfaces: count('interfaces'), structs: count('structs'), functions: count('functions') },
      complete: parts.every((part) => !part.more && part.fault === undefined),
    },
  };
}

/** Data: `interfaces[]`, `structs[]`, `functions[]` {file, line, text}, `projects`, `source` (`map`: the parser's map is there too). */
export const mapProject: ScriptSkill = {
  name: 'map-project',
  summary: 'Maps a project: tree, interfaces, structs or classes, functions',
  schema: { type: 'object', properties: { dir: DIR, ecosystem: ECOSYSTEM }, additionalProperties: false },
  example: { dir: '.' },
  calls: [TREE_TOOL, SEARCH_TOOL, MAP_TOOL, READ_TOOL],
  readOnly: true,
  run,
};
