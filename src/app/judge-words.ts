/** A command or a tool call as words of the command line, made ready for a decision. */
import type { Judged } from '../types/policy.js';
import { denyAll } from '../ui/approve-none.js';
import type { ConfigFlags } from './config.js';
import { type App, createApp } from './create-app.js';
import { noProvider, parseDirect } from './direct-call.js';
import { loadConfig } from './load-config.js';
import { UsageError } from './usage-error.js';

/** An application that judges and runs nothing. The caller closes it. */
export function openJudge(flags: ConfigFlags): Promise<App> {
  return createApp({
    config: loadConfig(flags),
    approver: denyAll,
    id: 'check',
    provider: noProvider,
    keepsUndo: false,
    emit: () => undefined,
  });
}

/** Without `tool` the words are a shell command. Throws UsageError for a call that cannot be read. */
export function judgedOf(app: App, words: readonly string[], tool?: string): Judged {
  const name = tool ?? '@coder exec';
  const args = tool === undefined ? [JSON.stringify({ cmd: commandOf(words) })] : words;
  const parsed = parseDirect(app.ports.tools, name, args);
  if (!parsed.ok) throw new UsageError('usage.badCall', { message: parsed.message });
  const facts = parsed.tool.facts(parsed.call.args);
  const locate = (path: string) => app.workspace.locate(path);
  return { call: parsed.call, facts, reads: facts.reads.map(locate), writes: facts.writes.map(locate) };
}

/** One word is a command line as it stands; several are the words of one command, however they were quoted. */
function commandOf(words: readonly string[]): string {
  const command = words.length === 1 ? (words[0] ?? '') : words.map(quoted).join(' ');
  if (!words.join('').trim()) throw new UsageError('usage.checkWhat', {}, 'usage.checkWhatHint');
  return command;
}

/** As a shell reads it back, letter for letter. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
