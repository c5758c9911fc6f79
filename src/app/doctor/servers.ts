/** The doctor's look at language servers: asked as an edit would ask, for the languages of this folder or for all. */
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findServer } from '../../code/lsp/find-server.js';
import { languageOf, SERVER_KINDS, type ServerKind } from '../../code/lsp/servers.js';
import { trustRecord } from '../../policy/trust.js';
import { languageSettings } from '../languages.js';
import { type Finding, finding } from './finding.js';
import type { DoctorPlace } from './place.js';

/** How far the look for languages goes. */
const MOST_FOLDERS = 300;
const MOST_ENTRIES = 10_000;
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', 'vendor', 'target', 'dist', 'build', 'out', 'venv', '__pycache__']);
/** Most folders have files of these by the way: that they have no server is worth no line. */
const ASIDE: ReadonlySet<string> = new Set(['json', 'yaml', 'html', 'css', 'shellscript']);
const OFF = /^(0|false|off|no|none)$/i;

/** One finding for each language; `all`: also those that the folder has no files of. */
export function lookAtLanguageServers(place: DoctorPlace, all: boolean): readonly Finding[] {
  const { text, root } = place;
  if (root === undefined) return [];
  const { odd = [] } = languageSettings(place.env);
  const oddly = odd.map(({ variable, value, used }) =>
    finding(text, 'language-servers', { status: 'warning', key: 'notice.setting-odd', values: { variable, value, used } }),
  );
  const seen = filesOf(root);
  const findings = KINDS.flatMap((kind) => {
    const file = seen.get(kind.variable);
    // What a person named is worth a word also where no file asks for it.
    const isNamed = !OFF.test(place.env[kind.variable] ?? 'off');
    if (file === undefined && !all && !isNamed) return [];
    return about(place, kind, { file: file ?? join(root, sampleOf(kind)), root, all });
  });
  if (findings.length > 0) return [...findings, ...oddly];
  return [finding(text, 'language-servers', { status: 'ok', key: 'doctor.serversNone' }), ...oddly];
}

/** The first kind of each language stands for it. */
const KINDS = SERVER_KINDS.filter(
  (kind, index) => SERVER_KINDS.findIndex(({ variable }) => variable === kind.variable) === index,
);

const sampleOf = ({ languages }: ServerKind): string => {
  const [first = ''] = Object.keys(languages);
  return first.startsWith('.') ? `sample${first}` : first;
};

function about(
  { text, state, childEnv, env, config }: DoctorPlace,
  kind: ServerKind,
  { file, root, all }: { readonly file: string; readonly root: string; readonly all: boolean },
): readonly Finding[] {
  const roots = [root, ...(config?.addDirs ?? [])];
  const said = (folder: string) => state !== undefined && trustRecord(state, folder)?.answer === 'trusted';
  const trusted = roots.every((folder) => (folder === root && config?.trust.forRun === true) || said(folder));
  const { commands } = languageSettings(env);
  const found = findServer(file, { roots, trusted, env: childEnv, commands });
  const { variable, install } = kind;
  const [language = kind.name] = Object.values(kind.languages);
  const told = { language, variable, install };
  const line = (commands[variable] ?? '').trim();
  const say = (about: Parameters<typeof finding>[2]) => [finding(text, 'language-servers', about)];
  if ('file' in found)
    return say({ status: 'ok', key: 'doctor.server', values: { ...told, name: found.name, file: found.file } });
  if (found.waiting !== undefined)
    return say({ status: 'ok', key: 'doctor.serverWaiting', values: { ...told, name: found.waiting }, fix: 'doctor.trustFix' });
  if (OFF.test(line)) return say({ status: 'ok', key: 'doctor.serverOff', values: told });
  if (line !== '')
    return say({
      status: 'warning',
      key: 'doctor.serverBroken',
      values: { ...told, reason: found.reason },
      fix: 'doctor.serverBrokenFix',
    });
  if (!all && ASIDE.has(language)) return [];
  return say({ status: 'ok', key: 'doctor.serverNone', values: told, fix: 'doctor.serverInstall' });
}

/** Variable of a language -> a file of it, near the top of the folder. */
function filesOf(root: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const folders = [root];
  let entries = 0;
  for (let at = 0; at < folders.length && at < MOST_FOLDERS && entries < MOST_ENTRIES; at++) {
    const folder = folders[at] ?? root;
    for (const entry of listed(folder)) {
      if (++entries > MOST_ENTRIES) break;
      if (entry.isDirectory() && !entry.name.startsWith('.') && !SKIPPED.has(entry.name)) folders.push(join(folder, entry.name));
      const kind = entry.isFile() ? KINDS.find((one) => languageOf(one, entry.name) !== undefined) : undefined;
      if (kind && !found.has(kind.variable)) found.set(kind.variable, join(folder, entry.name));
    }
  }
  return found;
}

function listed(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
