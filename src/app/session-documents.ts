/** Saved conversations as documents, and the names things have in them. */
import { readSession } from '../session/store.js';
import type { SessionState } from '../types/session.js';
import type { Text } from '../ui/text/index.js';

export type DocumentForm = 'md' | 'html' | 'json';

/** Throws SessionFault. */
export async function sessionDocument(dir: string, id: string, form: DocumentForm, text: Text): Promise<string> {
  return documentOf(await readSession(dir, id), form, text);
}

export async function documentOf(state: SessionState, form: DocumentForm, { t }: Text): Promise<string> {
  if (form === 'json') return (await import('../session/export-json.js')).exportJson(state);
  const labels = {
    user: t('export.user'),
    assistant: t('export.assistant'),
    result: t('export.result'),
    untitled: t('sessions.untitled'),
  };
  if (form === 'html') return (await import('../session/export-html.js')).exportHtml(state, labels);
  return (await import('../session/export.js')).exportMarkdown(state, labels);
}
