/** A session as one HTML page that stands alone: no script, nothing loaded, everything escaped. */
import type { Message, Part } from '../types/message.js';
import type { SessionState } from '../types/session.js';
import type { ExportLabels } from './export.js';

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.55 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}
header p{opacity:.7;font-size:.9rem}section{margin:1.5rem 0;padding-left:1rem;border-left:3px solid #8884}
section.user{border-color:#3b82f6}section.assistant{border-color:#16a34a}h2{font-size:.8rem;text-transform:uppercase;letter-spacing:.06em;opacity:.65}
.text{white-space:pre-wrap;overflow-wrap:anywhere}pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#8881;padding:.75rem;border-radius:.4rem;font:13px/1.5 ui-monospace,monospace}
summary{cursor:pointer;font:13px ui-monospace,monospace}`;

/** Never throws. */
export function exportHtml(state: SessionState, labels: ExportLabels): string {
  const { header } = state;
  const title = escaped(state.title || labels.untitled);
  const facts = [header.id, new Date(header.created).toISOString(), header.workspace].map(escaped).join(' · ');
  const sections = state.messages.map((message) => sectionOf(message, labels)).filter(Boolean);
  return `<!doctype html>
<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title><style>${STYLE}</style></head>
<body><header><h1>${title}</h1><p>${facts}</p></header>
${sections.join('\n')}
</body></html>
`;
}

function sectionOf(message: Message, labels: ExportLabels): string {
  const isResult = message.role === 'tool' || message.origin === 'tool-results';
  const kind = isResult ? 'result' : message.role === 'user' ? 'user' : 'assistant';
  const label = { result: labels.result, user: labels.user, assistant: labels.assistant }[kind];
  const parts = message.parts.map((part) => partOf(part, isResult)).filter(Boolean);
  if (parts.length === 0) return '';
  return `<section class="${kind}"><h2>${escaped(label)}</h2>${parts.join('')}</section>`;
}

function partOf(part: Part, isResult: boolean): string {
  if (part.type === 'text') {
    if (part.text.trim() === '') return '';
    return isResult ? `<pre>${escaped(part.text)}</pre>` : `<div class="text">${escaped(part.text.trim())}</div>`;
  }
  if (part.type === 'call') return folded(part.name, part.input);
  if (part.type === 'result') return folded(part.name, part.text);
  return part.type === 'image' ? `<p>(${escaped(part.mediaType)})</p>` : '';
}

const folded = (name: string, text: string): string =>
  `<details><summary>${escaped(name)}</summary><pre>${escaped(text)}</pre></details>`;

const MARKS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Also what has no place in a page: control characters. */
function escaped(text: string): string {
  return text
    .replace(/[&<>"']/g, (mark) => MARKS[mark] ?? mark)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '\ufffd');
}
