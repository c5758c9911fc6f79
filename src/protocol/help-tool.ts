/** The tool that describes tools: schemas on request, so that they need not stand in every prompt. */
import type { Tool, ToolResult } from '../types/tool.js';
import { describeTool } from './catalogue.js';
import { findTool, namesLike } from './find-tool.js';

/** A tool named `help` over the given tools; it only reads its own list. */
export function helpTool(tools: readonly Tool[]): Tool {
  return {
    name: 'help',
    aliases: ['describe', 'help_tool', 'tools'],
    summary: 'Fields and an example of one tool; without a name, all tools',
    schema: { type: 'object', properties: { tool: { type: 'string', description: 'Name as listed, such as @coder git-log' } } },
    fieldAliases: { name: 'tool', cmd: 'tool', subcommand: 'tool' },
    positional: ['tool'],
    mainField: 'tool',
    example: { tool: '@coder git-log' },
    inFull: false,
    limit: 30_000,
    cut: 'ends',
    origin: 'builtin',
    facts: () => ({ readOnly: true, reads: [], writes: [], order: 'overlap', label: { verb: 'call', object: 'help' } }),
    run: async (args) => answer(tools, typeof args['tool'] === 'string' ? args['tool'] : ''),
  };
}

function answer(tools: readonly Tool[], wanted: string): ToolResult {
  if (!wanted.trim()) return { output: tools.map((tool) => `${tool.name}: ${tool.summary}`).join('\n'), isError: false };
  const tool = findTool(tools, wanted);
  if (tool) return { output: describeTool(tool), isError: false };
  const near = namesLike(tools, wanted);
  const guess = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : '';
  return { output: `error [NotFound]: no tool is called ${JSON.stringify(wanted)}.${guess}`, isError: true, code: 'NotFound' };
}
