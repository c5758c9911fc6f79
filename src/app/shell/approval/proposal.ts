/** What an edit would make of its files, and the call that makes what a person wants of them instead. */
import { createTwoFilesPatch } from 'diff';
import { TOOLS } from '../../../tools/registry.js';
import type { JsonObject } from '../../../types/json.js';
import type { ChangedCall, Question } from '../../../types/policy.js';
import type { Proposal } from '../../../ui/shell/approval/dialog.js';
import { hunksOf, type ProposedFile, textLines } from '../../../ui/shell/approval/hunks.js';
import type { App } from '../../create-app.js';
import { changeNote } from './change-note.js';
import { type DryFile, dryWorkspace } from './dry-workspace.js';

const EDITS = new Set(['@coder write', '@coder patch', '@coder multipatch']);
/** Larger files are not taken apart (characters of all together). */
const MOST_TEXT = 2_000_000;

/** Undefined for calls that are no edit of text, would fail, or touch files that may not be read yet. Never throws. */
export async function proposalFor(question: Question, app: App, redact: (text: string) => string): Promise<Proposal | undefined> {
  const { call } = question;
  if (!EDITS.has(call.tool)) return undefined;
  const tried = await tryCall(question, call.args, app);
  const made = tried?.map(textFile) ?? [];
  const files = made.filter((file) => file !== undefined);
  if (files.length === 0 || files.length < made.length) return undefined;
  if (files.reduce((sum, { before, after }) => sum + (before?.length ?? 0) + after.length, 0) > MOST_TEXT) return undefined;
  return {
    files,
    async changed(wanted) {
      const args = argsFor(question, wanted);
      const again = args && (await tryCall(question, args, app));
      // Only what would lead to exactly these texts, from exactly the texts that were shown, is that call.
      if (!args || !again || !isExactly(again.map(textFile), wanted)) return undefined;
      return { args, note: redact(changeNote(files, wanted)) } satisfies ChangedCall;
    },
  };
}

async function tryCall({ call, agent }: Question, args: JsonObject, app: App): Promise<readonly DryFile[] | undefined> {
  const tool = TOOLS.find(({ name }) => name === call.tool);
  if (!tool) return undefined;
  const { workspace, files } = dryWorkspace(app.elsewhere.of(agent)?.workspace ?? app.workspace);
  const signal = new AbortController().signal;
  const plan = { get: () => [], set: () => undefined };
  try {
    const result = await tool.run(args, { workspace, host: app.host, plan, agent, signal, progress: () => undefined });
    return result.isError ? undefined : files;
  } catch {
    return undefined;
  }
}

/** Undefined for what is no UTF-8 text to the last byte, and for a file that goes away. */
function textFile({ path, before, after }: DryFile): ProposedFile | undefined {
  const [old, now] = [before && exactText(before), after && exactText(after)];
  if ((before && old === undefined) || now === undefined || now === null) return undefined;
  return { path, before: old, after: now };
}

function exactText(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  return !text.includes('\0') && Buffer.from(text).equals(bytes) ? text : undefined;
}

const isChanged = ({ before, after }: ProposedFile): boolean => before !== after;

function isExactly(made: readonly (ProposedFile | undefined)[], wanted: readonly ProposedFile[]): boolean {
  const key = (files: readonly (ProposedFile | undefined)[]): string =>
    JSON.stringify(files.map((file) => file && [file.path, file.before ?? null, file.after]).sort());
  return key(made) === key(wanted.filter(isChanged));
}

/** The same tool with arguments that make these texts; undefined where it has none. */
function argsFor({ call }: Question, wanted: readonly ProposedFile[]): JsonObject | undefined {
  const changed = wanted.filter(isChanged);
  const [first] = changed;
  if (!first) return undefined;
  if (call.tool === '@coder write') {
    const file = call.args['file'];
    return changed.length === 1 && typeof file === 'string' ? { file, content: first.after } : undefined;
  }
  if (call.tool === '@coder multipatch') {
    const edits = changed.flatMap(editsFor);
    return edits.every((edit) => edit !== undefined) ? { edits } : undefined;
  }
  const [edit, ...more] = changed.length === 1 ? editsFor(first) : [];
  if (edit && more.length === 0) return edit;
  return { diff: changed.map(diffFor).join('') };
}

/** One edit for each change, with as many lines around it as make it the only such place. */
function editsFor(file: ProposedFile): ({ file: string; search: string; replace: string } | undefined)[] {
  const { path, before = '' } = file;
  const old = textLines(before);
  let shown = before;
  // From the end on, so that what stands before a change is still the old text.
  return hunksOf(file)
    .toReversed()
    .map(({ from, removed, added }) => {
      for (let around = removed.length > 0 ? 0 : 1; around <= old.length; around = around * 2 + 1) {
        const head = old.slice(Math.max(0, from - around), from).join('');
        const tail = old.slice(from + removed.length, from + removed.length + around).join('');
        const search = head + removed.join('') + tail;
        if (search === '' || shown.indexOf(search) !== shown.lastIndexOf(search)) continue;
        const replace = head + added.join('') + tail;
        const at = shown.indexOf(search);
        if (at < 0) return undefined;
        shown = shown.slice(0, at) + replace + shown.slice(at + search.length);
        return { file: path, search, replace };
      }
      return undefined;
    });
}

function diffFor({ path, before, after }: ProposedFile): string {
  const [from, to] = [before === undefined ? '/dev/null' : `a/${path}`, `b/${path}`];
  const patch = createTwoFilesPatch(from, to, before ?? '', after, undefined, undefined, { context: 3 });
  return patch.replace(/^=+\n/, '');
}
