/** One look of one server at an edit: how it was before, how it is after, and what that changed elsewhere. */

import { basename } from 'node:path';
import { readRegular } from '../../base/read-regular.js';
import type { FileFindings, Finding, TouchedFile } from '../../types/language.js';
import type { Client, FindingsWait } from './client.js';
import { LARGEST_TEXT, serverText } from './disk-text.js';
import { freshFindings, type Observed } from './fresh.js';
import type { Ledger } from './ledger.js';
import { languageOf, type ServerKind } from './servers.js';

export interface PassOptions {
  readonly client: Client;
  readonly ledger: Ledger;
  readonly files: readonly TouchedFile[];
  /** Those of the files whose findings are wanted. */
  readonly wanted: ReadonlySet<string>;
  /** Milliseconds of `performance.now()`. */
  readonly until: number;
  /** Checks this server has finished. */
  readonly earlier: number;
}

/** Open files a server keeps between checks. */
export const MOST_OPEN = 24;
/** Other open files that are asked about after an edit. */
const MOST_OTHERS = 4;
const OTHERS_MS = 3000;

/** Undefined when the server did not answer in time. Throws ToolFault when it broke. */
export async function runPass(options: PassOptions): Promise<readonly FileFindings[] | undefined> {
  const { client, ledger, files } = options;
  const touched = new Set(files.map((file) => file.path));
  followDisk(client, touched);
  const before = await baseline(options);
  if (before === undefined) return undefined;
  const since = client.published.last();
  const told = tellAfter(client, files);
  const found: FileFindings[] = [];
  for (const { path, after } of wantedOf(options)) {
    if (after === undefined) continue;
    const findings = await weighty(client, path, { until: options.until, told: told.has(path) ? since : undefined });
    if (findings === undefined) return undefined;
    ledger.set(path, { text: after, findings }, client.published.last());
    const old = ledger.untold(path) ?? before.get(path) ?? { text: '', findings: [] };
    ledger.keepUntold(path, old);
    found.push({ path, ...freshFindings(old, { text: after, findings }), other: false });
  }
  const others = await openOthers(options, touched);
  const except = new Set([...touched, ...others.map(({ path }) => path)]);
  found.push(...others, ...ledger.others(client, { since, except, complete: options.earlier > 0 }));
  client.documents.trim(MOST_OPEN);
  return found;
}

const wantedOf = ({ files, wanted }: PassOptions): readonly TouchedFile[] => files.filter(({ path }) => wanted.has(path));

/** The files as they were, all of them at once, so that they fit together; only what is not known already is asked. */
async function baseline(options: PassOptions): Promise<ReadonlyMap<string, Observed> | undefined> {
  const { client, ledger, files, until } = options;
  const known = new Map<string, Observed>();
  const open: { readonly path: string; readonly text: string }[] = [];
  for (const { path, before } of wantedOf(options)) {
    if (before === undefined || ledger.untold(path) !== undefined) continue;
    const findings = ledger.get(path, before);
    if (findings !== undefined) known.set(path, { text: before, findings });
    else open.push({ path, text: before });
  }
  if (open.length === 0) return known;
  const since = client.published.last();
  for (const { path, before } of files) {
    if (before === undefined) continue;
    client.documents.set(
      path,
      before,
      languageFor(client.found.kind, path),
      open.some((each) => each.path === path),
    );
  }
  for (const { path, text } of open) {
    const findings = await weighty(client, path, { until, told: since });
    if (findings === undefined) return undefined;
    known.set(path, { text, findings });
    ledger.set(path, { text, findings }, client.published.last());
  }
  return known;
}

/** Hints are for editors to grey things out; an edit is not judged by them. */
async function weighty(client: Client, path: string, wait: FindingsWait): Promise<readonly Finding[] | undefined> {
  return (await client.findings(path, wait))?.filter(({ severity }) => severity !== 'hint');
}

/** Paths of which the server was told something new. */
function tellAfter(client: Client, files: readonly TouchedFile[]): ReadonlySet<string> {
  const told = new Set<string>();
  client.changedOnDisk(
    files.map(({ path, before, after }) => ({
      path,
      kind: after === undefined ? 'deleted' : before === undefined ? 'created' : 'changed',
    })),
  );
  for (const { path, after } of files) {
    if (after === undefined) client.documents.close(path);
    else if (client.documents.set(path, after, languageFor(client.found.kind, path))) told.add(path);
    client.documents.saved(path);
  }
  return told;
}

/** Other files the server has open: asked, where it is a server that is asked. */
async function openOthers({ client, ledger, until }: PassOptions, touched: ReadonlySet<string>): Promise<FileFindings[]> {
  if (!client.asks()) return [];
  const found: FileFindings[] = [];
  const end = Math.min(until, performance.now() + OTHERS_MS);
  const documents = client.documents.all().filter(({ path }) => !touched.has(path));
  for (const { path, text } of documents.slice(0, MOST_OTHERS)) {
    const old = ledger.get(path, text);
    const findings: readonly Finding[] | undefined = await weighty(client, path, { until: end, told: undefined });
    if (findings === undefined) break;
    ledger.set(path, { text, findings }, client.published.last());
    if (old === undefined) continue;
    const { fresh, older } = freshFindings({ text, findings: old }, { text, findings });
    found.push({ path, fresh, older, other: true });
  }
  return found.filter(({ fresh }) => fresh.length > 0);
}

/** Brings the open files to what is on the disk now; other programs may have changed them. */
export function followDisk(client: Client, except: ReadonlySet<string>): void {
  for (const { path, text } of client.documents.all()) {
    if (except.has(path)) continue;
    const now = textOnDisk(path);
    if (now === text) continue;
    if (now === undefined) client.documents.close(path);
    else client.documents.set(path, now, languageFor(client.found.kind, path));
    client.changedOnDisk([{ path, kind: now === undefined ? 'deleted' : 'changed' }]);
  }
}

/** Undefined when there is none, or it cannot be given to a server. */
export function textOnDisk(path: string): string | undefined {
  try {
    return serverText(readRegular(path, LARGEST_TEXT));
  } catch {
    return undefined;
  }
}

/** Language id of a file for a server; some default for one that was named by the operator for other files. */
export function languageFor(kind: ServerKind, path: string): string {
  return languageOf(kind, basename(path)) ?? 'plaintext';
}
