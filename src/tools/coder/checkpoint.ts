/** `@coder checkpoint`: snapshots of the whole workspace, kept outside it. */
import type { JsonObject } from '../../types/json.js';
import type { Facts, Tool, ToolContext, ToolResult } from '../../types/tool.js';
import { flagArg, guarded, invalid, textArg } from '../shared/args.js';
import type { CheckpointRequest } from './shared/checkpoint-run.js';

/** Which of the three a call means. Throws ToolFault `InvalidArgs` for none that can be told. */
function requestOf(args: JsonObject): CheckpointRequest {
  const action = textArg(args, 'action')?.trim().toLowerCase() || undefined;
  if (action !== undefined && !['list', 'create', 'restore'].includes(action))
    throw invalid('action', `${JSON.stringify(action.slice(0, 40))} is none of list, create, restore`);
  const flag = textArg(args, 'restore');
  const word = textArg(args, 'hash')?.trim() || undefined;
  const hash = flag?.trim() || (action === 'restore' ? word : undefined);
  const wants = {
    list: flagArg(args, 'list') === true || action === 'list',
    create: flagArg(args, 'create') === true || action === 'create',
    // An empty hash beside another wish is a field a model filled in for completeness.
    restore: hash !== undefined || action === 'restore',
  };
  const [first, second] = Object.entries(wants).flatMap(([name, is]) => (is ? [name] : []));
  if (second !== undefined) throw invalid(second, `cannot be given together with ${first}; give one of list, create, restore`);
  if (first === 'restore' || (first === undefined && flag !== undefined)) {
    if (hash === undefined) throw invalid('restore', 'needs the hash of a snapshot; list shows them');
    if (word !== undefined && word !== hash) throw invalid('hash', 'names another snapshot than restore; give one');
  } else if (word !== undefined) throw invalid('hash', 'belongs to restore; give restore with the hash');
  const exact = flagArg(args, 'exact') ?? false;
  if (exact && hash === undefined) throw invalid('exact', 'belongs to restore; give restore with the hash of a snapshot');
  const label = textArg(args, 'label')?.trim() || 'manual';
  if (label !== 'manual' && first !== 'create') throw invalid('label', 'belongs to create; give create: true with it');
  if (first === 'create') return { do: 'create', label };
  return hash === undefined ? { do: 'list' } : { do: 'restore', hash, exact };
}

function facts(args: JsonObject): Facts {
  let request: CheckpointRequest;
  try {
    request = requestOf(args);
  } catch {
    // The run says what is wrong; it must not pass as reading.
    request = { do: 'restore', hash: '', exact: false };
  }
  if (request.do === 'restore')
    return {
      readOnly: false,
      reads: [],
      writes: [],
      order: 'alone',
      label: { verb: 'restore', object: `checkpoint ${request.hash}`.trim() },
      edits: true,
    };
  const object = request.do === 'list' ? 'checkpoints' : 'checkpoint create';
  const verb = request.do === 'list' ? 'list' : 'call';
  return { readOnly: true, reads: [], writes: [], order: 'tree', label: { verb, object } };
}

const run = (args: JsonObject, context: ToolContext): Promise<ToolResult> =>
  guarded(async () => {
    const request = requestOf(args);
    const { runCheckpoint } = await import('./shared/checkpoint-run.js');
    return runCheckpoint(request, context);
  });

export const checkpointTool: Tool = {
  name: '@coder checkpoint',
  aliases: ['checkpoints', 'snapshot'],
  summary: 'Snapshots of the workspace: list, create, restore HASH',
  schema: {
    type: 'object',
    properties: {
      action: { type: 'string', enum: ['list', 'create', 'restore'], description: 'The same as the flags, as a word' },
      hash: { type: 'string', description: 'With the word restore: the snapshot' },
      list: { type: 'boolean', description: 'Newest snapshots first (default)' },
      create: { type: 'boolean', description: 'Record the workspace now' },
      restore: { type: 'string', description: 'Hash of the snapshot to bring back; the present is recorded first' },
      label: { type: 'string', default: 'manual', description: 'Name of what create records' },
      exact: { type: 'boolean', default: false, description: 'restore also removes files added later' },
    },
    additionalProperties: false,
  },
  fieldAliases: { message: 'label', name: 'label', id: 'hash', commit: 'hash', snapshot: 'hash' },
  positional: ['action', 'hash'],
  example: { create: true, label: 'before refactor' },
  inFull: false,
  limit: 30_000,
  cut: 'ends',
  origin: 'builtin',
  facts,
  run,
};
