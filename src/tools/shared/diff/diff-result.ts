/** What a diff did, for the model and for the diff card. */
import type { FileChange } from '../../../types/tool.js';
import { changeOf, linesText, statText } from '../change-report.js';
import { counted } from '../counted.js';
import type { Step } from './plan-diff.js';

export interface DiffReport {
  readonly text: string;
  readonly changes: readonly FileChange[];
}

/** One sentence for one file, otherwise a list with one line for each. */
export function reportDiff(steps: readonly Step[], notes: readonly string[]): DiffReport {
  const merged = merge(steps);
  const entries = merged.map((step) => {
    const change = changeFor(step);
    return { change, text: describe(step, change) };
  });
  const [only, other] = entries;
  const head =
    only && !other
      ? `${only.text}.`
      : [`Patched ${counted(entries.length, 'file')}:`, ...entries.map(({ text }) => `- ${text}`)].join('\n');
  return {
    text: `${[head, ...notes.map((note) => `Note: ${note}.`)].join('\n')}\n`,
    changes: entries.map(({ change }) => change),
  };
}

/** Several parts of a diff on one file are one line. */
function merge(steps: readonly Step[]): Step[] {
  const byFile = new Map<string, Step>();
  for (const step of steps) {
    const key = `${step.slot.located.real}\0${step.kind === 'delete'}`;
    const first = byFile.get(key);
    byFile.set(
      key,
      first
        ? {
            ...first,
            ...(step.executable === undefined ? {} : { executable: step.executable }),
            lines: [...first.lines, ...step.lines],
          }
        : step,
    );
  }
  return [...byFile.values()];
}

function changeFor({ kind, slot, source }: Step): FileChange {
  const now = slot.incoming?.bytes ?? slot.work;
  if (kind === 'delete') return changeOf(slot.located.shown, slot.before?.bytes, undefined);
  if (kind === 'create' || kind === 'copy') return changeOf(slot.located.shown, undefined, now);
  return changeOf(slot.located.shown, (source ?? slot).before?.bytes, now);
}

function describe({ kind, slot, source, lines, executable }: Step, change: FileChange): string {
  const name = slot.located.shown;
  const stat = change.added + change.removed > 0 ? ` (${statText(change)})` : '';
  const where = lines.length > 0 ? `: ${linesText(lines)}${stat}` : stat;
  const mode = executable === undefined ? '' : executable ? ', now executable' : ', no longer executable';
  if (kind === 'create') return `Created ${name}${stat || ' (empty)'}${mode}`;
  if (kind === 'delete') return `Deleted ${name}${stat}`;
  if (source) return `${kind === 'copy' ? 'Copied' : 'Renamed'} ${source.located.shown} to ${name}${where}${mode}`;
  return `Patched ${name}${where}${mode}`;
}
