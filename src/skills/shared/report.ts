/** Sections -> what the model reads and the same as data. */
import type { Json, JsonObject } from '../../types/json.js';
import type { ScriptOutcome, ScriptStatus } from '../../types/skill.js';
import { linesOf } from './run.js';
import type { Finding, Section, State } from './step.js';

/** Characters of a whole text, of one section's findings, and of raw output beside them. */
export const MOST_TEXT = 24_000;
const SECTION_LINES = 60;
const RAW_TAIL = 3000;
const DATA_FINDINGS = 500;

const WORDS: Record<State, string> = {
  clean: 'CLEAN',
  issues: 'ISSUES FOUND',
  failed: 'FAILED',
  'not-available': 'NOT AVAILABLE',
  denied: 'DENIED',
  skipped: 'SKIPPED',
};

/** Words for the states where others say it better (`OK` for a build). */
export type StateWords = Partial<Record<State, string>>;

/** Cut at a line end, with what is missing said. */
export function bounded(text: string, most: number, how = 'shortened'): string {
  if (text.length <= most) return text;
  const line = text.lastIndexOf('\n', most);
  const end = line > most - 2000 && line > 0 ? line : most;
  const head = text.slice(0, end);
  return `${/[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head}\n... [${how}: ${text.length - end} more characters]`;
}

/** The last part of an output; failures are told at the end. */
export function tailOf(output: string, most = RAW_TAIL): string {
  const text = linesOf(output).join('\n').trimEnd();
  if (text.length <= most) return text;
  const from = text.indexOf('\n', text.length - most);
  return `... [${text.length - most} characters before this]\n${from === -1 ? text.slice(-most) : text.slice(from + 1)}`;
}

/** Text that stands inside a fence, whatever it holds. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map((match) => match[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}${text.endsWith('\n') || text === '' ? '' : '\n'}${fence}`;
}

export function findingLine({ file, line, column, rule, severity, message }: Finding): string {
  const place =
    file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}${column === undefined ? '' : `:${column}`}: `;
  const kind = [severity, rule].filter((word) => word !== undefined).join(' ');
  return `- ${place}${kind === '' ? '' : `[${kind}] `}${message.replace(/\s*\n\s*/g, ' / ')}`;
}

export function sectionText(section: Section, words: StateWords = {}): string {
  const word = words[section.state] ?? WORDS[section.state];
  const where = section.dir === '.' ? '' : ` (in ${section.dir})`;
  const lines = [`## ${section.title}${where}: ${word}`, section.summary];
  const findings = section.findings ?? [];
  lines.push(...findings.slice(0, SECTION_LINES).map(findingLine));
  if (findings.length > SECTION_LINES) lines.push(`... and ${findings.length - SECTION_LINES} more`);
  if (section.output !== undefined && section.output.trim() !== '') lines.push(fenced(tailOf(section.output)));
  if (!section.complete)
    lines.push(
      `The output was too long to be read whole: only its two ends were.${section.log === undefined ? '' : ` All of it is in ${section.log}`}`,
    );
  return lines.join('\n');
}

export function sectionData(section: Section): JsonObject {
  const findings = section.findings ?? [];
  return {
    title: section.title,
    dir: section.dir,
    state: section.state,
    summary: section.summary,
    command: section.command ?? null,
    exitCode: section.exitCode ?? null,
    complete: section.complete,
    findings: findings.slice(0, DATA_FINDINGS).map((finding) => ({ ...finding }) as JsonObject),
    findingCount: findings.length,
    ...(section.log === undefined ? {} : { log: section.log }),
    ...section.extra,
  };
}

export interface ReportInput {
  readonly script: string;
  /** The answer, one sentence. */
  readonly head: string;
  readonly sections: readonly Section[];
  readonly notes?: readonly string[];
  readonly words?: StateWords;
  /** Issues make the script `failed` (a red build) and not only something it found. */
  readonly issuesFail?: boolean;
  /** One source that could not be asked leaves the answer open, unless issues were found anyway. */
  readonly needsAll?: boolean;
  readonly data?: JsonObject;
  readonly changed?: readonly string[];
}

/** Not available beats nothing: a script that could look at nothing has not found everything clean. */
export function statusOf(sections: readonly Section[], options: Pick<ReportInput, 'issuesFail' | 'needsAll'>): ScriptStatus {
  const has = (state: State) => sections.some((section) => section.state === state);
  if (has('failed') || (options.issuesFail === true && has('issues'))) return 'failed';
  if (has('denied')) return 'denied';
  if (options.needsAll === true && has('not-available') && !has('issues')) return 'not-available';
  return has('clean') || has('issues') ? 'ok' : 'not-available';
}

/** `3 issues; staticcheck NOT AVAILABLE`: the states of all sections in a few words, never better than they are. */
export function headOf(sections: readonly Section[], words: StateWords = {}): string {
  const found = sections.reduce((sum, { findings = [], state }) => sum + (state === 'issues' ? findings.length || 1 : 0), 0);
  const states = sections.map(
    ({ title, state, dir }) => `${title}${dir === '.' ? '' : ` in ${dir}`} ${words[state] ?? WORDS[state]}`,
  );
  const list = states.length > 8 ? [...states.slice(0, 8), `and ${states.length - 8} more`] : states;
  return `${found > 0 ? `${found === 1 ? '1 issue' : `${found} issues`}; ` : ''}${list.join(', ') || 'nothing to run'}`;
}

export function report(input: ReportInput): ScriptOutcome {
  const notes = input.notes ?? [];
  const status = statusOf(input.sections, input);
  const body = [
    `**${input.script}: ${input.head}**`,
    ...notes.map((note) => `Note: ${note}`),
    ...input.sections.map((section) => `\n${sectionText(section, input.words)}`),
  ].join('\n');
  const data: JsonObject = {
    script: input.script,
    status,
    head: input.head,
    notes: [...notes] as Json[],
    notAvailable: input.sections.filter(({ state }) => state === 'not-available').map(({ title }) => title),
    sections: input.sections.map(sectionData),
    ...input.data,
  };
  return {
    status,
    text: `${bounded(body, MOST_TEXT)}\n`,
    data,
    ...(input.changed !== undefined && input.changed.length > 0 && { changed: input.changed }),
  };
}

/** An outcome without sections: a fault of a call, or something that is not there. */
export function plain(script: string, status: ScriptStatus, text: string, data: JsonObject = {}): ScriptOutcome {
  const word = status === 'not-available' ? 'NOT AVAILABLE: ' : status === 'denied' ? 'DENIED: ' : '';
  return {
    status,
    text: `**${script}: ${word}${bounded(text, 4000)}**\n`,
    data: { script, status, head: bounded(text, 1000), ...data },
  };
}
