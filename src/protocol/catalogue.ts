/** The tools as text: the part of the system prompt that lists them, and one tool in full. */
import type { Tool } from '../types/tool.js';
import { exampleText } from './canonical.js';
import { fieldLines, fieldsText } from './field-text.js';
import { shortName } from './find-tool.js';

/** The same bytes for the same tools, so that the prompt stays cached. Empty when there is nothing to say. */
export function catalogueText(tools: readonly Tool[], mode: 'native' | 'text'): string {
  if (tools.length === 0) return '';
  return mode === 'native' ? nativeText(tools) : tagText(tools);
}

function nativeText(tools: readonly Tool[]): string {
  const rest = tools.filter((tool) => !tool.inFull || tool.native === undefined);
  if (rest.length === 0) return '';
  const lines = rest.map((tool) => `- ${tool.name}: ${tool.summary}`);
  const help = rest.some((tool) => tool.name === 'help')
    ? ' Fields of one: call_tool {"name":"help","args":{"tool":"@coder git-log"}}.'
    : '';
  return `# More tools\nNot offered as functions; reach @coder ones with coder {"cmd","args"}, any with call_tool {"name","args"}.${help}\n${lines.join('\n')}`;
}

function tagText(tools: readonly Tool[]): string {
  const family = tools.filter((tool) => tool.name.startsWith('@coder '));
  const others = tools.filter((tool) => !tool.name.startsWith('@coder '));
  const line = (name: string) => (tool: Tool) => `- ${name}${fieldsText(tool.schema)}: ${tool.summary}`;
  const parts = [HOW_TO_CALL];
  if (others.length > 0)
    parts.push(
      `Tools, called by name with their fields as args:\n${others.map((tool) => line(`${tool.name} `)(tool)).join('\n')}`,
    );
  if (family.length > 0)
    parts.push(
      `Subcommands of @coder, args {"cmd":"<subcommand>","args":{…}}:\n${family.map((tool) => line(`${shortName(tool)} `)(tool)).join('\n')}`,
    );
  return parts.join('\n\n');
}

const HOW_TO_CALL = `# Tools
Call a tool with a tag outside code fences:
<tool_call name="@coder" args='{"cmd":"read","args":{"file":"main.go"}}'/>
In the attribute write &apos; for ' and &amp; for &. Long or quoted text is easier as a body, where nothing is escaped but JSON itself:
<tool_call name="@coder">{"cmd":"write","args":{"file":"a.txt","content":"it's\\n"}}</tool_call>
args is one JSON object. A field with ? may be left out; fields without a type are text. Results come in the next message.`;

/** Everything about one tool: fields, other names, an example in each form. */
export function describeTool(tool: Tool): string {
  const names = [...(tool.native ? [tool.native] : []), ...tool.aliases];
  const fields = fieldLines(tool.schema);
  return [
    `${tool.name}: ${tool.summary}`,
    fields.length > 0 ? `Fields:\n${fields.join('\n')}` : 'Fields: none',
    ...(tool.positional.length > 0 ? [`Words without flags: ${tool.positional.join(', ')}`] : []),
    ...(names.length > 0 ? [`Also called: ${names.join(', ')}`] : []),
    `Example: ${exampleText(tool, 'tag')}`,
  ].join('\n');
}
