/** The one gate every call passes: a pure decision, and at most one question on the screen at a time. */
import { createMutex } from '../base/mutex.js';
import type { Approver, ChangedCall, Decision, FullAnswer, Judged, Question } from '../types/policy.js';
import { because, english, type Reason, sentence } from '../types/reason.js';
import type { ErrorCode } from '../types/tool.js';
import { createDenialLedger, type DenialLedger } from './denial-ledger.js';
import { type CallKind, createDenials, DEFAULT_DENIAL_LIMITS, type DenialLimits, type Denials } from './denials.js';
import type { Emit } from './emit.js';

export type Passage =
  /** `changed`: this runs in its place; a person changed the call at the question, and it was judged again. */
  | { readonly run: true; readonly changed?: Judged }
  /** `denied` false: the question was stopped, which is no denial. */
  | {
      readonly run: false;
      readonly code: ErrorCode;
      readonly message: string;
      readonly denied: boolean;
      readonly reason: string;
      /** The reason for people. */
      readonly why?: Reason;
      /** True: only approval was missing, and a rule could give it. */
      readonly allowable?: boolean;
      /** True: the person stopped the run at the question; nothing more may run or be asked. */
      readonly stopped?: boolean;
    };

export interface Asker {
  readonly agent: string;
  readonly task: string;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** The call with other arguments, as a call of the same tool; undefined: they make none. Absent: it cannot be changed. */
  change?(changed: ChangedCall): Judged | undefined;
}

export interface Gate {
  /** Decides on one call. Never throws. */
  pass(judged: Judged, asker: Asker): Promise<Passage>;
  /** Why these changes are forbidden whatever a person says; undefined: they are not. Asks nobody. */
  denial?(judged: Judged, agent: string): Promise<Extract<Passage, { readonly run: false }> | undefined>;
  /** Are there files in the workspace that a rule, or their kind, keeps from being read? */
  hidesFiles?(): boolean;
  /** The user said something new: tools refused too often may be asked about again, and a stop is over. */
  heard?(): void;
  /** Refused calls of all agents, and which of them succeeded later. */
  readonly ledger?: DenialLedger;
  /** True: the person stopped the run at a question, whichever agent it came from, and has said nothing since. */
  isStopped?(): boolean;
}

export interface GateOptions {
  /** The policy with rules and mode of this moment already bound. */
  decide(judged: Judged, agent: string): Decision | Promise<Decision>;
  readonly approver: Approver;
  /** Keeps an `always` or `never` as a rule. */
  remember(question: Question, answer: 'always' | 'never'): void | Promise<void>;
  /** Opens what a person has just allowed (personal files). */
  grant(judged: Judged, agent: string): void;
  /** See Gate. */
  hidesFiles?(): boolean;
  readonly limits?: DenialLimits;
}

export function createGate(options: GateOptions): Gate {
  const oneQuestion = createMutex();
  const denials = createDenials(options.limits ?? DEFAULT_DENIAL_LIMITS);
  const decide = async (judged: Judged, { agent }: Asker): Promise<Decision> =>
    watched(await options.decide(judged, agent), options.approver, denials);
  let isStopped = false;
  let waiting = 0;
  return {
    ledger: createDenialLedger(),
    heard() {
      isStopped = false;
      denials.heard();
    },
    isStopped: () => isStopped,
    hidesFiles: () => options.hidesFiles?.() ?? false,
    async denial(judged, agent) {
      const decision = await options.decide(judged, agent);
      return decision.verdict === 'deny' ? refused(decision) : undefined;
    },
    async pass(judged, asker) {
      if (isStopped) return stopped();
      const first = await decide(judged, asker);
      if (first.verdict === 'allow') return { run: true };
      if (first.verdict === 'deny') return refused(first);
      if (!(options.approver.canAskFor?.(first) ?? options.approver.canAsk)) return unasked(first);
      waiting++;
      return oneQuestion.run(async () => {
        waiting--;
        if (isStopped || asker.signal.aborted) return stopped();
        // A rule made while this call waited may answer it.
        const decision = await decide(judged, asker);
        if (decision.verdict === 'allow') return { run: true };
        if (decision.verdict === 'deny') return refused(decision);
        if (denials.isBlocked(kindOf(judged, decision))) return tooOften(judged.call.tool, decision);
        const wait = { ...options, denials, waiting: () => waiting };
        const passage = await ask(judged, decision, asker, wait);
        // A single agent that is cancelled at its question stops nobody else.
        if (!passage.run && passage.stopped && !asker.signal.aborted) isStopped = true;
        return passage;
      });
    },
  };
}

/** After many refusals even reading is asked about, where somebody can be asked. */
function watched(decision: Decision, approver: Approver, denials: Denials): Decision {
  if (decision.verdict !== 'allow' || !approver.canAsk || !denials.isWatched()) return decision;
  const why = because`many calls were refused in this session, so every call is asked about`;
  return { ...decision, verdict: 'ask', reason: sentence(english(why)), why };
}

