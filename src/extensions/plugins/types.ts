/** The words of executable plugins: a file that may be one, its pinned copy, and what it says about itself. */
import type { ObjectSchema } from '../../types/json.js';
import type { Reason } from '../../types/reason.js';

/** An executable of a plugins folder, as it was when it was looked at. */
export interface PluginFile {
  /** Name in its folder. */
  readonly file: string;
  readonly path: string;
  /** `user`: the user's own folder; `project`: the folder worked in. */
  readonly from: 'user' | 'project';
  /** Bytes. */
  readonly size: number;
  /** SHA-256 hex of what it holds. */
  readonly sha256: string;
}

/** A program that may be run: a private copy of exactly the bytes that were trusted. */
export interface PinnedProgram {
  readonly path: string;
  /** Its folder, which holds nothing else that runs. */
  readonly folder: string;
  readonly sha256: string;
}

/** What `--metadata` and `--schema` said, checked. */
export interface PluginAbout {
  /** With `@`. */
  readonly name: string;
  /** One line. */
  readonly description: string;
  readonly usage: string;
  readonly version: string;
  /** Absent: its calls are not validated. */
  readonly schema?: ObjectSchema;
}

/** Something read, or why it cannot be used. */
export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: Reason };

/** A plugin that is ready to be called. */
export interface LoadedPlugin {
  readonly file: PluginFile;
  readonly program: PinnedProgram;
  readonly about: PluginAbout;
}
