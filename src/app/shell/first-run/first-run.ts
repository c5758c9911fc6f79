/** The first start: nothing is configured and nothing answers, so a service and its key are asked for, in a few lines. */
import { selectProvider } from '../../../providers/registry.js';
import type { ProviderEntry } from '../../../providers/shared/entry.js';
import { safeLine } from '../../../ui/safe-text.js';
import type { Text } from '../../../ui/text/index.js';
import { wrap } from '../../../ui/width.js';
import type { Config } from '../../config.js';
import { checkKey } from './check-key.js';
import { openPrompts, type Prompts } from './prompts.js';
import { saveKey } from './save-key.js';
import { hostedServices, knownAs, serviceNamed } from './services.js';

export interface FirstRunOptions {
  readonly config: Config;
  readonly text: Text;
  /** Reads the configuration anew. */
  reload(): Config;
  /** One line for people, where the shell shows them. */
  say(line: string): void;
  /** Takes the terminal from whoever has it. */
  hold?(): () => void;
}

/**
 * The configuration to go on with: as given when a model is configured, or when the person leaves; then choosing a model says
 * what to set. A local server that will be used is told by name. Asks only on a terminal.
 */
export async function firstRun(options: FirstRunOptions): Promise<Config> {
  const { config, text, say } = options;
  const found = await selectProvider(config.env, config);
  if (found.kind === 'selected' && found.reason === 'local') {
    const { entry, model } = found;
    say(text.t('firstRun.local', { name: knownAs(entry.name), address: hostOf(entry), model: safeLine(model, 100) }));
  }
  const named = found.kind === 'no-key' ? serviceNamed(found.name) : undefined;
  if ((found.kind !== 'none' && !named) || !process.stdin.isTTY || !process.stdout.isTTY) return config;
  const giveBack = options.hold?.();
  const prompts = openPrompts(process.stdin, process.stdout);
  try {
    return await new SetUp(options, prompts).run(named);
  } finally {
    prompts.close();
    giveBack?.();
  }
}

function hostOf({ localProbe, defaultAddress }: ProviderEntry): string {
  const address = localProbe ?? defaultAddress ?? '';
  return URL.canParse(address) ? new URL(address).host : address;
}

class SetUp {
  constructor(
    private readonly options: FirstRunOptions,
    private readonly prompts: Prompts,
  ) {}

  async run(named: ProviderEntry | undefined): Promise<Config> {
    const { t } = this.options.text;
    this.say('');
    this.say(t('firstRun.hello'));
    if (named) return (await this.withKey(named, undefined)) ?? this.options.config;
    for (;;) {
      this.menu();
      const typed = await this.prompts.line(`${t('firstRun.choose')} `);
      if (typed === undefined) return this.options.config;
      const next = await this.chosen(typed.toLowerCase());
      if (next) return next;
    }
  }

  private menu(): void {
    const { t } = this.options.text;
    this.say('');
    for (const [index, { name, keyVariables }] of hostedServices().entries())
      this.say(`  ${String(index + 1).padStart(2)}  ${knownAs(name).padEnd(18)} ${keyVariables[0] ?? ''}`);
    this.say(`   l  ${t('firstRun.menuLocal')}`);
    this.say(`   d  ${t('firstRun.menuDemo')}`);
    this.say('');
  }

  /** Undefined: ask again. */
  private async chosen(typed: string): Promise<Config | undefined> {
    const { t } = this.options.text;
    const entries = hostedServices();
    if (typed === 'l') return this.local();
    if (typed === 'd') {
      await this.demo();
      return undefined;
    }
    const entry = /^\d{1,2}$/.test(typed) ? entries[Number(typed) - 1] : entries.find(({ name }) => name.toLowerCase() === typed);
    if (entry) return this.withKey(entry, entry.name);
    if (typed !== '') this.say(t('firstRun.noSuch', { most: entries.length }));
    return undefined;
  }

  private async local(): Promise<Config | undefined> {
    const { config, text } = this.options;
    const found = await selectProvider(config.env, config);
    if (found.kind === 'selected') {
      const { entry, model } = found;
      this.say(text.t('firstRun.local', { name: knownAs(entry.name), address: hostOf(entry), model: safeLine(model, 100) }));
      return config;
    }
    const addresses = found.kind === 'none' ? found.addresses : [];
    this.say(text.t('firstRun.noLocal', { addresses: addresses.join(', ') }));
    return undefined;
  }

  private async demo(): Promise<void> {
    const { demoMode } = await import('../../modes/demo.js');
    this.say('');
    await demoMode({ lang: this.options.text.language });
  }

  /** Asks for a key until the service takes one; undefined: back to the list. */
  private async withKey(entry: ProviderEntry, provider: string | undefined): Promise<Config | undefined> {
    const { config, text } = this.options;
    const { t } = text;
    const name = knownAs(entry.name);
    for (;;) {
      const typed = await this.prompts.line(`${t('firstRun.paste', { name })} `, { hidden: true });
      if (typed === undefined) return undefined;
      const key = bareKey(typed);
      if (key === '') continue;
      if (!/^[\x21-\x7e]+$/.test(key)) {
        this.say(t('firstRun.oddKey'));
        continue;
      }
      this.say(t('firstRun.checking', { name }));
      const check = await this.prompts.during((signal) => checkKey(entry, key, config, signal));
      const reason =
        check.kind === 'good' ? '' : safeLine((check.fault && text.why(check.fault.why, check.fault.message)) ?? '', 300);
      if (check.kind === 'refused') {
        this.say(t('firstRun.refused', { name, reason: hide(reason, key) }));
        continue;
      }
      if (check.kind === 'unknown' && !(await this.keepsAnyway(hide(reason, key)))) continue;
      return this.save(entry, key, provider);
    }
  }

  private async keepsAnyway(reason: string): Promise<boolean> {
    const { t } = this.options.text;
    this.say(t('firstRun.unchecked', { reason }));
    const typed = await this.prompts.line(`${t('firstRun.keep')} `);
    return /^(?:y|yes|s|sim)$/i.test(typed ?? '');
  }

  private async save(entry: ProviderEntry, key: string, provider: string | undefined): Promise<Config | undefined> {
    const { config, text, reload } = this.options;
    const [variable = entry.name] = entry.keyVariables;
    try {
      const { where, file } = await saveKey(config, { variable, key, provider });
      this.say(text.t(where === 'keychain' ? 'firstRun.inKeychain' : 'firstRun.inFile', { file }));
      return reload();
    } catch (error) {
      const reason = safeLine(error instanceof Error ? error.message : String(error), 300);
      this.say(text.t('firstRun.notSaved', { reason: hide(reason, key), variable }));
      return undefined;
    }
  }

  private say(line: string): void {
    const columns = Math.max(20, process.stdout.columns || 80);
    process.stdout.write(`${wrap(line, columns).join('\n')}\n`);
  }
}

/** A service may repeat what it refused. */
const hide = (text: string, key: string): string => text.replaceAll(key, '…');

/** Keys are often copied with what stands around them: quotation marks, `export NAME=`, the word of a header. */
const bareKey = (typed: string): string =>
  typed
    .replace(/^(?:export\s+)?[A-Z][A-Z0-9_]*=(?=.)/, '')
    .replace(/^bearer\s+/i, '')
    .replace(/^(["'`])(.*)\1[,;]?$/, '$2')
    .trim();
