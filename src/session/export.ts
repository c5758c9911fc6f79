/** A session as one Markdown document, for people. */
import type { Part } from '../types/message.js';
import type { SessionState } from '../types/session.js';

export interface ExportLabels {
  readonly user: string;
  readonly assistant: string;
  readonly result: string;
  readonly untitled: string;
}

/** What was said and done, in order. Call input and results stand in fences that nothing inside them can close. */
export function exportMarkdown(state: SessionState, labels: ExportLabels): string {
  const { header } = state;
  const out = [
    `# ${inline(state.title || labels.untitled)}`,
    '',
    `\`${inline(header.id)}\` · ${new Date(header.created).toISOString()} · \`${inline(header.workspace)}\``,
  ];
  for (const message of state.messages) {
    const isResult = message.role === 'tool' || message.origin === 'tool-results';
    out.push('', `## ${isResult ? labels.result : message.role === 'user' ? labels.user : labels.assistant}`);
    for (const part of message.parts) {
      const text = partText(part, isResult);
      if (text) out.push('', text);
    }
  }
  return `${out.join('\n')}\n`;
}

function partText(part: Part, isResult: boolean): string {
  if (part.type === 'text') return isResult ? fenced(part.text) : part.text.trim();
  if (part.type === 'call') return `**${inline(part.name)}**\n\n${fenced(part.input)}`;
  if (part.type === 'result') return `**${inline(part.name)}**\n\n${fenced(part.text)}`;
  return part.type === 'image' ? `(${inline(part.mediaType)})` : '';
}

function fenced(text: string): string {
  let longest = 2;
  for (const [ticks] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, ticks.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.replace(/\n$/, '')}\n${fence}`;
}

const inline = (text: string): string => text.replace(/[\r\n`]/g, ' ');
