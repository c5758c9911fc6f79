/** Which service and model answers: from configuration, or from a recording. */
import { costOf } from '../providers/price.js';
import { openProvider, selectProvider } from '../providers/registry.js';
import { modelInfo } from '../providers/shared/catalogue.js';
import { SessionFault } from '../session/fault.js';
import { readRecording } from '../session/recording.js';
import { createText } from '../ui/text/index.js';
import type { ChosenModel } from './chosen-model.js';
import type { Config } from './config.js';
import { recordedModel } from './replay-run.js';
import { sessionUsageError } from './sessions.js';
import { UsageError } from './usage-error.js';

type Selection = Awaited<ReturnType<typeof selectProvider>>;

export type ChosenWithMode = ChosenModel & {
  readonly toolMode?: 'native' | 'text';
  /** What of the configuration could not be used, as sentences for people. */
  readonly warnings?: readonly string[];
};

/** Throws UsageError that says what was looked for and what to set. */
export async function chooseModel(config: Config): Promise<ChosenWithMode> {
  const selection = await selectProvider(config.env, config);
  if (selection.kind !== 'selected') throw notChosen(selection);
  for (const name of selection.entry.urlVariables) {
    const value = config.env[name];
    if (value && !URL.canParse(value)) throw new UsageError('usage.badUrl', { name, value });
  }
  if (config.budgetUsd !== undefined && config.fallback.length > 0) throw new UsageError('usage.budgetFallback');
  const { provider, skipped } = await openProvider(selection);
  const warnings = skipped.flatMap((link) =>
    link.kind === 'selected' ? [] : [`fallback: ${notChosen(link).lines(createText(config.language)).join(' ')}`],
  );
  const info = modelInfo(selection.entry.name, selection.model, config.models);
  if (config.budgetUsd !== undefined && info.price === undefined) {
    const values = { model: selection.model, file: `${config.state}/models.json` };
    throw new UsageError('usage.noPrice', values, 'usage.noPriceHint');
  }
  // Another link of a chain may have another price, so that the sum would be a guess.
  const priceOf: ChosenModel['priceOf'] = (usage) => (config.fallback.length > 0 ? undefined : costOf(usage, info));
  return {
    provider,
    service: selection.entry.name,
    model: selection.model,
    info,
    priceOf,
    warnings,
  };
}

/** The model's side of a recording. Throws UsageError for a file that is none. */
export async function replayedModel(file: string): Promise<ChosenWithMode> {
  try {
    const recording = await readRecording(file);
    return { ...recordedModel(recording), toolMode: recording.header.toolMode };
  } catch (error) {
    if (error instanceof SessionFault) throw sessionUsageError(error);
    throw error;
  }
}

function notChosen(selection: Exclude<Selection, { kind: 'selected' }>): UsageError {
  switch (selection.kind) {
    case 'none': {
      const values = { variables: selection.variables.join(', '), addresses: selection.addresses.join(', ') };
      return new UsageError('provider.none', values, 'provider.noneHint');
    }
    case 'unknown':
      return new UsageError('provider.unknown', { name: selection.name, names: selection.known.join(', ') }, 'provider.known');
    case 'retired':
      return new UsageError('provider.retired', { name: selection.name });
    case 'no-key':
    case 'no-address': {
      const key = selection.kind === 'no-key' ? 'provider.noKey' : 'provider.noAddress';
      return new UsageError(key, { name: selection.name, variables: selection.variables.join(', ') }, 'provider.setOne');
    }
    case 'no-model': {
      const values = { name: selection.name, address: selection.address, variables: selection.variable };
      return new UsageError('provider.noModel', values, 'provider.setOne');
    }
  }
}
