/** Everything the doctor looks at, and what it found as lines for people. */
import { createPaint, type Paint } from '../../ui/paint.js';
import type { Text } from '../../ui/text/index.js';
import { VERSION } from '../version.js';
import { lookAtAgents } from './agents.js';
import { type Finding, looked, type Status } from './finding.js';
import { lookAtGit, lookAtNode, lookAtSandbox, lookAtSearch, lookAtShell, lookAtTerminal } from './machine.js';
import type { DoctorPlace } from './place.js';
import { lookAtLanguageServers } from './servers.js';
import { lookAtModel, lookAtPolicy, lookAtSettings, lookAtTrust } from './settings.js';
import { lookAtCheckpoints, lookAtJournals, lookAtState } from './state.js';

const LOOKS = [
  ['node', lookAtNode],
  ['git', lookAtGit],
  ['shell', lookAtShell],
  ['search', lookAtSearch],
  ['language-servers', lookAtLanguageServers],
  ['sandbox', lookAtSandbox],
  ['configuration', lookAtSettings],
  ['policy', lookAtPolicy],
  ['trust', lookAtTrust],
  ['agents', lookAtAgents],
  ['model', lookAtModel],
  ['state', lookAtState],
  ['recovery', lookAtJournals],
  ['checkpoints', lookAtCheckpoints],
  ['terminal', lookAtTerminal],
] as const;

/** Looks at everything. A look that breaks down is a finding. */
export async function findings(place: DoctorPlace, all = false): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const [check, look] of LOOKS) found.push(...(await looked(place.text, check, () => look(place, all))));
  return found;
}

export const countOf = (found: readonly Finding[], status: Status): number => found.filter((one) => one.status === status).length;

/** Title, one line a finding with its way to mend it, and the sum of it. */
export function findingLines(found: readonly Finding[], text: Text, color: boolean): string[] {
  const paint = createPaint({ color });
  const [faults, warnings] = [countOf(found, 'fault'), countOf(found, 'warning')];
  const end =
    faults > 0
      ? text.t('doctor.broken', { count: faults })
      : warnings > 0
        ? text.t('doctor.fineWithWarnings', { count: warnings })
        : text.t('doctor.fine');
  return [text.t('doctor.title', { version: VERSION }), ...found.flatMap((one) => linesOf(one, paint)), end];
}

function linesOf({ status, text, fix }: Finding, paint: Paint): string[] {
  const mark = { ok: paint.green('[ok]'), warning: paint.yellow('[! ]'), fault: paint.red('[x ]') }[status];
  return [`${mark} ${text}`, ...(fix === undefined ? [] : [`     ${fix}`])];
}
