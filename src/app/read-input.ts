/** Standard input as the prompt or as an addition to it. */
import { fstatSync } from 'node:fs';
import { UsageError } from './usage-error.js';

/** Most bytes taken from standard input. */
const MAX_INPUT = 10 * 1024 * 1024;
/** A pipe that says nothing for this long (milliseconds) is not meant for us. */
const FIRST_BYTE_MS = 200;

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** Called when there was more than the limit (bytes), which was left out. */
  onCut(limit: number): void;
}

/**
 * The whole prompt. With text, a file or a pipe that speaks within 200 ms is added; `-` always waits;
 * without text and terminal, the input is the prompt. Throws UsageError when nothing is left to ask.
 */
export async function readPrompt(text: string | undefined, input: NodeJS.ReadStream, options: ReadOptions): Promise<string> {
  if (text === '-') return required(await readAll(input, options));
  if (text === undefined || text.trim() === '') {
    if (input.isTTY) throw new UsageError('usage.noTask', {}, 'usage.noTaskHint');
    return required(await readAll(input, options));
  }
  const added = await additional(input, options);
  return added.trim() ? `${text}\n\n${added}` : text;
}

async function additional(input: NodeJS.ReadStream, options: ReadOptions): Promise<string> {
  const kind = kindOfInput();
  if (kind === 'file') return readAll(input, options);
  return kind === 'pipe' ? readAll(input, options, FIRST_BYTE_MS) : '';
}

function kindOfInput(): 'file' | 'pipe' | 'none' {
  try {
    const stat = fstatSync(0);
    if (stat.isFile()) return 'file';
    return stat.isFIFO() || stat.isSocket() ? 'pipe' : 'none';
  } catch {
    return 'none';
  }
}

/** To the end, 10 MB or an abort; with `firstByteMs`, nothing when no byte came by then. */
function readAll(input: NodeJS.ReadStream, options: ReadOptions, firstByteMs?: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (): void => {
      if (timer) clearTimeout(timer);
      options.signal.removeEventListener('abort', finish);
      input.off('data', onData).off('end', finish).off('error', onError);
      input.pause();
      (input as { unref?(): void }).unref?.();
      resolve(Buffer.concat(chunks).subarray(0, MAX_INPUT).toString('utf8'));
    };
    const onError = (error: Error): void => reject(new UsageError('usage.badInput', { reason: error.message }));
    const onData = (chunk: Buffer): void => {
      if (timer) clearTimeout(timer);
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_INPUT) {
        options.onCut(MAX_INPUT);
        finish();
      }
    };
    const timer = firstByteMs === undefined ? undefined : setTimeout(finish, firstByteMs);
    options.signal.addEventListener('abort', finish, { once: true });
    input.on('data', onData).on('end', finish).on('error', onError);
  });
}

function required(text: string): string {
  if (text.trim()) return text;
  throw new UsageError('usage.emptyPrompt', {}, 'usage.emptyPromptHint');
}
