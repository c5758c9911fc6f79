/** The security question of the interactive shell, with what it needs to know of the conversation. */
import { keptAs } from '../../../policy/remember.js';
import type { Screen } from '../../../ui/screen/port.js';
import { createScreenApprover, type ScreenApprover } from '../../../ui/shell/approval/screen-approver.js';
import type { Text } from '../../../ui/text/index.js';
import type { Theme } from '../../../ui/theme/theme.js';
import type { Config } from '../../config.js';
import type { App } from '../../create-app.js';
import { providerKeys, textRedactor } from '../../redact.js';
import { surroundings } from '../../surroundings.js';
import { editOutside } from '../external-editor.js';

export interface ShellApproverOptions {
  readonly screen: Screen;
  readonly text: Text;
  readonly config: Config;
  /** The shell it stands in. */
  shell(): { readonly theme: Theme; draw(): void; print(lines: readonly string[]): void };
  /** The application of the conversation that asks; undefined while none is open. */
  app(): App | undefined;
}

export function shellApprover({ screen, text, config, shell, app }: ShellApproverOptions): ScreenApprover {
  const redact = textRedactor(providerKeys(config));
  return createScreenApprover({
    screen,
    text,
    theme: () => shell().theme,
    changed: () => shell().draw(),
    print: (lines) => shell().print(lines),
    async about(question) {
      const open = app();
      return open ? surroundings(question, open) : {};
    },
    subject: keptAs,
    // At once: a signal of the system could come when the run has ended already, and would end the program.
    onStop: () => void process.emit('SIGINT', 'SIGINT'),
    async proposal(question) {
      const open = app();
      // The tools are large, and most questions need none.
      return open && (await import('./proposal.js')).proposalFor(question, open, redact);
    },
    async edit(given, path) {
      const giveBack = screen.suspend();
      try {
        return await editOutside(given, config, path);
      } finally {
        giveBack();
      }
    },
  });
}
