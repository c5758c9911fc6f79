/** `chatcli sessions`: the saved conversations listed, shown, searched, copied, written out, deleted, checked. */
import { resolve } from 'node:path';
import { previewLines, sessionLines } from '../../commands/shared/session-lines.js';
import { SessionFault } from '../../session/fault.js';
import { newSessionId } from '../../session/ids.js';
import { copySession, searchSession, turnsOf, verifySession } from '../../session/manage.js';
import { deleteSession, readSession } from '../../session/store.js';
import { safeText } from '../../ui/safe-text.js';
import { createText, type Text } from '../../ui/text/index.js';
import type { Config, ConfigFlags } from '../config.js';
import { EXIT_USAGE } from '../exit-codes.js';
import { loadConfig } from '../load-config.js';
import { sessionDocument } from '../session-documents.js';
import { sessionsDir, sessionUsageError } from '../sessions.js';
import { filesPort } from '../shell/files-port.js';
import { savedSessions } from '../shell/sessions-port.js';
import { UsageError } from '../usage-error.js';

export interface SessionsFlags extends ConfigFlags {
  readonly json?: boolean;
  /** Those of all folders. */
  readonly all?: boolean;
  readonly form?: string;
  readonly out?: string;
  readonly force?: boolean;
  readonly yes?: boolean;
}

const MOST_HITS = 3;

interface Desk {
  readonly config: Config;
  readonly text: Text;
  readonly dir: string;
  readonly flags: SessionsFlags;
}

type Action = (words: readonly string[], desk: Desk) => Promise<number>;

/** Runs one of the actions. Throws UsageError for a session that cannot be had. */
export async function sessionsMode(
  action: keyof typeof ACTIONS,
  words: readonly string[],
  flags: SessionsFlags,
): Promise<number> {
  const config = loadConfig(flags);
  const text = createText(config.language);
  try {
    return await ACTIONS[action](words, { config, text, dir: sessionsDir(config), flags });
  } catch (error) {
    throw error instanceof SessionFault ? sessionUsageError(error) : error;
  }
}

function say(lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`${safeText(lines.join('\n'))}\n`);
}

const translate =
  (text: Text) =>
  (key: string, values: Readonly<Record<string, string | number>> = {}) =>
    text.find(key, values) ?? key;

const list: Action = async (_words, { dir, config, text, flags }) => {
  const all = await savedSessions(dir, flags.all ? undefined : config.root);
  if (flags.json) process.stdout.write(`${JSON.stringify(all)}\n`);
  else say(all.length > 0 ? sessionLines(all, '', translate(text)) : [text.t('sessions.none')]);
  return 0;
};

const show: Action = async ([id = ''], { dir, text, flags }) => {
  const state = await readSession(dir, id);
  if (flags.json) process.stdout.write(await sessionDocument(dir, id, 'json', text));
  else {
    const turns = turnsOf(state).map((message, index) => {
      const last = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).at(-1) ?? '';
      return `${String(index + 1).padStart(4)}  ${last.trim().split('\n', 1)[0]?.slice(0, 100) ?? ''}`;
    });
    say([...previewLines(state, translate(text)).slice(0, 2), ...turns]);
  }
  return 0;
};

const search: Action = async (words, { dir, config, text, flags }) => {
  const wanted = words.join(' ').trim();
  const found: { readonly id: string; readonly role: string; readonly text: string }[] = [];
  for (const { id, damaged } of await savedSessions(dir, flags.all ? undefined : config.root)) {
    if (damaged !== undefined || wanted === '') continue;
    const hits = await searchSession(dir, id, wanted, MOST_HITS).catch(() => []);
    found.push(...hits.map((hit) => ({ id, ...hit })));
  }
  if (flags.json) process.stdout.write(`${JSON.stringify(found)}\n`);
  else
    say(
      found.length > 0
        ? found.map((hit) => `${hit.id}  ${hit.role}: ${hit.text}`)
        : [text.t('sessions.notFound', { words: wanted })],
    );
  return found.length > 0 ? 0 : 1;
};

const fork: Action = async ([id = ''], desk) => {
  await copied(id, undefined, desk);
  return 0;
};

const rewind: Action = async ([id = '', turn = ''], desk) => {
  const turns = turnsOf(await readSession(desk.dir, id)).length;
  const number = /^\d{1,6}$/.test(turn) ? Number(turn) : 0;
  if (number < 1 || number > turns) throw new UsageError('sessions.badTurn', { turn, turns });
  await copied(id, number, desk);
  return 0;
};

async function copied(id: string, before: number | undefined, { dir, text, flags }: Desk): Promise<void> {
  const copy = newSessionId(Date.now(), Math.random);
  const { turns } = await copySession({ dir, id, copy, now: Date.now, ...(before === undefined ? {} : { before }) });
  if (flags.json) process.stdout.write(`${JSON.stringify({ id: copy, from: id, turns })}\n`);
  else say([text.t('sessions.copied', { id: copy, from: id, turns }), text.t('command.sessionHint', { id: copy })]);
}

const exported: Action = async ([id = ''], { dir, config, text, flags }) => {
  const ending = /\.(md|html|json)$/i.exec(flags.out ?? '')?.[1]?.toLowerCase();
  const form = flags.form ?? ending ?? 'md';
  if (form !== 'md' && form !== 'html' && form !== 'json')
    throw new UsageError('usage.badChoice', { name: '--form', value: form, names: 'md, html, json' }, 'provider.known');
  const document = await sessionDocument(dir, id, form, text);
  if (flags.out === undefined) {
    process.stdout.write(document);
    return 0;
  }
  const files = filesPort(resolve('.'), config.home, text);
  const { path, replaced } = files.write(flags.out, document, { replace: flags.force === true });
  say([text.t(replaced ? 'export.replaced' : 'export.written', { path })]);
  return 0;
};

/** Only with `--yes`: it cannot be taken back. */
const remove: Action = async ([id = ''], { dir, text, flags }) => {
  if (flags.yes !== true) {
    say([...previewLines(await readSession(dir, id), translate(text)).slice(0, 2), text.t('sessions.confirmDelete')]);
    return EXIT_USAGE;
  }
  if (!(await deleteSession(dir, id))) throw new SessionFault('not-found', `no session ${id}`, { id });
  say([text.t('sessions.deleted', { id })]);
  return 0;
};

const verify: Action = async (ids, { dir, config, text, flags }) => {
  const wanted = ids.length > 0 ? ids : (await savedSessions(dir, flags.all ? undefined : config.root)).map(({ id }) => id);
  let code = 0;
  for (const id of wanted) {
    const { lines, damaged, messages, torn, header } = await verifySession(dir, id);
    const isSound = damaged.length === 0 && !torn && header;
    if (!isSound) code = 1;
    if (flags.json) process.stdout.write(`${JSON.stringify({ id, sound: isSound, lines, messages, damaged, torn, header })}\n`);
    else if (isSound) say([text.t('sessions.sound', { id, lines, messages })]);
    else say([text.t('sessions.unsound', { id, lines: damaged.join(', ') || (torn ? String(lines) : '1'), messages })]);
  }
  return code;
};

const ACTIONS = { list, show, search, fork, rewind, export: exported, delete: remove, verify } as const;
