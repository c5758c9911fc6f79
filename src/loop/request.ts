/** What the model is sent: a stable system text, stable functions, and the history. */
import { catalogueText } from '../protocol/catalogue.js';
import { functionsFor } from '../protocol/native.js';
import { resultsMessage } from '../protocol/results.js';
import type { Message, Part } from '../types/message.js';
import type { ProviderRequest } from '../types/provider.js';
import type { Tool } from '../types/tool.js';
import type { Sight } from './attachments.js';
import type { LoopPorts, RunInput, ToolMode } from './ports.js';
import type { BatchEntry } from './run-batch.js';

/** What stands before the history: the same bytes for every turn of a run, nothing volatile. Made once a run and mode. */
export type StablePrefix = Pick<ProviderRequest, 'system' | 'functions'>;

export function stablePrefix(
  input: Pick<RunInput, 'agent' | 'systemSuffix' | 'agentsText'>,
  tools: readonly Tool[],
  mode: ToolMode,
): StablePrefix {
  const texts = [input.agent.prompt.trim(), catalogueText(tools, mode), input.agentsText ?? '', input.systemSuffix?.trim() ?? ''];
  return { system: texts.filter(Boolean).join('\n\n'), functions: mode === 'native' ? functionsFor(tools) : [] };
}

export function requestFor(input: RunInput, prefix: StablePrefix, history: readonly Message[]): ProviderRequest {
  return {
    model: input.model,
    agent: input.agentId,
    ...prefix,
    messages: [...history],
    ...(input.effort ? { effort: input.effort } : {}),
    ...(input.maxOutputTokens ? { maxOutputTokens: input.maxOutputTokens } : {}),
  };
}

/** The answers to a reply's calls as one message, in the form the calls came in. */
export function answersMessage(
  reply: Message,
  form: 'native' | 'text',
  entries: readonly BatchEntry[],
  ports: Pick<LoopPorts, 'ids' | 'clock'>,
  sight: Sight = () => ({ note: '', parts: [] }),
): Message {
  const shown = entries.map((entry) => sight(entry.result));
  const told = (index: number, text: string) =>
    shown[index]?.note ? `${text.replace(/\n*$/, '\n')}${shown[index].note}\n` : text;
  const base = { id: ports.ids.next('m'), time: ports.clock.now(), origin: 'tool-results' } as const;
  if (form === 'text') {
    const rows = entries.map((entry, index) => ({
      name: entry.parsed.ok ? entry.parsed.call.tool : entry.parsed.name,
      id: entry.parsed.ok ? entry.parsed.call.id : entry.parsed.id,
      output: told(index, entry.result.output),
      isError: entry.result.isError,
      code: entry.result.code,
    }));
    const images = shown.flatMap(({ parts }) => parts);
    return { ...base, role: 'user', parts: [{ type: 'text', text: resultsMessage(rows) }, ...images] };
  }
  const calls = reply.parts.flatMap((part) => (part.type === 'call' ? [part] : []));
  // An image belongs to the result before it.
  const parts = calls.flatMap((call, index): Part[] => {
    const result = entries[index]?.result;
    const text = told(index, result?.output ?? 'not executed');
    const answer = { type: 'result', id: call.id, name: call.name, text, isError: result?.isError ?? true } as const;
    return [answer, ...(shown[index]?.parts ?? [])];
  });
  return { ...base, role: 'tool', parts };
}

/** A user message nobody typed: a correction or a note. */
export function noteMessage(text: string, origin: 'correction' | 'note', ports: Pick<LoopPorts, 'ids' | 'clock'>): Message {
  return { id: ports.ids.next('m'), role: 'user', parts: [{ type: 'text', text }], time: ports.clock.now(), origin };
}