interface Asking extends GateOptions {
  readonly denials: Denials;
  waiting(): number;
}

async function ask(judged: Judged, decision: Decision, asker: Asker, asking: Asking): Promise<Passage> {
  const { call, facts } = judged;
  const { denials } = asking;
  const question: Question = { call, facts, decision, agent: asker.agent, task: asker.task };
  asker.emit({ type: 'approval-request', call, decision });
  const { answer, changed } = await answerTo(question, asker, asking);
  asker.emit({ type: 'approval-response', callId: call.id, answer, ...(changed ? { changed } : {}) });
  if (answer === 'stopped') return stopped();
  if (answer === 'always' || answer === 'never') await asking.remember(question, answer);
  if (answer === 'yes' || answer === 'always') {
    denials.approved(kindOf(judged, decision));
    if (changed) return passChanged(judged, decision, changed, asker, asking);
    if (decision.verdict === 'immune') asking.grant(judged, asker.agent);
    return { run: true };
  }
  denials.refused(kindOf(judged, decision));
  return {
    run: false,
    denied: true,
    code: decision.code,
    ...said(because`the user said no`),
    message: `[DENIED] The user refused this call (${decision.reason.replace(/\.$/, '')}). Do not send it again unchanged; ask or find another way.`,
  };
}

/** A failure to ask is a no, and only a yes can carry changes. */
async function answerTo(question: Question, { signal }: Asker, { approver, waiting }: Asking): Promise<FullAnswer> {
  try {
    const given = await approver.ask(question, { signal, waiting });
    if (typeof given === 'string') return { answer: given };
    return given.answer === 'yes' ? given : { answer: given.answer };
  } catch {
    return { answer: 'no' };
  }
}

/** What a person made of a call passes the rules like any other; the yes counts for it where it does no more than what was asked. */
async function passChanged(
  judged: Judged,
  asked: Decision,
  changed: ChangedCall,
  asker: Asker,
  asking: Asking,
): Promise<Passage> {
  const next = asker.change?.(changed);
  if (!next || next.call.tool !== judged.call.tool) return unusable();
  const decision = await asking.decide(next, asker.agent);
  if (decision.verdict === 'deny') return refused(decision);
  const known = new Set(judged.writes.map(({ real }) => real));
  const more = next.writes.some(({ real }) => !known.has(real)) || next.facts.command !== judged.facts.command;
  const stricter = decision.verdict === 'immune' && asked.verdict !== 'immune';
  if (decision.verdict !== 'allow' && (more || stricter)) {
    const passage = await ask(next, decision, asker, asking);
    return passage.run ? { run: true, changed: passage.changed ?? next } : passage;
  }
  if (decision.verdict === 'immune') asking.grant(next, asker.agent);
  return { run: true, changed: next };
}

function unusable(): Passage {
  const message =
    'The user changed this call, and what came of it is no valid call. Nothing was run; read the files and send it again.';
  return { run: false, denied: false, code: 'InvalidArgs', ...said(because`the changed call is not valid`), message };
}

function tooOften(tool: string, decision: Decision): Passage {
  return {
    run: false,
    denied: true,
    code: decision.code,
    ...said(because`refused several times in a row`),
    message: `[DENIED] The user refused ${tool} several times in a row and is not asked again before they write something new. Nothing was run. Go on without it, or end and say what you need.`,
  };
}

function refused(decision: Decision): Extract<Passage, { readonly run: false }> {
  const rule = decision.rule
    ? ` Rule: ${decision.rule.action} ${decision.rule.written ?? decision.rule.pattern} (${decision.rule.origin}).`
    : '';
  return {
    run: false,
    denied: true,
    code: decision.code,
    ...said(decision.why, decision.reason),
    message: `[BLOCKED BY POLICY] ${decision.reason}${rule} Nothing was run. Repeating the call will not help.`,
  };
}

function unasked(decision: Decision): Passage {
  return {
    run: false,
    denied: true,
    code: decision.code,
    ...said(decision.why, decision.reason),
    allowable: decision.verdict === 'ask' && decision.step !== 3,
    message: `[DENIED] This call needs approval and nobody can be asked here: ${decision.reason} Nothing was run. Do not repeat it; go on without it and say in the end what could not be done.`,
  };
}

function stopped(): Passage {
  const message = 'Not executed: the user stopped the run.';
  return { run: false, denied: false, code: 'Aborted', ...said(because`the run was stopped`), message, stopped: true };
}

function said(why: Reason | undefined, reason = why === undefined ? '' : english(why)): { reason: string; why?: Reason } {
  return why === undefined ? { reason } : { reason, why };
}

/** For commands the first word of the part that decided: what is said of `npm` is not said of `make`. */
function kindOf({ call, facts }: Judged, decision: Decision): CallKind {
  if (facts.command === undefined) return { tool: call.tool };
  return { tool: call.tool, program: /^\s*(\S*)/.exec(decision.part ?? facts.command)?.[1] ?? '' };
}
