/** What may change while a conversation goes on: rights, model, effort, folders. One place, read by everything at each step. */
import type { PermissionMode } from '../../types/policy.js';
import type { Effort } from '../../types/provider.js';
import { chooseModel } from '../choose-model.js';
import type { ChosenModel } from '../chosen-model.js';
import type { Config } from '../config.js';

export interface Steering {
  /** The configuration as it is at this moment: rights and effort are read anew each time. */
  readonly config: Config;
  readonly chosen: ChosenModel;
  readonly mode: PermissionMode;
  /** The mode in force before `plan`. */
  readonly before: PermissionMode;
  setMode(mode: PermissionMode): void;
  readonly effort: Effort | undefined;
  setEffort(effort: Effort | undefined): void;
  /** Opens another model; what is active stays when that fails. Throws UsageError. */
  use(choice: { readonly provider?: string; readonly model?: string }): Promise<ChosenModel>;
  /** A provider instance of its own for a worker: the active model, or another one of the active service. */
  open(model: string | undefined): Promise<ChosenModel>;
  /** Counts for the conversation that is opened next. */
  addFolder(real: string): void;
  /** What was set in this session and so differs from files and flags. */
  readonly changed: ReadonlySet<string>;
}

/** Begins with what files and flags say. */
export function createSteering(start: Config, first: ChosenModel): Steering {
  let mode = start.permissionMode;
  let before: PermissionMode = mode === 'plan' ? 'default' : mode;
  let { effort } = start;
  let chosen = first;
  let named: { readonly provider?: string; readonly model?: string } = {};
  let folders = start.addDirs;
  const changed = new Set<string>();
  const live = {
    permissionMode: () => mode,
    effort: () => effort,
    addDirs: () => folders,
    provider: () => named.provider ?? start.provider,
    model: () => named.model ?? start.model,
  };
  const getters = Object.entries(live).map(([name, get]) => [name, { get, enumerable: true }] as const);
  const config = Object.freeze(Object.defineProperties({ ...start }, Object.fromEntries(getters)));
  return {
    config,
    changed,
    get chosen() {
      return chosen;
    },
    get mode() {
      return mode;
    },
    get before() {
      return before;
    },
    setMode(next) {
      if (next === mode) return;
      before = mode === 'plan' ? before : mode;
      mode = next;
      changed.add('permissionMode');
    },
    get effort() {
      return effort;
    },
    setEffort(next) {
      effort = next;
      changed.add('effort');
    },
    async use({ provider, model }) {
      const isOther = provider !== undefined && provider.toUpperCase() !== chosen.service;
      // Another service has models of its own: the name of the present one means nothing there.
      const wanted = { provider: provider ?? chosen.service, model: model ?? (isOther ? undefined : chosen.model) };
      chosen = await chooseModel({ ...config, ...wanted });
      named = { provider: chosen.service, model: chosen.model };
      changed.add('provider').add('model');
      return chosen;
    },
    open: (model) => chooseModel({ ...config, provider: chosen.service, model: model ?? chosen.model }),
    addFolder(real) {
      if (!folders.includes(real)) folders = [...folders, real];
      changed.add('addDirs');
    },
  };
}
