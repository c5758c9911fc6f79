/** `format-code` and `fix-imports`: first what would change, then the change of exactly those files. */

import { posix } from 'node:path';
import type { JsonObject, ObjectSchema } from '../../types/json.js';
import type { ScriptContext, ScriptOutcome } from '../../types/skill.js';
import { ECOSYSTEMS } from '../ecosystems/index.js';
import { dirOf, flagOf, listOf, numberOf, textOf } from './args.js';
import type { Ask, Ecosystem, Formatter } from './ecosystem.js';
import { faultOutcome } from './fault.js';
import { PROJECT_FIELDS } from './over-projects.js';
import { tidyPath } from './paths.js';
import { findProjects, NO_PROJECT, type Project, projectData, projectNotes } from './project.js';
import { headOf, plain, report } from './report.js';
import { runStep, type Section } from './step.js';

/** What both scripts that put files in order take. */
export const FORMAT_SCHEMA: ObjectSchema = {
  type: 'object',
  properties: {
    file: { type: ['string', 'array'], items: { type: 'string' }, description: 'Only this file or these' },
    check: { type: 'boolean', default: false, description: 'Only tell what would change' },
    ...PROJECT_FIELDS,
  },
  additionalProperties: false,
};

type Make = (ecosystem: Ecosystem, ask: Ask, files: readonly string[] | undefined) => Promise<Formatter>;

const ENDINGS: Readonly<Record<Project['id'], RegExp>> = {
  go: /\.go$/,
  javascript: /\.(?:[cm]?[jt]sx?|json|css|scss|html|vue|svelte|md|ya?ml)$/,
  python: /\.pyi?$/,
  rust: /\.rs$/,
  java: /\.(?:java|kts?)$/,
};

/** Data: `changed` (workspace paths), `check`, `projects`, `sections`. With `check` nothing is written. */
export async function formatProjects(
  script: string,
  args: JsonObject,
  context: ScriptContext,
  make: Make,
): Promise<ScriptOutcome> {
  const files = listOf(args, 'file').map(tidyPath);
  const [first] = files;
  const dir = first === undefined ? dirOf(args) : posix.dirname(first);
  const found = await findProjects(context, dir, textOf(args, 'ecosystem'));
  if (found.fault) return faultOutcome(script, found.fault);
  const taken = files.length === 0 ? found.taken : found.taken.filter(({ id }) => files.some((file) => ENDINGS[id].test(file)));
  if (taken.length === 0) {
    const why = found.taken.length === 0 ? NO_PROJECT : `no project here formats files such as ${files.slice(0, 3).join(', ')}`;
    return plain(script, 'not-available', why, { changed: [], projects: projectData(found.taken) });
  }
  const sections: Section[] = [];
  const changed: string[] = [];
  for (const project of taken) {
    const own = files.length === 0 ? undefined : files.filter((file) => ENDINGS[project.id].test(file));
    const formatter = await make(ECOSYSTEMS[project.id], { context, project }, own);
    const done = await formatOne(context, formatter, flagOf(args, 'check'), numberOf(args, 'timeout'));
    sections.push({ ...done.section, extra: { ecosystem: project.id, ...done.section.extra } });
    changed.push(...done.changed);
  }
  const check = flagOf(args, 'check');
  const count = changed.length === 1 ? '1 file' : `${changed.length} files`;
  const isSure = sections.every(({ state }) => state === 'clean' || state === 'issues');
  const head = check || !isSure || changed.length === 0 ? headOf(sections, WORDS) : `${count} changed`;
  return report({
    script,
    head,
    sections,
    notes: projectNotes({ ...found, taken }),
    words: WORDS,
    data: { dir, check, changed, projects: projectData(taken), others: projectData(found.others) },
    changed: changed.map((path) => (context.root === undefined ? path : posix.resolve(context.root, path))),
  });
}

const WORDS = { clean: 'DONE', issues: 'WOULD CHANGE' };

async function formatOne(
  context: ScriptContext,
  formatter: Formatter,
  check: boolean,
  seconds: number | undefined,
): Promise<{ section: Section; changed: readonly string[] }> {
  const before = await runStep(context, formatter.check, seconds);
  if (before.state !== 'issues' || check) return { section: before, changed: [] };
  const files = [...new Set((before.findings ?? []).flatMap(({ file }) => file ?? []))];
  const written = await runStep(context, formatter.write(files), seconds);
  const isDone = written.state === 'clean' || written.state === 'issues';
  if (!isDone) {
    const summary = `not finished, some of these files may have changed: ${written.summary}`;
    return { section: { ...written, findings: before.findings ?? [], summary }, changed: [] };
  }
  const broken = before.broken ?? [];
  const findings = [...broken, ...files.map((file) => ({ file, message: 'changed' }))];
  const count = files.length === 1 ? '1 file changed' : `${files.length} files changed`;
  return {
    section: {
      ...written,
      state: broken.length > 0 ? 'failed' : 'clean',
      summary: broken.length > 0 ? `${count}; some files could not be read` : count,
      findings,
    },
    changed: files,
  };
}
