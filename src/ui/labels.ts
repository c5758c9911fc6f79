/** The line before each call: "Reading: main.go", "Lendo: main.go". */
import type { Facts } from '../types/tool.js';
import { safeLine } from './safe-text.js';
import type { Text } from './text/index.js';

/** Without an object the verb stands alone. */
export function labelLine(label: Facts['label'], text: Text): string {
  const object = safeLine(label.object, 100);
  const line =
    text.find(`label.${label.verb}`, { object: label.verb === 'plan-mark' ? object.replace(/^#/, '') : object }) ?? object;
  return object ? line : line.replace(/[:#\s]+$/, '');
}
