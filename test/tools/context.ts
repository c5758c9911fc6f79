/** A tool context over a temporary workspace. */

import { validateArgs } from '../../src/protocol/validate.js';
import type { JsonObject } from '../../src/types/json.js';
import type { PlanTask, Tool, ToolContext, ToolResult } from '../../src/types/tool.js';
import type { OpenWorkspace } from '../../src/workspace/open-workspace.js';
import { makePlace, type Place } from '../workspace/temp.js';

export interface Bench extends Place {
  readonly workspace: OpenWorkspace;
  readonly context: ToolContext;
  /** Validates against the tool's schema, runs, and checks that the output keeps to its limit. */
  run(tool: Tool, args: JsonObject): Promise<ToolResult>;
}

export async function makeBench(
  options: { readonly signal?: AbortSignal; readonly env?: Record<string, string> } = {},
): Promise<Bench> {
  const place = makePlace();
  const workspace = await place.open(options.env ? { env: options.env } : {});
  let plan: readonly PlanTask[] = [];
  const set = (tasks: readonly PlanTask[]) => {
    plan = tasks;
  };
  const context: ToolContext = {
    workspace,
    host: { childEnv: { PATH: process.env['PATH'] ?? '' }, home: place.home, scratch: place.scratch, state: place.state },
    plan: { get: () => plan, set },
    agent: 'main',
    signal: options.signal ?? new AbortController().signal,
    progress: () => undefined,
  };
  return {
    ...place,
    workspace,
    context,
    async run(tool, args) {
      const fault = validateArgs(tool, args);
      if (fault)
        return { output: `invalid arguments: at ${fault.pointer}: ${fault.message}`, isError: true, code: 'InvalidArgs' };
      tool.facts(args);
      const result = await tool.run(args, context);
      if (tool.cut === 'head' && result.output.length > tool.limit)
        throw new Error(`output of ${result.output.length} characters is over the limit`);
      return result;
    },
  };
}
