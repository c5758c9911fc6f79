/** Asks a trusted program what it is: `--metadata` and `--schema`, with short deadlines and bounded output. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomHex } from '../../base/clock.js';
import { runCommand } from '../../process/run-command.js';
import { because, type Reason } from '../../types/reason.js';
import type { SandboxPort } from '../../types/sandbox.js';
import { readMetadata, readSchema } from './about.js';
import { codeOf } from './scan.js';
import type { PinnedProgram, PluginAbout, Read } from './types.js';
import { isIntact } from './vault.js';

export interface DescribeOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly sandbox?: Pick<SandboxPort, 'confine'>;
  readonly signal: AbortSignal;
  /** Milliseconds each of the two questions may take; 5000 by default. */
  readonly timeoutMs?: number;
  /** Asks again although the answer is kept. */
  readonly anew?: boolean;
}

const DEADLINE_MS = 5000;
const MOST_BYTES = 256 * 1024;
const KEPT = '.about.json';

interface Said {
  readonly metadata: string;
  readonly schema: string;
  /** It did not answer: it is not waited for at every start. */
  readonly fault?: Reason;
}

/** The same bytes say the same, so the answer is kept beside the copy. Never throws. */
export async function describeProgram(program: PinnedProgram, options: DescribeOptions): Promise<Read<PluginAbout>> {
  const kept = options.anew ? undefined : readKept(program);
  if (kept) return aboutOf(kept);
  const metadata = await ask(program, '--metadata', options);
  if (!metadata.ok) {
    if (metadata.ended) keep(program, { metadata: '', schema: '', fault: metadata.why });
    return metadata;
  }
  const schema = await ask(program, '--schema', options);
  // A program without `--schema` says so in its own way, and is called unvalidated.
  const said = { metadata: metadata.value, schema: schema.ok ? schema.value : '' };
  if (schema.ok || schema.ended) keep(program, said);
  return aboutOf(said);
}

/** A schema that cannot be used is no schema: the plugin is called unvalidated. */
function aboutOf({ metadata, schema, fault }: Said): Read<PluginAbout> {
  if (fault !== undefined) return no(fault);
  const about = readMetadata(metadata);
  if (!about.ok) return about;
  const read = readSchema(schema);
  return { ok: true, value: read.ok && read.value !== undefined ? { ...about.value, schema: read.value } : about.value };
}

type Asked = Read<string> & {
  /** It was run and did or could not answer: the same would come again. */ readonly ended?: boolean;
};

async function ask(program: PinnedProgram, question: string, options: DescribeOptions): Promise<Asked> {
  const { env, sandbox, signal, timeoutMs = DEADLINE_MS } = options;
  if (!isIntact(program)) return no(because`its private copy was changed`);
  try {
    const outcome = await runCommand({
      file: program.path,
      args: [question],
      cwd: program.folder,
      env,
      signal,
      timeoutMs,
      graceMs: 300,
      streams: 'split',
      rawText: true,
      keepBytes: MOST_BYTES,
      keepErrorBytes: 4096,
      endsAll: true,
      confine: { readOnly: true, nothingLasts: true, tied: true, readable: [program.folder] },
      ...(sandbox && { sandbox }),
    });
    if (outcome.aborted) return no(because`${question} was stopped`);
    if (outcome.timedOut) return { ...no(because`${question} gave no answer within ${timeoutMs / 1000} s`), ended: true };
    if (outcome.exitCode !== 0) return { ...no(endOf(question, outcome.exitCode)), ended: true };
    if (outcome.omittedBytes > 0) return { ...no(because`${question} printed more than ${MOST_BYTES / 1024} KiB`), ended: true };
    return { ok: true, value: outcome.output, ended: true };
  } catch (error) {
    return no(because`it cannot be run (${codeOf(error)})`);
  }
}

function endOf(question: string, exitCode: number | null): Reason {
  return exitCode === null ? because`${question} was ended by a signal` : because`${question} ended with exit code ${exitCode}`;
}

function no(why: Reason): { readonly ok: false; readonly why: Reason } {
  return { ok: false, why };
}

function readKept({ folder }: PinnedProgram): Said | undefined {
  try {
    const { metadata, schema, fault } = JSON.parse(readFileSync(join(folder, KEPT), 'utf8')) as Partial<Said>;
    if (typeof metadata !== 'string' || typeof schema !== 'string') return undefined;
    return { metadata, schema, ...(isReason(fault) ? { fault } : {}) };
  } catch {
    return undefined;
  }
}

function isReason(value: unknown): value is Reason {
  if (typeof value !== 'object' || value === null) return false;
  const { text, values } = value as { text?: unknown; values?: unknown };
  return typeof text === 'string' && Array.isArray(values) && values.every((one) => ['string', 'number'].includes(typeof one));
}

/** Only to be quick the next time: what cannot be kept is asked again. */
function keep({ folder }: PinnedProgram, said: Said): void {
  const temporary = join(folder, `.${randomHex(8)}.tmp`);
  try {
    writeFileSync(temporary, JSON.stringify(said), { mode: 0o600, flag: 'wx' });
    renameSync(temporary, join(folder, KEPT));
  } catch {
    // The next start asks again.
  }
}
