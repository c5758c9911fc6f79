/** A refused or failed call as the outcome of a script. */
import type { ScriptOutcome, ScriptStatus } from '../../types/skill.js';
import type { ToolResult } from '../../types/tool.js';
import { plain } from './report.js';

export const statusOfFault = ({ code }: ToolResult): ScriptStatus =>
  code === 'Denied' || code === 'Blocked' || code === 'Sensitive' || code === 'OutsideWorkspace' ? 'denied' : 'failed';

export const faultOutcome = (script: string, result: ToolResult): ScriptOutcome =>
  plain(script, statusOfFault(result), result.output.trim(), { code: result.code ?? null });
