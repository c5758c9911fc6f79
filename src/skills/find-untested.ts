/** `find-untested`: public functions and methods that no test mentions. */
import type { JsonObject } from '../types/json.js';
import type { ScriptContext, ScriptOutcome, ScriptSkill } from '../types/skill.js';
import type { SearchHit } from '../types/tool.js';
import { DIR, dirOf, ECOSYSTEM, textOf } from './shared/args.js';
import { faultOutcome } from './shared/fault.js';
import { together } from './shared/pool.js';
import { type EcosystemId, findProjects, NO_PROJECT, projectData, projectNotes, TREE_TOOL } from './shared/project.js';
import { READ_TOOL } from './shared/read-whole.js';
import { bounded, plain } from './shared/report.js';
import { isMentioned, LANGUAGES, type Language, type Mentions, mentionsOf, type Unit } from './shared/units.js';

const SEARCH_TOOL = '@coder search';
const MOST_LINES = 50_000;
const SHOWN = 300;
const SKIPPED = /(?:^|\/)(?:vendor|node_modules|testdata|third_party|target|dist|build|\.venv|venv)\//;

interface Lines {
  readonly byFile: ReadonlyMap<string, readonly SearchHit[]>;
  readonly more: boolean;
  readonly fault?: string;
}

async function linesOf(context: ScriptContext, dir: string, term: string, include: readonly string[]): Promise<Lines> {
  const result = await context.call(SEARCH_TOOL, {
    term,
    dir,
    regex: true,
    case_sensitive: true,
    context: 0,
    max_results: MOST_LINES,
    include: [...include],
  });
  if (result.isError || result.display?.kind !== 'matches')
    return { byFile: new Map(), more: false, fault: result.output.trim().slice(0, 300) };
  const byFile = new Map<string, SearchHit[]>();
  for (const hit of result.display.hits) {
    if (SKIPPED.test(hit.path)) continue;
    const hits = byFile.get(hit.path);
    if (hits) hits.push(hit);
    else byFile.set(hit.path, [hit]);
  }
  return { byFile, more: result.display.more };
}

interface Answer {
  readonly id: EcosystemId;
  readonly units: readonly Unit[];
  readonly untested: readonly Unit[];
  readonly tests: number;
  readonly complete: boolean;
  readonly fault?: string;
}

function testsOf(language: Language, sources: Lines, tests: Lines): Mentions[] {
  const texts = (hits: readonly SearchHit[]) => hits.map(({ text }) => text);
  const own = [...tests.byFile].filter(([file]) => language.isTest(file)).map(([file, hits]) => mentionsOf(file, texts(hits)));
  const inline = [...sources.byFile].flatMap(([file, hits]) => {
    const lines = language.inlineTests?.(hits) ?? [];
    return lines.length === 0 ? [] : [mentionsOf(file, texts(lines))];
  });
  return [...own, ...inline];
}

async function look(context: ScriptContext, dir: string, id: EcosystemId): Promise<Answer> {
  const language = LANGUAGES[id];
  const [sources, tests] = await Promise.all([
    linesOf(context, dir, language.term, language.include),
    linesOf(context, dir, '\\w', language.tests),
  ]);
  const fault = sources.fault ?? tests.fault;
  const units = [...sources.byFile]
    .filter(([file]) => !language.isTest(file))
    .flatMap(([file, hits]) => language.units(file, hits));
  const mentions = testsOf(language, sources, tests);
  const untested = units
    .filter((unit) => !isMentioned(unit, mentions, language))
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
  return {
    id,
    units,
    untested,
    tests: mentions.length,
    complete: !sources.more && !tests.more,
    ...(fault !== undefined && { fault }),
  };
}

const nameOf = ({ owner, name }: Unit): string => (owner === undefined ? name : `${owner}.${name}`);

async function run(args: JsonObject, context: ScriptContext): Promise<ScriptOutcome> {
  const dir = dirOf(args);
  const found = await findProjects(context, dir, textOf(args, 'ecosystem'));
  if (found.fault) return faultOutcome('find-untested', found.fault);
  const ids = [...new Set(found.taken.map(({ id }) => id))];
  if (ids.length === 0) return plain('find-untested', 'not-available', `${NO_PROJECT} (dir: ${dir})`, { untested: [] });
  const answers = await together(ids, (id) => look(context, dir, id));
  const faults = answers.flatMap(({ fault }) => fault ?? []);
  if (faults.length > 0) return plain('find-untested', 'failed', faults.join('; '), { untested: [] });
  const total = answers.reduce((sum, { units }) => sum + units.length, 0);
  const all = answers.flatMap(({ id, untested }) => untested.map((unit) => ({ ...unit, id })));
  const complete = answers.every((answer) => answer.complete);
  const tests = answers.reduce((sum, answer) => sum + answer.tests, 0);
  const head = `${all.length} of ${total} public functions and methods are mentioned by no test (${tests === 1 ? '1 file' : `${tests} files`} with tests)`;
  const lines = all.slice(0, SHOWN).map((unit) => `- ${nameOf(unit)} (${unit.file}:${unit.line})`);
  const text = [
    `**find-untested: ${head}**`,
    ...projectNotes(found).map((note) => `Note: ${note}`),
    'Note: told by names, not by running; run-coverage tells what tests really reach.',
    ...(complete ? [] : [`Note: only the first ${MOST_LINES} lines were looked at; a smaller dir gives all.`]),
    '',
    ...lines,
    ...(all.length > SHOWN ? [`... and ${all.length - SHOWN} more`] : []),
  ].join('\n');
  return {
    status: 'ok',
    text: `${bounded(text, 24_000)}\n`,
    data: {
      script: 'find-untested',
      head,
      dir,
      total,
      tested: total - all.length,
      untestedCount: all.length,
      untested: all
        .slice(0, 2000)
        .map(({ id, owner, name, file, line }) => ({ ecosystem: id, name, owner: owner ?? null, file, line })),
      complete,
      projects: projectData(found.taken),
    },
  };
}

/** Data: `total`, `tested`, `untested[]` {ecosystem, name, owner, file, line}, by file and line; `complete`. */
export const findUntested: ScriptSkill = {
  name: 'find-untested',
  summary: 'Lists public functions and methods that no test mentions',
  schema: { type: 'object', properties: { dir: DIR, ecosystem: ECOSYSTEM }, additionalProperties: false },
  example: { dir: '.' },
  calls: [SEARCH_TOOL, TREE_TOOL, READ_TOOL],
  readOnly: true,
  run,
};
