/** Caps a tool's output; what does not fit goes whole to a spill file that `read` can open. */
import type { Tool, ToolResult } from '../../types/tool.js';

export interface SpillStore {
  /** Writes the whole text: its absolute path, or why that could not be done (half a file is not left behind). Never throws. */
  spill(text: string): Promise<{ readonly path: string } | { readonly fault: string }>;
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
  const { output } = result;
  const spilled = await store.spill(output);
  const where =
    'path' in spilled
      ? ` The whole output is in ${spilled.path} (use read with start and end).`
      : ` The whole output could not be kept: ${spilled.fault}.`;
  const note = (omitted: number) => `\n... [${omitted} of ${output.length} characters left out here.${where}] ...\n`;
  const room = tool.limit - note(output.length).length;
  if (tool.cut === 'head') {
    const head = headLines(output, room);
    return { ...result, output: head + note(output.length - head.length) };
  }
  const head = wholeCharacters(output.slice(0, Math.ceil(room / 2)));
  const tail = output.slice(output.length - Math.floor(room / 2)).replace(/^[\uDC00-\uDFFF]/, '');
  return { ...result, output: head + note(output.length - head.length - tail.length) + tail };
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
