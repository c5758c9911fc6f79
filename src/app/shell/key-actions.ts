/** What the keys of the shell do beyond a change of the text: stop, leave, unfold, edit outside, the next mode. */
import type { PermissionMode } from '../../types/policy.js';
import type { Editor, EditorEvent } from '../../ui/editor/port.js';
import type { Screen } from '../../ui/screen/port.js';
import type { ScreenPresenter } from '../../ui/shell/present-screen.js';
import type { Text } from '../../ui/text/index.js';
import { editOutside } from './external-editor.js';
import type { OneLine } from './one-line.js';
import type { Steering } from './steering.js';

export interface KeyActionsOptions {
  readonly screen: Screen;
  readonly text: Text;
  readonly steering: Steering;
  readonly editor: Pick<Editor, 'set'>;
  readonly presenter: Pick<ScreenPresenter, 'say' | 'unfold'>;
  readonly work: Pick<OneLine, 'busy' | 'stop'>;
  submit(line: string): void;
  leave(): void;
  changed(): void;
}

/** The second Ctrl+C counts so long after the first. */
const TWICE_MS = 5_000;
/** What Shift+Tab goes through; `auto` needs a word. */
const ROUND: readonly PermissionMode[] = ['default', 'accept-edits', 'plan'];

/** Gives what takes an event of the editor. */
export function createKeyActions(options: KeyActionsOptions): (event: EditorEvent) => void {
  const { steering, presenter, text, work, submit, leave } = options;
  /** When Ctrl+C was pressed at rest, in ms. */
  let asked = Number.NEGATIVE_INFINITY;
  /** Stops what runs; at rest it clears the text, and leaves when pressed twice. */
  const interrupt = (empty: boolean): void => {
    if (work.busy) {
      process.emit('SIGINT', 'SIGINT');
      presenter.say(text.t('shell.stopping'), 'dim');
    } else if (!empty) asked = Number.NEGATIVE_INFINITY;
    else if (performance.now() - asked < TWICE_MS) leave();
    else {
      asked = performance.now();
      presenter.say(text.t('shell.leaveHint'), 'dim');
    }
  };
  return (event) => {
    switch (event.kind) {
      case 'submit':
        asked = Number.NEGATIVE_INFINITY;
        return submit(event.text);
      case 'interrupt':
        return interrupt(event.empty);
      case 'escape':
        return work.stop();
      case 'leave':
        if (!work.busy) leave();
        return;
      case 'unfold':
        if (!presenter.unfold()) presenter.say(text.t('shell.nothingFolded'), 'dim');
        return;
      case 'external':
        return void editInPlace(event.text, options);
      case 'suspend':
        process.kill(process.pid, 'SIGTSTP');
        return;
      case 'mode':
        return steering.setMode(ROUND[(ROUND.indexOf(steering.mode) + 1) % ROUND.length] ?? 'default');
      case 'redraw':
        return;
    }
  };
}

async function editInPlace(given: string, options: KeyActionsOptions): Promise<void> {
  const { screen, steering, editor, presenter, text, changed } = options;
  const giveBack = screen.suspend();
  try {
    const edited = await editOutside(given, steering.config);
    if (edited !== undefined) editor.set(edited);
    else presenter.say(text.t('shell.editorEnded'), 'warn');
  } catch (error) {
    presenter.say(error instanceof Error ? error.message : String(error), 'warn');
  } finally {
    giveBack();
    changed();
  }
}
