/** A run as text: the answer on the output, everything else on the error output. */
import type { RunOutcome } from '../types/agent.js';
import type { AgentEvent } from '../types/event.js';
import type { Message } from '../types/message.js';
import { cardLines } from './cards.js';
import { labelLine } from './labels.js';
import { createLiveText } from './live-text.js';
import { noticeText } from './notice-text.js';
import { createOutput, type OutputStream } from './output.js';
import { createPaint } from './paint.js';
import type { Presenter } from './presenter.js';
import { createTextFilter, safeLine, safeText } from './safe-text.js';
import { type SummaryFacts, summaryLines } from './summary.js';
import type { Text } from './text/index.js';
import { fitted } from './width.js';

export interface TextPresenterOptions {
  readonly out: OutputStream;
  readonly err: OutputStream;
  readonly text: Text;
  readonly color: boolean;
  /** More lines for each result, the model's reasoning, output of commands as it comes (when live). */
  readonly verbose: boolean;
  /** The model's text is shown as it streams; otherwise only the final answer, at the end. */
  readonly live: boolean;
  /** The last line of coder and agent runs names the session, for `--resume` (default: when not live). */
  readonly resumable?: boolean;
  /** Nobody reads the output any more. */
  readonly onClosed?: () => void;
}

type Of<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;

/** A call that has begun. */
interface Running {
  readonly verb: string;
  /** Whose call it is: nothing for the main agent, else `[worker] `. */
  readonly who: string;
  readonly object: string;
}

type RunFacts = Pick<SummaryFacts, 'calls' | 'from' | 'to' | 'hint' | 'session' | 'agreesEdits'>;
const NEW_RUN: RunFacts = { calls: 0, from: 0, to: 0, hint: true };

/** For headless runs (`live` false) and for a plain screen (`live` true). Never throws. */
export function createTextPresenter(options: TextPresenterOptions): Presenter {
  const screen = createScreen(options);
  const { text } = options;
  const paint = createPaint(options);
  const running = new Map<string, Running>();
  let facts: RunFacts = NEW_RUN;
  let lastLabel = '';

  /** Name of the script that makes a call, when it is one of an agent's that makes others too. */
  const script = ({ agent, call }: Of<'call-start'>): string => {
    const parent = running.get(`${agent} ${call.id.replace(INNER, '')}`);
    return INNER.test(call.id) && parent?.verb === 'call' ? parent.object.replace(/^skill /, '') : '';
  };

  const callStart = (event: Of<'call-start'>): void => {
    facts = { ...facts, calls: facts.calls + 1 };
    const key = `${event.agent} ${event.call.id}`;
    const who = whoOf(event.agent, script(event));
    const label = labelLine(event.label, text, event.call);
    running.set(key, { verb: event.label.verb, who, object: safeLine(event.label.object, 100) || label });
    lastLabel = key;
    screen.line(paint.cyan(who + label));
  };
  const callEnd = (event: Of<'call-end'>): void => {
    const key = `${event.agent} ${event.call.id}`;
    const { denied, reason, why } = event;
    const lines = cardLines(event.result, { text, paint, verbose: options.verbose, denied, reason, why });
    const { who, object } = running.get(key) ?? { who: '', object: safeLine(event.call.tool, 80) };
    running.delete(key);
    // A script looks for what may be there.
    if (lines.length === 0 || (isProbe(event) && !options.verbose)) return;
    // Calls overlap: a result that does not stand under its own label says whose it is.
    const apart = lastLabel !== key;
    const named = safeText(lines[0] ?? '').startsWith(object);
    const head = apart ? `${paint.dim(who)}${named ? '' : paint.dim(`${object}: `)}` : '';
    for (const [index, line] of lines.entries()) screen.line(`  ${index === 0 ? head : apart ? '  ' : ''}${line}`);
    lastLabel = '';
  };
  const note = (event: AgentEvent): void => {
    facts = { ...noted(facts, event), from: facts.from || event.time, to: Math.max(facts.to, event.time) };
    const isKnown = event.type === 'worker-start' && running.has(`${event.agent} ${event.callId}`);
    const line = isKnown ? begins(event, text) : lineFor(event, options);
    if (line !== undefined) {
      lastLabel = '';
      screen.line(event.type === 'notice' && event.level !== 'info' ? paint.yellow(line) : paint.dim(line));
    }
  };
  return {
    sink(event) {
      note(event);
      if (event.type === 'call-start') callStart(event);
      else if (event.type === 'call-end') callEnd(event);
      // What a test run prints is summed up by its card.
      else if (event.type !== 'call-progress' || running.get(`${event.agent} ${event.callId}`)?.verb !== 'test')
        screen.show(event);
    },
    finish(outcome) {
      screen.answer(outcome);
      const session = (options.resumable ?? !options.live) ? facts.session : undefined;
      for (const line of summaryLines(outcome, { ...facts, session, text, paint })) screen.line(line);
      // A shell shows many runs with one presenter.
      facts = NEW_RUN;
      running.clear();
    },
  };
}

/** Ends the id of a call that a script makes. */
const INNER = /s\d+$/;

