/** Keeps the keys of model services out of what a model reads: a command may print what it found anywhere. */
import type { Tool } from '../../types/tool.js';

/** The same tool, its output and live text passed through `redact`. */
export function withHiddenKeys(tool: Tool, redact: (text: string) => string): Tool {
  return {
    ...tool,
    async run(args, context) {
      const result = await tool.run(args, { ...context, progress: (text) => context.progress(redact(text)) });
      return { ...result, output: redact(result.output) };
    },
  };
}
