/** The model that answers, with its service. */
import type { LoopPorts } from '../loop/ports.js';
import type { ModelInfo, Provider } from '../types/provider.js';

export interface ChosenModel {
  readonly provider: Provider;
  /** Name of the service, `OPENAI`. */
  readonly service: string;
  readonly model: string;
  readonly info: ModelInfo;
  priceOf: NonNullable<LoopPorts['priceOf']>;
}
