/** Gives each agent a workspace of its own knowledge, and calls a conflict what another agent of the run brought about. */
import type { Tool, ToolContext, ToolResult } from '../../types/tool.js';
import type { AgentViews } from '../../workspace/agent-view.js';

export function withAgentView(tool: Tool, views: AgentViews): Tool {
  return {
    ...tool,
    async run(args, context) {
      const workspace = views.of(context.agent, context.workspace);
      const result = await tool.run(args, { ...context, workspace });
      return result.code === 'Stale' ? conflictOf(result, tool.facts(args).writes, context, views) : result;
    },
  };
}

async function conflictOf(
  result: ToolResult,
  writes: readonly string[],
  context: ToolContext,
  views: AgentViews,
): Promise<ToolResult> {
  for (const path of writes) {
    try {
      const { located, state } = await context.workspace.readFile(path);
      const other = views.changedBy(context.agent, located.real, state);
      if (other === undefined) continue;
      const output = `${result.output.replace(/^error \[Stale\]/, 'error [Conflict]').trimEnd()}\nIt was the agent ${other} of this run that changed ${located.shown}.\n`;
      return { ...result, code: 'Conflict', output };
    } catch {
      // Gone or unreadable: then it is no other agent's text.
    }
  }
  return result;
}
