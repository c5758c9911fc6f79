/** `chatcli doctor`: what is there, what is in force and what is broken, each with the way to mend it. Changes nothing. */
import { createPaint, type Paint } from '../../ui/paint.js';
import type { ConfigFlags } from '../config.js';
import { lookAtAgents } from '../doctor/agents.js';
import { type Finding, looked, type Status } from '../doctor/finding.js';
import { lookAtGit, lookAtNode, lookAtSandbox, lookAtSearch, lookAtShell, lookAtTerminal } from '../doctor/machine.js';
import { doctorPlace } from '../doctor/place.js';
import { lookAtLanguageServers } from '../doctor/servers.js';
import { lookAtModel, lookAtPolicy, lookAtSettings, lookAtTrust } from '../doctor/settings.js';
import { lookAtCheckpoints, lookAtJournals, lookAtState } from '../doctor/state.js';
import { VERSION } from '../version.js';

export interface DoctorFlags extends ConfigFlags {
  readonly json?: boolean;
}

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

/** Looks at everything and prints it; gives 0, or 1 when something is broken. Throws UsageError for a folder that is none. */
export async function doctorMode(flags: DoctorFlags): Promise<number> {
  const place = doctorPlace(flags);
  const { text } = place;
  const findings: Finding[] = [];
  for (const [check, look] of LOOKS) findings.push(...(await looked(text, check, () => look(place, flags.json === true))));
  const count = (status: Status) => findings.filter((one) => one.status === status).length;
  const faults = count('fault');
  if (flags.json) {
    process.stdout.write(
      `${JSON.stringify({ ok: faults === 0, version: VERSION, faults, warnings: count('warning'), findings })}\n`,
    );
    return faults === 0 ? 0 : 1;
  }
  const paint = createPaint({ color: process.stdout.isTTY === true && place.config?.color === true });
  const end =
    faults > 0
      ? text.t('doctor.broken', { count: faults })
      : count('warning') > 0
        ? text.t('doctor.fineWithWarnings', { count: count('warning') })
        : text.t('doctor.fine');
  const lines = [text.t('doctor.title', { version: VERSION }), ...findings.flatMap((one) => linesOf(one, paint)), end];
  process.stdout.write(`${lines.join('\n')}\n`);
  return faults === 0 ? 0 : 1;
}

function linesOf({ status, text, fix }: Finding, paint: Paint): string[] {
  const mark = { ok: paint.green('[ok]'), warning: paint.yellow('[! ]'), fault: paint.red('[x ]') }[status];
  return [`${mark} ${text}`, ...(fix === undefined ? [] : [`     ${fix}`])];
}
