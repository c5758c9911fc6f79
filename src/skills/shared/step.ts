/** The words of scripts that run programs: a step, what came of it, and how it is read. */
import type { JsonObject } from '../../types/json.js';
import type { ScriptContext } from '../../types/skill.js';
import { linesOf, type Ran, runLine, runWords } from './run.js';

/** `clean` only ever means: it ran to its end and found nothing. */
export type State = 'clean' | 'issues' | 'failed' | 'not-available' | 'denied' | 'skipped';

export interface Finding {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly rule?: string;
  readonly severity?: string;
  readonly message: string;
}

/** What a program's output says. `output`: shown in part beside the findings. */
export interface Reading {
  readonly state: State;
  readonly summary: string;
  readonly findings?: readonly Finding[];
  readonly output?: string;
  /** Of a formatter: what it could not read, beside the files it would change. */
  readonly broken?: readonly Finding[];
  readonly extra?: JsonObject;
}

export interface Step {
  /** `go vet`. */
  readonly title: string;
  readonly dir: string;
  /** A program with arguments, or a fixed line; neither: it cannot be run, and `missing` says why. */
  readonly words?: readonly string[];
  readonly line?: string;
  readonly missing?: string;
  /** How to get the program. */
  readonly hint?: string;
  /** It wants a network: a fault of the network is `not-available`. */
  readonly network?: boolean;
  /** Programs that may stand in when this one is not installed. */
  readonly otherwise?: Step;
  read(ran: Ran): Reading;
}

export interface Section extends Reading {
  readonly title: string;
  readonly dir: string;
  readonly command?: string;
  readonly exitCode?: number | null;
  readonly complete: boolean;
  readonly log?: string;
}

/** How programs say that a part of them is not installed. The shell says it with 126 and 127. */
const ABSENT =
  /^(?:\S*python[\d.]*(?:\.exe)?: No module named \S+|error: no such (?:sub)?command: `?[\w-]+`?.*|error: '\S+' is not installed for the toolchain .*|go: no such tool ".*|.*: command not found)$/m;
const NETWORK =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|UND_ERR_|Could(?: not|n't) resolve host|no such host|dial tcp|onnection refused|Temporary failure in name resolution|Name or service not known|etwork is unreachable|network request to .* failed|fetch failed|Could not transfer (?:artifact|metadata)|failed to transfer from|No plugin found for prefix|in offline mode|failed to (?:download|fetch) |Failed to establish a new connection|from versions: none|Max retries exceeded|Could not connect to|spurious network error|module lookup disabled|No route to host|offline was specified/i;

/** A line that says why a network was missed, for people. */
export const networkFault = (output: string): string | undefined =>
  linesOf(output)
    .find((line) => NETWORK.test(line))
    ?.trim()
    .slice(0, 300);

/** Whether a program was not there to be started. */
export const isAbsent = (ran: Ran): boolean =>
  ran.how === 'ended' &&
  (ran.exitCode === 127 || ran.exitCode === 126 || (ran.exitCode !== 0 && ran.output.length < 2000 && ABSENT.test(ran.output)));

/** The first words of an output that say something. */
export function gist(output: string, most = 300): string {
  const lines = linesOf(output).map((line) => line.trim());
  const told = lines.find((line) => /error|fail|fatal|panic/i.test(line)) ?? lines.find((line) => line !== '') ?? 'no output';
  return told.length > most ? `${told.slice(0, most)}...` : told.replace(/[\s:]+$/, '');
}

/** Absolute paths below the workspace as the workspace names them. */
function shownIn(root: string | undefined, reading: Reading): Reading {
  if (root === undefined) return reading;
  const near = (finding: Finding): Finding =>
    finding.file?.startsWith(`${root}/`) ? { ...finding, file: finding.file.slice(root.length + 1) } : finding;
  return {
    ...reading,
    ...(reading.findings && { findings: reading.findings.map(near) }),
    ...(reading.broken && { broken: reading.broken.map(near) }),
  };
}

/** Runs a step and says what came of it. Never throws for anything a program prints. */
export async function runStep(context: ScriptContext, step: Step, seconds?: number): Promise<Section> {
  const base = { title: step.title, dir: step.dir, complete: true };
  const way = step.hint === undefined ? '' : `; ${step.hint}`;
  if (step.words === undefined && step.line === undefined)
    return { ...base, state: 'not-available', summary: `${step.missing ?? 'not found'}${way}` };
  context.progress(`${step.title}\n`);
  const options = { dir: step.dir, seconds };
  const ran = step.words ? await runWords(context, step.words, options) : await runLine(context, step.line ?? '', options);
  const done = {
    ...base,
    command: ran.command,
    exitCode: ran.exitCode,
    complete: ran.whole,
    ...(ran.log !== undefined && { log: ran.log }),
  };
  if (ran.how === 'refused') {
    const isDenied = ran.code === 'Denied' || ran.code === 'Blocked' || ran.code === 'Sensitive';
    return { ...done, state: isDenied ? 'denied' : 'failed', summary: ran.output.trim().slice(0, 600) };
  }
  if (ran.how === 'stopped') return { ...done, state: 'failed', summary: 'stopped before its end' };
  if (ran.how === 'timeout')
    return { ...done, state: 'failed', summary: `killed after ${seconds ?? 600} s; timeout gives it more`, output: ran.output };
  if (isAbsent(ran)) {
    if (step.otherwise) return runStep(context, step.otherwise, seconds);
    return { ...done, state: 'not-available', summary: `${gist(ran.output, 160)}${way}` };
  }
  try {
    const reading = shownIn(context.root, step.read(ran));
    // A place in the code is a finding whatever else was said; without one a missing network explains the rest.
    const isPlaced = reading.findings?.some(({ file }) => file !== undefined) === true;
    const fault = step.network === true && ran.exitCode !== 0 && reading.state !== 'clean' && !isPlaced;
    const why = fault ? networkFault(ran.output) : undefined;
    if (why !== undefined)
      return { ...done, state: 'not-available', summary: `it needs a network and could not reach it: ${why}` };
    const cut = !ran.whole && reading.state === 'clean' && ran.exitCode !== 0;
    return { ...done, ...reading, state: cut ? 'failed' : reading.state };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ...done, state: 'failed', summary: `its output could not be read (${why.slice(0, 200)})`, output: ran.output };
  }
}

/** Steps one after the other; after the first that is red or fails the others are skipped when `stop` says so. */
export async function runSteps(
  context: ScriptContext,
  steps: readonly Step[],
  options: { readonly stop?: boolean; readonly seconds?: number | undefined } = {},
): Promise<Section[]> {
  const sections: Section[] = [];
  for (const step of steps) {
    const red = options.stop === true && sections.some(({ state }) => state !== 'clean' && state !== 'not-available');
    sections.push(
      red || context.signal.aborted
        ? {
            title: step.title,
            dir: step.dir,
            complete: true,
            state: 'skipped',
            summary: red ? 'not run: the step before it is red' : 'not run: stopped',
          }
        : await runStep(context, step, options.seconds),
    );
  }
  return sections;
}
