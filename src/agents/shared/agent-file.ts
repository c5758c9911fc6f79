/** One Markdown file as an agent: the persona is its prompt, its `tools` are what it may use. */

import { listField, readFrontmatter, textField } from '../../base/frontmatter.js';
import { oneLine, shortProse } from '../../base/one-line.js';
import type { Effort } from '../../types/provider.js';
import { because, type Reason, ReasonError } from '../../types/reason.js';
import type { WorkerAgent } from '../../types/worker.js';
import { fileLimits, foldedFields } from './file-limits.js';
import { mapTools } from './tool-map.js';

export interface CustomAgent {
  readonly agent: WorkerAgent;
  /** What of the file could not be used. */
  readonly warnings: readonly Reason[];
}

const EFFORTS: readonly string[] = ['low', 'medium', 'high', 'max'];
const LONGEST_NAME = 64;
const LONGEST_DESCRIPTION = 2000;
/** Words for model families in other agents' files: no service knows a model of that name. */
const FAMILIES = /^(sonnet|opus|haiku|opusplan|default)(\[1m\])?$/i;

/** Throws ReasonError or FrontmatterFault. `file` is its path; its name is the agent's when the file names none. */
export async function customAgent(text: string, file: string, fallback: string): Promise<CustomAgent> {
  const { fields: given, body } = await readFrontmatter(text);
  const fields = foldedFields(given);
  const name = (textField(fields.get('name')) ?? fallback).toLowerCase();
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(name) || name.length > LONGEST_NAME)
    throw new ReasonError(
      because`${JSON.stringify(oneLine(name).slice(0, 80))} is no name for an agent: letters, digits, dots, dashes and underscores`,
    );
  if (body.trim() === '')
    throw new ReasonError(because`there is no text behind the front matter, so the agent would have no persona`);
  const warnings: Reason[] = [];
  const limits = fileLimits(fields, Object.keys(given));
  const mapped = mapTools(listField(fields.get('tools') ?? fields.get('allowedtools')), limits);
  warnings.push(...mapped.warnings, ...limits.warnings);
  const effort = textField(fields.get('effort'))?.toLowerCase();
  if (effort !== undefined && !EFFORTS.includes(effort))
    warnings.push(because`the effort ${oneLine(effort).slice(0, 80)} is not one of ${EFFORTS.join(', ')}`);
  const model = textField(fields.get('model'));
  const isFamily = model !== undefined && FAMILIES.test(model);
  if (isFamily) warnings.push(because`${model} is a family of models and no model, so the model in use is taken`);
  const isolation = textField(fields.get('isolation'))?.toLowerCase();
  if (isolation !== undefined && isolation !== 'worktree' && isolation !== 'none')
    warnings.push(because`the isolation ${oneLine(isolation).slice(0, 80)} is not known; there is worktree`);
  const agent: WorkerAgent = {
    name,
    description: shortProse(textField(fields.get('description')) ?? firstLine(body), LONGEST_DESCRIPTION),
    prompt: body.trim(),
    tools: mapped.tools,
    ...(mapped.commands.length > 0 ? { commands: mapped.commands } : {}),
    ...(Object.keys(mapped.paths).length > 0 ? { paths: mapped.paths } : {}),
    ...(mapped.withheld.length > 0 ? { withheld: mapped.withheld } : {}),
    ...(limits.turns === undefined ? {} : { limits: { turns: limits.turns } }),
    skills: listField(fields.get('skills')) ?? [],
    readOnly: mapped.readOnly,
    ...(model && !isFamily && model.toLowerCase() !== 'inherit' ? { model } : {}),
    ...(effort && EFFORTS.includes(effort) ? { effort: effort as Effort } : {}),
    ...(isolation === 'worktree' ? { isolation } : {}),
    contract: 'general',
    origin: oneLine(file),
  };
  return { agent, warnings };
}

function firstLine(body: string): string {
  return (body.split('\n').find((line) => line.trim() !== '') ?? '')
    .replace(/^#+\s*/, '')
    .trim()
    .slice(0, 200);
}
