/** The language servers of a run as the environment asks for them; nothing of them is loaded before a file changes. */
import type { FolderTrust } from '../policy/trust.js';
import { trustRecord } from '../policy/trust.js';
import type { AgentEvent } from '../types/event.js';
import type { CheckReport, LanguageServers } from '../types/language.js';
import type { SandboxPort } from '../types/sandbox.js';
import { ToolFault } from '../types/tool.js';
import { VERSION } from './version.js';

export interface LanguageSettings {
  /** Edits are checked. */
  readonly checks: boolean;
  /** How long a result waits for them. */
  readonly budgetMs: number;
  /** Variable -> command line of a server. */
  readonly commands: Readonly<Record<string, string>>;
  /** Variables with a value that is none of theirs. */
  readonly odd?: readonly OddSetting[];
}

/** `used`: what counts in place of the value. */
export interface OddSetting {
  readonly variable: string;
  readonly value: string;
  readonly used: string;
}

const BUDGET_SECONDS = 8;
const LONGEST_SECONDS = 120;

/** Reads `CHATCLI_CODER_AUTODIAG`, `CHATCLI_CODER_AUTODIAG_TIMEOUT` (whole seconds; else ignored, see `odd`) and `CHATCLI_LSP_*_CMD`. */
export function languageSettings(env: Readonly<Record<string, string | undefined>>): LanguageSettings {
  const odd: OddSetting[] = [];
  const word = (env['CHATCLI_CODER_AUTODIAG'] ?? '').trim();
  const off = /^(0|false|off|no)$/i.test(word);
  if (!off && !/^(|1|true|on|yes)$/i.test(word)) odd.push({ variable: 'CHATCLI_CODER_AUTODIAG', value: word, used: 'on' });
  const text = (env['CHATCLI_CODER_AUTODIAG_TIMEOUT'] ?? '').trim();
  const seconds = /^\d{1,9}$/.test(text) ? Math.min(Number(text), LONGEST_SECONDS) : 0;
  const used = Math.min(seconds > 0 ? seconds : BUDGET_SECONDS, LONGEST_SECONDS);
  if (text !== '' && Number(text) !== used)
    odd.push({ variable: 'CHATCLI_CODER_AUTODIAG_TIMEOUT', value: text, used: String(used) });
  const commands = Object.entries(env).filter(([name, value]) => value !== undefined && /^CHATCLI_LSP_[A-Z]+_CMD$/.test(name));
  return {
    checks: !off,
    budgetMs: used * 1000,
    odd,
    commands: Object.fromEntries(commands) as Record<string, string>,
  };
}

export interface LanguagesWiring {
  readonly config: {
    readonly state: string;
    readonly root: string;
    readonly childEnv: Readonly<Record<string, string>>;
  };
  readonly settings: LanguageSettings;
  /** Trust given for this run, as it is now: a person may take it back. */
  trust(): FolderTrust;
  /** Real paths, the main folder first. */
  readonly roots: readonly string[];
  readonly sandbox?: Pick<SandboxPort, 'confine'>;
  /** Hears once of each server that an edit would have been checked by, were the folder trusted. */
  onWaiting?(server: string): void;
  /** Hears once why the variable of a language names no server that could have checked an edit. */
  onMisnamed?(reason: string): void;
}

/** Is it that a server waits until the folder is trusted, or that a variable for servers says nothing that can be used? */
export function isServerNotice(event: AgentEvent): event is AgentEvent & { readonly type: 'notice' } {
  return event.type === 'notice' && /^(server-untrusted|server-misnamed|setting-odd)$/.test(event.code);
}

const NOTHING: CheckReport = { files: [], unchecked: [], notes: [] };

/** Language servers that follow what a person says about the folder. */
export interface AppLanguages extends LanguageServers {
  /** Trust was given or taken back: servers that run under the old answer end now, not at the next edit. */
  trustChanged(): void;
}

/** One for a run; `close` it at the end. */
export function openAppLanguages(wiring: LanguagesWiring): AppLanguages {
  const { config, settings, trust, roots, sandbox, onWaiting, onMisnamed } = wiring;
  let loaded: LanguageServers | undefined;
  let loading: Promise<LanguageServers> | undefined;
  let trusted = false;
  let closed = false;
  const ended: Promise<void>[] = [];
  /** Trust that was given counts at once; where it was taken back nothing of the folder runs on. */
  const endOld = (): boolean => {
    const now = isTrusted(config, trust(), roots);
    if (loading !== undefined && now !== trusted) {
      ended.push(loading.then((servers) => servers.close()));
      loading = undefined;
      loaded = undefined;
    }
    return now;
  };
  const load = (): Promise<LanguageServers> => {
    const now = endOld();
    trusted = now;
    loading ??= import('../code/lsp/language-servers.js').then(({ openLanguageServers }) => {
      loaded = openLanguageServers({
        roots,
        trusted: now,
        env: config.childEnv,
        commands: settings.commands,
        sandbox,
        version: VERSION,
        // Who said no is not told again and again.
        onMisnamed: (reason) => onMisnamed?.(reason),
        onWaiting: (server) => isDeclined(config) || onWaiting?.(server),
      });
      return loaded;
    });
    return loading;
  };
  return {
    trustChanged: () => void endOld(),
    warm(paths) {
      if (!closed) void load().then((servers) => closed || servers.warm(paths));
    },
    check: async (files, options) => (closed ? NOTHING : (await load()).check(files, options)),
    late: (except) => loaded?.late(except) ?? NOTHING,
    unsettled: () => loaded?.unsettled(),
    async open(path, text, options) {
      if (closed) throw new ToolFault('Aborted', 'the run is over');
      return (await load()).open(path, text, options);
    },
    anyFile: async () => (closed ? undefined : (await load()).anyFile()),
    async close() {
      closed = true;
      await Promise.all([...ended, loading?.then((servers) => servers.close())]);
    },
  };
}

/** Programs of a folder run only when each folder of the workspace is trusted. */
function isTrusted({ state, root }: LanguagesWiring['config'], trust: FolderTrust, roots: readonly string[]): boolean {
  const said = (folder: string) => trustRecord(state, folder)?.answer === 'trusted';
  return roots.every((folder) => (folder === root && trust.forRun) || said(folder));
}

function isDeclined({ state, root }: LanguagesWiring['config']): boolean {
  return trustRecord(state, root)?.answer === 'declined';
}
