/** `rename-symbol`: renames a symbol by its parser, in all files at once. The work is that of the tool `@rename`. */
import type { JsonObject } from '../types/json.js';
import type { ScriptOutcome, ScriptSkill } from '../types/skill.js';
import { DIR, dirOf, flagOf, textOf } from './shared/args.js';
import { statusOfFault } from './shared/fault.js';
import { bounded, plain } from './shared/report.js';

/** Called with {old, new, dir, file?, kind?, preview?}; one transaction, never in strings or comments. */
const RENAME_TOOL = '@rename';

/** A name as languages write them; what a parser would refuse anyway is refused before a call. */
const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

const asked = (args: JsonObject): JsonObject => {
  const [file, kind] = [textOf(args, 'file'), textOf(args, 'kind')];
  return {
    old: textOf(args, 'old') ?? '',
    new: textOf(args, 'new') ?? '',
    dir: dirOf(args),
    ...(file !== undefined && { file }),
    ...(kind !== undefined && { kind }),
    ...(flagOf(args, 'preview') && { preview: true }),
  };
};

/** Data: `old`, `new`, `preview`, `files[]` {path, added, removed} and `changed`. */
export const renameSymbol: ScriptSkill = {
  name: 'rename-symbol',
  summary: 'Renames a symbol by its parser, all files in one transaction',
  schema: {
    type: 'object',
    properties: {
      old: { type: 'string', minLength: 1, description: 'The name now' },
      new: { type: 'string', minLength: 1, description: 'The name afterwards' },
      dir: DIR,
      file: { type: 'string', minLength: 1, description: 'The file that declares it, when several do' },
      kind: { type: 'string', minLength: 1, description: 'function, type, variable, ... when one name means several' },
      preview: { type: 'boolean', default: false, description: 'Only tell what would change' },
    },
    required: ['old', 'new'],
    additionalProperties: false,
  },
  example: { old: 'parseUser', new: 'readUser' },
  calls: [RENAME_TOOL],
  readOnly: false,
  async run(args, context): Promise<ScriptOutcome> {
    const call = asked(args);
    const names = { old: call['old'] as string, new: call['new'] as string };
    const bad = Object.values(names).find((name) => !NAME.test(name));
    if (bad !== undefined)
      return plain(
        'rename-symbol',
        'failed',
        `${JSON.stringify(bad)} is not a name: letters, digits, _ and $, no digit first`,
        names,
      );
    if (names.old === names.new)
      return plain('rename-symbol', 'failed', 'old and new are the same name; nothing was changed', names);
    const result = await context.call(RENAME_TOOL, call);
    if (result.isError && result.code === 'NotFound' && /no such tool/.test(result.output))
      return plain(
        'rename-symbol',
        'not-available',
        'renaming needs the parser tool @rename, which is not in this version. Nothing was changed: use search with case_sensitive, then multipatch on each place that is code',
        names,
      );
    if (result.isError)
      return plain('rename-symbol', statusOfFault(result), result.output.trim(), { ...names, code: result.code ?? null });
    const changes = result.display?.kind === 'diff' ? result.display.changes : [];
    const preview = flagOf(args, 'preview');
    const count = changes.length === 1 ? '1 file' : `${changes.length} files`;
    const head = `${names.old} -> ${names.new} ${preview ? 'would change' : 'changed'} ${changes.length > 0 ? count : 'files as listed'}`;
    return {
      status: 'ok',
      text: `**rename-symbol: ${head}**\n\n${bounded(result.output.trimEnd(), 24_000)}\n`,
      data: {
        script: 'rename-symbol',
        head,
        ...names,
        preview,
        files: changes.map(({ path, added, removed }) => ({ path, added, removed })),
        changed: [...(result.changed ?? [])],
      },
      ...(result.changed && { changed: result.changed }),
    };
  },
};
