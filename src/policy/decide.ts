/** The one decision on a call: the steps in order, each with its reason. Pure, and never throws. */
import type { Decision, Judged, Policy, PolicyContext } from '../types/policy.js';
import { denyRuleFor, spokenRule } from './rules.js';
import { code } from './shell/code.js';
import { judgeLine } from './shell/judge.js';
import type { Part, ShellEnv } from './shell/types.js';
import { denyRuleForPart, hasExecDeny, spokenForPart } from './shell-rules.js';
import { zoneDenial, zoneQuestion } from './zones.js';

/** Decides. A fault of this code is an `ask` that no mode turns into a yes. */
export const decide: Policy = (judged, context) => {
  try {
    const parts = judged.facts.command === undefined ? [] : judgeParts(judged, judged.facts.command, context);
    const decision = firstSaid({ judged, context, parts });
    return applyMode(decision, judged, context, parts);
  } catch (error) {
    const reason = `The call could not be judged (internal error: ${error instanceof Error ? error.message : String(error)}).`;
    return safeDenial(judged) ?? { verdict: context.mode === 'plan' ? 'deny' : 'ask', step: 7, reason, code: 'Denied' };
  }
};

/** The parts of a call's shell command. */
export function judgeParts(judged: Judged, command: string, context: PolicyContext): readonly Part[] {
  const folder = judged.call.args['dir'];
  const cwd =
    typeof folder === 'string' && folder !== ''
      ? (judged.reads.find((path) => path.given === folder) ?? context.locate(folder)).real
      : undefined;
  const env: ShellEnv = {
    home: context.home,
    root: context.root,
    roots: context.roots,
    cwd,
    locate: (path) => context.locate(path),
    traits: () => context.traits?.() ?? {},
    holdsPersonal: (dir) => context.holdsPersonal?.(dir) ?? false,
    personalLink: (dir) => context.personalLink?.(dir),
  };
  return judgeLine(command, env);
}

function safeDenial(judged: Judged): Decision | undefined {
  try {
    return zoneDenial(judged) ?? zoneQuestion(judged);
  } catch {
    return undefined;
  }
}

interface Matter {
  readonly judged: Judged;
  readonly context: PolicyContext;
  readonly parts: readonly Part[];
}

type Step = (matter: Matter) => Decision | undefined;

const denyRules: Step = ({ judged, context, parts }) => {
  const rule = denyRuleFor(judged, context);
  if (rule) return { verdict: 'deny', step: 1, reason: 'A deny rule names it.', rule, code: 'Blocked' };
  for (const part of parts) {
    const found = denyRuleForPart(part, judged.call.tool, context);
    if (found)
      return {
        verdict: 'deny',
        step: 1,
        reason: `A deny rule names ${code(part.text)}.`,
        rule: found,
        part: part.text,
        code: 'Blocked',
      };
  }
  return undefined;
};

/** A rule file that cannot be read may have held a denial of anything but reading. */
const brokenFiles: Step = ({ judged, context, parts }) => {
  const [broken] = context.rules.broken;
  if (!broken || onlyReads(judged, parts)) return undefined;
  return {
    verdict: 'deny',
    step: 1,
    reason: `The rule file ${broken.file} cannot be used (${broken.reason}), and it might forbid this. Repair or remove the file.`,
    code: 'Blocked',
  };
};

const dangerous: Step = ({ context, parts }) => {
  const part = parts.find((entry) => entry.verdict === 'deny');
  if (!part || context.allowUnsafe) return undefined;
  return { verdict: 'deny', step: 2, reason: sentence(part.reason), part: part.text, code: 'Blocked' };
};

/** What the sandbox is loosened by, asked once a session for the same call; a person's word, never a rule's or a mode's. */
const loosened: Step = (matter) => {
  const { judged, context } = matter;
  const how = looseningOf(judged);
  if (how === undefined || context.agreed?.(judged) === true) return undefined;
  const base = immune(matter);
  if (base === undefined) return { verdict: 'immune', step: 3, reason: `${how}, which is always asked.`, code: 'Denied' };
  return { ...base, verdict: 'immune', reason: `${how}. Also: ${base.reason}` };
};

/** How a call wants to be freed from the sandbox; undefined when it does not. */
export function looseningOf(judged: Judged): string | undefined {
  if (judged.facts.command === undefined) return undefined;
  if (judged.call.args['outside'] === true) return 'It would run without the sandbox';
  return judged.call.args['agent'] === true ? 'It would be given the SSH agent' : undefined;
}

const immune: Step = ({ judged, context, parts }) => {
  const place = zoneQuestion(judged);
  if (place) return place;
  const part = parts.find((entry) => entry.verdict === 'immune' || entry.verdict === 'deny');
  if (part) return { verdict: 'immune', step: 3, reason: sentence(part.reason), part: part.text, code: part.code ?? 'Denied' };
  const hidden = parts.find((entry) => entry.opaque);
  if (!hidden || !hasExecDeny(context)) return undefined;
  return {
    verdict: 'immune',
    step: 3,
    reason: `${sentence(hidden.reason)} A deny rule might forbid it.`,
    part: hidden.text,
    code: 'Denied',
  };
};

