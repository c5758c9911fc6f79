/** Takes a snapshot of the workspace before a tool changes something in it. */
import type { Facts, LabelVerb, Tool } from '../../types/tool.js';

/** The part of the automatic snapshots this needs. */
export interface BeforeChange {
  before(label: string, paths: readonly string[], signal: AbortSignal): Promise<void>;
}

/** Edits and commands; not what restores or tests. */
const VERBS: ReadonlySet<LabelVerb> = new Set<LabelVerb>(['write', 'patch', 'run']);

/** A call that changes files by an edit or a command. */
function changesFiles(facts: Facts): boolean {
  return !facts.readOnly && VERBS.has(facts.label.verb);
}

const LONGEST_OBJECT = 60;

/** The same tool; a call for which `mutates` says yes waits for the snapshot first. A failed snapshot never keeps it from running. */
export function withCheckpointBefore(
  tool: Tool,
  checkpoints: BeforeChange,
  mutates: (facts: Facts) => boolean = changesFiles,
): Tool {
  return {
    ...tool,
    async run(args, context) {
      const facts = tool.facts(args);
      if (mutates(facts)) {
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
