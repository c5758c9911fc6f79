/** `batch-read`: reads many files side by side, without a model. */
import type { JsonObject } from '../types/json.js';
import type { ScriptContext, ScriptOutcome, ScriptSkill } from '../types/skill.js';
import { dirOf, listOf, numberOf } from './shared/args.js';
import { filesBelow } from './shared/files.js';
import { together } from './shared/pool.js';
import { TREE_TOOL } from './shared/project.js';
import { READ_TOOL } from './shared/read-whole.js';
import { plain } from './shared/report.js';
import { shareOf } from './shared/share-of.js';

/** Characters of all files together, and how many files. */
const ROOM = 27_000;
const MOST_FILES = 200;

interface ReadFile {
  readonly path: string;
  readonly ok: boolean;
  readonly code?: string;
  readonly text: string;
  readonly lines: number | null;
}

async function readOne(context: ScriptContext, path: string, window: JsonObject): Promise<ReadFile> {
  const result = await context.call(READ_TOOL, { file: path, ...window });
  const total = result.display?.kind === 'file' ? result.display.total : null;
  return { path, ok: !result.isError, ...(result.code && { code: result.code }), text: result.output.trimEnd(), lines: total };
}

const NOTHING =
  'nothing is named to read: give "files" (a list of paths) or "glob" (with "dir"), such as {"files":["main.go","go.mod"]} or {"glob":"*.go","dir":"src"}';

/** A text cut at a line end, with where to go on. */
function cutRead({ text, path }: ReadFile, most: number): { text: string; cut: boolean } {
  if (text.length <= most) return { text, cut: false };
  const end = text.lastIndexOf('\n', Math.max(0, most - 160));
  const head = text.slice(0, Math.max(0, end));
  const last = [...head.matchAll(/^ *(\d+) \| /gm)].at(-1)?.[1];
  const on = last === undefined ? `read ${JSON.stringify(path)} alone` : `go on with read, start ${Number(last) + 1}`;
  return { text: `${head}\n... [shortened to fit; ${on}] ...\n<<< END FILE: ${path} >>>`, cut: true };
}

async function run(args: JsonObject, context: ScriptContext): Promise<ScriptOutcome> {
  const globs = listOf(args, 'glob');
  const listed = globs.length === 0 ? { files: [], whole: true } : await filesBelow(context, dirOf(args), globs);
  const wanted = [...new Set([...listOf(args, 'files'), ...listed.files])];
  if (wanted.length === 0) {
    const why = globs.length === 0 ? NOTHING : `no file below ${dirOf(args)} matches ${globs.join(', ')}`;
    return plain('batch-read', 'failed', why, { files: [] });
  }
  const paths = wanted.slice(0, MOST_FILES);
  const [start, end] = [numberOf(args, 'start'), numberOf(args, 'end')];
  const window = { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
  const read = await together(paths, (path) => readOne(context, path, window));
  const failed = read.filter(({ ok }) => !ok);
  const share = shareOf(
    read.map(({ text }) => text.length + 2),
    ROOM,
  );
  const shown = read.map((file) => cutRead(file, share));
  const cut = shown.filter((one) => one.cut).length;
  const left = wanted.length - paths.length;
  const head = [
    `${read.length - failed.length} of ${wanted.length === 1 ? '1 file' : `${wanted.length} files`} read`,
    ...(failed.length > 0
      ? [
          `${failed.length} failed: ${failed
            .slice(0, 10)
            .map(({ path, code }) => `${path} (${code ?? 'Failed'})`)
            .join(', ')}`,
        ]
      : []),
    ...(cut > 0 ? [`${cut} shortened`] : []),
    ...(left > 0
      ? [`${left} not read (at most ${MOST_FILES} a call): ${wanted.slice(MOST_FILES, MOST_FILES + 5).join(', ')}`]
      : []),
    ...(listed.whole ? [] : ['the list of files is not complete']),
  ].join('; ');
  const isDenied =
    failed.length === read.length && failed.every(({ code }) => ['Denied', 'Blocked', 'Sensitive'].includes(code ?? ''));
  return {
    status: isDenied ? 'denied' : failed.length > 0 ? 'failed' : 'ok',
    text: `**batch-read: ${head.slice(0, 1500)}**\n\n${shown.map(({ text }) => text).join('\n\n')}\n`,
    data: {
      script: 'batch-read',
      head,
      files: read.map(({ path, ok, code, text, lines }, index) => ({
        path,
        ok,
        code: code ?? null,
        characters: text.length,
        lines,
        shortened: shown[index]?.cut ?? false,
      })),
      notRead: wanted.slice(MOST_FILES),
    },
  };
}

/** Data: `files[]` {path, ok, code, lines, characters, shortened}, in the order asked for. */
export const batchRead: ScriptSkill = {
  name: 'batch-read',
  summary: 'Reads many files at once, side by side',
  schema: {
    type: 'object',
    properties: {
      files: { type: ['string', 'array'], items: { type: 'string' }, description: 'Paths, in the order wanted' },
      glob: { type: ['string', 'array'], items: { type: 'string' }, description: 'Files by name below dir: "*.go"' },
      dir: { type: 'string', default: '.', description: 'Where glob looks' },
      start: { type: 'integer', minimum: 1, description: 'First line of each' },
      end: { type: 'integer', minimum: 1, description: 'Last line of each' },
    },
    additionalProperties: false,
  },
  example: { files: ['main.go', 'go.mod'] },
  calls: [READ_TOOL, TREE_TOOL],
  readOnly: true,
  run,
};