/** A job that outlives the run wants a person's word, whatever it does: no rule and no mode gives it. */
const outlives: Step = ({ judged }) => {
  if (!isKept(judged)) return undefined;
  return { verdict: 'ask', step: 3, reason: 'keep lets the command outlive this run, which is always asked.', code: 'Denied' };
};

const isKept = (judged: Judged): boolean => judged.facts.command !== undefined && judged.call.args['keep'] === true;

const rules: Step = (matter) => (matter.parts.length > 0 ? shellRules(matter) : plainRules(matter));

const plainRules: Step = ({ judged, context }) => {
  const rule = spokenRule(judged, context);
  if (!rule) return undefined;
  if (rule.action === 'allow') return { verdict: 'allow', step: 4, reason: 'A rule allows it.', rule, code: 'Denied' };
  return { verdict: 'ask', step: 4, reason: 'A rule says to ask.', rule, code: 'Denied' };
};

/** One question is enough to ask; to allow, every part must be covered or only read. */
const shellRules: Step = ({ judged, context, parts }) => {
  const spoken = parts.map((part) => ({ part, ...spokenForPart(part, judged.call.tool, context) }));
  const asked = spoken.find((entry) => entry.rule?.action === 'ask');
  if (asked)
    return { verdict: 'ask', step: 4, reason: 'A rule says to ask.', rule: asked.rule, part: asked.part.text, code: 'Denied' };
  const open = spoken.find(
    (entry) => !entry.covered && entry.part.verdict !== 'allow' && !(entry.part.away && !entry.part.opaque),
  );
  const covered = spoken.find((entry) => entry.covered && entry.part.verdict !== 'allow');
  if (open || !covered) return undefined;
  return {
    verdict: 'allow',
    step: 4,
    reason: 'Rules allow every part that does more than read.',
    rule: covered.rule,
    part: covered.part.text,
    code: 'Denied',
  };
};

const readOnlyCommands: Step = ({ parts }) => {
  if (parts.length === 0 || parts.some((part) => part.verdict !== 'allow')) return undefined;
  return { verdict: 'allow', step: 5, reason: 'Every part of the command only reads.', part: parts[0]?.text, code: 'Denied' };
};

const readOnlyTools: Step = ({ judged, parts }) => {
  if (parts.length > 0 || !judged.facts.readOnly) return undefined;
  return { verdict: 'allow', step: 6, reason: 'The call only reads.', code: 'Denied' };
};

const askAnyway: Step = ({ parts }) => {
  const part = parts.find((entry) => entry.verdict !== 'allow');
  if (!part) return undefined;
  return { verdict: 'ask', step: 7, reason: sentence(part.reason), part: part.text, code: 'Denied' };
};

/** product.md 5, in order. What the paths of a call forbid comes before all rules. */
const STEPS: readonly Step[] = [
  ({ judged }) => zoneDenial(judged),
  denyRules,
  brokenFiles,
  dangerous,
  loosened,
  immune,
  outlives,
  rules,
  readOnlyCommands,
  readOnlyTools,
  askAnyway,
];

function firstSaid(matter: Matter): Decision {
  for (const step of STEPS) {
    const decision = step(matter);
    if (decision) return decision;
  }
  return nothingSaid(matter.judged);
}

function nothingSaid(judged: Judged): Decision {
  return {
    verdict: 'ask',
    step: 7,
    reason: `No rule speaks of ${judged.call.tool}, and it does more than read.`,
    code: 'Denied',
  };
}

/** Modes change only what an ask becomes; `plan` also refuses what rules allow. */
function applyMode(decision: Decision, judged: Judged, context: PolicyContext, parts: readonly Part[]): Decision {
  if (context.mode === 'plan' && decision.verdict !== 'deny' && !onlyReads(judged, parts)) {
    return {
      verdict: 'deny',
      step: 8,
      reason: 'plan mode: only reading is possible. Describe the change in the plan instead.',
      part: decision.part,
      code: 'Blocked',
    };
  }
  if (decision.verdict !== 'ask') return decision;
  if (
    context.mode === 'accept-edits' &&
    judged.facts.edits === true &&
    judged.facts.command === undefined &&
    judged.writes.every((path) => path.zone === 'inside')
  ) {
    return { ...decision, verdict: 'allow', step: 8, reason: 'accept-edits mode: edits inside the workspace are agreed to.' };
  }
  if (context.mode === 'auto' && !isKept(judged) && !parts.some((part) => part.outside || part.unread)) {
    return {
      ...decision,
      verdict: 'allow',
      step: 8,
      reason: 'auto mode: it is no danger of the kinds that always ask, and stays in the workspace.',
    };
  }
  return decision;
}

function onlyReads(judged: Judged, parts: readonly Part[]): boolean {
  if (isKept(judged) || looseningOf(judged) !== undefined) return false;
  return parts.length > 0 ? parts.every((part) => part.readOnly) : judged.facts.readOnly;
}

function sentence(reason: string): string {
  // Names of commands stand in backquotes and keep their spelling.
  const text = reason.charAt(0).toUpperCase() + reason.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
