/** Caps a tool's output; what does not fit goes whole to a spill file that `read` can open. */
import type { Tool, ToolResult } from '../../types/tool.js';

export interface SpillStore {
  /** Writes the whole text and gives its absolute path; undefined when it could not be written. */
  spill(text: string): Promise<string | undefined>;
}

/** The same tool, its output never over its limit in characters. */
export function withOutputCap(tool: Tool, store: SpillStore): Tool {
  return {
    ...tool,
    async run(args, context) {
      const result = await tool.run(args, context);
      return result.output.length <= tool.limit ? result : cap(result, tool, store);
    },
  };
}

async function cap(result: ToolResult, tool: Tool, store: SpillStore): Promise<ToolResult> {
  const path = await store.spill(result.output);
  const where = path ? ` The whole output is in ${path} (use read with start and end).` : '';
  const note = (omitted: number) => `\n... [${omitted} of ${result.output.length} characters left out here.${where}] ...\n`;
  const room = tool.limit - note(result.output.length).length;
  if (tool.cut === 'head') return { ...result, output: headLines(result.output, room) + note(result.output.length - room) };
  const head = wholeCharacters(result.output.slice(0, Math.ceil(room / 2)));
  const tail = result.output.slice(result.output.length - Math.floor(room / 2)).replace(/^[\uDC00-\uDFFF]/, '');
  return { ...result, output: head + note(result.output.length - head.length - tail.length) + tail };
}

function headLines(text: string, room: number): string {
  const head = wholeCharacters(text.slice(0, room));
  const end = head.lastIndexOf('\n');
  return end > room / 2 ? head.slice(0, end) : head;
}

/** No half of a surrogate pair at the end. */
function wholeCharacters(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}
