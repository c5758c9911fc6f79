/** Writes a plan as a profile for macOS. Pure. Paths are parameters, never part of the profile's text. */
import type { PlaceRule, Program, SandboxPlan, SeatbeltBackend } from './types.js';

/** The last rule that fits an operation decides, so the order of the plan is kept: parents first. */
export function seatbeltProfile(plan: SandboxPlan, services: boolean): { readonly text: string; readonly parameters: string[] } {
  const parameters: string[] = [];
  const named = (path: string) => {
    parameters.push(path);
    return `(subpath (param "P${parameters.length - 1}"))`;
  };
  const lines = [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/dtracehelper") (regex #"^/dev/fd/[0-9]+$") (regex #"^/dev/ttys[0-9]+$") (literal "/dev/ptmx"))',
    ...plan.rules.flatMap((rule) => lineOf(rule, named)),
    '(deny process-info* (target others))',
    '(allow process-info* (target same-sandbox))',
    '(deny signal)',
    '(allow signal (target same-sandbox))',
    ...(services ? ['(deny appleevent-send)', '(deny lsopen)', '(deny job-creation)'] : []),
    ...(plan.network ? [] : ['(deny network*)']),
  ];
  return { text: `${lines.join('\n')}\n`, parameters };
}

function lineOf(rule: PlaceRule, named: (path: string) => string): string[] {
  switch (rule.kind) {
    case 'write':
      return [`(allow file-read* file-write* ${named(rule.path)})`];
    case 'read': {
      const place = named(rule.path);
      return [`(allow file-read* ${place})`, `(deny file-write* ${place})`];
    }
    case 'hide-folder':
    case 'hide-file':
    case 'private': {
      const place = named(rule.path);
      return [`(deny file-read* file-write* ${place})`, `(deny network-outbound ${place})`];
    }
  }
}

/** Arguments after the name of `sandbox-exec`. The start folder is the caller's; variables are taken out by `env`. */
export function seatbeltArguments(plan: SandboxPlan, backend: SeatbeltBackend, program: Program): string[] {
  const { text, parameters } = seatbeltProfile(plan, backend.services);
  return [
    '-p',
    text,
    ...parameters.flatMap((path, index) => ['-D', `P${index}=${path}`]),
    '--',
    ...(plan.unset.length === 0 ? [] : ['/usr/bin/env', ...plan.unset.flatMap((name) => ['-u', name])]),
    program.file,
    ...program.args,
  ];
}