function whoOf(agent: string, script: string): string {
  const names = [agent === 'main' ? '' : safeLine(agent, 40), script && safeLine(script, 40)].filter(Boolean);
  return names.length > 0 ? `[${names.join(' ')}] ` : '';
}

/** A script that found nothing where it looked: no failure for people. */
function isProbe({ call, result, denied }: Of<'call-end'>): boolean {
  return !denied && INNER.test(call.id) && (result.code === 'NotFound' || result.code === 'ENOENT');
}

/** The line of the call said the task. */
function begins({ worker }: Of<'worker-start'>, text: Text): string {
  return text.t('run.workerBegins', { worker: safeLine(worker, 40) });
}

/** What the summary will need of an event. */
function noted(facts: RunFacts, event: AgentEvent): RunFacts {
  // A person who is asked needs no hint how to be asked less.
  if (event.type === 'approval-request') return { ...facts, hint: false };
  if (event.type !== 'run-start' || event.agent !== 'main') return facts;
  const { mode, permissionMode, session } = event;
  // Neither rules nor `auto` allow more of what these two modes deny.
  const hint = facts.hint && permissionMode !== 'auto' && permissionMode !== 'plan';
  const agreesEdits = permissionMode === 'accept-edits';
  return { ...facts, hint, agreesEdits, session: mode === 'coder' || mode === 'agent' ? session : undefined };
}

/** Events that are one line of their own. */
function lineFor(event: AgentEvent, { text, verbose }: TextPresenterOptions): string | undefined {
  switch (event.type) {
    case 'run-start': {
      const { mode, provider, model, workspace } = event;
      return verbose && event.agent === 'main'
        ? text.t('run.start', { mode, provider, model: safeLine(model), workspace: safeLine(workspace) })
        : undefined;
    }
    case 'turn-restart':
      return text.t('run.restart', {
        reason: safeLine(text.why(event.why, event.reason)),
        time: text.duration(event.waitMs),
        attempt: event.attempt,
      });
    case 'worker-start':
      return text.t('run.workerStart', { worker: safeLine(event.worker, 40), task: safeLine(event.task, 120) });
    case 'worker-end':
      return text.t('run.workerEnd', { worker: safeLine(event.worker, 40), status: text.t(`status.${event.outcome.status}`) });
    case 'notice':
      return text.t(`run.level.${event.level}`, { text: safeText(noticeText(event, text)).trim() });
    default:
      return undefined;
  }
}

/** The two outputs as one screen: streamed text and whole lines do not run into each other. */
function createScreen(options: TextPresenterOptions) {
  const out = createOutput(options.out, options.onClosed);
  const err = createOutput(options.err);
  const paint = createPaint(options);
  const filter = createTextFilter();
  const live = createLiveText();
  /** Text shown of the main agent's present message. */
  let shown = '';
  let lineStart = true;
  const stream = (text: string, style: (text: string) => string): void => {
    if (!text) return;
    lineStart = text.endsWith('\n');
    out.write(style(text));
  };
  const breakLine = (): void => {
    if (!lineStart) out.write('\n');
    lineStart = true;
  };
  let thought = false;
  const model = (pieces: ReturnType<typeof live.push>): void => {
    for (const { text, reasoning } of pieces) {
      const safe = filter.push(text);
      // Space before the first words is only what hidden tags leave behind.
      if (shown === '' && safe.trim() === '') continue;
      if (safe.trim() !== '' && reasoning !== thought) {
        breakLine();
        thought = reasoning;
      }
      if (!reasoning) shown += safe;
      stream(safe, reasoning ? paint.dim : (plain) => plain);
    }
  };
  const endMessage = (): void => {
    model(live.end());
    filter.end();
    breakLine();
  };
  const streamed = (event: AgentEvent): void => {
    if (event.type === 'text-delta') model(live.push(event.text));
    else if (event.type === 'reasoning-delta' && options.verbose) stream(safeText(event.text), paint.dim);
    else if (event.type === 'turn-start') shown = '';
    else if (event.type === 'turn-restart' || (event.type === 'message-end' && event.message.role === 'assistant')) {
      endMessage();
      if (event.type === 'turn-restart') shown = '';
    } else if (event.type === 'call-progress' && options.verbose) stream(safeText(event.text), paint.dim);
  };
  return {
    show(event: AgentEvent): void {
      if (event.agent !== 'main') return;
      if (options.live) streamed(event);
      else if (options.verbose && event.type === 'message-end' && event.message.role === 'assistant') {
        const words = wordsOf(event.message);
        if (words) err.write(`${paint.dim(words)}\n`);
      }
    },
    line(text: string): void {
      breakLine();
      err.write(`${fitted(text, options.err.columns)}\n`);
    },
    answer(outcome: RunOutcome): void {
      if (options.live) endMessage();
      const result = safeText(outcome.result).trimEnd();
      if (!result || (options.live && squeeze(shown).includes(squeeze(result)))) return;
      out.write(`${result}\n`);
    },
  };
}

const squeeze = (text: string): string => text.replace(/\s+/g, '');

/** What a message says to people: its text without call tags. */
function wordsOf(message: Message): string {
  const live = createLiveText();
  const text = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const pieces = [...live.push(text), ...live.end()];
  return safeText(pieces.map((piece) => piece.text).join('')).trim();
}
