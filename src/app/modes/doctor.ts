/** `chatcli doctor`: what is there, what is in force and what is broken, each with the way to mend it. Changes nothing. */
import type { ConfigFlags } from '../config.js';
import { doctorPlace } from '../doctor/place.js';
import { countOf, findingLines, findings } from '../doctor/report.js';
import { VERSION } from '../version.js';

export interface DoctorFlags extends ConfigFlags {
  readonly json?: boolean;
}

/** Looks at everything and prints it; gives 0, or 1 when something is broken. Throws UsageError for a folder that is none. */
export async function doctorMode(flags: DoctorFlags): Promise<number> {
  const place = doctorPlace(flags);
  const found = await findings(place, flags.json === true);
  const faults = countOf(found, 'fault');
  if (flags.json) {
    const told = { ok: faults === 0, version: VERSION, faults, warnings: countOf(found, 'warning'), findings: found };
    process.stdout.write(`${JSON.stringify(told)}\n`);
  } else {
    const color = process.stdout.isTTY === true && place.config?.color === true;
    process.stdout.write(`${findingLines(found, place.text, color).join('\n')}\n`);
  }
  return faults === 0 ? 0 : 1;
}
