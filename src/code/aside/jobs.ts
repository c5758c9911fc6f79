/** What can be asked of a thread that parses, and how it answers. Plain data on both sides. */
import type { Outline } from '../../types/code.js';
import { LANGUAGES } from '../languages/registry.js';
import { extractFile } from '../map/extract.js';
import type { Extracted } from '../map/types.js';
import { type NamePlaces, namePlaces } from '../outline/name-places.js';
import { outlineSource } from '../outline/outline-source.js';
import type { ParseLimits } from '../parse/parse-text.js';
import type { Reading } from '../quotes/reading.js';
import { readFaults } from '../quotes/tree-faults.js';
import { type NamesAsked, readNames } from '../rename/read-names.js';
import type { NamesRead } from '../rename/types.js';

/** Kind of a job -> what is given, and what comes back. */
export interface Jobs {
  readonly outline: { readonly given: { readonly language: string; readonly text: string }; readonly got: Outline };
  readonly extract: { readonly given: { readonly path: string; readonly text: string }; readonly got: Extracted };
  readonly names: {
    readonly given: { readonly language: string; readonly text: string; readonly name: string };
    readonly got: NamePlaces;
  };
  readonly faults: {
    readonly given: { readonly language: string; readonly text: string; readonly asked: readonly number[] };
    readonly got: Reading;
  };
  readonly renaming: { readonly given: NamesAsked; readonly got: NamesRead };
}
export type JobKind = keyof Jobs;

type Workers = {
  readonly [K in JobKind]: (given: Jobs[K]['given'], limits: ParseLimits) => Promise<Jobs[K]['got'] | undefined>;
};

const WORKERS: Workers = {
  async outline({ language, text }, limits) {
    const found = LANGUAGES.find(({ id }) => id === language);
    return found && outlineSource(found, text, limits);
  },
  async extract(given, limits) {
    const found = await extractFile(given, limits);
    return found.status === 'slow' ? undefined : found;
  },
  async names({ language, text, name }, limits) {
    const found = LANGUAGES.find(({ id }) => id === language);
    return found && namePlaces(found, { text, name }, limits);
  },
  faults: readFaults,
  renaming: readNames,
};

/** Does a job in this thread. Undefined: not within the limits. Throws only for an incomplete installation. */
export function workOn<K extends JobKind>(
  kind: K,
  given: Jobs[K]['given'],
  limits: ParseLimits = {},
): Promise<Jobs[K]['got'] | undefined> {
  return WORKERS[kind](given, limits);
}
