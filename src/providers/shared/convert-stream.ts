/** The SDK's stream parts as our events: blocks keep their signatures, calls arrive whole and raw. */
import type { Json } from '../../types/json.js';
import type { EndReason, ProviderEvent, Usage } from '../../types/provider.js';
import type { SdkFinish, SdkUsage, StreamPart } from './sdk-types.js';
import { asJson, isRecord } from './well-formed.js';

/** How a stream ended, as far as its parts tell. */
export interface StreamEnd {
  readonly events: readonly ProviderEvent[];
  /** Undefined: no end mark was seen. */
  readonly finish?: SdkFinish;
  readonly hadCalls: boolean;
}

interface Block {
  meta?: Json;
  closed: boolean;
  readonly kind: 'text' | 'reasoning';
}

interface OpenCall {
  readonly name: string;
  input: string;
}

/** Collects one stream. Feed it every part, then ask for the end. */
export class StreamConverter {
  private readonly blocks = new Map<string, Block>();
  private readonly calls = new Map<string, OpenCall>();
  private readonly usedIds = new Set<string>();
  /** A call without argument bytes: no arguments, or cut off before the first? Known only at the end. */
  private blank: Extract<ProviderEvent, { type: 'call' }> | undefined;
  private reasoningOpen = false;
  private finish: SdkFinish | undefined;
  private usage: Usage | undefined;

  /** The events this part makes, perhaps none. Parts of no interest (sources, files, warnings) are passed over. */
  accept(part: StreamPart): ProviderEvent[] {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        return this.start(part.id, part.type === 'text-start' ? 'text' : 'reasoning', part.providerMetadata);
      case 'text-delta':
      case 'reasoning-delta':
        return this.delta(part.id, part.type === 'text-delta' ? 'text' : 'reasoning', part.delta, part.providerMetadata);
      case 'text-end':
      case 'reasoning-end':
        return this.endBlock(part.id, part.providerMetadata);
      case 'tool-input-start':
        this.calls.set(part.id, { name: part.toolName, input: '' });
        return [];
      case 'tool-input-delta': {
        const open = this.calls.get(part.id);
        if (open) open.input += part.delta;
        return [];
      }
      case 'tool-call':
        return part.providerExecuted ? [] : this.call(part.toolCallId, part.toolName, part.input, part.providerMetadata);
      case 'finish':
        this.finish = part.finishReason;
        this.usage = usageOf(part.usage);
        return [];
      default:
        return [];
    }
  }

  /** What is still held back, and how the stream ended. */
  end(): StreamEnd {
    const events: ProviderEvent[] = [];
    // The service never said that these were complete: handed on as they are, the caller sees that they are cut.
    for (const [id, open] of this.calls) events.push(...this.call(id, open.name, open.input, undefined));
    events.push(...this.releaseBlank(this.finish?.unified === 'length' ? '' : '{}'));
    if (this.usage) events.push({ type: 'usage', usage: this.usage });
    return { events, finish: this.finish, hadCalls: this.usedIds.size > 0 };
  }

  private start(id: string, kind: Block['kind'], metadata: unknown): ProviderEvent[] {
    const events = this.releaseBlank('{}');
    // Two reasoning blocks in a row must not run together: each signature covers its own text.
    if (kind === 'reasoning' && this.reasoningOpen) events.push({ type: 'reasoning-delta', text: '', meta: {} });
    this.reasoningOpen = false;
    this.blocks.set(id, { kind, closed: false, meta: asJson(metadata) });
    return events;
  }

  private delta(id: string, kind: Block['kind'], text: string, metadata: unknown): ProviderEvent[] {
    const events = this.releaseBlank('{}');
    const block = this.blocks.get(id) ?? { kind, closed: false };
    block.meta = mergeMeta(block.meta, asJson(metadata));
    this.blocks.set(id, block);
    if (text === '') return events;
    this.reasoningOpen = kind === 'reasoning';
    events.push({ type: kind === 'text' ? 'text-delta' : 'reasoning-delta', text });
    return events;
  }

  /** The meta of a block comes with its last delta: it closes the part. */
  private endBlock(id: string, metadata: unknown): ProviderEvent[] {
    const block = this.blocks.get(id);
    if (!block || block.closed) return [];
    block.closed = true;
    const meta = mergeMeta(block.meta, asJson(metadata));
    if (meta === undefined) return [];
    if (block.kind === 'reasoning') this.reasoningOpen = false;
    return [{ type: block.kind === 'text' ? 'text-delta' : 'reasoning-delta', text: '', meta }];
  }

  private call(id: string, name: string, input: string, metadata: unknown): ProviderEvent[] {
    const events = this.releaseBlank('{}');
    const streamed = this.calls.get(id)?.input;
    this.calls.delete(id);
    this.reasoningOpen = false;
    const meta = asJson(metadata);
    const call = { type: 'call', id: this.freshId(id), name, input, ...(meta === undefined ? {} : { meta }) } as const;
    if (input.trim() === '' || (input === '{}' && streamed === '')) this.blank = call;
    else events.push(call);
    return events;
  }

  private releaseBlank(input: string): ProviderEvent[] {
    const blank = this.blank;
    this.blank = undefined;
    return blank ? [{ ...blank, input }] : [];
  }

  private freshId(given: string): string {
    let id = given || 'call';
    for (let n = 2; this.usedIds.has(id); n++) id = `${given || 'call'}-${n}`;
    this.usedIds.add(id);
    return id;
  }
}

/** Later values win, key by key inside each service's own object; `null` never replaces a value. */
function mergeMeta(first: Json | undefined, second: Json | undefined): Json | undefined {
  if (!isRecord(first) || !isRecord(second)) return second ?? first;
  const merged: Record<string, Json> = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const before = merged[key];
    const kept = isRecord(value)
      ? Object.fromEntries(Object.entries(value).filter(([name, v]) => v !== null || !isRecord(before) || !(name in before)))
      : value;
    merged[key] = isRecord(before) && isRecord(kept) ? ({ ...before, ...kept } as Json) : (kept as Json);
  }
  return merged;
}

/** Counts as the service gave them; undefined when it gave none. */
export function usageOf(usage: SdkUsage): Usage | undefined {
  const { inputTokens, outputTokens } = usage;
  if (inputTokens.total === undefined && outputTokens.total === undefined) return undefined;
  return {
    input: count(inputTokens.total),
    output: count(outputTokens.total),
    cacheRead: count(inputTokens.cacheRead),
    cacheWrite: count(inputTokens.cacheWrite),
    reasoning: count(outputTokens.reasoning),
  };
}

function count(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

/** Our word for a service's finish reason. */
export function endReason(finish: SdkFinish): EndReason {
  switch (finish.unified) {
    case 'tool-calls':
      return 'calls';
    case 'content-filter':
      return 'filter';
    default:
      return finish.unified;
  }
}
