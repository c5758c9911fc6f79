/** The line before each call: "Reading: main.go", "Lendo: main.go". */
import type { Facts, ToolCall } from '../types/tool.js';
import { safeLine } from './safe-text.js';
import type { Text } from './text/index.js';

/** Without an object the verb stands alone. With `call` it is said when a command is freed from the sandbox. */
export function labelLine(label: Facts['label'], text: Text, call?: Pick<ToolCall, 'tool' | 'args'>): string {
  const line = plainLine(label, text);
  if (call?.tool !== '@coder exec') return line;
  if (call.args['outside'] === true) return `${line}  [${text.t('run.outside')}]`;
  return call.args['agent'] === true ? `${line}  [${text.t('run.withAgent')}]` : line;
}

function plainLine(label: Facts['label'], text: Text): string {
  // The folder itself says nothing.
  const object = label.object === '.' ? '' : safeLine(label.object, 100);
  const line =
    text.find(`label.${label.verb}`, { object: label.verb === 'plan-mark' ? object.replace(/^#/, '') : object }) ?? object;
  return object ? line : line.replace(/[:#\s]+$/, '');
}
