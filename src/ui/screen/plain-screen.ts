/** A screen without cursor movement (`TERM=dumb`, a pipe): lines are printed, nothing else; the keyboard is left alone. */
import type { ScreenOutput } from './features.js';
import { toCells } from './line-cells.js';
import type { Features, Screen } from './port.js';

const nothing = (): void => undefined;

export function openPlainScreen(output: ScreenOutput, features: Features): Screen {
  let open = true;
  const onError = (): void => {
    open = false;
  };
  output.on('error', onError);
  return {
    features: () => features,
    print(lines) {
      if (!open || lines.length === 0) return;
      const parts = lines.flatMap((line) => line.split(/\r?\n/));
      output.write(parts.map((part) => `${toCells(part).text}\n`).join(''));
    },
    show: nothing,
    flush: nothing,
    onKey: () => nothing,
    onEnd: () => nothing,
    onResize: () => nothing,
    suspend: () => nothing,
    ring() {
      if (open && output.isTTY === true) output.write('\x07');
    },
    close() {
      open = false;
    },
  };
}
