/** The sandbox of a session as the configuration asks for it, and what people are told about it. */
import { NOT_INSTALLED } from '../process/sandbox/mode.js';
import { openSessionSandbox, type SessionSandbox } from '../process/sandbox/session-sandbox.js';
import type { AgentEvent } from '../types/event.js';
import type { Approver, Judged } from '../types/policy.js';
import type { Config } from './config.js';
import { UsageError } from './usage-error.js';

export interface SandboxWiring {
  readonly config: Config;
  /** Real paths. */
  readonly roots: readonly string[];
  /** Shown to commands although it lies in our state; may become more. */
  readonly readable: readonly string[];
  readonly approver: Approver;
  emit(event: AgentEvent): void;
}

/** Prepares it; nothing is tried before the first command. */
export function openAppSandbox({ config, roots, readable, approver, emit }: SandboxWiring): SessionSandbox {
  const notice = noticeWith(emit);
  return openSessionSandbox({
    mode: config.sandbox.mode,
    roots,
    home: config.home,
    state: config.state,
    temp: config.tmp,
    uid: process.getuid?.() ?? -1,
    readable,
    writable: [],
    env: config.childEnv,
    platform: process.platform,
    canOffer: canAgree(approver),
    onMissing(reason) {
      if (reason === NOT_INSTALLED) notice('no-bubblewrap', 'Commands run without a sandbox: bubblewrap is not installed.', {});
      else notice('no-sandbox', `Commands run without a sandbox: ${reason}.`, { reason });
    },
    onNote: (note) => notice('sandbox-note', `Sandbox, not protected: ${note}.`, { note }),
  });
}

/** `strict` that cannot be kept ends a run before it begins. Tries the sandbox for `strict` alone. Throws UsageError. */
export async function refuseBlocked(sandbox: SessionSandbox, { mode }: Config['sandbox']): Promise<void> {
  if (mode !== 'strict') return;
  const now = await sandbox.state();
  if (now.level === 'blocked') throw new UsageError('usage.noStrict', { reason: now.reason }, 'usage.noStrictHint');
}

/** What became of settings of earlier versions. */
export function tellRetired({ mode, retired }: Config['sandbox'], emit: (event: AgentEvent) => void): void {
  if (retired === undefined) return;
  const text = `${retired}: commands no longer run in containers; the sandbox is ${mode}.`;
  noticeWith(emit)('sandbox-retired', text, { retired, mode });
}

/** Where all commands are approved, it is said at the start when nothing confines them; elsewhere at the first command. */
export async function tellAtStart(sandbox: SessionSandbox, config: Config, emit: (event: AgentEvent) => void): Promise<void> {
  tellRetired(config.sandbox, emit);
  if (config.permissionMode !== 'auto') return;
  if (config.sandbox.mode !== 'off') await sandbox.state();
  else noticeWith(emit)('sandbox-off', 'Commands are approved and run without a sandbox: it is switched off.', {});
}

/** Of all notices those about the sandbox. */
export function isSandboxNotice(event: AgentEvent): event is AgentEvent & { readonly type: 'notice' } {
  return event.type === 'notice' && /^(sandbox-|no-(sandbox|bubblewrap)$)/.test(event.code);
}

function noticeWith(emit: (event: AgentEvent) => void) {
  return (code: string, text: string, values: { readonly [name: string]: string }): void =>
    emit({ type: 'notice', level: 'warn', code, text, values: { ...values }, agent: 'main', time: Date.now() });
}

function canAgree(approver: Approver): boolean {
  const probe = { verdict: 'immune', step: 3, reason: '', code: 'Denied' } as const;
  return approver.canAskFor?.(probe) ?? approver.canAsk;
}

/** Calls a person let out of the sandbox in this session: the same command in the same folder is not asked about again. */
export function agreements(): { agree(judged: Judged): void; agreed(judged: Judged): boolean } {
  const known = new Set<string>();
  const keyOf = ({ call }: Judged) => JSON.stringify(['cmd', 'dir', 'outside', 'agent'].map((name) => call.args[name] ?? null));
  return {
    agree: (judged) => void known.add(keyOf(judged)),
    agreed: (judged) => known.has(keyOf(judged)),
  };
}
