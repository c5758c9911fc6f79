/** The options of a run, once for all commands that run an agent; values are checked where they are read. */
import type { Command } from 'commander';
import { PERMISSION_MODES } from '../types/policy.js';
import type { Text } from '../ui/text/index.js';
import { UsageError } from './usage-error.js';

export type Translate = Text['t'];

export interface RunFlags {
  readonly prompt?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly effort?: string;
  readonly output?: string;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly maxTurns?: number;
  readonly timeout?: number;
  readonly directory?: string;
  readonly addDir?: string[];
  readonly permissionMode?: string;
  readonly allow?: string[];
  readonly deny?: string[];
  readonly trust?: boolean;
  readonly budgetUsd?: number;
  /** False: no agents. */
  readonly parallel?: boolean;
  readonly testCmd?: string;
  readonly lintCmd?: string;
  readonly sessionId?: string;
  readonly resume?: string;
  readonly continue?: boolean;
  readonly record?: string;
  readonly replay?: string;
  readonly lang?: string;
  /** The conversation line by line: for screen readers and poor terminals. */
  readonly plain?: boolean;
}

const collect = (value: string, all: string[] = []): string[] => [...all, value];

/** Where the call works and under which rules; shared with `tool` and `policy check`. */
export function addPlaceOptions(command: Command, t: Translate): Command {
  return command
    .option('-C, --directory <dir>', t('option.directory'))
    .option('--add-dir <dir>', t('option.addDir'), collect)
    .option('--permission-mode <mode>', t('option.permissionMode', { modes: PERMISSION_MODES.join(', ') }))
    .option('--allow <rule>', t('option.allow'), collect)
    .option('--deny <rule>', t('option.deny'), collect)
    .option('--trust', t('option.trust'))
    .option('--lang <lang>', t('option.lang'));
}

export function addRunOptions(command: Command, t: Translate): Command {
  return addPlaceOptions(command, t)
    .option('--provider <name>', t('option.provider'))
    .option('--model <id>', t('option.model'))
    .option('--effort <level>', t('option.effort'))
    .option('--output <form>', t('option.output'))
    .option('--system-prompt <text>', t('option.systemPrompt'))
    .option('--append-system-prompt <text>', t('option.appendSystemPrompt'))
    .option('--max-turns <n>', t('option.maxTurns'), turns)
    .option('--timeout <time>', t('option.timeout'), duration)
    .option('--budget-usd <n>', t('option.budgetUsd'), dollars)
    .option('--no-parallel', t('option.noParallel'))
    .option('--test-cmd <command>', t('option.testCmd'))
    .option('--lint-cmd <command>', t('option.lintCmd'))
    .option('--session-id <id>', t('option.sessionId'))
    .option('--resume <id>', t('option.resume'))
    .option('--continue', t('option.continue'))
    .option('--record <file>', t('option.record'))
    .option('--replay <file>', t('option.replay'));
}

/** Milliseconds from `90`, `90s`, `5m`, `1h`. Throws UsageError. */
export function duration(text: string): number {
  const match = /^(\d{1,7}(?:\.\d{1,3})?)(s|m|h)?$/.exec(text.trim());
  const value = match ? Number(match[1]) * ({ s: 1000, m: 60_000, h: 3_600_000 }[match[2] ?? 's'] ?? 1000) : 0;
  if (value > 0 && value <= 7 * 24 * 3_600_000) return value;
  throw new UsageError('usage.badTime', { value: text }, 'usage.badTimeHint');
}

function turns(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 200) return value;
  throw new UsageError('usage.badTurns', { value: text });
}

function dollars(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new UsageError('usage.badDollars', { value: text });
}

export type OutputForm = 'text' | 'json' | 'stream-json';

export function outputForm(value: string | undefined): OutputForm {
  if (value === undefined || value === 'text') return 'text';
  if (value === 'json' || value === 'stream-json') return value;
  throw new UsageError('usage.badChoice', { name: '--output', value, names: 'text, json, stream-json' }, 'provider.known');
}
