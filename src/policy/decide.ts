/** The one decision on a call: the steps in order, each with its reason. Pure, and never throws. */

import type { Decision, Judged, Policy, PolicyContext, Reason } from '../types/policy.js';
import { fileRuleBelow, fileRuleForCall } from './file-rules.js';
import { because, decided } from './reasons.js';
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
    const why = because`the call could not be judged (internal error: ${error instanceof Error ? error.message : String(error)})`;
    return safeDenial(judged) ?? decided({ verdict: context.mode === 'plan' ? 'deny' : 'ask', step: 7, code: 'Denied' }, why);
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
    shell: context.shell,
    locate: (path) => context.locate(path),
    ...(context.traits ? { traits: (dir?: string) => context.traits?.(dir) ?? {} } : {}),
    ...(context.holdsPersonal ? { holdsPersonal: (dir: string) => context.holdsPersonal?.(dir) ?? true } : {}),
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
  const rule = denyRuleFor(judged, context) ?? fileRuleForCall(judged, context, 'here');
  if (rule) return decided({ verdict: 'deny', step: 1, rule, code: 'Blocked' }, because`a deny rule names it`);
  for (const part of parts) {
    const found = denyRuleForPart(part, judged.call.tool, context);
    if (found)
      return decided(
        { verdict: 'deny', step: 1, rule: found, part: part.text, code: 'Blocked' },
        because`a deny rule names ${code(part.text)}`,
      );
  }
  return undefined;
};

/** A rule file that cannot be read may have held a denial of anything but reading. */
const brokenFiles: Step = ({ judged, context, parts }) => {
  const [broken] = context.rules.broken;
  if (!broken || onlyReads(judged, parts)) return undefined;
  return decided(
    { verdict: 'deny', step: 1, code: 'Blocked' },
    because`the rule file ${broken.file} cannot be used (${broken.reason}), and it might forbid this. Repair or remove the file.`,
  );
};

const dangerous: Step = ({ context, parts }) => {
  const part = parts.find((entry) => entry.verdict === 'deny');
  if (!part || context.allowUnsafe) return undefined;
  return decided({ verdict: 'deny', step: 2, part: part.text, code: 'Blocked' }, part.reason);
};

/** What the sandbox is loosened by, asked once a session for the same call; a person's word, never a rule's or a mode's. */
const loosened: Step = (matter) => {
  const { judged, context } = matter;
  const how = looseningOf(judged);
  if (how === undefined || context.agreed?.(judged) === true) return undefined;
  const base = immune(matter);
  if (base?.why === undefined)
    return decided({ verdict: 'immune', step: 3, code: 'Denied' }, because`${how}, which is always asked`);
  return decided({ ...base, verdict: 'immune' }, because`${how}. Also: ${base.why}`);
};

/** How a call wants to be freed from the sandbox; undefined when it does not. */
export function looseningOf(judged: Judged): Reason | undefined {
  if (judged.facts.command === undefined) return undefined;
  if (judged.call.args['outside'] === true) return because`it would run without the sandbox`;
  return judged.call.args['agent'] === true ? because`it would be given the SSH agent` : undefined;
}

const immune: Step = ({ judged, context, parts }) => {
  const place = zoneQuestion(judged);
  if (place) return place;
  const wide = fileRuleForCall(judged, context, 'below');
  if (wide)
    return decided(
      { verdict: 'immune', step: 3, rule: wide, code: 'Denied' },
      because`it works on a whole folder, and a deny rule names files in it (${wide.pattern}). Name a folder or file beside them`,
    );
  const part = parts.find((entry) => entry.verdict === 'immune' || entry.verdict === 'deny');
  if (part) return decided({ verdict: 'immune', step: 3, part: part.text, code: part.code ?? 'Denied' }, part.reason);
  for (const entry of parts) {
    const below = fileRuleBelow(entry, context);
    if (below)
      return decided(
        { verdict: 'immune', step: 3, rule: below, part: entry.text, code: 'Denied' },
        because`${code(entry.text)} reads a whole folder, and a deny rule names files in it (${below.pattern}). Name a folder or file beside them`,
      );
  }
  const hidden = parts.find((entry) => entry.opaque);
  if (!hidden || !hasExecDeny(context)) return undefined;
  return decided(
    { verdict: 'immune', step: 3, part: hidden.text, code: 'Denied' },
    because`${hidden.reason}. A deny rule might forbid it.`,
  );
};

/** A job that outlives the run wants a person's word, whatever it does: no rule and no mode gives it. */
const outlives: Step = ({ judged }) => {
  if (!isKept(judged)) return undefined;
  return decided(
    { verdict: 'ask', step: 3, code: 'Denied' },
    because`\`keep\` lets the command outlive this run, which is always asked`,
  );
};

const isKept = (judged: Judged): boolean => judged.facts.command !== undefined && judged.call.args['keep'] === true;

