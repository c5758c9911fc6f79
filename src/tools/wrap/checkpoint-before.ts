/** Takes a snapshot of the workspace before a tool changes something in it. */
import type { Tool } from '../../types/tool.js';

/** The part of the automatic snapshots this needs. */
export interface BeforeChange {
  before(label: string, paths: readonly string[], signal: AbortSignal): Promise<void>;
}

const LONGEST_OBJECT = 60;

/** The same tool; a call whose facts ask for a snapshot waits for it. A failed snapshot never keeps it from running. */
export function withCheckpointBefore(tool: Tool, checkpoints: BeforeChange): Tool {
  return {
    ...tool,
    async run(args, context) {
      const facts = tool.facts(args);
      if (facts.snapshot) {
        const name = tool.name.replace(/^@(coder )?/, '');
        const object = facts.label.object.slice(0, LONGEST_OBJECT);
        // A command may touch any folder.
        const paths = facts.command === undefined ? facts.writes.map((path) => context.workspace.locate(path).real) : [];
        await checkpoints.before(`${name} ${object}`, paths, context.signal);
      }
      return tool.run(args, context);
    },
  };
}
