/** What the live region of the shell shows at one moment: the run, what waits, the input or a question, the status. */
import type { ModeName } from '../../agents/registry.js';
import type { Editor } from '../../ui/editor/port.js';
import type { Features, LiveView } from '../../ui/screen/port.js';
import type { ScreenApprover } from '../../ui/shell/approval/screen-approver.js';
import type { ScreenPresenter } from '../../ui/shell/present-screen.js';
import { shellView } from '../../ui/shell/shell-view.js';
import type { StatusPart } from '../../ui/shell/status-line.js';
import type { Text } from '../../ui/text/index.js';
import type { Theme } from '../../ui/theme/theme.js';
import type { Steering } from './steering.js';

export interface FrameParts {
  readonly features: Features;
  readonly theme: Theme;
  readonly text: Text;
  readonly asking: Pick<ScreenApprover, 'isOpen' | 'view'>;
  readonly editor: Pick<Editor, 'view'>;
  readonly presenter: Pick<ScreenPresenter, 'lines' | 'spent'>;
  readonly steering: Pick<Steering, 'chosen' | 'mode'>;
  readonly mode: ModeName;
  readonly queued: readonly string[];
  /** Something runs. */
  readonly busy: boolean;
  /** Empty while it is not known. */
  readonly sandbox: string;
}

/** A question that is open stands in the place of the input. */
export function shellFrame(parts: FrameParts): LiveView {
  const { features, theme, text, asking, queued } = parts;
  const input = asking.isOpen ? asking.view(features.rows - 5 - Math.min(4, queued.length)) : inputView(parts);
  const running = parts.presenter.lines();
  return shellView({ features, theme, text, running, queued, input, status: statusParts(parts) });
}

function inputView({ features, theme, text, editor, mode, busy }: FrameParts): LiveView {
  return editor.view({
    columns: features.columns,
    rows: Math.max(3, Math.floor(features.rows / 2)),
    theme,
    unicode: features.unicode,
    prompt: mode === 'chat' ? '> ' : `${mode}> `,
    placeholder: text.t(busy ? 'shell.placeholderBusy' : 'shell.placeholder'),
  });
}

function statusParts({ presenter, steering, text, sandbox }: FrameParts): StatusPart[] {
  const { chosen, mode: rights } = steering;
  const { context, cost } = presenter.spent;
  const percent = Math.round((100 * context) / chosen.info.contextWindow);
  return [
    { text: rights, ...(rights === 'auto' ? { look: 'warn' as const } : rights === 'plan' ? { look: 'accent' as const } : {}) },
    { text: `${chosen.service}/${chosen.model}` },
    ...(context > 0
      ? [{ text: text.t('shell.contextShort', { percent }), ...(percent >= 80 ? { look: 'warn' as const } : {}) }]
      : []),
    ...(!cost ? [] : [{ text: text.t('run.cost', { amount: text.number(cost, cost < 0.1 ? 4 : 2) }) }]),
    ...(sandbox === '' ? [] : [{ text: text.t('shell.sandboxShort', { level: sandbox }) }]),
  ];
}
