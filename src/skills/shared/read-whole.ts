/** The exact bytes of a file that may be too long for one result, through the read tool alone. */
import type { ScriptContext } from '../../types/skill.js';
import { together } from './pool.js';

/** Lines of base64 a call asks for: 76 characters and a number each, below the cap of a read. */
const PAGE = 700;
const LINE = 76;

export const READ_TOOL = '@coder read';

/** The text, or undefined when it cannot be read or is longer than `maxBytes`. Never cut. */
export async function readWhole(context: ScriptContext, file: string, maxBytes: number): Promise<string | undefined> {
  const result = await context.call(READ_TOOL, { file, encoding: 'base64', max_bytes: maxBytes });
  if (result.isError) return undefined;
  const framed =
    /^(?:note: [^\n]*\n)*<<< BEGIN FILE \(base64\): [^\n]* >>>\n([A-Za-z0-9+/=\n]*)<<< END FILE: [^\n]* >>>\n?$/.exec(
      result.output,
    );
  if (framed) return decode(framed[1] ?? '');
  const spilled =
    /: (\d+) bytes make (\d+) characters of base64, [^\n]*\. All of it is in (.+) \(lines of 76 characters\)\.\n?$/.exec(
      result.output,
    );
  return spilled ? readPages(context, spilled[3] ?? '', Number(spilled[2])) : undefined;
}

async function readPages(context: ScriptContext, file: string, characters: number): Promise<string | undefined> {
  const lines = Math.ceil(characters / LINE);
  const starts = Array.from({ length: Math.ceil(lines / PAGE) }, (_, page) => page * PAGE + 1);
  const pages = await together(starts, async (start) => {
    const result = await context.call(READ_TOOL, { file, start, end: start + PAGE - 1, max_bytes: 200_000 });
    if (result.isError) return undefined;
    return [...result.output.matchAll(/^ *\d+ \| ([A-Za-z0-9+/=]*)$/gm)].map((match) => match[1]).join('');
  });
  if (pages.includes(undefined)) return undefined;
  const whole = pages.join('');
  return whole.length === characters ? decode(whole) : undefined;
}

const decode = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');
