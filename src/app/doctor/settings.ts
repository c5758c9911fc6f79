/** The doctor's look at what is configured: files, rules, trust, the model. Keys are never read into a finding. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadRules } from '../../policy/rules-file.js';
import { accepts, trustRecord } from '../../policy/trust.js';
import { PROVIDERS } from '../../providers/registry.js';
import { chooseModel } from '../choose-model.js';
import type { Config } from '../config.js';
import { readConfigFile, readModelOverrides } from '../config-files.js';
import { broughtBy, dotenvOf } from '../load-config.js';
import { UsageError } from '../usage-error.js';
import { type Finding, finding } from './finding.js';
import type { DoctorPlace } from './place.js';

const PROJECT_CONFIG = '.chatcli/config.json';

/** Each file that is there, with what is wrong in it; then what is wrong besides (variables, flags). */
export function lookAtSettings(place: DoctorPlace): readonly Finding[] {
  const { text, root, home, state, env, fault } = place;
  const found: Finding[] = [];
  if (home === undefined) found.push(finding(text, 'home', { status: 'fault', key: 'doctor.homeNone', fix: 'doctor.homeFix' }));
  if (root === undefined)
    found.push(finding(text, 'folder', { status: 'fault', key: 'doctor.folderNone', fix: 'doctor.folderFix' }));
  if (state !== undefined) {
    const own = join(state, 'config.json');
    const models = join(state, 'models.json');
    found.push(...fileFinding(place, own, () => readConfigFile(own, 'own')));
    found.push(...fileFinding(place, models, () => readModelOverrides(state)));
  }
  if (root !== undefined) {
    const project = join(root, PROJECT_CONFIG);
    // What is wrong in a project's file stops nothing, so it is never a fault.
    const isRead = counts(place, PROJECT_CONFIG, project);
    found.push(...fileFinding(place, project, () => readConfigFile(project, 'project'), isRead, 'warning'));
    const { file, within } = dotenvOf(env, root);
    if (existsSync(file))
      found.push(...fileFinding(place, file, () => undefined, within === undefined || counts(place, within, file)));
  }
  if (fault !== undefined && root !== undefined && home !== undefined) {
    const [reason = '', hint] = fault.map((line) => line.trim());
    if (!found.some((one) => one.status === 'fault' && one.text.includes(reason)))
      found.push({ check: 'configuration', status: 'fault', text: reason, ...(hint && { fix: hint }), values: {} });
  }
  const retired = place.config?.sandbox.retired;
  if (retired !== undefined)
    found.push(
      finding(text, 'configuration', { status: 'warning', key: 'doctor.retired', values: { retired }, fix: 'doctor.retiredFix' }),
    );
  if (found.length === 0) found.push(finding(text, 'configuration', { status: 'ok', key: 'doctor.configNone' }));
  return found;
}

/** A file that does not count is no fault, whatever is in it. */
function fileFinding(
  { text }: DoctorPlace,
  file: string,
  read: () => unknown,
  counted = true,
  bad: Finding['status'] = 'fault',
): readonly Finding[] {
  if (!existsSync(file)) return [];
  try {
    read();
    const key = counted ? 'doctor.configRead' : 'doctor.configIdle';
    return [finding(text, 'configuration', { status: 'ok', key, values: { file } })];
  } catch (error) {
    const [reason = String(error), hint] = error instanceof UsageError ? error.lines(text).map((line) => line.trim()) : [];
    const status = counted ? bad : 'warning';
    const fix = hint ?? text.t('doctor.configFix', { file });
    return [{ check: 'configuration', status, text: reason, fix, values: { file } }];
  }
}

function counts({ state, root, config }: DoctorPlace, path: string, file: string): boolean {
  const trust = config?.trust;
  if (state === undefined || root === undefined || !existsSync(file)) return false;
  try {
    const bytes = readFileSync(file);
    const record = trustRecord(state, root);
    const recorded = record?.answer === 'trusted' && accepts({ forRun: false, pins: record.pins }, path, bytes);
    return recorded || (trust !== undefined && accepts(trust, path, bytes));
  } catch {
    return false;
  }
}

/** Rule files: how many rules, and which file is broken. */
export function lookAtPolicy({ text, state, root }: DoctorPlace): readonly Finding[] {
  const localFiles = root === undefined ? [] : [join(root, 'coder_policy.json'), join(root, '.chatcli', 'coder_policy.json')];
  const globalFile = join(state ?? '/', state === undefined ? '.no-state/coder_policy.json' : 'coder_policy.json');
  const { rules, broken } = loadRules({ globalFile, localFiles, trustedLocal: false });
  const faults = broken.map(({ file, reason }) =>
    finding(text, 'policy', { status: 'fault', key: 'policy.broken', values: { file, reason }, fix: 'doctor.policyFix' }),
  );
  if (faults.length > 0) return faults;
  const files = [globalFile, ...localFiles].filter((file) => existsSync(file)).join(', ');
  const key = files === '' ? 'doctor.policyNone' : 'doctor.policy';
  return [finding(text, 'policy', { status: 'ok', key, values: { count: rules.length, files } })];
}

