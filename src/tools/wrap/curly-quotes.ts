/** Straightens curly quotes in what write, patch and multipatch insert into code, where the file would not parse with them. */
import { bomOf, decodeUtf16, detect, encodeText } from '../../base/text-encoding.js';
import type { Tool, ToolContext, ToolResult } from '../../types/tool.js';
import type { FileState, FileTarget, Workspace } from '../../types/workspace.js';
import { stopIfAborted } from '../shared/args.js';
import { counted } from '../shared/counted.js';

const EDITS: ReadonlySet<string> = new Set(['@coder write', '@coder patch', '@coder multipatch']);
/** As in code/quotes, which is loaded only for texts that have some. */
const CURLY = /[\u2018-\u201F\u2032\u2033]/;
const MOST_LINES = 20;

const WHY = {
  'no-parser': 'there is no parser for this kind of file here',
  'too-large': 'the file takes too long to parse',
  unclear: 'the file does not parse there and they are no clear pair',
} as const;

/** What was done to one file. */
interface Straightening {
  readonly shown: string;
  readonly replaced: readonly number[];
  readonly unsure: readonly number[];
  readonly reason: 'no-parser' | 'too-large' | 'unclear' | undefined;
  /** Sizes before and after, in bytes. */
  readonly sizes: readonly [number, number];
  readonly text: string;
}

/** The same tool; other tools are left as they are. It writes what the tool hands over, with such quotes replaced, and says so. */
export function withCurlyQuotes(tool: Tool): Tool {
  if (!EDITS.has(tool.name)) return tool;
  return {
    ...tool,
    async run(args, context) {
      const done = new Map<string, Straightening>();
      const result = await tool.run(args, { ...context, workspace: straighteningWorkspace(context, done) });
      return result.isError ? result : told(result, [...done.values()], tool.limit);
    },
  };
}

function straighteningWorkspace({ workspace, signal }: ToolContext, done: Map<string, Straightening>): Workspace {
  const last = new Map<string, { readonly bytes: Buffer; readonly sha256: string }>();
  const before = async (path: string, expect: FileState | 'absent' | undefined): Promise<Buffer | undefined> => {
    if (expect === 'absent') return undefined;
    const known = last.get(workspace.locate(path).real);
    if (known && (expect === undefined || expect.sha256 === known.sha256)) return known.bytes;
    return workspace.readFile(path).then(
      ({ bytes }) => bytes,
      () => undefined,
    );
  };
  const straightened = async (path: string, bytes: Uint8Array, expect: FileState | 'absent' | undefined): Promise<Uint8Array> => {
    const { real, shown } = workspace.locate(path);
    done.delete(real);
    const after = textOf(bytes);
    if (!after || !CURLY.test(after.text)) return bytes;
    const old = await before(path, expect);
    const { straighten } = await import('../../code/quotes/straighten.js');
    stopIfAborted(signal);
    const found = await straighten(real, old && textOf(old)?.text, after.text, signal).catch((error: unknown) => {
      stopIfAborted(signal);
      throw error;
    });
    if (found.replaced.length + found.unsure.length === 0) return bytes;
    const now = found.replaced.length === 0 ? bytes : after.encode(found.text);
    const { replaced, unsure, reason, text } = found;
    done.set(real, { shown, replaced, unsure, reason, text, sizes: [bytes.length, now.length] });
    return now;
  };
  return {
    ...workspace,
    async readFile(path, options) {
      const read = await workspace.readFile(path, options);
      last.set(read.located.real, { bytes: read.bytes, sha256: read.state.sha256 });
      return read;
    },
    async writeFile(path, bytes, options) {
      return workspace.writeFile(path, await straightened(path, bytes, options?.expect), options);
    },
    async changeFiles(targets) {
      const changed: FileTarget[] = [];
      for (const target of targets) {
        const bytes = target.bytes && (await straightened(target.path, target.bytes, target.expect));
        changed.push({ ...target, bytes });
      }
      return workspace.changeFiles(changed);
    },
  };
}

/** Undefined for what is no text in a Unicode encoding. A mark at the beginning is put back. */
function textOf(bytes: Uint8Array): { readonly text: string; encode(text: string): Buffer } | undefined {
  const { binary, encoding, bom } = detect(bytes);
  if (binary || encoding === 'bytes') return undefined;
  const whole = encoding === 'utf-8' ? Buffer.from(bytes).toString('utf8') : decodeUtf16(bytes, encoding);
  const text = whole.startsWith('\uFEFF') ? whole.slice(1) : whole;
  return { text, encode: (now) => Buffer.concat([bom ? bomOf(encoding) : Buffer.alloc(0), encodeText(now, encoding)]) };
}

/** The result with a sentence for each file, and with sizes and texts as they were written. */
function told(result: ToolResult, done: readonly Straightening[], limit: number): ToolResult {
  if (done.length === 0) return result;
  let { output } = result;
  for (const { sizes } of done) output = output.replace(counted(sizes[0], 'byte'), () => counted(sizes[1], 'byte'));
  const notes = done.map(noteOf).join('');
  if (output.length + notes.length <= limit) output = `${output}${output === '' || output.endsWith('\n') ? '' : '\n'}${notes}`;
  return { ...result, output, ...(result.display ? { display: shownAs(result.display, done) } : {}) };
}

function noteOf({ shown, replaced, unsure, reason }: Straightening): string {
  const notes: string[] = [];
  if (replaced.length > 0)
    notes.push(
      `curly quotes in ${shown} were replaced by straight ones at ${lines(replaced)}, because the file does not parse with them`,
    );
  if (unsure.length > 0) {
    notes.push(
      `curly quotes were written to ${shown} at ${lines(unsure)}; ${WHY[reason ?? 'unclear']}, so check that they are meant`,
    );
  }
  return notes.map((note) => `Note: ${note}.\n`).join('');
}

function lines(numbers: readonly number[]): string {
  const more = numbers.length > MOST_LINES ? `, and ${numbers.length - MOST_LINES} more` : '';
  return `line${numbers.length === 1 ? '' : 's'} ${numbers.slice(0, MOST_LINES).join(', ')}${more}`;
}

type Display = NonNullable<ToolResult['display']>;

function shownAs(display: Display, done: readonly Straightening[]): Display {
  if (display.kind !== 'diff') return display;
  const texts = new Map(done.map(({ shown, text }) => [shown, text]));
  return {
    ...display,
    changes: display.changes.map((change) => {
      const text = change.after === undefined ? undefined : texts.get(change.path);
      return text === undefined ? change : { ...change, after: text };
    }),
  };
}
