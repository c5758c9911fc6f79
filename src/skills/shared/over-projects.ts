/** Scripts that run the same kind of steps in every project a folder belongs to or holds. */
import type { JsonObject, ObjectSchema } from '../../types/json.js';
import type { ScriptContext, ScriptOutcome } from '../../types/skill.js';
import { ECOSYSTEMS } from '../ecosystems/index.js';
import { DIR, dirOf, ECOSYSTEM, numberOf, SECONDS, textOf } from './args.js';
import type { Ask, Ecosystem } from './ecosystem.js';
import { faultOutcome } from './fault.js';
import { findProjects, NO_PROJECT, projectData, projectNotes, TREE_TOOL } from './project.js';
import { READ_TOOL } from './read-whole.js';
import { headOf, plain, report, type StateWords } from './report.js';
import { EXEC_TOOL } from './run.js';
import { runSteps, type Section, type Step } from './step.js';

export interface OverProjects {
  readonly script: string;
  steps(ecosystem: Ecosystem, ask: Ask): Promise<readonly Step[]>;
  /** After the first red step of a project its others are skipped. */
  readonly stop?: boolean;
  readonly words?: StateWords;
  readonly issuesFail?: boolean;
  readonly needsAll?: boolean;
  /** More to say of a section once it ran. */
  after?(section: Section, ask: Ask): Promise<Section>;
  readonly data?: JsonObject;
}

export const PROJECT_FIELDS: ObjectSchema['properties'] = { dir: DIR, ecosystem: ECOSYSTEM, timeout: SECONDS };
/** What detection and steps call. */
export const PROJECT_CALLS: readonly string[] = [TREE_TOOL, READ_TOOL, EXEC_TOOL];

/** Runs the steps and reports. Data: `projects`, `others` ({ecosystem, dir, marker}) and `sections`. */
export async function overProjects(args: JsonObject, context: ScriptContext, work: OverProjects): Promise<ScriptOutcome> {
  const found = await findProjects(context, dirOf(args), textOf(args, 'ecosystem'));
  if (found.fault) return faultOutcome(work.script, found.fault);
  if (found.taken.length === 0) {
    const wanted = textOf(args, 'ecosystem');
    const why = wanted === undefined ? NO_PROJECT : `no ${wanted} project was found here, above or below`;
    return plain(work.script, 'not-available', `${why} (dir: ${dirOf(args)})`, {
      projects: [],
      others: projectData(found.others),
    });
  }
  const sections: Section[] = [];
  // Commands run alone anyway: one project after the other.
  for (const project of found.taken) {
    const ask = { context, project };
    const steps = await work.steps(ECOSYSTEMS[project.id], ask);
    const done = await runSteps(context, steps, { stop: work.stop === true, seconds: numberOf(args, 'timeout') });
    for (const section of done) {
      const whole = work.after ? await work.after(section, ask) : section;
      sections.push({ ...whole, extra: { ecosystem: project.id, ...whole.extra } });
    }
  }
  return report({
    script: work.script,
    head: headOf(sections, work.words),
    sections,
    notes: projectNotes(found),
    ...(work.words && { words: work.words }),
    issuesFail: work.issuesFail === true,
    needsAll: work.needsAll === true,
    data: { dir: dirOf(args), projects: projectData(found.taken), others: projectData(found.others), ...work.data },
  });
}