const rules: Step = (matter) => (matter.parts.length > 0 ? shellRules(matter) : plainRules(matter));

const plainRules: Step = ({ judged, context }) => {
  const rule = spokenRule(judged, context);
  if (!rule) return undefined;
  if (rule.action === 'allow') return decided({ verdict: 'allow', step: 4, rule, code: 'Denied' }, because`a rule allows it`);
  return decided({ verdict: 'ask', step: 4, rule, code: 'Denied' }, because`a rule says to ask`);
};

/** One question is enough to ask; to allow, every part must be covered or only read. */
const shellRules: Step = ({ judged, context, parts }) => {
  const spoken = parts.map((part) => ({ part, ...spokenForPart(part, judged.call.tool, context) }));
  const asked = spoken.find((entry) => entry.rule?.action === 'ask');
  if (asked)
    return decided(
      { verdict: 'ask', step: 4, rule: asked.rule, part: asked.part.text, code: 'Denied' },
      because`a rule says to ask`,
    );
  const needsRule = (part: Part): boolean => judged.facts.foreign === true || part.verdict !== 'allow';
  const open = spoken.find((entry) => !entry.covered && needsRule(entry.part) && !(entry.part.away && !entry.part.opaque));
  const covered = spoken.find((entry) => entry.covered && needsRule(entry.part));
  if (open || !covered) return undefined;
  return decided(
    { verdict: 'allow', step: 4, rule: covered.rule, part: covered.part.text, code: 'Denied' },
    because`rules allow every part that does more than read`,
  );
};

const readOnlyCommands: Step = ({ judged, parts }) => {
  if (judged.facts.foreign === true || parts.length === 0 || parts.some((part) => part.verdict !== 'allow')) return undefined;
  return decided(
    { verdict: 'allow', step: 5, part: parts.length === 1 ? parts[0]?.text : undefined, code: 'Denied' },
    because`every part of the command only reads`,
  );
};

const readOnlyTools: Step = ({ judged, parts }) => {
  if (parts.length > 0 || !judged.facts.readOnly) return undefined;
  return decided({ verdict: 'allow', step: 6, code: 'Denied' }, because`the call only reads`);
};

const askAnyway: Step = ({ judged, context, parts }) => {
  const open = parts.filter((entry) => entry.verdict !== 'allow');
  // What a rule allows already is not what asks.
  const part = open.find((entry) => !spokenForPart(entry, judged.call.tool, context).covered) ?? open[0];
  if (!part) return undefined;
  return decided({ verdict: 'ask', step: 7, part: part.text, code: 'Denied' }, part.reason);
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
  return decided(
    { verdict: 'ask', step: 7, code: 'Denied' },
    because`no rule speaks of ${judged.call.tool}, and it does more than read`,
  );
}

/** Modes change only what an ask becomes; `plan` also refuses what rules allow. */
function applyMode(decision: Decision, judged: Judged, context: PolicyContext, parts: readonly Part[]): Decision {
  if (context.mode === 'plan' && decision.verdict !== 'deny' && !onlyReads(judged, parts)) {
    return decided(
      { verdict: 'deny', step: 8, part: decision.part, code: 'Blocked' },
      because`in plan mode only reading is possible; describe the change in the plan instead`,
    );
  }
  if (decision.verdict !== 'ask') return decision;
  if (
    context.mode === 'accept-edits' &&
    judged.facts.edits === true &&
    judged.facts.command === undefined &&
    judged.writes.every((path) => path.zone === 'inside')
  ) {
    return decided(
      { ...decision, verdict: 'allow', step: 8 },
      because`in accept-edits mode edits inside the workspace are agreed to`,
    );
  }
  return context.mode === 'auto' ? inAuto(decision, judged, context, parts) : decision;
}

/** `auto` agrees to what stays here and can be seen or undone; the rest is still a question. */
function inAuto(decision: Decision, judged: Judged, context: PolicyContext, parts: readonly Part[]): Decision {
  if (isKept(judged) || parts.some((part) => part.outside || part.unread)) return decision;
  const open = parts.find((part) => part.lasting && !part.away && !spokenForPart(part, judged.call.tool, context).covered);
  if (open?.lasting)
    return decided({ ...decision, part: open.text }, because`${open.lasting}, to which auto mode does not agree by itself`);
  return decided(
    { ...decision, verdict: 'allow', step: 8 },
    because`in auto mode this is agreed to: it is none of the kinds that always ask, and nothing in it is known to reach out of the workspace`,
  );
}

function onlyReads(judged: Judged, parts: readonly Part[]): boolean {
  if (isKept(judged) || looseningOf(judged) !== undefined || judged.facts.foreign === true) return false;
  return parts.length > 0 ? parts.every((part) => part.readOnly) : judged.facts.readOnly;
}
