/** Which service and model answers: from configuration, or from a recording. */
import { costOf } from '../providers/price.js';
import { openProvider, selectProvider } from '../providers/registry.js';
import { modelInfo } from '../providers/shared/catalogue.js';
import { SessionFault } from '../session/fault.js';
import { readRecording } from '../session/recording.js';
import { createText } from '../ui/text/index.js';
import type { Config } from './config.js';
import type { ChosenModel } from './conversation.js';
import { recordedModel } from './replay-run.js';
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
  if (selection.kind !== 'selected') throw notChosen(selection, config);
  const { provider, skipped } = await openProvider(selection);
  const warnings = skipped.flatMap((link) => (link.kind === 'selected' ? [] : [`fallback: ${notChosen(link, config).message}`]));
  const info = modelInfo(selection.entry.name, selection.model, config.models);
  if (config.budgetUsd !== undefined && info.price === undefined) {
    throw new UsageError(
      `--budget-usd: the price of ${selection.model} is not known, so a budget cannot be kept.`,
      `Add it to ${config.state}/models.json: {"models":{"${selection.model}":{"price":{"input":1,"output":4}}}} (dollars per million tokens).`,
    );
  }
  return {
    provider,
    service: selection.entry.name,
    model: selection.model,
    info,
    priceOf: (usage) => costOf(usage, info),
    warnings,
  };
}

/** The model's side of a recording. Throws UsageError for a file that is none. */
export async function replayedModel(file: string): Promise<ChosenWithMode> {
  try {
    const recording = await readRecording(file);
    return { ...recordedModel(recording), toolMode: recording.header.toolMode };
  } catch (error) {
    if (error instanceof SessionFault) throw new UsageError(`--replay: ${error.message}`);
    throw error;
  }
}

function notChosen(selection: Exclude<Selection, { kind: 'selected' }>, config: Config): UsageError {
  const { t } = createText(config.language);
  switch (selection.kind) {
    case 'none':
      return new UsageError(
        t('provider.none'),
        t('provider.noneHint', { variables: selection.variables.join(', '), addresses: selection.addresses.join(', ') }),
      );
    case 'unknown':
      return new UsageError(
        t('provider.unknown', { name: selection.name }),
        t('provider.known', { names: selection.known.join(', ') }),
      );
    case 'retired':
      return new UsageError(t('provider.retired', { name: selection.name }));
    case 'no-key':
      return new UsageError(
        t('provider.noKey', { name: selection.name }),
        t('provider.setOne', { variables: selection.variables.join(', ') }),
      );
    case 'no-address':
      return new UsageError(
        t('provider.noAddress', { name: selection.name }),
        t('provider.setOne', { variables: selection.variables.join(', ') }),
      );
    case 'no-model':
      return new UsageError(
        t('provider.noModel', { name: selection.name, address: selection.address }),
        t('provider.setOne', { variables: selection.variable }),
      );
  }
}
