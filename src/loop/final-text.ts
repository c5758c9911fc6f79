/** The final message of a run: the mark `<result status="failed">` read and taken out. */

const RESULT_TAG = /<result\s+status\s*=\s*(["'])(done|failed)\1\s*(\/)?>/i;

/** `failed` when the model says so with the tag; `text` is the message without the tag's markup. */
export function readFinal(visible: string): { readonly failed: boolean; readonly text: string } {
  const open = RESULT_TAG.exec(visible);
  if (!open) return { failed: false, text: visible.trim() };
  const rest = visible.slice(open.index + open[0].length).replace(/<\/result\s*>/i, '');
  return { failed: open[2]?.toLowerCase() === 'failed', text: (visible.slice(0, open.index) + rest).trim() };
}