/** What the folder brings, and whether it counts. */
export function lookAtTrust({ text, state, root, home, env, config }: DoctorPlace): readonly Finding[] {
  if (root === undefined || state === undefined) return [];
  const broken = brokenTrust(state);
  if (broken !== undefined)
    return [
      finding(text, 'trust', {
        status: 'fault',
        key: 'doctor.trustBroken',
        values: { file: broken },
        fix: 'doctor.trustBrokenFix',
      }),
    ];
  const brought = broughtBy({ root, state, home, env });
  const values = { folder: root, count: brought.length };
  if (brought.length === 0) return [finding(text, 'trust', { status: 'ok', key: 'doctor.trustNothing', values })];
  if (config?.trust.forRun) return [finding(text, 'trust', { status: 'ok', key: 'doctor.trustRun', values })];
  const record = trustRecord(state, root);
  if (record?.answer !== 'trusted')
    return [finding(text, 'trust', { status: 'ok', key: 'doctor.trustNone', values, fix: 'doctor.trustFix' })];
  const changed = brought.filter(({ path, sha256 }) => sha256 !== undefined && record.pins[path] !== sha256);
  if (changed.length === 0) return [finding(text, 'trust', { status: 'ok', key: 'doctor.trusted', values })];
  const files = changed.map(({ path }) => path).join(', ');
  return [
    finding(text, 'trust', {
      status: 'warning',
      key: 'doctor.trustChanged',
      values: { ...values, files },
      fix: 'doctor.trustFix',
    }),
  ];
}

/** A file of trust that cannot be read trusts nothing: said, since nothing else tells. */
function brokenTrust(state: string): string | undefined {
  const file = join(state, 'trust.json');
  if (!existsSync(file)) return undefined;
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof value === 'object' && value !== null ? undefined : file;
  } catch {
    return file;
  }
}

/** Service, model, and from where its key comes. Asks nobody but local servers, and only when nothing is configured. */
export async function lookAtModel({ text, config }: DoctorPlace): Promise<readonly Finding[]> {
  if (config === undefined)
    return [finding(text, 'model', { status: 'warning', key: 'doctor.modelUnknown', fix: 'doctor.modelUnknownFix' })];
  try {
    const { service, model, warnings = [] } = await chooseModel(config);
    const source = keySource(config, service);
    const values = { service, model, source: source ?? '' };
    const bad = source === undefined ? undefined : badKey(config, source);
    const told: Finding[] = [
      bad
        ? finding(text, 'model', { status: 'fault', key: 'doctor.keyBad', values, fix: 'doctor.keyFix' })
        : finding(text, 'model', { status: 'ok', key: source === undefined ? 'doctor.modelKeyless' : 'doctor.model', values }),
    ];
    for (const warning of warnings) told.push({ check: 'model', status: 'warning', text: warning, values: {} });
    return told;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const [first = '', ...more] = error.lines(text).map((line) => line.trim());
    const fix = more.join(' ').replace(/\s+/g, ' ');
    const status = error.key === 'provider.none' ? 'warning' : 'fault';
    return [{ check: 'model', status, text: first, ...(fix !== '' && { fix }), values: {} }];
  }
}

/** Name of the variable, or place in the configuration, that holds the key; undefined when there is none. */
function keySource({ env, keys, keyCommands, keychain }: Config, service: string): string | undefined {
  const entry = PROVIDERS.find(({ name }) => name === service);
  if (entry === undefined) return undefined;
  const names = [...entry.keyVariables, ...(entry.namedKeyVariables ?? [])];
  const variable = names.find((name) => (env[name]?.trim() ?? '') !== '');
  if (variable !== undefined) return variable;
  for (const name of [...names, entry.name]) {
    if (keys[name]?.trim()) return `keys.${name}`;
    if (keychain.includes(name)) return `keychain: ${name}`;
    if (keyCommands[name]?.length) return `keyCommands.${name}`;
  }
  return undefined;
}

/** A key with a space or a line break in it cannot be sent. Commands are not run for this. */
function badKey({ env, keys }: Config, source: string): boolean {
  const value = source.startsWith('keys.') ? keys[source.slice(5)] : env[source];
  return value !== undefined && !/^[\x21-\x7e]+$/.test(value.trim());
}
